"""How sure a share is that was seen in a few rows: Wilson's interval."""

from __future__ import annotations

import math

__all__ = ["wilson"]

Z = 1.959963984540054  # the normal quantile of 95 %, both sides


def wilson(successes: float, trials: float) -> tuple[float, float]:
    """Return the 95 % interval of a share.

    Examples
    --------
    >>> [round(bound, 2) for bound in wilson(3, 3)]
    [0.44, 1.0]
    """
    if trials < 1e-100:  # nothing is known, and squares would overflow
        return 0.0, 1.0
    share, z2 = successes / trials, Z * Z / trials
    middle = share + z2 / 2
    spread = math.sqrt(max(0.0, z2 * (share * (1 - share) + z2 / 4)))
    low, high = ((middle + side * spread) / (1 + z2) for side in (-1, 1))
    return max(0.0, low), min(1.0, high)
