"""The result of a comparison: how accurate, how large and how fast each estimator is, and whether chance explains it.

Glossary: the *score* of a fold is the first measure: accuracy, for numbers the root mean squared error, or another one.
A score is NaN where a fold does not define it: the AUC of rows of a single class.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._evaluate.prediction_scores import CLASS_MEASURES, NUMBER_MEASURES, Measure
from treewright._render.charts import Interval, NamedIntervals
from treewright._render.document import Column, Document, Picture, Table, Text
from treewright._render.numbers import count, decimals, fixed, percent
from treewright._render.page_format import PageFormat
from treewright._render.result import Result

__all__ = ["MEASURES", "Comparison", "Entry", "mean_of"]

Numbers = NDArray[np.float64]
MEASURES = {measure.name: measure for measure in (*CLASS_MEASURES, *NUMBER_MEASURES)}
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
    more : dict of str to ndarray, default={}
        The scores by further measures.

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
    more: dict[str, Numbers] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """The mean of its scores."""
        return mean_of(self.scores)

    @property
    def deviation(self) -> float:
        """The standard deviation of its scores over the folds."""
        known = self.scores[~np.isnan(self.scores)]
        return float(known.std(ddof=1)) if len(known) > 1 else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of its mean, with the correction of Nadeau and Bengio: the folds share training rows."""
        from scipy.special import stdtrit  # type: ignore[import-untyped]

        n = int(np.count_nonzero(~np.isnan(self.scores)))
        if n < 2:
            return self.mean, self.mean
        error = self.deviation * math.sqrt(1 / n + 1 / (n - 1))
        half = float(stdtrit(n - 1, 0.975)) * error
        return self.mean - half, self.mean + half


def mean_of(scores: Numbers) -> float:
    """Return the mean of the scores that are defined; NaN if none is."""
    known = scores[~np.isnan(scores)]
    return float(known.mean()) if len(known) else math.nan


@public
@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Estimators that were tried on the same folds, the best first.

    Parameters
    ----------
    entries : tuple of Entry
        The estimators.
    measure : str
        What a score is: "accuracy", "rmse", "auc", "log-loss" and so on. The estimators are ordered by it.
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
                    "mean": _or_none(entry.mean),
                    "deviation": entry.deviation,
                    "interval": [_or_none(end) for end in entry.interval],
                    "scores": [_or_none(score) for score in entry.scores.tolist()],
                    **({"measures": _means(entry)} if entry.more else {}),
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
        dropped = ("scores", "interval", "measures")
        return [
            {name: x for name, x in row.items() if name not in dropped} | row.get("measures", {})
            for row in rows
        ]

    def _document(self, page: PageFormat) -> Document:
        entries, measure = self.entries, MEASURES[self.measure]
        means, spreads = _write_scores(measure, [entry.scores for entry in entries])
        others = [
            Column(
                MEASURES[name].title,
                _write_scores(MEASURES[name], [e.more[name] for e in entries])[0],
            )
            for name in entries[0].more
        ]
        sizes = ["" if entry.size is None else count(entry.size) for entry in entries]
        chances = ["best" if e.p_value is None else _probability(e.p_value) for e in entries]
        table = Table(
            (
                Column("algorithm", tuple(entry.name for entry in entries), left=True, gap=0),
                Column(measure.title, means),
                Column("sd", spreads, gap=2),
                *others,
                Column("leaves", tuple(sizes)),
                Column("fit time", tuple(f"{entry.seconds:.3f} s" for entry in entries)),
                Column("p vs. best", tuple(chances)),
            )
        )
        title = f"{self.cv}-fold cross-validation"
        caveat = Text(self.caveat, apart=True)
        return Document((title,), (table, caveat, *self._picture(measure, means)))

    def _picture(self, measure: Measure, means: tuple[str, ...]) -> list[Picture]:
        bottom, top = measure.bounds
        rows = [
            Interval(entry.name, max(low, bottom), entry.mean, min(high, top), text)
            for entry, text in zip(self.entries, means, strict=True)
            for low, high in [entry.interval]
            if not math.isnan(entry.mean)
        ]
        if not rows:
            return []
        better = "more" if measure.greater_is_better else "less"
        title = f"{measure.title} by {self.cv}-fold cross-validation, with 95% intervals"
        return [
            Picture(NamedIntervals(tuple(rows), title, f"{measure.title} ({better} is better)"))
        ]


def _write_scores(
    measure: Measure, scores: Sequence[Numbers]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Write the means of some scores and their standard deviations."""
    means = [mean_of(values) for values in scores]
    spreads = [float(np.nanstd(v, ddof=1)) if np.sum(~np.isnan(v)) > 1 else 0.0 for v in scores]
    if measure in CLASS_MEASURES and measure.as_percent:
        return tuple(_percent(m) for m in means), tuple(f"{100 * s:.1f}" for s in spreads)
    digits = 3 if measure in CLASS_MEASURES else decimals(max(map(abs, means)), 4)
    return (
        tuple("·" if math.isnan(m) else fixed(m, digits) for m in means),
        tuple(fixed(s, digits) for s in spreads),
    )


def _percent(share: float) -> str:
    return "·" if math.isnan(share) else percent(share)


def _means(entry: Entry) -> dict[str, float | None]:
    return {name: _or_none(mean_of(scores)) for name, scores in entry.more.items()}


def _or_none(number: float) -> float | None:
    return None if math.isnan(number) else number


def _probability(p: float) -> str:
    return "<0.001" if p < 0.001 else fixed(p)
