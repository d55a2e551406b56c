"""The training rows that a fitted optimal tree of a small table remembers: for notes on its columns, and `rashomon`.

They are a copy, and neither in files nor in pickles. A table of zeros and ones is kept as bytes, which the search has
made already.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._estimator.training_data import TrainingData
from treewright.schema import Schema
from treewright.table import Matrix, Table

__all__ = ["RememberedRows"]

MAX_CELLS = 1 << 16  # of a table that is copied
MAX_BYTES = 1 << 20  # of a table of zeros and ones


@dataclass(eq=False)
class RememberedRows:
    """Training rows, and the schema with notes on them once somebody has asked for it."""

    _data: TrainingData
    _bits: NDArray[np.uint8] | None
    noted: Schema | None = None

    @classmethod
    def of(cls, data: TrainingData, bits: NDArray[np.uint8] | None) -> RememberedRows | None:
        """Return a copy of rows; None if they are too many."""
        if bits is not None:
            if bits.size > MAX_BYTES:
                return None
            return cls(replace(data, table=Table([])).copy(), bits)
        if len(data) * len(data.schema.columns) > MAX_CELLS:
            return None
        return cls(data.copy(), None)

    @property
    def data(self) -> TrainingData:
        """The rows."""
        if self._bits is None:
            return self._data
        matrix: Any = Matrix.of(self._bits.astype(np.float64))
        table = Table.of_matrix(matrix, list(self._data.schema.names))
        return replace(self._data, table=table)
