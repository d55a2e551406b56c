"""The rows of a fit: table, schema, target and weights, with the operations that growing and pruning need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.row_order import row_order
from treewright._input.target import ClassTarget, NumberTarget
from treewright._model.table_builder import levels_of
from treewright._utils.validation import Recipe
from treewright.schema import Schema
from treewright.table import Matrix, Table

__all__ = ["TrainingData"]


@dataclass(frozen=True, eq=False)
class TrainingData:
    """A training table with its schema, target and weights."""

    table: Table
    schema: Schema
    target: ClassTarget | NumberTarget
    weights: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.target)

    @property
    def codes(self) -> NDArray[np.uint32] | None:
        """The code of each row's class; None if the target is a number."""
        return self.target.codes if isinstance(self.target, ClassTarget) else None

    @property
    def labels(self) -> NDArray[Any]:
        """The code of each row's class, or its number."""
        return self.target.codes if isinstance(self.target, ClassTarget) else self.target.values

    @property
    def n_classes(self) -> int | None:
        """The number of classes; None if the target is a number."""
        return len(self.schema.classes) or None

    @property
    def core_arguments(self) -> tuple[Any, Any, Any, Any, Any]:
        """Levels, columns, labels, number of classes and weights, in the order of the core's functions."""
        columns = self.table._core_columns
        return levels_of(self.schema), columns, self.labels, self.n_classes, self.weights

    @property
    def columns(self) -> list[NDArray[Any]]:
        """The columns as the core reads them."""
        return [series.data for series in self.table.series]

    def grow(self, recipe: Recipe, columns: Any = None) -> _core.Forest:
        """Grow one tree; ``columns`` replaces the columns of the table by another form of them."""
        columns = self.columns if columns is None else columns
        levels = levels_of(self.schema)
        return _core.grow(recipe, levels, columns, self.labels, self.n_classes, self.weights)

    def order(self, seed: int) -> NDArray[np.int64]:
        """Return the rows in a random order that depends on their content, not on their position."""
        return row_order(self.table, self.labels, self.weights, seed)

    def select(self, columns: Sequence[int]) -> TrainingData:
        """Return the data of some columns."""
        table = Table([self.table.series[i] for i in columns])
        schema = replace(self.schema, columns=tuple(self.schema.columns[i] for i in columns))
        return replace(self, table=table, schema=schema)

    def without(self, rows: NDArray[np.int64]) -> TrainingData:
        """Return the data without some rows; schema and classes do not change."""
        rest = np.setdiff1d(np.arange(len(self)), rows)
        weights = None if self.weights is None else self.weights[rest]
        if isinstance(self.target, ClassTarget):
            target: Any = replace(self.target, codes=self.target.codes[rest])
        else:
            target = self.target.take(rest)
        return TrainingData(self.table[rest], self.schema, target, weights)

    def with_zero_weight(self, rows: NDArray[np.int64]) -> TrainingData:
        """Return the data with weight 0 for some rows: they count nothing, but thresholds may lie at their values."""
        weights = np.ones(len(self)) if self.weights is None else self.weights.copy()
        weights[rows] = 0.0
        return replace(self, weights=weights)

    def copy(self) -> TrainingData:
        """Return a copy that shares no writable array with the caller of ``fit``."""
        table = self.table
        matrix = None if table.matrix is None else Matrix.of(table.matrix.array.copy())
        if matrix is not None:
            table = Table.of_matrix(matrix, table.columns)
        elif table.sparse is None:  # a sparse table is a copy already
            table = table.map(lambda series: replace(series, data=series.data.copy()))
        return TrainingData(table, *self.copied_target())

    def copied_target(
        self,
    ) -> tuple[Schema, ClassTarget | NumberTarget, NDArray[np.float64] | None]:
        """Return schema, target and weights that share no writable array with the caller of ``fit``."""
        target = self.target
        if isinstance(target, NumberTarget):
            target = replace(target, values=target.values.copy())
        return self.schema, target, None if self.weights is None else self.weights.copy()
