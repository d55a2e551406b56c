"""What each column makes of the rows, as the core counts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._build import levels_of
from treewright._encode import encode_columns
from treewright._target import ClassTarget, NumberTarget
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["BUCKET", "Columns", "Division", "divide"]

BUCKET = 6  # rows of the most frequent class in a bucket of 1-R, as its inventor found best


@dataclass(frozen=True, eq=False)
class Division:
    """The parts of a column.

    Parameters
    ----------
    cuts : tuple of float
        Between two parts of a numeric column; the lower part has the numbers up to its cut.
    counts : ndarray
        The rows of each class in each part; one column where the target is numeric.
    sums : ndarray or None
        The sum of a numeric target in each part; None for classes.
    missing : ndarray
        The same as ``counts``, of the rows without a value.
    missing_sum : float
        The same as ``sums``.
    """

    cuts: tuple[float, ...]
    counts: NDArray[np.int64]
    sums: NDArray[np.float64] | None
    missing: NDArray[np.int64]
    missing_sum: float


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns as the core reads them."""

    levels: Sequence[int | None]
    data: Sequence[NDArray[Any]]

    @classmethod
    def of(cls, table: Table) -> Columns:
        """Read the columns of a table."""
        schema = Schema(table.described)
        return cls(levels_of(schema), encode_columns(table, schema))


def divide(
    columns: Columns, target: ClassTarget | NumberTarget, way: str, threads: int
) -> list[Division]:
    """Return what each column makes of the rows; ``way`` is how numbers are cut."""
    known: NDArray[Any]
    if isinstance(target, ClassTarget):
        known, classes = target.codes, len(target.levels)
    else:
        known, classes = target.values, None
    found = _core.divisions(columns.levels, columns.data, known, classes, way, BUCKET, threads)
    return [
        Division(tuple(cuts.tolist()), counts, None if classes else sums, missing, missing_sum)
        for cuts, counts, sums, missing, missing_sum in found
    ]
