"""Single trees and AdaBoost on Dask.

The rows of CART, C4.5 and ID3 come together, in coded form, on one worker. If they do not fit it, they stay where they
are: large nodes are then searched by sums over all workers, and the rows of each small node go to one of them.

AdaBoost adds up the weights of bins over all workers wherever its weak learners are stumps on numbers.
"""

from __future__ import annotations

from typing import Any

from treewright._cluster import divided_stumps, divided_trees
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.memory import fits_memory
from treewright._learners.ensembles import adaboost
from treewright._learners.trees import c45, cart, id3
from treewright.dask.class_docstrings import documented_on_dask
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.dask_estimator import DaskClassifier, DaskEstimator
from treewright.dask.gathering import fit_on_one_worker, memory_limit
from treewright.dask.joint_training import fit_on_all_workers

__all__ = [
    "AdaBoostClassifier",
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ID3Classifier",
]


class DividedTree(DaskEstimator):
    """A single tree whose rows are divided if they do not fit one worker."""

    def _learn_on_cluster(self, rows: ClusterRows, local: Any, **options: Any) -> FittedModel:
        is_large = not fits_memory(rows.facts, memory_limit(rows))
        if not is_large or not divided_trees.is_divisible(local, rows.facts):
            return fit_on_one_worker(rows, local)
        return fit_on_all_workers(rows, local, divided_trees.fit_divided)


class DividedStumps(DaskEstimator):
    """AdaBoost whose rows stay where they are, if its weak learners allow it."""

    def _learn_on_cluster(self, rows: ClusterRows, local: Any, **options: Any) -> FittedModel:
        if not divided_stumps.is_divisible(local, rows.facts):
            return fit_on_one_worker(rows, local)
        return fit_on_all_workers(rows, local, divided_stumps.fit_divided)


@documented_on_dask
class AdaBoostClassifier(DividedStumps, DaskClassifier, adaboost.AdaBoostClassifier):  # type: ignore[misc]
    """AdaBoost for classes on a Dask cluster."""

    _local = adaboost.AdaBoostClassifier


@documented_on_dask
class C45Classifier(DividedTree, DaskClassifier, c45.C45Classifier):
    """C4.5 on a Dask cluster."""

    _local = c45.C45Classifier


@documented_on_dask
class CARTClassifier(DividedTree, DaskClassifier, cart.CARTClassifier):
    """CART for classes on a Dask cluster."""

    _local = cart.CARTClassifier


@documented_on_dask
class CARTRegressor(DividedTree, cart.CARTRegressor):
    """CART for numbers on a Dask cluster."""

    _local = cart.CARTRegressor


@documented_on_dask
class ID3Classifier(DividedTree, DaskClassifier, id3.ID3Classifier):
    """ID3 on a Dask cluster."""

    _local = id3.ID3Classifier
