"""The least and the greatest number of the target in each node, which the node table does not hold.

Only a small model keeps them, for its drawing: they are two numbers of the training rows themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.tree import Tree

__all__ = ["Ranges", "ranges_of"]

Ranges = NDArray[np.float64]  # nodes by 2


def ranges_of(
    tree: Tree,
    columns: list[NDArray[Any]],
    target: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
) -> Ranges:
    """Return the least and the greatest number of the rows that came to each node; NaN where none did."""
    ends = tree._forest.apply(tree._index, columns).astype(np.int64)
    counted = np.ones(len(target), dtype=bool) if weights is None else weights > 0
    found = np.full((tree.n_nodes, 2), [np.inf, -np.inf])
    np.minimum.at(found[:, 0], ends[counted], target[counted])
    np.maximum.at(found[:, 1], ends[counted], target[counted])
    for node in range(tree.n_nodes - 1, 0, -1):
        above = int(tree.parents[node])
        found[above, 0] = min(found[above, 0], found[node, 0])
        found[above, 1] = max(found[above, 1], found[node, 1])
    return np.where(np.isfinite(found), found + 0.0, np.nan)
