"""Single trees and AdaBoost on Dask: the rows come together, in coded form, on one worker."""

from __future__ import annotations

from treewright._learners.ensembles import adaboost
from treewright._learners.trees import c45, cart, id3
from treewright._utils.docstrings import documented
from treewright.dask.estimator_base import DaskClassifier, DaskEstimator

__all__ = [
    "AdaBoostClassifier",
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ID3Classifier",
]


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
    >>> with Client(processes=False, dashboard_address=None) as client:
    ...     model = AdaBoostClassifier(n_estimators=4).fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = adaboost.AdaBoostClassifier


@documented
class C45Classifier(DaskClassifier, c45.C45Classifier):
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
    >>> with Client(processes=False, dashboard_address=None) as client:
    ...     model = C45Classifier().fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = c45.C45Classifier


@documented
class CARTClassifier(DaskClassifier, cart.CARTClassifier):
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
    >>> with Client(processes=False, dashboard_address=None) as client:
    ...     model = CARTClassifier().fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = cart.CARTClassifier


@documented
class CARTRegressor(DaskEstimator, cart.CARTRegressor):
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
    >>> with Client(processes=False, dashboard_address=None) as client:
    ...     model = CARTRegressor().fit(X, X[:, 0])
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = cart.CARTRegressor


@documented
class ID3Classifier(DaskClassifier, id3.ID3Classifier):
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
    >>> with Client(processes=False, dashboard_address=None) as client:
    ...     model = ID3Classifier().fit(X, (X[:, 0] > 0.5).astype(int))
    ...     model.predict(X).compute().shape
    (200,)
    """

    _local = id3.ID3Classifier
