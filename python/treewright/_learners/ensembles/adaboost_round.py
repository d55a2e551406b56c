"""One round of AdaBoost: its result, and the formulas for votes and losses.

Glossary: the *vote* (alpha) of a weak learner is the weight of its prediction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Round", "scale_losses", "vote_for_error"]


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


def vote_for_error(error: float, rate: float, n_classes: int) -> float:
    """Return the vote of a weak learner with this weighted error.

    Examples
    --------
    >>> round(vote_for_error(0.25, 1.0, 2), 6)
    1.098612
    """
    return rate * (math.log((1 - error) / error) + math.log(n_classes - 1))


def scale_losses(errors: NDArray[np.float64], loss: str) -> NDArray[np.float64]:
    """Return the linear, square or exponential loss of absolute errors, scaled to [0, 1] by the largest error.

    Examples
    --------
    >>> scale_losses(np.array([1.0, 2.0]), "square").tolist()
    [0.25, 1.0]
    """
    largest = errors.max()
    scaled = errors / largest if largest > 0 else errors
    if loss == "square":
        return np.asarray(scaled**2)
    return np.asarray(1 - np.exp(-scaled)) if loss == "exponential" else scaled
