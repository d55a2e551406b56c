"""Nearest neighbors on Dask: training rows stay where they are, and each partition names its nearest rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from dask.delayed import delayed
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright._cluster.column_facts import ColumnFacts
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.merged_schema import MergedSchema, merge_schema
from treewright._cluster.neighbor_shards import build_shard
from treewright._cluster.packed_rows import join_rows
from treewright._cluster.table_facts import TableFacts
from treewright._input.class_weights import factors
from treewright._input.target import ClassTarget
from treewright._learners.neighbors import k_neighbors
from treewright._learners.neighbors.votes import check_weights
from treewright.dask.class_docstrings import documented_on_dask
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.dask_estimator import DaskClassifier, DaskEstimator
from treewright.dask.gathering import fit_on_one_worker
from treewright.dask.partition_futures import is_collection
from treewright.dask.prediction import predict_shards
from treewright.dask.task_watch import gather

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor"]


@dataclass(frozen=True, eq=False)
class Shards:
    """The training rows of a model on a cluster: futures of their indexes, and of the rows."""

    client: Any
    futures: list[Any]
    packed: list[Any]
    facts: TableFacts


class DividedNeighbors(DaskEstimator):
    """A neighbor model whose training rows are divided among workers."""

    n_neighbors: Any
    metric: str
    scale: Any
    _shards: Any

    @property
    def _divides_index(self) -> bool:
        """Whether rows stay where they are, as far as the parameters say."""
        return bool(self.n_neighbors != "auto" and self.scale != "standard")

    def fit(self, X: Any, y: Any, *, client: Any = None) -> Self:  # type: ignore[override]
        """Index rows that lie on the workers of a Dask cluster; they stay there.

        ``n_neighbors="auto"`` and ``scale="standard"`` need all rows in one place, and so does ``metric="hamming"``
        if there are numbers: then one worker fits the model.

        Parameters
        ----------
        X : Dask DataFrame, Dask Array, or list of futures or delayed values
            The rows.
        y : Dask Series, Dask Array, or list of futures or delayed values
            The class or the number of each row, in the same partitions.
        client : distributed.Client, optional
            The cluster; by default the current client.

        Returns
        -------
        self
            The fitted estimator.
        """
        return self._fit_on_cluster((X, y, None), client)

    def _learn_on_cluster(self, rows: ClusterRows, local: Any, **options: Any) -> FittedModel:
        merged = merge_schema(rows.facts, pool=local._pools_rare_levels)
        has_numbers = any(column.kind == "numeric" for column in merged.schema.columns)
        if (
            self.n_neighbors == "auto"
            or self.scale == "standard"
            or (self.metric == "hamming" and has_numbers)
        ):
            return fit_on_one_worker(rows, local)
        rows.report.method = "shortlists"
        with rows.report.phase("indexing"):
            _set_state(local, rows.facts, merged)
            filled = [i for i, count in enumerate(rows.facts.lengths) if count]
            shards = [
                rows.submit(
                    "shard",
                    build_shard,
                    rows.packed[i],
                    rows.facts,
                    merged,
                    local._space,
                    rows.facts.starts[i],
                )
                for i in filled
            ]
            gather(rows.client, rows.client.map(len, [rows.packed[i] for i in filled]), "indexing")
            packed = [rows.packed[i] for i in filled]
            local._shards = Shards(rows.client, shards, packed, rows.facts)
        rows.report.workers = len({w for ws in rows.client.who_has(packed).values() for w in ws})
        return FittedModel(local, [], 0.0, 0)

    def __sklearn_is_fitted__(self) -> bool:
        return "_shards" in self.__dict__ or "_forest" in self.__dict__

    def __getattr__(self, name: str) -> Any:
        # Only for names that are not set: the rows come to this process when somebody needs them here.
        if name in ("_forest", "_index", "leave_one_out_") and "_shards" in self.__dict__:
            self._fetch()
            return self.__dict__[name]
        return super().__getattr__(name)  # type: ignore[misc]

    def _fetch(self) -> None:
        """Bring all training rows to this process, and become the local model."""
        shards = self._shards
        local = DaskEstimator.to_local(self)
        is_named = hasattr(local, "feature_names_in_")
        table = join_rows(shards.client.gather(shards.packed), shards.facts)
        local.fit(table.table, table.target)
        if not is_named:
            local.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(vars(local))

    def to_local(self) -> Any:
        """Return the local estimator with the same parameters; a fitted one brings its training rows to this process.

        Returns
        -------
        estimator
            An estimator of treewright, which needs no cluster.
        """
        if "_shards" in self.__dict__ and "_forest" not in self.__dict__:
            self._fetch()
        return super().to_local()

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = self.to_local().__getstate__()
        return state

    def _predict_by(self, method: str, X: Any) -> Any:
        check_is_fitted(self)
        shards = self.__dict__.get("_shards")
        if shards is None:
            return super()._predict_by(method, X)
        model = DaskEstimator.to_local(self)
        for name in ("_forest", "_index"):  # the rows, if they are here
            model.__dict__.pop(name, None)
        if is_collection(X):
            return predict_shards(model, shards.futures, X, method)
        part = predict_shards(model, shards.futures, [delayed(X)], method)[0]
        values = gather(shards.client, [shards.client.compute(part)], "predicting")[0]
        return getattr(values, "to_numpy", lambda: values)()


def _set_state(local: Any, facts: TableFacts, merged: MergedSchema) -> None:
    """Set the fitted attributes that do not need the rows."""
    schema = merged.schema
    local.schema_ = schema
    local.n_features_in_ = len(schema.columns)
    if facts.is_named:
        local.feature_names_in_ = np.array(schema.names, dtype=object)
    check_weights(local.weights)
    ends = [
        _ends_of(column) if kind.kind == "numeric" else np.zeros(1, dtype=np.uint32)
        for column, kind in zip(facts.columns, schema.columns, strict=True)
    ]
    local._space = local._make_space(schema, ends)
    local.metric_ = local._space.metric
    local.n_neighbors_ = local._requested_k()
    target = facts.target.empty
    if isinstance(target, ClassTarget):
        local._store_classes(target)
        totals = facts.target.class_totals
        local._class_factors = factors(local.class_weight, None, target, None, totals)


def _ends_of(column: ColumnFacts) -> NDArray[np.float64]:
    """Return the smallest and the largest number of a column, and NaN if a value is missing: all that scales need."""
    ends = [column.least, column.most]
    if column.kind == "categorical":  # ordered categories count as their positions
        places = np.flatnonzero(column.counts)
        ends = [float(places[0]), float(places[-1])]
    return np.array(ends + [np.nan] * (column.missing > 0))


@documented_on_dask
class KNeighborsClassifier(DividedNeighbors, DaskClassifier, k_neighbors.KNeighborsClassifier):  # type: ignore[misc]
    """The class of most of the nearest rows on a Dask cluster.

    Training rows stay on the workers; each partition names its nearest rows, and the nearest of all decide.
    """

    _local = k_neighbors.KNeighborsClassifier


@documented_on_dask
class KNeighborsRegressor(DividedNeighbors, k_neighbors.KNeighborsRegressor):  # type: ignore[misc]
    """The mean of the nearest rows on a Dask cluster.

    Training rows stay on the workers; each partition names its nearest rows, and the nearest of all decide.
    """

    _local = k_neighbors.KNeighborsRegressor
