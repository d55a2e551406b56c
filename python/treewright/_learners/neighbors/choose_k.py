"""How many neighbours? The errors of leaving each training row out, for one neighbour, two, and so on.

Glossary: the *curve* is the error against the number of neighbours: the share of wrong classes, or the mean squared
difference of numbers. The best number is the smallest with the least error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._learners.neighbors.metric import Arranged
from treewright._learners.neighbors.votes import Floats, Weights, weigh

__all__ = ["best", "curve", "pieces"]

HELD = 1 << 21  # neighbours held at a time
EQUAL = 1e-12

# Weights and neighbours of some rows, and which rows these are: the sum of their errors with one neighbour, two, ...
Judge = Callable[[Floats, NDArray[np.uint32], slice], list[float]]


def pieces(rows: int, k: int) -> Iterator[slice]:
    """Give the rows in pieces whose neighbours fit into memory, whatever their number."""
    step = max(1, HELD // max(k, 1))
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def curve(
    index: _core.Neighbors,
    rows: Arranged,
    most: int,
    weights: Weights,
    judge: Judge,
    threads: int,
) -> list[float]:
    """Return the error of leaving one out for 1 to ``most`` neighbours, at most one less than there are rows."""
    most = min(most, len(rows) - 1)
    sums: list[list[float]] = [[] for _ in range(most)]
    for piece in pieces(len(rows), most + 1) if most > 0 else ():
        part = rows[piece]
        found, distances = index.search(part.numbers, part.codes, most + 1, threads)
        found, distances = _without(np.arange(piece.start, piece.stop), found, distances)
        for parts, error in zip(
            sums, _judged(found, distances, weights, judge, piece), strict=True
        ):
            parts.append(error)
    return [math.fsum(parts) / len(rows) for parts in sums]


def _judged(
    found: NDArray[np.uint32], distances: Floats, weights: Weights, judge: Judge, piece: slice
) -> list[float]:
    if not callable(weights):
        return judge(weigh(distances, weights), found, piece)
    # A function may look at all distances of a row, so it is asked again for each number of neighbours.
    counts = (weigh(distances[:, :k].copy(), weights) for k in range(1, found.shape[1] + 1))
    return [judge(count, found[:, :k], piece)[-1] for k, count in enumerate(counts, 1)]


def best(errors: list[float]) -> int:
    """Return the smallest number of neighbours with the least error.

    Examples
    --------
    >>> best([0.3, 0.1, 0.1, 0.2]), best([])
    (2, 1)
    """
    if not errors:
        return 1
    least = min(errors) * (1 + EQUAL)
    return next(k for k, error in enumerate(errors, 1) if error <= least)


def _without(
    own: NDArray[np.int64], found: NDArray[np.uint32], distances: Floats
) -> tuple[NDArray[np.uint32], Floats]:
    """Return neighbours without the row itself; where others at distance zero pushed it out, without the last."""
    itself = found == own[:, None]
    itself[:, -1] |= ~itself.any(axis=1)
    shape = (len(found), found.shape[1] - 1)
    return found[~itself].reshape(shape), distances[~itself].reshape(shape)
