"""The least cost of a tree by definition: every tree, no bounds, in plain Python."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

__all__ = ["least_cost"]


def least_cost(
    columns: Any,
    target: Any,
    *,
    depth: int,
    weights: Any = None,
    leaf_cost: float = 0.0,
    min_leaf: int = 1,
    by_class: bool = True,
) -> float:
    """Return the fewest errors, or the least squared error, plus the cost of the leaves; columns hold numbers."""
    table = np.asarray(columns, dtype=np.float64)
    labels, share = list(target), [1.0] * len(target) if weights is None else list(weights)
    tests = [
        (j, (low + high) / 2)
        for j in range(table.shape[1])
        for low, high in zip(*(np.unique(table[:, j])[k:] for k in (0, 1)), strict=False)
    ]

    def leaf(rows: tuple[int, ...]) -> float:
        total = math.fsum(share[r] for r in rows)
        if by_class:
            counts: dict[Any, float] = {}
            for r in rows:
                counts[labels[r]] = counts.get(labels[r], 0.0) + share[r]
            return total - max(counts.values())
        mean = math.fsum(share[r] * labels[r] for r in rows) / total
        return math.fsum(share[r] * (labels[r] - mean) ** 2 for r in rows)

    @cache
    def least(rows: tuple[int, ...], left: int) -> float:
        best = leaf(rows) + leaf_cost
        if left == 0:
            return best
        for j, cut in tests:
            below = tuple(r for r in rows if table[r, j] <= cut)
            above = tuple(r for r in rows if table[r, j] > cut)
            if min(len(below), len(above)) >= max(min_leaf, 1):
                best = min(best, least(below, left - 1) + least(above, left - 1))
        return best

    return least(tuple(range(len(labels))), depth)
