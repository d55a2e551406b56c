"""The one rule by which printed figures are rounded: halves go up, judged by the decimal value of the figure.

A float is taken for the decimal number of 13 significant digits next to it: what is 3.65 / 4 on paper is 0.9125 here,
whether the float is a hair below that or above it. Fractions are exact.
"""

from __future__ import annotations

import math
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from numbers import Rational
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["decimal_of", "rounded"]

SIGNIFICANT = 13  # digits of a float that are no rounding of its calculation
MOST = 17  # digits that a float has
# The largest float has 309 digits before the point.
NEAREST, DOWN = (Context(prec=400, rounding=rule) for rule in (ROUND_HALF_UP, ROUND_DOWN))


def decimal_of(x: float | Fraction, digits: int = 3) -> Decimal:
    """Return the decimal number that a figure is taken for, exact enough for so many decimals.

    Examples
    --------
    >>> decimal_of(0.1 + 0.2), decimal_of(0.91249999999999998)
    (Decimal('0.3000000000000'), Decimal('0.9125000000000'))
    """
    if isinstance(x, Rational):
        return NEAREST.divide(Decimal(int(x.numerator)), Decimal(int(x.denominator)))
    size = math.frexp(x)[1] * 0.30103  # decimal digits before the point
    significant = min(MOST, max(SIGNIFICANT, digits + math.ceil(size) + 2))
    return Decimal(f"{x:.{significant - 1}e}")


def rounded(x: float | Fraction, digits: int, *, truncate: bool = False) -> str:
    """Write a number with so many decimals: halves away from zero, or cut off; never a negative zero.

    Examples
    --------
    >>> rounded(0.9125, 3), rounded(3.65 / 4, 3), rounded(-0.0001, 3), rounded(0.9709, 3, truncate=True)
    ('0.913', '0.913', '0.000', '0.970')
    """
    if isinstance(x, float) and not math.isfinite(x):
        return str(x)
    context = DOWN if truncate else NEAREST
    decimal = context.quantize(decimal_of(x, digits), Decimal((0, (1,), -digits)))
    return f"{decimal if decimal else abs(decimal):,f}"
