"""Single trees and AdaBoost on Dask: the rows come together, in coded form, on one worker.

The rows of CART, C4.5 and ID3 stay where they are if they do not fit one worker: large nodes are then searched by
sums over all workers, and the rows of each small node go to one of them.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewright._cluster.boosting_part import TrainedPart
from treewright._cluster.divided_trees import fit_divided, is_divisible
from treewright._cluster.forest_bytes import forest_to_bytes
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.memory import fits_memory
from treewright._cluster.table_facts import TableFacts
from treewright._learners.ensembles import adaboost
from treewright._learners.trees import c45, cart, id3
from treewright._utils.docstrings import documented
from treewright.dask.boosting_attempts import train_on_workers
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.dask_estimator import DaskClassifier, DaskEstimator
from treewright.dask.gathering import fit_on_one_worker, memory_limit

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
        if not is_large or not is_divisible(local, rows.facts):
            return fit_on_one_worker(rows, local)
        rows.report.method = "merged sums"
        plan = TreePlan(local, rows.facts)
        result = train_on_workers(rows, plan, 3, None, train=train_tree)
        model: FittedModel = result.model
        return model


@dataclass(frozen=True)
class TreePlan:
    """What every worker knows of a tree."""

    estimator: Any
    facts: TableFacts


def train_tree(
    plan: TreePlan, peers: Any, parts: Sequence[Any], start: Any, tell: Any, threads: int
) -> TrainedPart:
    """Grow a tree on the rows of this worker together with all others; it has no rounds to tell of."""
    result = fit_divided(peers, parts, plan.facts, copy.copy(plan.estimator))
    trees = forest_to_bytes(result.estimator._forest, result.estimator.schema_)
    seconds = {"coding": 0.0, "growing": result.seconds}
    return TrainedPart(trees, [], seconds, result.peak, model=result)


@documented
class AdaBoostClassifier(DaskClassifier, adaboost.AdaBoostClassifier):  # type: ignore[misc]
    """AdaBoost for classes on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import AdaBoostClassifier
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = AdaBoostClassifier(n_estimators=4).fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = adaboost.AdaBoostClassifier


@documented
class C45Classifier(DividedTree, DaskClassifier, c45.C45Classifier):
    """C4.5 on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import C45Classifier
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = C45Classifier().fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = c45.C45Classifier


@documented
class CARTClassifier(DividedTree, DaskClassifier, cart.CARTClassifier):
    """CART for classes on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import CARTClassifier
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = CARTClassifier().fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = cart.CARTClassifier


@documented
class CARTRegressor(DividedTree, cart.CARTRegressor):
    """CART for numbers on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import CARTRegressor
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = CARTRegressor().fit(X, X[:, 0])
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = cart.CARTRegressor


@documented
class ID3Classifier(DividedTree, DaskClassifier, id3.ID3Classifier):
    """ID3 on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import ID3Classifier
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = ID3Classifier().fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = id3.ID3Classifier
