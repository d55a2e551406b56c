"""The number of neighbors: the error when each training row is left out, for one neighbor, two, and so on.

The error is the share of wrong classes, or the mean squared difference of numbers. The best number of neighbors is the
smallest with the smallest error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._learners.neighbors.metric import SpaceRows
from treewright._learners.neighbors.votes import Floats, Weights, weigh

__all__ = ["ErrorSums", "best_k", "leave_one_out", "pieces"]

MAX_NEIGHBORS_IN_MEMORY = 1 << 21
EQUAL = 1e-12

# From the weights and neighbors of some rows, and which rows these are: the sum of errors for one neighbor, two, ...
ErrorSums = Callable[[Floats, NDArray[np.uint32], slice], list[float]]


def pieces(rows: int, k: int) -> Iterator[slice]:
    """Yield the rows in pieces whose neighbors fit into memory."""
    step = max(1, MAX_NEIGHBORS_IN_MEMORY // max(k, 1))
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def leave_one_out(
    index: _core.Neighbors,
    rows: SpaceRows,
    max_k: int,
    weights: Weights,
    error_sums: ErrorSums,
    threads: int,
) -> list[float]:
    """Return the leave-one-out error for 1 to ``max_k`` neighbors, at most one less than there are rows."""
    max_k = min(max_k, len(rows) - 1)
    sums: list[list[float]] = [[] for _ in range(max_k)]
    for piece in pieces(len(rows), max_k + 1) if max_k > 0 else ():
        part = rows[piece]
        near, distances = index.search(part.numbers, part.codes, max_k + 1, threads)
        near, distances = _drop_itself(np.arange(piece.start, piece.stop), near, distances)
        errors = _errors_by_k(near, distances, weights, error_sums, piece)
        for parts, error in zip(sums, errors, strict=True):
            parts.append(error)
    return [math.fsum(parts) / len(rows) for parts in sums]


def _errors_by_k(
    near: NDArray[np.uint32],
    distances: Floats,
    weights: Weights,
    error_sums: ErrorSums,
    piece: slice,
) -> list[float]:
    if not callable(weights):
        return error_sums(weigh(distances, weights), near, piece)
    # A function may use all distances of a row, so it is called again for each number of neighbors.
    by_k = (weigh(distances[:, :k].copy(), weights) for k in range(1, near.shape[1] + 1))
    return [error_sums(own, near[:, :k], piece)[-1] for k, own in enumerate(by_k, 1)]


def best_k(errors: list[float]) -> int:
    """Return the smallest number of neighbors with the smallest error.

    Examples
    --------
    >>> best_k([0.3, 0.1, 0.1, 0.2]), best_k([])
    (2, 1)
    """
    if not errors:
        return 1
    limit = min(errors) * (1 + EQUAL)
    return next(k for k, error in enumerate(errors, 1) if error <= limit)


def _drop_itself(
    own: NDArray[np.int64], near: NDArray[np.uint32], distances: Floats
) -> tuple[NDArray[np.uint32], Floats]:
    """Return neighbors without the row itself; if others at distance 0 pushed it out, without the last."""
    itself = near == own[:, None]
    itself[:, -1] |= ~itself.any(axis=1)
    shape = (len(near), near.shape[1] - 1)
    return near[~itself].reshape(shape), distances[~itself].reshape(shape)
