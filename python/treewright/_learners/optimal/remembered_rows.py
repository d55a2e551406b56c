"""The training rows that a fitted optimal tree of a small table remembers: for notes on its columns, and `rashomon`.

They are a copy, and neither in files nor in pickles. A table of zeros and ones is kept as bits, which the search has
packed already.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright.schema import Schema
from treewright.table import Matrix, Table

__all__ = ["RememberedRows"]

MAX_CELLS = 1 << 16  # of a table that is copied
MAX_BITS = 1 << 20  # of a table of zeros and ones
NO_COLUMNS = Table([])


@dataclass(eq=False)
class RememberedRows:
    """Training rows, and the schema with notes on them once somebody has asked for it."""

    _data: TrainingData
    _bits: _core.BitTable | None
    noted: Schema | None = None

    @classmethod
    def of(cls, data: TrainingData, bits: _core.BitTable | None) -> RememberedRows | None:
        """Return a copy of rows; None if they are too many."""
        if bits is not None:
            rows, columns = bits.shape
            if rows * columns > MAX_BITS:
                return None
            return cls(TrainingData(NO_COLUMNS, *data.copied_target()), bits)
        if len(data) * len(data.schema.columns) > MAX_CELLS:
            return None
        return cls(data.copy(), None)

    @property
    def data(self) -> TrainingData:
        """The rows."""
        if self._bits is None:
            return self._data
        matrix: Any = Matrix.of(self._bits.to_array().astype(np.float64))
        table = Table.of_matrix(matrix, list(self._data.schema.names))
        return replace(self._data, table=table)
