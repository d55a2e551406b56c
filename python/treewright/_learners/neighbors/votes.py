"""From neighbors to predictions: the weight of each neighbor, the vote, the mean.

Weights are relative to the nearest row: only their ratios matter, and no distance is too small to divide by. If
training rows are at distance 0, they decide alone.

All sums run from the nearest neighbor to the farthest, for each query on its own: a prediction does not depend on the
other rows that are predicted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._utils.choices import VOTES
from treewright.errors import UsageError

__all__ = ["Weights", "check_weights", "mean", "shares", "unit_of", "weigh"]

Floats = NDArray[np.float64]
Weights = str | Callable[[Floats], Any]
LARGE = 1e280  # sums of larger numbers could overflow


def check_weights(value: Any) -> Weights:
    """Check the parameter ``weights``.

    Examples
    --------
    >>> check_weights("distance")
    'distance'
    """
    if callable(value) or value in VOTES:
        return value  # type: ignore[no-any-return]
    known = ", ".join(map(repr, VOTES))
    raise UsageError(
        f"weights must be one of {known}, or a function of an array of distances; got {value!r}",
        slug="usage.parameter",
    )


def weigh(distances: Floats, weights: Weights) -> Floats:
    """Return the weight of each neighbor relative to the nearest; a row of distances for each query.

    Examples
    --------
    >>> weigh(np.array([[1.0, 2.0], [0.0, 2.0]]), "squared_distance").tolist()
    [[1.0, 0.25], [1.0, 0.0]]
    """
    if callable(weights):
        return _call(distances, weights)
    if weights == "uniform":
        return np.ones_like(distances)
    nearest = distances[:, :1]
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = nearest / distances
    # Zero by zero and infinity by infinity: rows as far away as the nearest.
    ratio[np.isnan(ratio)] = 1.0
    return ratio * ratio if weights == "squared_distance" else ratio


def _call(distances: Floats, weights: Callable[[Floats], Any]) -> Floats:
    with np.errstate(divide="ignore"):
        result = np.asarray(weights(distances.copy()), dtype=np.float64)
    if result.shape != distances.shape:
        raise UsageError(
            f"weights gave an array of the shape {result.shape} for distances of the shape "
            f"{distances.shape}",
            slug="usage.weights",
        )
    # 1 / 0: rows at distance 0 decide alone.
    infinite = np.isinf(result) & (result > 0)
    result = np.where(infinite.any(axis=1, keepdims=True), infinite.astype(np.float64), result)
    if result.size and not (result >= 0).all():
        raise UsageError("weights gave a negative number, or none", slug="usage.weights")
    if (result.max(axis=1, initial=0.0) == 0).any() and result.size:
        raise UsageError("weights gave zero for all neighbors of a row", slug="usage.weights")
    return result


def shares(weights: Floats, codes: NDArray[np.uint32], classes: int) -> Floats:
    """Return the share of each class in the vote, from the class codes of the neighbors.

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
    """Return a factor for numbers that keeps their sums finite.

    Examples
    --------
    >>> unit_of(np.array([1.0, -3.0]))
    1.0
    """
    return 2.0**-64 if np.abs(values).max(initial=0.0) > LARGE else 1.0


def mean(weights: Floats, values: Floats) -> Floats:
    """Return the weighted mean of the neighbors' numbers.

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
