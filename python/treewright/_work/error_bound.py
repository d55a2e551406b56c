"""How the errors that a leaf is expected to make on new rows are found: the upper end of a confidence interval.

The figure is the core's; here stand the formula that it used and the terms of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewright import _core

__all__ = ["Bound", "bound_of"]


@dataclass(frozen=True, slots=True)
class Bound:
    """The errors of a leaf to expect, with the terms of their formula.

    Parameters
    ----------
    rows, errors : float
        N, the weight of its training rows, and E, of those that it gets wrong.
    confidence, z : float
        The confidence CF, and its normal quantile.
    kind : {"power", "between", "share", "normal", "nothing"}
        The formula. "power" where no error was seen: N (1 − CF^(1/N)). "normal": N (s + z²/2 + √(z² (s (1 − s/N) +
        z²/4))) / (N + z²) − E with s = E + 0.5. "share" where almost all rows are wrong: a share of the others.
        "between" where less than one error was seen: in proportion between the first two. "nothing" where no more are
        expected.
    share : float
        The share of kind "share".
    extra, total : float
        The errors to expect beyond those seen, and with them.
    """

    rows: float
    errors: float
    confidence: float
    z: float
    kind: str
    share: float
    extra: float
    total: float

    def ends(self) -> tuple[float, float]:
        """Return the errors to expect beyond those seen where none and where one was seen."""
        none, one = (
            _core.expected_errors(self.rows, seen, self.confidence, self._interval) - seen
            for seen in (0.0, 1.0)
        )
        return none, one

    @property
    def _interval(self) -> str:
        """The way in which the quantile was found, told by the quantile itself."""
        by_table = _core.error_formula(self.rows, self.errors, self.confidence, "table")[2]
        return "table" if by_table == self.z else "normal"


def bound_of(rows: float, errors: float, confidence: float, interval: str) -> Bound:
    """Return the errors of a leaf to expect.

    Parameters
    ----------
    rows, errors : float
        The weight of its training rows, and of those that it gets wrong.
    confidence : float
        The smaller, the more pessimistic.
    interval : {"table", "normal"}
        How the normal quantile is found: from C4.5's table, or computed.

    Examples
    --------
    >>> bound = bound_of(16, 1, 0.25, "table")
    >>> bound.kind, round(bound.z, 2), round(bound.total, 3)
    ('normal', 0.69, 2.507)
    """
    rows, errors = float(rows), min(float(errors), float(rows))
    kind, share, z = _core.error_formula(rows, errors, confidence, interval)
    total = _core.expected_errors(rows, errors, confidence, interval)
    return Bound(rows, errors, confidence, z, kind, share, total - errors, total)
