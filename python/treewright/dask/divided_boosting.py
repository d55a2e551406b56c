"""Gradient boosting on Dask: workers keep their rows and add up integers."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

from treewright._cluster.boosting_part import Progress
from treewright._cluster.boosting_plan import (
    finish_model,
    is_divisible,
    note_facts,
    note_rows,
    plan_boosting,
)
from treewright._cluster.fit_plan import BoostingPlan
from treewright._cluster.forest_bytes import forest_from_bytes
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.memory import check_boosting_memory
from treewright._learners.boosting import gradient_boosting
from treewright._learners.boosting.boosting_recipe import count_sums
from treewright._learners.boosting.boosting_rounds import Round, list_callbacks
from treewright._utils.validation import check_integer
from treewright.dask.boosting_attempts import train_on_workers
from treewright.dask.boosting_checkpoint import open_checkpoint, train_with_checkpoint
from treewright.dask.class_docstrings import documented_on_dask
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.dask_estimator import DaskClassifier, DaskEstimator
from treewright.dask.gathering import fit_on_one_worker, memory_limit
from treewright.dask.heartbeats import alive_workers
from treewright.dask.task_watch import gather
from treewright.errors import ClusterError
from treewright.schema import Schema

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor"]


class DividedBoosting(DaskEstimator):
    """Boosting whose rows are divided among workers."""

    _divides_rows: ClassVar[bool] = True

    verbose: Any

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        client: Any = None,
        callback: Callable[[Round], Any] | Sequence[Callable[[Round], Any]] | None = None,
        retries: int = 3,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Fit the model to rows that lie on the workers of a Dask cluster.

        Workers keep their rows and add up integers over sockets. If a worker dies, the fit goes on from the last
        finished round, with the same trees. ``splits="exact"``, an estimator as ``init`` and a warm start need all
        rows in one place: then one worker fits the model.

        Parameters
        ----------
        X : Dask DataFrame, Dask Array, or list of futures or delayed values
            The rows. Each partition is any table that the local estimator takes.
        y : Dask Series, Dask Array, or list of futures or delayed values
            The class or the number of each row, in the same partitions.
        sample_weight : as y, optional
            A weight for each row.
        client : distributed.Client, optional
            The cluster; by default the current client.
        callback : callable or list of callables, optional
            Called in this process with a `Round` after each round; if one returns True, the fit ends.
        retries : int, default=3
            How often the fit may begin again without a new round before it stops with an error.
        checkpoint : str or path, optional
            A file of this process to which finished rounds are written: every ten rounds, at the end, and if the fit
            fails. A later fit to the same rows with the same parameters and the same file goes on from there, with
            the same trees, on any cluster and for any partitions of the rows.

        Returns
        -------
        self
            The fitted estimator.
        """
        callbacks = list_callbacks(callback)
        retries = check_integer("retries", retries, minimum=0)
        options = {"callbacks": callbacks, "retries": retries, "checkpoint": checkpoint}
        return self._fit_on_cluster((X, y, sample_weight), client, **options)

    def _learn_on_cluster(self, rows: ClusterRows, local: Any, **options: Any) -> FittedModel:
        callbacks, path = options["callbacks"], options["checkpoint"]
        if not is_divisible(local, rows.facts):
            if callbacks or path is not None:
                name = "a callback" if callbacks else "a checkpoint"
                raise ClusterError(f"{name} needs rows that may be divided", slug="cluster.option")
            return fit_on_one_worker(rows, local)
        rows.report.method = "merged sums"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            plan = plan_boosting(local, rows.facts)
            workers = len(alive_workers(rows.client))
            needed = rows.bytes_of_share(workers, count_sums(plan.recipe))
            check_boosting_memory(needed, workers, memory_limit(rows))
            tell = self._reporter(plan, callbacks)
            if path is None:
                result = train_on_workers(rows, plan, options["retries"], tell)
            else:
                checkpoint = open_checkpoint(path, local, rows, plan)
                result = train_with_checkpoint(checkpoint, rows, plan, options["retries"], tell)
            schema = _note_values(rows, plan)
            forest = forest_from_bytes(result.forest)
            model = finish_model(local, plan, forest, result.losses, schema)
        notes = [(each.category, str(each.message)) for each in caught]
        return FittedModel(model, notes, 0.0, 0)

    def _reporter(
        self, plan: BoostingPlan, callbacks: Sequence[Callable[[Round], Any]]
    ) -> Callable[[Progress], bool] | None:
        """Return what to call after each round: the callbacks, and what ``verbose`` asks for; None for nothing."""
        verbose = self.verbose
        if not callbacks and not verbose:
            return None

        def tell(progress: Progress) -> bool:
            train_loss, *more = progress.losses[-1]
            result = Round(progress.rounds, plan.rounds, train_loss, more[-1], {})
            if callable(verbose):
                verbose(progress.rounds, plan.rounds)
            elif verbose and progress.rounds % max(1, 10 // int(verbose)) == 0:
                print(result, flush=True)
            is_stopped = [callback(result) is True for callback in callbacks]
            return any(is_stopped)

        return tell


def _note_values(rows: ClusterRows, plan: BoostingPlan) -> Schema:
    """Return the schema with notes on the values of its columns."""
    with rows.report.phase("noting values"):
        noted = note_facts(plan)
        if noted is not None:
            return noted
        filled = [f for f, count in zip(rows.packed, rows.facts.lengths, strict=True) if count]
        task = rows.submit("note", note_rows, plan, filled)
        result: Schema = gather(rows.client, [task], "noting values")[0]
        return result


@documented_on_dask
class GradientBoostingClassifier(  # type: ignore[misc]
    DividedBoosting, DaskClassifier, gradient_boosting.GradientBoostingClassifier
):
    """Gradient boosting for classes on a Dask cluster."""

    _local = gradient_boosting.GradientBoostingClassifier


@documented_on_dask
class GradientBoostingRegressor(DividedBoosting, gradient_boosting.GradientBoostingRegressor):  # type: ignore[misc]
    """Gradient boosting for numbers on a Dask cluster."""

    _local = gradient_boosting.GradientBoostingRegressor
