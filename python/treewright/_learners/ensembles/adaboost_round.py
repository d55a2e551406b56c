"""The result of one round of AdaBoost."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Round"]


@dataclass(frozen=True)
class Round:
    """The result of one round.

    Parameters
    ----------
    number : int
        Number of the round, counted from 0.
    error : float
        Weighted error of its weak learner.
    vote : float
        Weight of the learner's prediction.
    n_rows : int
        Number of training rows.
    bits : ndarray
        One bit per row, eight to a byte: whether the row gained weight.

    Examples
    --------
    >>> Round(0, 0.25, 1.1, 4, np.packbits([0, 0, 1, 1])).rows
    array([2, 3])
    """

    number: int
    error: float
    vote: float
    n_rows: int
    bits: NDArray[np.uint8] = field(repr=False, compare=False)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The rows that gained weight."""
        return np.flatnonzero(np.unpackbits(self.bits, count=self.n_rows))

    @property
    def gained(self) -> int:
        """Number of rows that gained weight."""
        return len(self.rows)
