"""Weights of rows as the search counts them: whole numbers whose sum stays below a limit."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["integer_weights"]

MAX_TOTAL = (1 << 30) - 1  # of the search
TINY = 1e-6  # of the mean weight: what is lighter makes no difference


def integer_weights(
    weights: NDArray[np.float64] | None,
) -> tuple[NDArray[np.uint32] | None, float]:
    """Return whole numbers in proportion to the weights, and how much a weight of 1 became.

    Whole weights stay as they are if their sum is small enough. Others are scaled and rounded, to about nine digits of
    their sum; a weight below a millionth of their mean becomes 0, so that no split is made for its sake.

    Examples
    --------
    >>> integer_weights(np.array([1.0, 2.0]))
    (array([1, 2], dtype=uint32), 1.0)
    >>> integers, scale = integer_weights(np.array([0.5, 1.5]))
    >>> (integers / scale).round(6).tolist()
    [0.5, 1.5]
    """
    if weights is None:
        return None, 1.0
    total = math.fsum(weights.tolist())
    if total <= MAX_TOTAL and (weights == np.floor(weights)).all():
        return weights.astype(np.uint32), 1.0
    # Rounding adds at most one to each row.
    scale = (MAX_TOTAL - len(weights)) / total
    integers = np.maximum(np.rint(weights * scale), 1)
    integers[weights < TINY * total / len(weights)] = 0
    return integers.astype(np.uint32), scale
