"""The Gini index of classes and the variance of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from treewright.errors import DataError
from treewright.measures._counts import (
    Column,
    Floats,
    Weights,
    amounts,
    codes,
    count_of,
    groups,
    numbers,
    pairs,
    same_length,
)
from treewright.measures._expected_surprise import error_probability, expected, gain
from treewright.measures._parameters import describe_parameters

__all__ = ["gini", "gini_gain", "gini_of", "variance", "variance_reduction"]


@describe_parameters()
def gini(counts: Iterable[float]) -> float:
    """Return the Gini index: the probability that a random guess from the same distribution is wrong.

    Examples
    --------
    >>> round(gini([9, 5]), 3), gini([0.5, 0.5]), gini([7, 0])
    (0.459, 0.5, 0.0)
    """
    parts = amounts(counts, "counts").tolist()
    return expected(error_probability, parts, [math.fsum(parts)] * len(parts))


@describe_parameters()
def gini_of(labels: Column, *, sample_weight: Weights = None) -> float:
    """Return the Gini index of a column of labels.

    Examples
    --------
    >>> gini_of(["heads", "tails", "tails", "heads"])
    0.5
    """
    return gini(count_of(labels, sample_weight, "labels"))


@describe_parameters()
def gini_gain(x: Column, y: Column, *, sample_weight: Weights = None) -> float:
    """Return the decrease of the Gini index of y once x is known.

    Examples
    --------
    >>> from treewright.datasets import play_tennis
    >>> X, y = play_tennis()
    >>> {name: round(gini_gain(X[name], y), 3) for name in X}
    {'Outlook': 0.116, 'Temperature': 0.019, 'Humidity': 0.092, 'Wind': 0.031}
    """
    return gain(error_probability, pairs(x, y, sample_weight))


@describe_parameters(sample_weight="The weight of each number.")
def variance(values: Iterable[float], *, sample_weight: Weights = None) -> float:
    """Return the mean squared distance from the mean.

    Examples
    --------
    >>> variance([1, 2, 3, 4])
    1.25
    """
    return _variance(*_weighted(values, "values", sample_weight))


@describe_parameters(y="The target, numbers.")
def variance_reduction(x: Column, y: Iterable[float], *, sample_weight: Weights = None) -> float:
    """Return the decrease of the variance of y once x is known.

    Examples
    --------
    >>> variance_reduction(["low", "low", "high", "high"], [1, 2, 3, 4])
    1.0
    """
    of_x = codes(x, "x")
    values, weights = _weighted(y, "y", sample_weight)
    same_length({"x": of_x, "y": values})
    parts = [(values[rows], weights[rows]) for rows in groups(of_x)]
    sizes = [math.fsum(part.tolist()) for _, part in parts]
    total = math.fsum(sizes)
    left = math.fsum(
        size / total * _variance(*part) for part, size in zip(parts, sizes, strict=True) if size > 0
    )
    return max(0.0, _variance(values, weights) - left)


def _weighted(values: Iterable[float], name: str, sample_weight: Weights) -> tuple[Floats, Floats]:
    array = numbers(values, name)
    if sample_weight is None:
        return array, np.ones(len(array))
    weights = amounts(sample_weight, "sample_weight")
    same_length({name: array, "sample_weight": weights})
    return array, weights


def _variance(values: Floats, weights: Floats) -> float:
    present = weights > 0
    values, weights = values[present], weights[present]
    # Scaled by a power of two, no sum or square overflows; relative to the smallest value, equal
    # numbers have a variance of exactly 0.
    scale = 1 + int(np.frexp(np.abs(values).max())[1])
    scaled = np.ldexp(values, -scale)
    offsets = scaled - scaled.min()
    total = math.fsum(weights.tolist())
    mean = math.fsum((weights * offsets).tolist()) / total
    squared = math.fsum((weights * (offsets - mean) ** 2).tolist()) / total
    try:
        return math.ldexp(squared, 2 * scale)
    except OverflowError:
        raise DataError(
            f"the variance of numbers up to {np.abs(values).max():g} is too large for a float",
            slug="data.too-large",
            hints=["divide them all by the same number first"],
        ) from None
