"""What the two neighbour models share: they remember their training rows and look for the nearest ones."""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Mapping
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
from treewright._learners.neighbors.choose_k import Judge, best, curve, pieces
from treewright._learners.neighbors.metric import Arranged, Space
from treewright._learners.neighbors.votes import Floats, mean, weigh, weights_of
from treewright._model.table_builder import levels_of
from treewright._utils.validation import number, threads_of
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["Neighbours"]


class Neighbours(Model):
    """A model whose fitted state is its training rows."""

    _contents_type = _core.Cases
    _kind: ClassVar[str] = "neighbors"

    n_neighbors: Any
    weights: Any
    metric: Any
    p: Any
    scale: Any
    column_weights: Any
    max_neighbors: Any
    n_jobs: Any

    n_neighbors_: int
    metric_: str
    leave_one_out_: NDArray[np.float64]
    _forest: Any  # the cases
    _space: Space
    _index: _core.Neighbors

    # Without sample_weight: of k neighbours, a row of weight 2 would have to be two.
    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]
        """Remember a table and its target.

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
    ) -> Any:
        columns = encode_columns(table, schema)
        space, k, most = self._space_of(schema, columns), self._asked(), self._most()
        counts = weights_of(self.weights)
        rows, threads = space.arrange(columns), threads_of(self.n_jobs)
        index = space.index(rows, threads)
        answers = self._answers_of(target)
        errors: list[float] = []
        if k is None:
            judge = self._judge(answers, len(schema.classes))
            errors = curve(index, rows, most, counts, judge, threads)
        classes = len(schema.classes) or None
        cases = _core.Cases(levels_of(schema), columns, answers, classes, errors)
        self._hold(cases, space, index)
        return cases

    def _hold(self, cases: _core.Cases, space: Space, index: _core.Neighbors) -> None:
        self._space, self._index = space, index
        self.metric_ = space.metric
        self.leave_one_out_ = cases.errors
        asked = self._asked()
        self.n_neighbors_ = best(cases.errors.tolist()) if asked is None else asked

    def _space_of(self, schema: Schema, columns: Any) -> Space:
        return Space.of(
            schema,
            columns,
            metric=self.metric,
            p=self.p,
            scale=self.scale,
            column_weights=self.column_weights,
        )

    def _asked(self) -> int | None:
        """Return the number of neighbours that was asked for; None where it is to be found."""
        if isinstance(self.n_neighbors, str) and self.n_neighbors == "auto":
            return None
        if not isinstance(self.n_neighbors, numbers.Integral):
            raise UsageError(
                f'n_neighbors must be a whole number of at least 1 or "auto"; got {self.n_neighbors!r}',
                slug="usage.parameter",
            )
        return int(number("n_neighbors", self.n_neighbors, least=1, whole=True))

    def _most(self) -> int:
        return int(number("max_neighbors", self.max_neighbors, least=1, whole=True))

    def _answers_of(self, target: Any) -> NDArray[Any]:
        raise TypeError(f"{type(self).__name__} has no target")

    def _judge(self, answers: NDArray[Any], classes: int) -> Judge:
        raise TypeError(f"{type(self).__name__} has no target")

    # ---- answers

    def _arranged(self, X: Any) -> Arranged:
        check_is_fitted(self)
        table = read_rows(self, X, self.schema_)
        columns = encode(table, self.schema_)
        if not isinstance(columns, list):
            return arranged(table, self.schema_, self._space)
        warn_unseen(table, columns, self.schema_)
        return self._space.arrange(columns)

    def _found(self, rows: Arranged, k: int) -> Iterator[tuple[slice, NDArray[np.uint32], Floats]]:
        """Give the neighbours of rows, piece by piece."""
        threads = threads_of(self.n_jobs)
        for piece in pieces(len(rows), min(k, len(self._index))):
            part = rows[piece]
            yield piece, *self._index.search(part.numbers, part.codes, k, threads)

    def _counted(self, X: Any) -> tuple[int, Iterator[tuple[slice, NDArray[np.uint32], Floats]]]:
        """Return the number of rows, and their neighbours with how much each counts, piece by piece."""
        rows, weights = self._arranged(X), weights_of(self.weights)
        found = self._found(rows, self.n_neighbors_)
        return len(rows), ((piece, near, weigh(apart, weights)) for piece, near, apart in found)

    def kneighbors(
        self, X: Any, n_neighbors: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the distances and the numbers of the nearest training rows, nearest first.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.
        n_neighbors : int, default=None
            How many; those of the model where not given. All training rows where there are fewer.

        Returns
        -------
        tuple of ndarray
            Distances and row numbers, a row for each row of X.
        """
        rows = self._arranged(X)
        k = self.n_neighbors_
        if n_neighbors is not None:
            k = int(number("n_neighbors", n_neighbors, least=1, whole=True))
        near, apart = self._index.search(rows.numbers, rows.codes, k, threads_of(self.n_jobs))
        return apart, near.astype(np.int64)

    @property
    def usual_answer_(self) -> Any:
        """What would be answered without looking at the columns: the most frequent class, or the mean."""
        check_is_fitted(self)
        if self.schema_.classes:
            counts = np.bincount(self._forest.target, minlength=len(self.schema_.classes))
            return self.schema_.classes[int(counts.argmax())]
        target = self._forest.target[None, :]
        return float(mean(np.ones_like(target), target)[0])

    # ---- files and pickles

    def _restore(self, document: Mapping[str, Any], forest: Any) -> None:
        super()._restore(document, forest)
        weights_of(self.weights)
        columns = [forest.column(i) for i in range(forest.n_features)]
        space = self._space_of(self.schema_, columns)
        index = space.index(space.arrange(columns), threads_of(self.n_jobs))
        self._hold(forest, space, index)

    def __getstate__(self) -> dict[str, Any]:
        if callable(self.weights) and hasattr(self, "_forest"):
            # A pickle can hold a function; the bytes inside it, like a file, cannot.
            plain = clone(self).set_params(weights="uniform")
            plain.__dict__.update({k: v for k, v in vars(self).items() if k != "weights"})
            return {**plain.__getstate__(), "weights": self.weights}
        state = super().__getstate__()
        return {k: v for k, v in state.items() if k not in ("_space", "_index")}


def arranged(table: Table, schema: Schema, space: Space) -> Arranged:
    """Return the rows of a table as the core reads them in a space."""
    if table.matrix is not None and all(column.kind == "numeric" for column in schema.columns):
        return space.arrange_matrix(table.matrix.array)
    return space.arrange(encode_columns(table, schema))


def columns_of(table: Table, schema: Schema) -> list[NDArray[Any]]:
    """Return the columns of a table, those of a matrix where they lie."""
    if table.matrix is not None and all(column.kind == "numeric" for column in schema.columns):
        return list(table.matrix.array.T)
    return encode_columns(table, schema)
