"""A round of AdaBoost: what is kept of it, and its arithmetic.

Glossary: a learner's *vote* (alpha) is what its answer counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Round", "loss_of", "vote_of"]


@dataclass(frozen=True)
class Round:
    """One round.

    Parameters
    ----------
    number : int
        Which round, counted from 0.
    error : float
        The weighted error of its learner.
    vote : float
        What the learner's answer counts.
    n_rows : int
        How many rows there are.
    bits : ndarray
        A bit a row, eight to a byte: whether it gained weight.

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
        """How many rows gained weight."""
        return len(self.rows)


def vote_of(error: float, rate: float, classes: int) -> float:
    """Return the vote of a learner that misses this share of the weight.

    Examples
    --------
    >>> round(vote_of(0.25, 1.0, 2), 6)
    1.098612
    """
    return rate * (math.log((1 - error) / error) + math.log(classes - 1))


def loss_of(errors: NDArray[np.float64], loss: str) -> NDArray[np.float64]:
    """Return what errors cost, each between 0 and 1: shares of the largest, squared, or rising to it ever less.

    Examples
    --------
    >>> loss_of(np.array([1.0, 2.0]), "square").tolist()
    [0.25, 1.0]
    """
    largest = errors.max()
    shares = errors / largest if largest > 0 else errors
    if loss == "square":
        return np.asarray(shares**2)
    return np.asarray(1 - np.exp(-shares)) if loss == "exponential" else shares
