"""How figures are printed, and whether a reader who calculates with the printed ones gets the printed result.

Exact figures are computed in double precision and rounded once, when they are printed. *Lecture* rounding is what is
done on a blackboard: every figure is rounded when it is written down, half up, and the next one is calculated from what
stands there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Rounding", "half_up"]


def half_up(x: Fraction | float, digits: int) -> str:
    """Write a number with so many decimals, halves away from zero; never a negative zero.

    Examples
    --------
    >>> half_up(Fraction("0.7885"), 3), half_up(-0.0001, 3)
    ('0.789', '0.000')
    """
    scaled = Fraction(x) * 10**digits
    whole = int(abs(scaled) + Fraction(1, 2))
    units, rest = divmod(whole, 10**digits)
    sign = "-" if scaled < 0 and whole else ""
    return f"{sign}{units:,}" + (f".{rest:0{digits}d}" if digits else "")


@dataclass(frozen=True, slots=True)
class Rounding:
    """How many decimals are shown, and when figures are rounded."""

    digits: int = 3
    lecture: bool = False

    def shown(self, x: float) -> str:
        """Write an exact figure."""
        if self.lecture:
            return half_up(Fraction(repr(x)), self.digits)
        return f"{x:z,.{self.digits}f}"

    def figure(self, exact: float, from_printed: Fraction | None) -> str:
        """Write a figure: the exact one, or in a lecture what follows from the figures before it."""
        if self.lecture and from_printed is not None:
            return half_up(from_printed, self.digits)
        return self.shown(exact)

    def agrees(self, printed: str, from_printed: Fraction | None) -> bool:
        """Whether a reader who calculates with the printed figures gets the printed result."""
        if from_printed is None:
            return True
        # Either way of rounding a half is a reader's right.
        error = abs(Fraction(printed.replace(",", "")) - from_printed)
        return error <= Fraction(1, 2 * 10**self.digits)
