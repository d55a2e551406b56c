"""Fits that all workers run together on rows that stay where they are, and that have no rounds to go on from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from treewright._cluster.boosting_part import TrainedPart
from treewright._cluster.forest_bytes import forest_to_bytes
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.packed_rows import PackedRows
from treewright._cluster.table_facts import TableFacts
from treewright.dask.boosting_attempts import train_on_workers
from treewright.dask.cluster_rows import ClusterRows

__all__ = ["fit_on_all_workers"]

RETRIES = 3
# Fits an estimator to the rows of all processes: peers, the rows of this one, facts, estimator, threads.
FitTogether = Callable[[Any, Sequence[PackedRows], TableFacts, Any, int], FittedModel]


@dataclass(frozen=True)
class JointPlan:
    """What every worker knows of a fit."""

    fit: FitTogether
    estimator: Any
    facts: TableFacts


def fit_on_all_workers(rows: ClusterRows, estimator: Any, fit: FitTogether) -> FittedModel:
    """Fit a local estimator on all workers together; each keeps its rows."""
    rows.report.method = "merged sums"
    plan = JointPlan(fit, estimator, rows.facts)
    result = train_on_workers(rows, plan, RETRIES, None, train=train_together)
    model: FittedModel = result.model
    return model


def train_together(
    plan: JointPlan, peers: Any, parts: Sequence[Any], start: Any, tell: Any, threads: int
) -> TrainedPart:
    """Fit the estimator on the rows of this worker together with all others; there are no rounds to tell of."""
    result = plan.fit(peers, parts, plan.facts, plan.estimator, threads)
    trees = forest_to_bytes(result.estimator._forest, result.estimator.schema_)
    seconds = {"coding": 0.0, "growing": result.seconds}
    return TrainedPart(trees, [], seconds, result.peak, model=result)
