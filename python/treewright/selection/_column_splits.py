"""How each column alone splits the rows, counted by the core."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.encoding import encode_columns
from treewright._input.target import ClassTarget, NumberTarget
from treewright._model.table_builder import levels_of
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["BUCKET", "Columns", "Division", "Weights", "divide"]

MAX_TOTAL = 2.0**31  # of the weights of all rows, in units
BUCKET = 6  # rows of the most frequent class in a bucket of 1-R, the best value in its paper


@dataclass(frozen=True, eq=False)
class Division:
    """The split of the rows by one column.

    Parameters
    ----------
    cuts : tuple of float
        The thresholds of a numeric column; a part has the numbers up to its threshold.
    counts : ndarray
        The number or weight of the rows of each class in each part; one column if the target is numeric.
    sums : ndarray or None
        The sum of a numeric target in each part; None for classes.
    missing : ndarray
        The same as ``counts`` for the rows with a missing value.
    missing_sum : float
        The same as ``sums`` for these rows.
    """

    cuts: tuple[float, ...]
    counts: NDArray[Any]
    sums: NDArray[np.float64] | None
    missing: NDArray[Any]
    missing_sum: float


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns in the form of the core."""

    levels: Sequence[int | None]
    data: Sequence[NDArray[Any]]

    @classmethod
    def of(cls, table: Table) -> Columns:
        """Read the columns of a table."""
        schema = Schema(table.described)
        return cls(levels_of(schema), encode_columns(table, schema))


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of the rows as integers.

    Integer weights are counts. Others are counted in units of a power of two of a row, so small that all rows together
    have about 2^31 units, and sums stay integers.

    Parameters
    ----------
    units : ndarray of uint32
        The weight of each row in units.
    per : float
        Units per row.

    Examples
    --------
    >>> Weights.of(np.array([2.0, 0.0, 1.0])).units.tolist()
    [2, 0, 1]
    >>> half = Weights.of(np.array([0.5, 1.5]))
    >>> (half.units / half.per).tolist()
    [0.5, 1.5]
    """

    units: NDArray[np.uint32]
    per: float

    @classmethod
    def of(cls, weights: NDArray[np.float64]) -> Weights:
        """Convert finite weights that are not negative and not all zero."""
        total = math.fsum(weights.tolist())
        if total < MAX_TOTAL and (weights == np.floor(weights)).all():
            return cls(weights.astype(np.uint32), 1.0)
        per = 2.0 ** math.floor(math.log2(MAX_TOTAL / total))
        return cls(np.rint(weights * per).astype(np.uint32), per)


def divide(
    columns: Columns,
    target: ClassTarget | NumberTarget,
    way: str,
    threads: int,
    weights: Weights | None = None,
) -> list[Division]:
    """Return the split of the rows by each column; ``way`` is how numbers are split."""
    known: NDArray[Any]
    if isinstance(target, ClassTarget):
        known, classes = target.codes, len(target.levels)
    else:
        known, classes = target.values, None
    units, per = (weights.units, weights.per) if weights else (None, 1.0)
    divisions = _core.divisions(
        columns.levels, columns.data, known, classes, way, BUCKET, threads, units, per
    )
    return [
        Division(
            tuple(cuts.tolist()),
            counts if per == 1 else counts / per,
            None if classes else sums,
            missing if per == 1 else missing / per,
            missing_sum,
        )
        for cuts, counts, sums, missing, missing_sum in divisions
    ]
