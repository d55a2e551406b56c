"""Thresholds of libraries that round numbers to single precision before they compare them.

A double is compared as it is here, so its threshold is the largest double that the other library sends left.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["largest_double_below", "largest_double_up_to"]

Singles = NDArray[np.float32]


def largest_double_up_to(threshold: Any) -> NDArray[np.float64]:
    """Return the largest doubles that are at most the thresholds once they are rounded to single precision.

    Examples
    --------
    >>> limit = largest_double_up_to(np.array([0.5]))
    >>> [bool(np.float32(x) <= 0.5) for x in (limit[0], np.nextafter(limit[0], 1))]
    [True, False]
    """
    threshold = np.asarray(threshold, dtype=np.float64)
    with np.errstate(over="ignore"):
        single = threshold.astype(np.float32)
    # Rounding may have gone up: the single before it is the last that goes left.
    single = np.where(single > threshold, np.nextafter(single, np.float32(-np.inf)), single)
    return _largest_double_of(single)


def largest_double_below(threshold: Singles) -> NDArray[np.float64]:
    """Return the largest doubles that are below the thresholds once they are rounded to single precision.

    Examples
    --------
    >>> limit = largest_double_below(np.array([0.5], dtype=np.float32))
    >>> [bool(np.float32(x) < 0.5) for x in (limit[0], np.nextafter(limit[0], 1))]
    [True, False]
    """
    return _largest_double_of(np.nextafter(threshold, np.float32(-np.inf)))


def _largest_double_of(single: Singles) -> NDArray[np.float64]:
    """Return the largest doubles that are rounded to these singles."""
    with np.errstate(over="ignore"):
        after = np.nextafter(single, np.float32(np.inf))
    low, high = single.astype(np.float64), after.astype(np.float64)
    # Doubles from half a step above the largest single on are rounded to infinity.
    largest = float(np.finfo(np.float32).max)
    high = np.where(low == largest, 2.0**128, high)
    middle = low / 2 + high / 2  # exact: a double has more than twice as many digits
    is_even = (single.view(np.uint32) & 1) == 0  # halves are rounded to the even neighbor
    limit = np.where(is_even, middle, np.nextafter(middle, -np.inf))
    lowest = np.where(single == -np.inf, -(2.0**128 - 2.0**103), limit)
    return np.where(single == np.inf, np.inf, lowest)
