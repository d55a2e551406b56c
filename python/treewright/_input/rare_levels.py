"""Nearly unique text: categories with too few rows to learn from count as one.

A set of categories that is ordered by its share of a class separates any rows if most categories have a single row:
such a column would be the first split of every tree and say nothing about new rows. Categories with few rows therefore
become one, "other values". Values that training never saw count as it too.

The core has the rules. Not here: identifiers and dates, which are recognized when a file is read.
"""

from __future__ import annotations

import numpy as np

from treewright import _core
from treewright._input.core_text import core_labels
from treewright._utils.user_warnings import warn_user
from treewright.errors import ColumnWarning, printable
from treewright.schema import Meaning
from treewright.table import MISSING, Series

__all__ = ["describe_text", "ignore_values", "is_free_text", "is_nearly_unique", "pool_rare_levels"]

MIN_ROWS = _core.COMMON_ROWS  # of a category that is told from others, in a nearly unique column
OTHER = _core.OTHER_VALUES


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
    return _core.is_nearly_unique(np.ascontiguousarray(series.data), len(series.levels))


def is_free_text(series: Series) -> bool:
    """Whether a nearly unique column holds sentences.

    Examples
    --------
    >>> is_free_text(Series.of("t", [f"the parcel number {i} came very late" for i in range(20)]))
    True
    """
    return is_nearly_unique(series) and _core.are_sentences(core_labels(series.levels))


def describe_text(series: Series) -> str:
    """Write how many values a column has, for a note."""
    present = int(np.count_nonzero(series.data != MISSING))
    return f"{len(series.levels):,} different texts in {present:,} rows"


def pool_rare_levels(series: Series) -> Series:
    """Return a nearly unique column with its rare categories as one, and warn; any other column as it is."""
    if not is_nearly_unique(series):
        return series
    codes = np.ascontiguousarray(series.data)
    common, other = _core.common_levels(codes, core_labels(series.levels))
    levels = tuple(series.levels[code] for code in common)
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
