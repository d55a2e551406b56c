"""The parts that both neighbor models share: their parameters, the training rows, and the search for the nearest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._estimator.model import Model
from treewright._input.checks import read_rows
from treewright._input.columns import to_levels
from treewright._input.encoding import encode, encode_columns
from treewright._input.unseen_values import warn_unseen
from treewright._learners.neighbors.choose_k import ErrorSums, best_k, leave_one_out, pieces
from treewright._learners.neighbors.metric import Space, SpaceRows
from treewright._learners.neighbors.search_index import SearchIndex
from treewright._learners.neighbors.votes import Floats, Weights, check_weights, mean, weigh
from treewright._model.table_builder import levels_of
from treewright._utils.validation import check_integer, is_whole, threads_of
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["NeighborModel", "NeighborParams"]

# Rows of a piece, their neighbors, and a number for each neighbor: its distance, or its weight.
Found = Iterator[tuple[slice, NDArray[np.uint32], Floats]]


@dataclass(eq=False, repr=False)
class NeighborParams:
    """Parameters of both neighbor models.

    Parameters
    ----------
    n_neighbors : int or "auto", default=5
        The number of nearest rows; all rows if there are fewer. "auto" takes the number with the smallest error when
        each training row is left out in turn.
    weights : {"uniform", "distance", "squared_distance"} or callable, default="uniform"
        The weight of each neighbor: equal, 1/d or 1/d² of its distance, or a function of an array of distances. With
        "distance" and "squared_distance", training rows at distance 0 decide alone.
    metric : str, default="auto"
        "euclidean", "manhattan", "chebyshev", "minkowski", "cosine" for numbers; "hamming" for the share of columns
        that differ; "heom" and "gower" for tables of numbers and categories. "auto" is "euclidean" for numbers without
        missing values and "heom" for everything else. scikit-learn's other names work too: "l1", "l2", "cityblock",
        "infinity", "p".
    p : float, default=2
        The power of "minkowski".
    scale : {"auto", "range", "standard"} or None, default="auto"
        What numbers are divided by: the range or the standard deviation of their column in training, or nothing.
        "auto" is the range for "heom" and "gower" and nothing for the others.
    column_weights : mapping or sequence, default=None
        The weight of a difference in each column; 1 for columns that a mapping does not name.
    max_neighbors : int, default=50
        The largest number of neighbors that "auto" tries.
    n_jobs : int or None, default=None
        The largest number of threads; None means all that the process may use.

    Attributes
    ----------
    n_neighbors_ : int
        The number of neighbors in use.
    metric_ : str
        The metric in use.
    schema_ : Schema
        Names, levels and classes.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        The names of the columns, if the table had names.
    """

    n_neighbors: int | str = 5
    _: KW_ONLY
    weights: Weights = "uniform"
    metric: str = "auto"
    p: float = 2
    scale: str | None = "auto"
    column_weights: Any = None
    max_neighbors: int = 50
    n_jobs: int | None = None


class NeighborModel(Model, NeighborParams):
    """A model whose fitted state is its training rows."""

    _contents_type = _core.Cases
    _kind: ClassVar[str] = "neighbors"

    n_neighbors_: int
    metric_: str
    leave_one_out_: NDArray[np.float64]
    _forest: _core.Cases
    _space: Space
    _index: SearchIndex
    _class_factors: list[float]

    # Without sample_weight: among k neighbors, a row of weight 2 would have to be two rows.
    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]
        """Store a table and its target.

        Parameters
        ----------
        X : table
            numpy array, pandas, Polars or Arrow frame, dict of lists, list of dicts, or Table.
        y : array-like
            The class or the number of each row.

        Returns
        -------
        self
            The fitted estimator.
        """
        return super().fit(X, y)

    def _prepare(self, table: Table) -> Table:
        return table.map(to_levels) if self.metric == "hamming" else table

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: NDArray[np.float64] | None
    ) -> _core.Cases:
        columns = encode_columns(table, schema)
        space = self._make_space(schema, columns, complete=table.matrix is not None)
        k = self._requested_k()
        max_k = check_integer("max_neighbors", self.max_neighbors, minimum=1)
        vote_weights = check_weights(self.weights)
        rows, threads = space.arrange(columns), threads_of(self.n_jobs)
        index = SearchIndex(space, rows, threads)
        labels: NDArray[Any] = target.codes if schema.classes else target.values
        errors: list[float] = []
        if k is None:
            sums = self._error_sums(labels, len(schema.classes))
            errors = leave_one_out(index.built(), rows, max_k, vote_weights, sums, threads)
        classes = len(schema.classes) or None
        cases = _core.Cases(levels_of(schema), columns, labels, classes, errors)
        self._set_state(cases, space, index)
        return cases

    def _add_notes(self, schema: Schema, table: Table) -> Schema:
        # A small fit takes no longer than the notes would: they wait until somebody reads them.
        return schema

    def _schema_with_notes(self) -> Schema:
        columns = [self._forest.column(i) for i in range(self._forest.n_features)]
        return super()._add_notes(self.schema_, Table.of_codes(columns, self.schema_))

    def _set_state(self, cases: _core.Cases, space: Space, index: SearchIndex) -> None:
        self._space, self._index = space, index
        self.metric_ = space.metric
        self.leave_one_out_ = cases.errors
        k = self._requested_k()
        self.n_neighbors_ = best_k(cases.errors.tolist()) if k is None else k

    def _make_space(self, schema: Schema, columns: Any, *, complete: bool = False) -> Space:
        names = ("metric", "p", "scale", "column_weights")
        params = {name: getattr(self, name) for name in names}
        return Space.of(schema, columns, complete=complete, **params)

    def _requested_k(self) -> int | None:
        """Return ``n_neighbors``; None if it is "auto"."""
        if isinstance(self.n_neighbors, str) and self.n_neighbors == "auto":
            return None
        if not is_whole(self.n_neighbors):
            raise UsageError(
                f'n_neighbors must be a whole number of at least 1 or "auto"; got {self.n_neighbors!r}',
                slug="usage.parameter",
            )
        return int(check_integer("n_neighbors", self.n_neighbors, minimum=1))

    def _error_sums(self, labels: NDArray[Any], classes: int) -> ErrorSums:
        """Return the function that sums the errors of predictions with 1, 2, ... neighbors."""
        raise TypeError(f"{type(self).__name__} has no target")

    def _class_factors_of(self, codes: NDArray[np.uint32]) -> Any:
        """Return the factor of each neighbor's vote, from the codes of their classes; 1 without class weights."""
        return 1.0

    # ---- predicting

    def _arrange(self, X: Any) -> SpaceRows:
        check_is_fitted(self)
        table = read_rows(self, X, self.schema_)
        columns = encode(table, self.schema_)
        if not isinstance(columns, list):
            return arrange_table(table, self.schema_, self._space)
        warn_unseen(table, columns, self.schema_)
        return self._space.arrange(columns)

    def _find_neighbors(self, X: Any) -> tuple[int, Found]:
        """Return the number of rows, and their neighbors with their weights, piece by piece."""
        rows, weights = self._arrange(X), check_weights(self.weights)
        k, threads = self.n_neighbors_, threads_of(self.n_jobs)

        def search() -> Found:
            index = self._index.built()
            for piece in pieces(len(rows), min(k, len(index))):
                part = rows[piece]
                near, distances = index.search(part.numbers, part.codes, k, threads)
                yield piece, near, weigh(distances, weights)

        return len(rows), search()

    def kneighbors(
        self, X: Any, n_neighbors: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the distances and the numbers of the nearest training rows, nearest first.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.
        n_neighbors : int, default=None
            The number of neighbors; None means that of the model. All training rows if there are fewer.

        Returns
        -------
        tuple of ndarray
            Distances and row numbers, a row for each row of X.
        """
        rows = self._arrange(X)
        k = self.n_neighbors_
        if n_neighbors is not None:
            k = int(check_integer("n_neighbors", n_neighbors, minimum=1))
        index = self._index.built()
        near, distances = index.search(rows.numbers, rows.codes, k, threads_of(self.n_jobs))
        return distances, near.astype(np.int64)

    @property
    def usual_answer_(self) -> Any:
        """The prediction without looking at the columns: the most frequent class, or the mean."""
        check_is_fitted(self)
        if self.schema_.classes:
            counts = np.bincount(self._forest.target, minlength=len(self.schema_.classes))
            return self.schema_.classes[int(counts.argmax())]
        target = self._forest.target[None, :]
        return float(mean(np.ones_like(target), target)[0])

    # ---- files and pickles

    def _restore(self, metadata: Mapping[str, Any], contents: _core.Cases) -> None:
        super()._restore(metadata, contents)
        check_weights(self.weights)
        columns = [contents.column(i) for i in range(contents.n_features)]
        space = self._make_space(self.schema_, columns)
        index = SearchIndex(space, space.arrange(columns), threads_of(self.n_jobs))
        self._set_state(contents, space, index)

    def __getstate__(self) -> dict[str, Any]:
        if callable(self.weights) and hasattr(self, "_forest"):
            # A pickle can hold a function; the model file inside it cannot.
            other = clone(self).set_params(weights="uniform")
            other.__dict__.update({k: v for k, v in vars(self).items() if k != "weights"})
            return {**other.__getstate__(), "weights": self.weights}
        state = super().__getstate__()
        dropped = ("_space", "_index", "_class_factors")
        return {k: v for k, v in state.items() if k not in dropped}


def arrange_table(table: Table, schema: Schema, space: Space) -> SpaceRows:
    """Return the rows of a table as the core reads them in a space."""
    if table.matrix is not None and all(column.kind == "numeric" for column in schema.columns):
        return space.arrange_matrix(table.matrix.array)
    return space.arrange(encode_columns(table, schema))


def columns_of(table: Table, schema: Schema) -> list[NDArray[Any]]:
    """Return the columns of a table; those of a matrix without a copy."""
    if table.matrix is not None and all(column.kind == "numeric" for column in schema.columns):
        return list(table.matrix.array.T)
    return encode_columns(table, schema)
