"""Nearly unique text: categories with too few rows to learn from count as one.

A set of categories that is ordered by its share of a class separates any rows if most categories have a single row:
such a column would be the first split of every tree and say nothing about new rows. Categories with few rows therefore
become one, "other values". Values that training never saw count as it too.

Not here: identifiers and dates, which are recognized when a file is read.
"""

from __future__ import annotations

import math

import numpy as np

from treewright._utils.user_warnings import warn_user
from treewright.errors import ColumnWarning, printable
from treewright.schema import Meaning
from treewright.table import MISSING, Series

__all__ = ["describe_text", "ignore_values", "is_free_text", "is_nearly_unique", "pool_rare_levels"]

MIN_ROWS = 10  # of a category that is told from others, in a nearly unique column
FEW_ROWS = 5  # half of the rows are in categories of fewer rows
MIN_TABLE = 20  # rows, of which most have a text of their own
MIN_TABLE_OF_FEW = 100  # rows: in a small table of a textbook all categories have few rows
MIN_WORDS = 5  # of an average text that somebody wrote
OTHER = "other values"


def is_nearly_unique(series: Series) -> bool:
    """Whether most rows of a text column have a value of few rows.

    Examples
    --------
    >>> is_nearly_unique(Series.of("name", [f"n{i}" for i in range(20)]))
    True
    >>> is_nearly_unique(Series.of("wind", ["weak", "strong"] * 10))
    False
    """
    if series.kind != "categorical" or series.declared or not series.levels:
        return False
    if not isinstance(series.levels[0], str):
        return False
    rows = np.bincount(series.data[series.data != MISSING], minlength=len(series.levels))
    present = int(rows.sum())
    alone = int(np.count_nonzero(rows == 1))
    if present < MIN_TABLE:
        return False
    many = present >= MIN_TABLE_OF_FEW and len(series.levels) > 0.2 * math.sqrt(present)
    return 2 * alone > present or (many and 2 * int(rows[rows < FEW_ROWS].sum()) > present)


def is_free_text(series: Series) -> bool:
    """Whether a nearly unique column holds sentences.

    Examples
    --------
    >>> is_free_text(Series.of("t", [f"the parcel number {i} came very late" for i in range(20)]))
    True
    """
    if not is_nearly_unique(series):
        return False
    words = sum(len(str(level).split()) for level in series.levels)
    return words >= MIN_WORDS * len(series.levels)


def describe_text(series: Series) -> str:
    """Write how many values a column has, for a note."""
    present = int(np.count_nonzero(series.data != MISSING))
    return f"{len(series.levels):,} different texts in {present:,} rows"


def pool_rare_levels(series: Series) -> Series:
    """Return a nearly unique column with its rare categories as one, and warn; any other column as it is."""
    if not is_nearly_unique(series):
        return series
    rows = np.bincount(series.data[series.data != MISSING], minlength=len(series.levels))
    common = np.flatnonzero(rows >= MIN_ROWS).tolist()
    levels = tuple(series.levels[code] for code in common)
    other = OTHER
    while other in levels:
        other = f"({other})"
    recode = np.full(len(series.levels) + 1, len(common), dtype=np.uint32)
    recode[common] = np.arange(len(common), dtype=np.uint32)
    recode[-1] = MISSING
    data = recode[np.minimum(series.data, len(series.levels))]
    _warn(series, len(common))
    return Series(
        series.name, "categorical", data, (*levels, other), True, meaning=Meaning(other=other)
    )


def ignore_values(series: Series) -> Series:
    """Return a column in which all values count as one, so that no tree splits on it."""
    data = np.zeros(len(series.data), dtype=np.uint32)
    return Series(series.name, "categorical", data, (OTHER,), True, meaning=Meaning(other=OTHER))


def _warn(series: Series, common: int) -> None:
    name = printable(series.name)
    if common:
        what = f'those with fewer than {MIN_ROWS} rows count as one, "{OTHER}"'
    else:
        what = "too few rows each to learn from: ignored"
    warn_user(f'"{name}" has {describe_text(series)}; {what}', ColumnWarning)
