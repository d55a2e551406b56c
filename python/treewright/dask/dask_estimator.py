"""What all estimators on Dask share: they fit collections, predict lazily, and turn into local ones."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from treewright._cluster.cluster_estimator import ClusterEstimator
from treewright._cluster.cluster_report import FitReport
from treewright._cluster.gathered_fits import FittedModel
from treewright.dask.cluster_rows import ClusterRows, read_rows_on_workers
from treewright.dask.gathering import fit_on_one_worker
from treewright.dask.partition_futures import is_collection
from treewright.dask.prediction import predict_lazily
from treewright.dask.task_watch import cancel_on_error
from treewright.errors import UsageError

__all__ = ["DaskEstimator"]


class DaskEstimator(ClusterEstimator):
    """Methods that replace those of the local estimator of the same name, from which a class also derives."""

    _own: ClassVar[frozenset[str]] = frozenset({"fit_report_", "_shards"})

    fit_report_: FitReport

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, client: Any = None) -> Self:
        """Fit the model to rows that lie on the workers of a Dask cluster.

        The model has the bytes of the local estimator's model for the same rows in one table. Rows are counted in the
        order of the partitions.

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

        Returns
        -------
        self
            The fitted estimator.
        """
        return self._fit_on_cluster((X, y, sample_weight), client)

    def _fit_on_cluster(self, data: tuple[Any, Any, Any], client: Any, **options: Any) -> Self:
        report = FitReport()
        local = self.to_local()
        with report.phase("all"):
            client = current_client(client)
            rows = read_rows_on_workers(client, data, bool(is_classifier(local)), report)
            try:
                with cancel_on_error(client, rows.tasks):
                    result = self._learn_on_cluster(rows, local, **options)
            finally:
                rows.release()
        self._take(result)
        self.fit_report_ = report
        return self

    def _learn_on_cluster(self, rows: ClusterRows, local: Any, **options: Any) -> FittedModel:
        """Return the fitted local estimator. Learners that divide the work replace it."""
        return fit_on_one_worker(rows, local)

    def estimate_memory(self, X: Any, *, client: Any = None) -> int:
        """Return how many bytes a worker process needs for a fit to these rows, before anything of it starts.

        What the process holds already is included, so the number can be compared with its memory limit; the trees of
        a large forest are not. Only the partitions are read, once.

        Parameters
        ----------
        X : Dask DataFrame, Dask Array, or list of futures or delayed values
            The rows.
        client : distributed.Client, optional
            The cluster; by default the current client.

        Returns
        -------
        int
            Number of bytes.
        """
        from treewright.dask.memory_estimate import estimate_memory

        return estimate_memory(self, X, current_client(client))

    def predict(self, X: Any) -> Any:
        """Predict each row: lazily for a Dask collection, at once for any other table.

        Parameters
        ----------
        X : Dask collection or table
            The rows.

        Returns
        -------
        Dask collection or ndarray
            A class or a number for each row. The partitions are those of X; a data frame keeps its index.
        """
        return self._predict_by("predict", X)

    def _predict_by(self, method: str, X: Any) -> Any:
        check_is_fitted(self)
        if is_collection(X):
            return predict_lazily(self.to_local(), X, method)
        return getattr(super(), method)(X)


class DaskClassifier(DaskEstimator):
    """The methods that only classifiers have."""

    def predict_proba(self, X: Any) -> Any:
        """Return class probabilities: lazily for a Dask collection, at once for any other table.

        Parameters
        ----------
        X : Dask collection or table
            The rows.

        Returns
        -------
        Dask collection or ndarray
            A column for each class, in the order of ``classes_``.
        """
        return self._predict_by("predict_proba", X)


def current_client(client: Any) -> Any:
    """Return the client of a fit; by default the current one."""
    from distributed import Client, get_client

    try:
        chosen = get_client() if client is None else client
    except ValueError:
        raise _no_client("no Dask client is running in this process") from None
    if not isinstance(chosen, Client):
        raise _no_client(f"client must be a Dask client; got a {type(chosen).__name__}")
    if chosen.status in ("closing", "closed"):
        raise _no_client("this Dask client is closed")
    return chosen


def _no_client(what: str) -> UsageError:
    hint = "from dask.distributed import Client; client = Client()"
    return UsageError(what, slug="cluster.client", hints=[hint])
