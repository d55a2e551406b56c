"""How good answers are: counts of right answers, per class and in all, and the size of errors of numbers.

Rows may have weights; a row of weight 2 counts like two rows.

Glossary: *precision* of a class is the share of right answers among those that name it, *recall* the share of its own
rows that were found; the *interval* is Wilson's for a share, 95 %, which stays sensible for few rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.schema import label

__all__ = ["ClassScore", "NumberScore", "Score", "wilson"]

Z = 1.959963984540054  # the 97.5 % point of the normal distribution


def wilson(right: float, of: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a share.

    Examples
    --------
    >>> [round(x, 3) for x in wilson(11, 14)]
    [0.524, 0.924]
    """
    if of <= 0:
        return 0.0, 1.0
    share, z2 = right / of, Z * Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = Z / (1 + z2 / of) * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class ClassScore:
    """Answers that are classes, compared with the truth.

    ``matrix[i, j]`` is the weight of the rows of class ``i`` that were answered with class ``j``; ``weighted`` says
    that this is not their number.
    """

    classes: tuple[str, ...]
    matrix: NDArray[np.float64]
    weighted: bool = False

    @classmethod
    def of(
        cls,
        truth: Sequence[Any],
        answers: Sequence[Any],
        classes: Sequence[Any] = (),
        weights: NDArray[np.float64] | None = None,
        weighted: bool = False,
    ) -> ClassScore:
        """Count; classes that only the truth has come after the known ones."""
        said, true = [label(a) for a in answers], [label(t) for t in truth]
        known = dict.fromkeys([label(c) for c in classes])
        known |= dict.fromkeys(sorted({*said, *true} - known.keys()))
        place = {name: i for i, name in enumerate(known)}
        matrix = np.zeros((len(place), len(place)))
        at = [place[t] for t in true], [place[a] for a in said]
        np.add.at(matrix, at, 1.0 if weights is None else weights)
        return cls(tuple(place), matrix, weighted)

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.matrix.sum())

    @property
    def right(self) -> float:
        """The weight of the rows that were answered rightly."""
        return float(np.trace(self.matrix))

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self.right / self.total

    def precision(self) -> list[float | None]:
        """Return the precision of each class; None where it was never the answer."""
        return _shares(np.diag(self.matrix), self.matrix.sum(axis=0))

    def recall(self) -> list[float | None]:
        """Return the recall of each class; None where it never was the truth."""
        return _shares(np.diag(self.matrix), self.matrix.sum(axis=1))

    def measures(self) -> dict[str, float]:
        """Return the figures that a requirement may name; classes without rows or answers count nothing."""
        recall = [r for r in self.recall() if r is not None]
        precision = [p for p in self.precision() if p is not None]
        return {
            "accuracy": self.accuracy,
            "error": 1 - self.accuracy,
            "balanced-accuracy": math.fsum(recall) / len(recall),
            "macro-precision": math.fsum(precision) / len(precision),
        }


@dataclass(frozen=True)
class NumberScore:
    """Answers that are numbers, compared with the truth."""

    truth: NDArray[np.float64]
    answers: NDArray[np.float64]
    weights: NDArray[np.float64] | None = field(default=None)

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(len(self.truth)) if self.weights is None else math.fsum(self.weights)

    def _mean(self, values: NDArray[np.float64]) -> float:
        weights = np.ones(len(values)) if self.weights is None else self.weights
        return math.fsum(values * weights) / math.fsum(weights)

    @property
    def rmse(self) -> float:
        """The root of the mean squared error."""
        return math.sqrt(self._mean((self.answers - self.truth) ** 2))

    @property
    def mae(self) -> float:
        """The mean absolute error."""
        return self._mean(np.abs(self.answers - self.truth))

    @property
    def r2(self) -> float | None:
        """The share of the variance that the answers explain; None where there is no variance."""
        spread = self._mean((self.truth - self._mean(self.truth)) ** 2)
        return None if spread == 0 else 1 - self.rmse**2 / spread

    def measures(self) -> dict[str, float]:
        """Return the figures that a requirement may name."""
        found = {"rmse": self.rmse, "mae": self.mae}
        return found if self.r2 is None else {**found, "r2": self.r2}


Score = ClassScore | NumberScore


def _shares(part: NDArray[np.float64], whole: NDArray[np.float64]) -> list[float | None]:
    return [float(p / w) if w else None for p, w in zip(part, whole, strict=True)]
