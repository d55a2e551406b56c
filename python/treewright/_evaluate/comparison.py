"""The result of a comparison: how accurate, how large and how fast each estimator is, and whether chance explains it.

Glossary: the *score* of a fold is the accuracy, or for numbers the root mean squared error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._evaluate.prediction_scores import CLASS_MEASURES, NUMBER_MEASURES
from treewright._render.document import Column, Document, Table, Text
from treewright._render.numbers import count, decimals, fixed, percent
from treewright._render.page_format import PageFormat
from treewright._render.result import Result

__all__ = ["Comparison", "Entry"]

Numbers = NDArray[np.float64]
CAVEAT = (
    "p is the p-value of a paired t-test over the folds, against the best one, with the correction of Nadeau and "
    "Bengio. It is not adjusted for comparing several algorithms: treat it as a hint."
)


@dataclass(frozen=True, eq=False)
class Entry:
    """One estimator of a comparison.

    Parameters
    ----------
    name : str
        Its name.
    scores : ndarray
        Its score on each fold.
    size : int or None
        The number of leaves or rules of the model that is trained on all rows.
    seconds : float
        The time that this training took.
    p_value : float or None
        The probability of such a difference to the best one by chance; None for the best one itself.

    Examples
    --------
    >>> Entry("a", np.array([0.5, 0.7]), 3, 0.1, None).mean
    0.6
    """

    name: str
    scores: Numbers
    size: int | None
    seconds: float
    p_value: float | None

    @property
    def mean(self) -> float:
        """The mean of its scores."""
        return float(self.scores.mean())

    @property
    def deviation(self) -> float:
        """The standard deviation of its scores over the folds."""
        return float(self.scores.std(ddof=1)) if len(self.scores) > 1 else 0.0


@public
@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Estimators that were tried on the same folds, the best first.

    Parameters
    ----------
    entries : tuple of Entry
        The estimators.
    measure : {"accuracy", "rmse"}
        What a score is: a high accuracy is good, a low error is.
    cv : int
        The number of folds.
    caveat : str
        How to read ``p_value``.

    Examples
    --------
    >>> from treewright import C45Classifier, compare, datasets
    >>> comparison = compare([C45Classifier()], *datasets.play_tennis(), cv=7)
    >>> sorted(entry.name for entry in comparison.entries)
    ['C45Classifier', 'OneRClassifier', 'ZeroRClassifier']
    """

    _noun = "a comparison"

    entries: tuple[Entry, ...]
    measure: str
    cv: int
    caveat: str = CAVEAT

    def __getitem__(self, name: str) -> Entry:
        return next(entry for entry in self.entries if entry.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values."""
        return {
            "measure": self.measure,
            "folds": self.cv,
            "caveat": self.caveat,
            "learners": [
                {
                    "name": entry.name,
                    "mean": entry.mean,
                    "deviation": entry.deviation,
                    "scores": entry.scores.tolist(),
                    "size": entry.size,
                    "seconds": entry.seconds,
                    "p_value": entry.p_value,
                }
                for entry in self.entries
            ],
        }

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each estimator, without the scores of the folds."""
        rows: list[dict[str, Any]] = self.to_dict()["learners"]
        return [{name: x for name, x in row.items() if name != "scores"} for row in rows]

    def _document(self, page: PageFormat) -> Document:
        entries = self.entries
        measure = next(m for m in (*CLASS_MEASURES, *NUMBER_MEASURES) if m.name == self.measure)
        if measure in CLASS_MEASURES:
            means = [percent(entry.mean) for entry in entries]
            spreads = [f"{100 * entry.deviation:.1f}" for entry in entries]
        else:
            digits = decimals(max(entry.mean for entry in entries), 4)
            means = [fixed(entry.mean, digits) for entry in entries]
            spreads = [fixed(entry.deviation, digits) for entry in entries]
        sizes = ["" if entry.size is None else count(entry.size) for entry in entries]
        chances = ["best" if e.p_value is None else _probability(e.p_value) for e in entries]
        table = Table(
            (
                Column("algorithm", tuple(entry.name for entry in entries), left=True, gap=0),
                Column(measure.title, tuple(means)),
                Column("sd", tuple(spreads), gap=2),
                Column("leaves", tuple(sizes)),
                Column("fit time", tuple(f"{entry.seconds:.3f} s" for entry in entries)),
                Column("p vs. best", tuple(chances)),
            )
        )
        title = f"{self.cv}-fold cross-validation"
        return Document((title,), (table, Text(self.caveat, apart=True)))


def _probability(p: float) -> str:
    return "<0.001" if p < 0.001 else fixed(p)
