"""Forests on Dask: every worker gets the coded rows and grows some of the trees.

Rows that do not fit a worker stay where they are; all workers then grow one tree after the other from merged sums.
"""

from __future__ import annotations

from typing import Any

from treewright._cluster import divided_forests
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.memory import check_memory, fits_memory
from treewright._learners.ensembles import forests
from treewright._learners.ensembles.run_params import progress_callback
from treewright._utils.validation import check_integer
from treewright.dask.class_docstrings import documented_on_dask
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.dask_estimator import DaskClassifier, DaskEstimator
from treewright.dask.forest_tasks import fit_forest
from treewright.dask.gathering import fit_on_one_worker, memory_limit
from treewright.dask.joint_training import fit_on_all_workers

__all__ = [
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
]


class DealtTrees(DaskEstimator):
    """A forest whose trees are dealt to workers by their numbers."""

    n_estimators: int

    def _learn_on_cluster(self, rows: ClusterRows, local: Any, **options: Any) -> FittedModel:
        total = check_integer("n_estimators", self.n_estimators, minimum=1)
        earlier = local.__dict__.get("_forest") if local.warm_start else None
        first = 0 if earlier is None else min(earlier.n_trees, total)
        if not fits_memory(rows.facts, memory_limit(rows)):
            return _fit_divided(rows, local)
        if first == total:  # nothing to grow
            return fit_on_one_worker(rows, local)
        return fit_forest(rows, local, range(first, total), progress_callback(self, total - first))


def _fit_divided(rows: ClusterRows, local: Any) -> FittedModel:
    """Fit a forest whose rows fit no worker, or raise an error that names the option that needs them all."""
    option = divided_forests.option_for_all_rows(local)
    if option is not None:
        check_memory(rows.facts, memory_limit(rows), f"{option} needs all rows on one worker")
    return fit_on_all_workers(rows, local, divided_forests.fit_divided)


@documented_on_dask
class ExtraTreesClassifier(DealtTrees, DaskClassifier, forests.ExtraTreesClassifier):
    """Extremely randomized trees for classes on a Dask cluster."""

    _local = forests.ExtraTreesClassifier


@documented_on_dask
class ExtraTreesRegressor(DealtTrees, forests.ExtraTreesRegressor):
    """Extremely randomized trees for numbers on a Dask cluster."""

    _local = forests.ExtraTreesRegressor


@documented_on_dask
class RandomForestClassifier(DealtTrees, DaskClassifier, forests.RandomForestClassifier):
    """Random forest for classes on a Dask cluster."""

    _local = forests.RandomForestClassifier


@documented_on_dask
class RandomForestRegressor(DealtTrees, forests.RandomForestRegressor):
    """Random forest for numbers on a Dask cluster."""

    _local = forests.RandomForestRegressor
