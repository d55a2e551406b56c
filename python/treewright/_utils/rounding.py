"""The rule by which printed numbers are rounded: halves go up, by the decimal value of the number.

A float stands for the nearest decimal number of 13 significant digits: 3.65 / 4 is 0.9125, even if the float is
slightly below or above it. Fractions are exact.
"""

from __future__ import annotations

import math
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from numbers import Rational
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["decimal_of", "rounded"]

SIGNIFICANT_DIGITS = 13  # of a float that are not affected by rounding errors
MAX_DIGITS = 17  # of a float
# The largest float has 309 digits before the point.
NEAREST, DOWN = (Context(prec=400, rounding=rule) for rule in (ROUND_HALF_UP, ROUND_DOWN))


def decimal_of(x: float | Fraction, digits: int = 3) -> Decimal:
    """Return the decimal number that a number stands for, exact enough for ``digits`` decimals.

    Examples
    --------
    >>> decimal_of(0.1 + 0.2), decimal_of(0.91249999999999998)
    (Decimal('0.3000000000000'), Decimal('0.9125000000000'))
    """
    if isinstance(x, Rational):
        return NEAREST.divide(Decimal(int(x.numerator)), Decimal(int(x.denominator)))
    size = math.frexp(x)[1] * 0.30103  # decimal digits before the point
    significant = min(MAX_DIGITS, max(SIGNIFICANT_DIGITS, digits + math.ceil(size) + 2))
    return Decimal(f"{x:.{significant - 1}e}")


def rounded(x: float | Fraction, digits: int, *, truncate: bool = False) -> str:
    """Write a number with ``digits`` decimals: halves away from zero, or truncated; never a negative zero.

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
