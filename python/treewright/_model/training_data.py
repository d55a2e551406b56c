"""A training table with its schema, target and weights, as a learner passes it to the core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.target import ClassTarget, NumberTarget
from treewright._model.table_builder import levels_of
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["TrainingData"]


@dataclass(frozen=True, eq=False)
class TrainingData:
    """The rows that a learner is trained on.

    Examples
    --------
    >>> from treewright.table import Series
    >>> table, target = Table([Series.of("age", [3, 5])]), ClassTarget.of(["no", "yes"])
    >>> data = TrainingData(table, Schema(table.described, None, target.levels), target, None)
    >>> data.truth.tolist(), data.n_classes
    ([0, 1], 2)
    """

    table: Table
    schema: Schema
    target: ClassTarget | NumberTarget
    weights: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.target)

    @property
    def columns(self) -> _core.Matrix | list[NDArray[Any]]:
        """The columns as the core reads them."""
        return self.table._core_columns

    @property
    def truth(self) -> NDArray[Any]:
        """The code of the class of each row, or its number."""
        return self.target.codes if isinstance(self.target, ClassTarget) else self.target.values

    @property
    def n_classes(self) -> int | None:
        """The number of classes; None if the target is numeric."""
        return len(self.target.levels) if isinstance(self.target, ClassTarget) else None

    @property
    def core_arguments(self) -> tuple[Any, Any, Any, Any, Any]:
        """Levels, columns, target, number of classes and weights, in the order of the core's functions."""
        return levels_of(self.schema), self.columns, self.truth, self.n_classes, self.weights
