"""The minimum and the maximum of the target in each node, which the node table does not hold.

Only small models store them, for drawings: they are values of training rows.
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
    """Return the minimum and the maximum of the rows that reached each node; NaN if none did."""
    ends = tree._forest.apply(tree._index, columns).astype(np.int64)
    counted = np.ones(len(target), dtype=bool) if weights is None else weights > 0
    ranges = np.full((tree.n_nodes, 2), [np.inf, -np.inf])
    np.minimum.at(ranges[:, 0], ends[counted], target[counted])
    np.maximum.at(ranges[:, 1], ends[counted], target[counted])
    for node in range(tree.n_nodes - 1, 0, -1):
        above = int(tree.parents[node])
        ranges[above, 0] = min(ranges[above, 0], ranges[node, 0])
        ranges[above, 1] = max(ranges[above, 1], ranges[node, 1])
    return np.where(np.isfinite(ranges), ranges + 0.0, np.nan)
