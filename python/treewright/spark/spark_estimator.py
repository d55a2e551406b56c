"""What all estimators on Spark share: they fit data frames, and turn into local ones."""

from __future__ import annotations

import pickle
import secrets
from functools import partial
from typing import Any, ClassVar, Self

from sklearn.base import is_classifier

from treewright._cluster.cluster_estimator import ClusterEstimator
from treewright._cluster.cluster_report import FitReport
from treewright.errors import DataError, PeerLostError, UsageError
from treewright.spark.barrier_tasks import Outcome, TaskPlan, run_task

__all__ = ["SparkEstimator"]

# How often a fit begins again, and what Spark says if a process of it is gone.
RESTARTS = 3
LOST = (PeerLostError.slug, "ExecutorLostFailure", "Python worker exited unexpectedly")


class SparkEstimator(ClusterEstimator):
    """Methods that replace those of the local estimator of the same name, from which a class also derives."""

    _local: ClassVar[type[Any]]

    fit_report_: FitReport

    def fit(self, X: Any, y: str, sample_weight: str | None = None) -> Self:
        """Fit the model to a Spark data frame.

        The model has the bytes of the local estimator's model for the same rows in one table, in the order of the
        partitions. The tasks run in barrier mode: there are as many as the frame has partitions, or as the cluster has
        cores if these are fewer.

        Parameters
        ----------
        X : pyspark.sql.DataFrame
            The rows, with the target among the columns.
        y : str
            The name of the column of the target.
        sample_weight : str, optional
            The name of a column of weights.

        Returns
        -------
        self
            The fitted estimator.
        """
        report = FitReport()
        with report.phase("all"):
            frame = arrange_rows(X)
            plan = make_plan(self.to_local(), frame, y, sample_weight)
            outcomes = run_tasks(frame, plan, report)
        if not outcomes:
            raise DataError("the data frame has no rows", slug="data.empty")
        report.workers = report.partitions = len(outcomes)
        report.connection = outcomes[0].connection
        report.wire_bytes = sum(outcome.bytes_sent for outcome in outcomes)
        if outcomes[0].error is not None:
            raise outcomes[0].error
        assert outcomes[0].model is not None, "the first task returns the model"
        report.method = outcomes[0].model.method
        self._take(outcomes[0].model)
        self.fit_report_ = report
        return self


def arrange_rows(frame: Any) -> Any:
    """Return a frame with at most one partition for each core: all tasks of a fit run at the same time."""
    context = _spark_context(frame)
    cores = max(1, context.defaultParallelism)
    if frame.rdd.getNumPartitions() <= cores:
        return frame
    from pyspark.sql import functions

    # The number of a row rises with its partition and its place there, so the order stays as it is.
    number = "treewright row number"
    numbered = frame.withColumn(number, functions.monotonically_increasing_id())
    divided = numbered.repartitionByRange(cores, number).sortWithinPartitions(number)
    return divided.drop(number)


def _spark_context(frame: Any) -> Any:
    """Return the context of a frame; an error for anything else."""
    session = getattr(frame, "sparkSession", None)
    if session is None or not hasattr(frame, "mapInArrow"):
        raise UsageError(
            f"a fit on Spark needs a Spark data frame; got {type(frame).__name__}",
            slug="cluster.frame",
            hints=["make a Spark data frame of the table with createDataFrame of the session"],
        )
    try:
        return session.sparkContext
    except Exception:
        raise UsageError(
            "a fit on Spark needs a classic session; Spark Connect has no barrier mode for it",
            slug="cluster.client",
        ) from None


def make_plan(estimator: Any, frame: Any, target: str, weight: str | None) -> TaskPlan:
    """Return what every task needs; an error if a column is missing."""
    from pyspark.sql.pandas.types import to_arrow_schema

    for name, argument in ((target, "y"), (weight, "sample_weight")):
        if name is not None and name not in frame.columns:
            raise UsageError(
                f'{argument} names the column "{name}", which the data frame does not have',
                slug="cluster.columns",
                hints=[f"columns: {', '.join(frame.columns[:20])}"],
            )
    features = [name for name in frame.columns if name not in (target, weight)]
    return TaskPlan(
        estimator,
        bool(is_classifier(estimator)),
        features,
        target,
        weight,
        to_arrow_schema(frame.schema).serialize().to_pybytes(),
        secrets.token_bytes(32),
    )


def run_tasks(frame: Any, plan: TaskPlan, report: FitReport) -> list[Outcome]:
    """Run the fit; return the outcomes of all tasks in the order of their ranks.

    Spark does not start the tasks of a last stage again if one of them is lost, so this does; the model of another
    attempt has the same bytes.
    """
    task = partial(run_task, plan)
    while True:
        try:
            rows = frame.mapInArrow(task, "rank long, outcome binary", barrier=True).collect()
        except Exception as error:
            lost = next((mark for mark in LOST if mark in str(error)), None)
            if lost is None or len(report.restarts) == RESTARTS:
                raise
            report.restarts.append(lost)
        else:
            return [pickle.loads(row.outcome) for row in sorted(rows, key=lambda row: row.rank)]
