"""How figures are printed, and whether a reader who calculates with the printed ones gets the printed result.

*Exact* figures are computed in double precision and rounded once, when they are printed. *Lecture* rounding is what is
done on a blackboard: every figure is rounded when it is written down, and the next one is calculated from what stands
there. *Truncate* does the same and cuts digits off in place of rounding. Halves always go up (see ``_rounding``).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from treewright._utils.rounding import rounded

__all__ = ["MODES", "Rounding", "half_up"]

MODES = ("exact", "lecture", "truncate")


def half_up(x: Fraction | float, digits: int) -> str:
    """Write a number with so many decimals, halves away from zero; never a negative zero.

    Examples
    --------
    >>> half_up(Fraction("0.7885"), 3), half_up(-0.0001, 3)
    ('0.789', '0.000')
    """
    return rounded(x, digits)


@dataclass(frozen=True, slots=True)
class Rounding:
    """How many decimals are shown, and when figures are rounded.

    Parameters
    ----------
    digits : int, default=3
        The decimals.
    mode : {"exact", "lecture", "truncate"}, default="exact"
        Round once, at every step, or cut off at every step.

    Examples
    --------
    >>> Rounding(3).shown(0.97095), Rounding(3, "truncate").shown(0.97095)
    ('0.971', '0.970')
    """

    digits: int = 3
    mode: str = "exact"

    @property
    def lecture(self) -> bool:
        """Whether figures are calculated from those that are printed before them."""
        return self.mode != "exact"

    def shown(self, x: float | Fraction) -> str:
        """Write a figure that does not come from printed ones."""
        return rounded(x, self.digits, truncate=self.mode == "truncate")

    def term(self, x: float) -> str:
        """Write a term of a sum: in a lecture with one more decimal, so that the rounded sum is that of the terms."""
        return rounded(x, self.digits + self.lecture, truncate=self.mode == "truncate")

    def figure(self, exact: float, from_printed: Fraction | None) -> str:
        """Write a figure: the exact one, or in a lecture what follows from the figures before it."""
        return self.shown(exact if from_printed is None or not self.lecture else from_printed)

    def agrees(self, printed: str, from_printed: Fraction | None) -> bool:
        """Whether a reader who calculates with the printed figures gets the printed result."""
        if from_printed is None:
            return True
        if self.mode == "truncate":
            return printed == self.shown(from_printed)
        # Either way of rounding a half is a reader's right.
        error = abs(Fraction(printed.replace(",", "")) - from_printed)
        return error <= Fraction(1, 2 * 10**self.digits)
