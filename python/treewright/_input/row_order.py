"""A random order of rows that depends on their content and a seed, not on their position.

Folds and held-out rows are chosen along it, so a shuffled table gives the same model. Which of several equal rows is
chosen makes no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.columns import level_key
from treewright.schema import Level
from treewright.table import CoreColumns, Table

__all__ = ["order_of", "row_order"]

Weights = NDArray[np.float64] | None


def row_order(table: Table, truth: NDArray[Any], weights: Weights, seed: int) -> NDArray[np.int64]:
    """Return the rows of a table in random order; ``truth`` holds codes of classes, or numbers."""
    if table._core_matrix is not None:
        return _order(table._core_matrix, [None] * len(table.columns), truth, weights, seed)
    levels = [s.levels if s.kind == "categorical" else None for s in table.series]
    return order_of([s.data for s in table.series], levels, truth, weights, seed)


def order_of(
    columns: Sequence[NDArray[Any]],
    levels: Sequence[Sequence[Level] | None],
    truth: NDArray[Any],
    weights: Weights,
    seed: int,
) -> NDArray[np.int64]:
    """Return the same for columns of numbers and of codes, whose categories are ``levels``; None for numbers."""
    ranked = [_rank_levels(*pair) for pair in zip(columns, levels, strict=True)]
    return _order(
        ranked, [None if known is None else len(known) for known in levels], truth, weights, seed
    )


def _rank_levels(codes: NDArray[Any], levels: Sequence[Level] | None) -> NDArray[Any]:
    """Return codes that do not depend on the order of the levels."""
    if levels is None:
        return codes
    order = sorted(range(len(levels)), key=lambda code: level_key(levels[code]))
    if order == list(range(len(levels))):
        return codes
    ranks = np.empty(len(levels), dtype=np.uint32)
    ranks[order] = np.arange(len(levels), dtype=np.uint32)
    known = codes < len(levels)
    return np.where(known, ranks[np.where(known, codes, 0)], codes).astype(np.uint32)


def _order(
    columns: CoreColumns,
    levels: Sequence[int | None],
    truth: NDArray[Any],
    weights: Weights,
    seed: int,
) -> NDArray[np.int64]:
    is_class = truth.dtype.kind != "f"
    classes = int(truth.max(initial=0)) + 1 if is_class else None
    target = np.ascontiguousarray(truth, dtype=np.uint32 if is_class else np.float64)
    order = _core.row_order(levels, columns, target, classes, weights, seed % 2**64)
    return order.astype(np.int64)
