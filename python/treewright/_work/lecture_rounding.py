"""How numbers are rounded, and whether the printed operands of a calculation give the printed result.

*Exact* numbers are computed in double precision and rounded when they are printed. *Lecture* rounds every number when
it is written down and computes the next one from the rounded ones, as on a blackboard. *Truncate* does the same but
cuts digits off. Halves are rounded up.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from treewright._utils.rounding import rounded

__all__ = ["Rounding", "half_up"]


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
    """How many decimals numbers have, and when they are rounded.

    Examples
    --------
    >>> Rounding(3).round_off(0.97095), Rounding(3, "truncate").round_off(0.97095)
    ('0.971', '0.970')
    """

    digits: int = 3  # the decimals
    mode: str = "exact"  # round once, at every step, or cut off at every step

    @property
    def lecture(self) -> bool:
        """Whether numbers are computed from the printed ones before them."""
        return self.mode != "exact"

    def round_off(self, x: float | Fraction) -> str:
        """Write a number that does not come from printed ones."""
        return rounded(x, self.digits, truncate=self.mode == "truncate")

    def term(self, x: float) -> str:
        """Write a term of a sum: with lecture rounding it has one more decimal than the sum."""
        return rounded(x, self.digits + self.lecture, truncate=self.mode == "truncate")

    def round_result(self, exact: float, from_printed: Fraction | None) -> str:
        """Write a result: the exact one, or with lecture rounding what the printed operands give."""
        return self.round_off(exact if from_printed is None or not self.lecture else from_printed)

    def agrees(self, printed: str, from_printed: Fraction | None) -> bool:
        """Whether the printed operands give the printed result."""
        if from_printed is None:
            return True
        if self.mode == "truncate":
            return printed == self.round_off(from_printed)
        # Accept half-up and half-even.
        error = abs(Fraction(printed.replace(",", "")) - from_printed)
        return error <= Fraction(1, 2 * 10**self.digits)
