"""The estimated errors of a leaf in pessimistic pruning: the upper end of a confidence interval.

The core computes the estimate; here is the formula that it used, with its terms.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewright import _core

__all__ = ["Bound", "bound_of"]


@dataclass(frozen=True, slots=True)
class Bound:
    """The estimated errors of a leaf, with the terms of the formula."""

    rows: float  # N, the weight of the training rows, and E, the weight of the training errors
    errors: float
    confidence: float  # the confidence factor CF, and its normal quantile
    z: float
    # The formula of the correction. "power" for no training error: N (1 − CF^(1/N)). "normal": N (s + z²/2 +
    # √(z² (s (1 − s/N) + z²/4))) / (N + z²) − E with s = E + 0.5. "between" for less than one training error:
    # interpolated between these two. "share" if almost all rows are errors: a fraction of the others. "nothing": 0.
    kind: str
    share: float  # the fraction of kind "share"
    extra: float  # the correction, and the training errors plus the correction
    total: float

    def ends(self) -> tuple[float, float]:
        """Return the correction for no training error and for one."""
        none, one = (
            _core.expected_errors(self.rows, seen, self.confidence, self._interval) - seen
            for seen in (0.0, 1.0)
        )
        return none, one

    @property
    def _interval(self) -> str:
        """How the quantile was computed."""
        by_table = _core.error_formula(self.rows, self.errors, self.confidence, "table")[2]
        return "table" if by_table == self.z else "normal"


def bound_of(rows: float, errors: float, confidence: float, interval: str) -> Bound:
    """Return the estimated errors of a leaf; the normal quantile is from C4.5's table ("table") or computed ("normal").

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
