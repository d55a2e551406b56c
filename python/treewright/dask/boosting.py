"""Gradient boosting on Dask: workers keep their rows and add up integers."""

from __future__ import annotations

from treewright._learners.boosting import gradient_boosting
from treewright._utils.docstrings import documented
from treewright.dask.estimator_base import DaskClassifier, DaskEstimator

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor"]


@documented
class GradientBoostingClassifier(DaskClassifier, gradient_boosting.GradientBoostingClassifier):  # type: ignore[misc]
    """Gradient boosting for classes on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import GradientBoostingClassifier
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address=None) as client:
    ...     model = GradientBoostingClassifier(n_estimators=4).fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = gradient_boosting.GradientBoostingClassifier


@documented
class GradientBoostingRegressor(DaskEstimator, gradient_boosting.GradientBoostingRegressor):  # type: ignore[misc]
    """Gradient boosting for numbers on a Dask cluster.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from treewright.dask import GradientBoostingRegressor
    >>> X = da.random.default_rng(0).random((200, 3), chunks=(50, 3))
    >>> with Client(processes=False, dashboard_address=None) as client:
    ...     model = GradientBoostingRegressor(n_estimators=4).fit(X, X[:, 0])
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = gradient_boosting.GradientBoostingRegressor
