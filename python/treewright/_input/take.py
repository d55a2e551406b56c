"""Some rows of any container: our own table, arrays, data frames, lists."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.containers import as_table, is_named
from treewright.table import Series

__all__ = ["length", "take"]


def take(container: Any, rows: NDArray[np.int64]) -> Any:
    """Return some rows of a table or of a column, in the kind of container they came in where it has one.

    Examples
    --------
    >>> take(["a", "b", "c"], np.array([0, 2]))
    ['a', 'c']
    """
    if isinstance(container, Series):
        return container.take(rows)
    if is_named(container):
        return as_table(container)[rows]
    if hasattr(container, "iloc"):
        return container.iloc[rows]
    if isinstance(container, (list, tuple)):
        return [container[row] for row in rows.tolist()]
    if hasattr(container, "take") and not isinstance(container, np.ndarray):  # Arrow
        return container.take(rows)
    return container[rows]


def length(container: Any) -> int:
    """Return how many rows a table has.

    Examples
    --------
    >>> length({"a": [1, 2, 3]})
    3
    """
    return len(as_table(container))
