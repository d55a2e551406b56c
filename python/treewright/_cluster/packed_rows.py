"""Rows as they travel between processes: codes and numbers in the fewest bytes that hold them.

The categories of a column are codes of the table's levels; numbers are single precision where that loses nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._cluster.column_facts import convert_table
from treewright._cluster.partitions import Partition, naming_partition
from treewright._cluster.table_facts import TableFacts
from treewright._cluster.target_facts import convert_target, join_targets
from treewright._input.target import ClassTarget, NumberTarget
from treewright.table import MISSING, Matrix, Series, Table

__all__ = ["PackedRows", "TrainingRows", "align", "join_rows", "pack_partition"]


@dataclass(frozen=True, eq=False)
class PackedRows:
    """The rows of one partition, coded by the table.

    Parameters
    ----------
    columns : ndarray or list of ndarray
        One array of numbers in rows and columns, or an array for each column.
    target : ndarray
        Codes of classes, or numbers.
    weights : ndarray or None
        The weight of each row.
    """

    columns: NDArray[Any] | list[NDArray[Any]]
    target: NDArray[Any]
    weights: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.target)

    @property
    def nbytes(self) -> int:
        """The memory of all arrays."""
        columns = self.columns if isinstance(self.columns, list) else [self.columns]
        weights = 0 if self.weights is None else self.weights.nbytes
        return sum(column.nbytes for column in columns) + self.target.nbytes + weights


class KeptResult:
    """What one task of a fit makes of rows and the next takes up; it lives as long as they do and never travels."""

    def __init__(self) -> None:
        self._lock, self._value = threading.Lock(), None

    def get(self, make: Callable[[], Any]) -> Any:
        """Return what is kept; the first call makes it, and others wait meanwhile."""
        with self._lock:
            if self._value is None:
                self._value = make()
            return self._value


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """The rows of several partitions as a fit takes them."""

    table: Table
    target: ClassTarget | NumberTarget
    weights: NDArray[np.float64] | None
    kept: KeptResult = field(default_factory=KeptResult, init=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return _receive_rows, (self.table, self.target, self.weights)


def _receive_rows(table: Table, target: Any, weights: Any) -> TrainingRows:
    """Return rows that came from another process with their arrays aligned, once for all fits that read them."""
    if table.matrix is None:
        table = table.map(lambda series: replace(series, data=align(series.data)))
    values = "codes" if isinstance(target, ClassTarget) else "values"
    target = replace(target, **{values: align(getattr(target, values))})
    return TrainingRows(table, target, None if weights is None else align(weights))


def align(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array that the core can read where it lies: buffers from a network may be unaligned."""
    return np.require(array, requirements=("A", "C"))


def pack_partition(number: int, part: Partition, facts: TableFacts) -> PackedRows:
    """Return the rows of a partition, coded by the table."""
    with naming_partition(number, "coding its rows"):
        target = convert_target(part, facts.target)
        weights = part.weights
        if weights is None and facts.has_weights:
            weights = np.ones(len(part))
        if part.table.matrix is not None and all(c.kind == "numeric" for c in facts.columns):
            return PackedRows(part.table.matrix.array, target, weights)
        if not len(part):
            return PackedRows([np.zeros(0)] * len(facts.columns), target, weights)
        table = convert_table(part.table, facts.columns)
        return PackedRows([_pack(series) for series in table.series], target, weights)


def _pack(series: Series) -> NDArray[Any]:
    if series.kind == "numeric":
        with np.errstate(over="ignore", under="ignore"):
            single = series.data.astype(np.float32)
        same = (single == series.data) | np.isnan(series.data)
        return single if same.all() else series.data
    for kind in (np.uint8, np.uint16):
        largest = np.iinfo(kind).max
        if len(series.levels) < largest:
            packed: NDArray[Any] = np.minimum(series.data, largest).astype(kind)
            return packed
    return series.data


def _unpack(arrays: Sequence[NDArray[Any]], kind: str, levels: int) -> NDArray[Any]:
    if kind == "numeric":
        return np.concatenate([np.asarray(array, dtype=np.float64) for array in arrays])
    codes = np.concatenate([np.asarray(array, dtype=np.uint32) for array in arrays])
    codes[codes >= levels] = MISSING
    return codes


def join_rows(parts: Sequence[PackedRows], facts: TableFacts) -> TrainingRows:
    """Return the rows of some partitions, in their order, with the columns of the table."""
    parts = [part for part in parts if len(part)]
    target = join_targets([part.target for part in parts], facts.target)
    weights = None
    if facts.has_weights:
        weights = np.concatenate([part.weights for part in parts if part.weights is not None])
    names = [column.name for column in facts.columns]
    arrays = [part.columns for part in parts if isinstance(part.columns, np.ndarray)]
    if len(arrays) == len(parts):
        matrix = Matrix.of(np.concatenate(arrays))
        assert matrix is not None, "parts of finite numbers"
        return TrainingRows(Table.of_matrix(matrix, names), target, weights)
    series = []
    for place, column in enumerate(facts.columns):
        own = [
            part.columns[:, place] if isinstance(part.columns, np.ndarray) else part.columns[place]
            for part in parts
        ]
        data = _unpack(own, column.kind, len(column.levels))
        series.append(
            Series(
                column.name,
                column.kind,
                data,
                column.levels,
                column.declared,
                column.ordered,
                column.meaning,
            )
        )
    return TrainingRows(Table(series), target, weights)
