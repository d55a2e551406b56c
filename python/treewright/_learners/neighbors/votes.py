"""From neighbours to answers: how much each counts, the votes, the mean.

Weights are relative to the nearest row: only their ratios matter, and no distance is too small to divide by. Where a
row of training meets the query exactly, the rows at distance zero answer alone.

All sums run from the nearest neighbour to the farthest, one query independent of the others: an answer does not depend
on which other rows are asked about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import UsageError

__all__ = ["WEIGHTS", "Weights", "mean", "shares", "unit_of", "weigh", "weights_of"]

Floats = NDArray[np.float64]
Weights = str | Callable[[Floats], Any]
WEIGHTS = ("uniform", "distance", "squared_distance")
LARGE = 1e280  # sums of larger numbers could leave the range of floats


def weights_of(given: Any) -> Weights:
    """Check the parameter.

    Examples
    --------
    >>> weights_of("distance")
    'distance'
    """
    if callable(given) or given in WEIGHTS:
        return given  # type: ignore[no-any-return]
    known = ", ".join(map(repr, WEIGHTS))
    raise UsageError(
        f"weights must be one of {known}, or a function of an array of distances; got {given!r}",
        slug="usage.parameter",
    )


def weigh(distances: Floats, weights: Weights) -> Floats:
    """Return how much each neighbour counts, relative to the nearest; a row of distances for each query.

    Examples
    --------
    >>> weigh(np.array([[1.0, 2.0], [0.0, 2.0]]), "squared_distance").tolist()
    [[1.0, 0.25], [1.0, 0.0]]
    """
    if callable(weights):
        return _called(distances, weights)
    if weights == "uniform":
        return np.ones_like(distances)
    nearest = distances[:, :1]
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = nearest / distances
    # Zero by zero and infinity by infinity: rows that are as far as the nearest.
    ratio[np.isnan(ratio)] = 1.0
    return ratio * ratio if weights == "squared_distance" else ratio


def _called(distances: Floats, weights: Callable[[Floats], Any]) -> Floats:
    with np.errstate(divide="ignore"):
        found = np.asarray(weights(distances.copy()), dtype=np.float64)
    if found.shape != distances.shape:
        raise UsageError(
            f"weights gave an array of the shape {found.shape} for distances of the shape "
            f"{distances.shape}",
            slug="usage.weights",
        )
    # 1 / 0: the rows that meet the query exactly answer alone.
    certain = np.isinf(found) & (found > 0)
    found = np.where(certain.any(axis=1, keepdims=True), certain.astype(np.float64), found)
    if found.size and not (found >= 0).all():
        raise UsageError("weights gave a negative number, or none", slug="usage.weights")
    if (found.max(axis=1, initial=0.0) == 0).any() and found.size:
        raise UsageError("weights gave zero for all neighbours of a row", slug="usage.weights")
    return found


def shares(weights: Floats, codes: NDArray[np.uint32], classes: int) -> Floats:
    """Return the share of each class in the votes; codes are those of the neighbours' classes.

    Examples
    --------
    >>> shares(np.array([[1.0, 1.0, 2.0]]), np.array([[0, 1, 1]]), 2).tolist()
    [[0.25, 0.75]]
    """
    votes = np.zeros((len(weights), classes))
    total = np.zeros(len(weights))
    rows = np.arange(len(weights))
    for weight, code in zip(weights.T, codes.T, strict=True):
        votes[rows, code] += weight
        total += weight
    return votes / total[:, None]


def unit_of(values: Floats) -> float:
    """Return what numbers are multiplied by, so that their sums are numbers.

    Examples
    --------
    >>> unit_of(np.array([1.0, -3.0]))
    1.0
    """
    return 2.0**-64 if np.abs(values).max(initial=0.0) > LARGE else 1.0


def mean(weights: Floats, values: Floats) -> Floats:
    """Return the weighted mean of the neighbours' numbers.

    Examples
    --------
    >>> mean(np.array([[1.0, 3.0]]), np.array([[2.0, 6.0]])).tolist()
    [5.0]
    """
    unit = unit_of(values)
    sums, total = np.zeros(len(weights)), np.zeros(len(weights))
    for weight, value in zip(weights.T, values.T, strict=True):
        sums += weight * (value * unit)
        total += weight
    return sums / total / unit
