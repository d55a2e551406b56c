"""The values of a column as data: categories with their rows, or the range of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright._input.columns import to_levels
from treewright.table import MISSING, Series

__all__ = ["count_values"]

MAX_LEVELS = 200  # that are listed, the most frequent first


def count_values(series: Series) -> dict[str, Any]:
    """Return the number of different values, and the categories with their rows or the range of the numbers.

    Examples
    --------
    >>> count_values(Series.of("wind", ["weak", "strong", "weak"]))
    {'distinct': 2, 'levels': [{'value': 'weak', 'rows': 2}, {'value': 'strong', 'rows': 1}]}
    >>> count_values(Series.of("age", [64, 85, 70.5]))
    {'distinct': 3, 'min': 64.0, 'max': 85.0, 'mean': 73.16666666666666}
    """
    if series.meaning is not None and series.meaning.order:
        series = to_levels(series)
    if series.kind == "categorical":
        present = series.data[series.data != MISSING]
        rows = np.bincount(present, minlength=len(series.levels))
        order = np.argsort(-rows, kind="stable")[:MAX_LEVELS]
        listed = [{"value": series.levels[i], "rows": int(rows[i])} for i in order if rows[i]]
        return {"distinct": int(np.count_nonzero(rows)), "levels": listed}
    numbers = series.data[~np.isnan(series.data)]
    if not len(numbers):
        return {"distinct": 0}
    return {
        "distinct": len(np.unique(numbers)),
        "min": float(numbers.min()),
        "max": float(numbers.max()),
        "mean": float(np.sum(numbers / len(numbers))),
    }
