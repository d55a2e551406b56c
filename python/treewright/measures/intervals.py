"""Confidence interval of a proportion."""

from __future__ import annotations

import math

__all__ = ["wilson"]

Z = 1.959963984540054  # the 97.5 % point of the normal distribution


def wilson(right: float, rows: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a proportion; it is also valid for few rows.

    Parameters
    ----------
    right : float
        The number of successes, or their weight.
    rows : float
        The number of rows, or their weight.

    Returns
    -------
    low, high : float
        The bounds, between 0 and 1.

    Examples
    --------
    >>> [round(bound, 3) for bound in wilson(11, 14)]
    [0.524, 0.924]
    """
    if rows < 1e-100:  # no information; squares would overflow
        return 0.0, 1.0
    share, z2 = right / rows, Z * Z / rows
    half = math.sqrt(max(0.0, z2 * (share * (1 - share) + z2 / 4)))
    low, high = ((share + z2 / 2 + side * half) / (1 + z2) for side in (-1, 1))
    # Clamp: no successes give exactly 0, all give exactly 1.
    return (low if right > 0 else 0.0), (high if right < rows else 1.0)
