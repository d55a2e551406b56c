"""Forests on Dask: every worker gets the coded rows and grows some of the trees."""

from __future__ import annotations

from typing import Any

from treewright._cluster.gathered_fits import FittedModel
from treewright._learners.ensembles import forests
from treewright._learners.ensembles.run_params import progress_callback
from treewright._utils.docstrings import documented
from treewright._utils.validation import check_integer
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.dask_estimator import DaskClassifier, DaskEstimator
from treewright.dask.gathering import fit_forest

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
        report = progress_callback(self, total - first)
        return fit_forest(rows, local, range(first, total), report)


@documented
class ExtraTreesClassifier(DealtTrees, DaskClassifier, forests.ExtraTreesClassifier):
    """Extremely randomized trees for classes on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import ExtraTreesClassifier
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = ExtraTreesClassifier(n_estimators=4).fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = forests.ExtraTreesClassifier


@documented
class ExtraTreesRegressor(DealtTrees, forests.ExtraTreesRegressor):
    """Extremely randomized trees for numbers on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import ExtraTreesRegressor
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = ExtraTreesRegressor(n_estimators=4).fit(X, X[:, 0])
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = forests.ExtraTreesRegressor


@documented
class RandomForestClassifier(DealtTrees, DaskClassifier, forests.RandomForestClassifier):
    """Random forest for classes on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import RandomForestClassifier
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = RandomForestClassifier(n_estimators=4).fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = forests.RandomForestClassifier


@documented
class RandomForestRegressor(DealtTrees, forests.RandomForestRegressor):
    """Random forest for numbers on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import RandomForestRegressor
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address="127.0.0.1:0") as client:
    ...     model = RandomForestRegressor(n_estimators=4).fit(X, X[:, 0])
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = forests.RandomForestRegressor
