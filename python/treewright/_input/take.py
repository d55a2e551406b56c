"""Some rows of any container: our own table, arrays, data frames, lists."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from treewright._input.containers import as_table, is_named
from treewright.table import Series

__all__ = ["take"]


def take(container: Any, rows: NDArray[np.int64]) -> Any:
    """Return some rows of a table or of a column; containers that scikit-learn knows stay what they are.

    Examples
    --------
    >>> take(["a", "b", "c"], np.array([0, 2]))
    ['a', 'c']
    """
    if isinstance(container, Series):
        return container.take(rows)
    return _safe_indexing(as_table(container) if is_named(container) else container, rows)
