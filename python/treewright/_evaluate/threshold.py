"""The threshold of a probability that costs least, where false alarms and misses cost differently.

A row is predicted as positive if its probability is at least the threshold. If the probabilities are right, the best
threshold is ``fp / (fp + fn)``; the one that is chosen here costs least on the rows that are given, which should not
be the training rows.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from treewright._catalog import public
from treewright._evaluate.class_probabilities import ClassProbabilities
from treewright._render.charts import LineChart
from treewright._render.document import Column, Document, Picture, Table, Text
from treewright._render.numbers import fixed, weights
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.safe_text import visible

__all__ = ["ThresholdChoice", "ThresholdCost", "cheapest_threshold"]

MAX_POINTS = 400  # of the chart
NEVER = math.nextafter(1.0, 2.0)  # no probability is so large


@dataclass(frozen=True)
class ThresholdCost:
    """What one threshold costs.

    Parameters
    ----------
    threshold : float
        Rows with at least this probability are predicted as positive; above 1 for none.
    false_positives, false_negatives : float
        The rows, or their weight, that are predicted wrongly as positive, and wrongly as not positive.
    cost : float
        The cost of all errors.
    """

    threshold: float
    false_positives: float
    false_negatives: float
    cost: float


@public
@dataclass(frozen=True, eq=False, repr=False)
class ThresholdChoice(Result):
    """The threshold that costs least, beside the usual one.

    Parameters
    ----------
    positive : str
        The class that is predicted from the threshold on.
    false_positive_cost, false_negative_cost : float
        The cost of each kind of error.
    best : ThresholdCost
        The threshold that costs least on these rows; of several equal ones the nearest to ``fp / (fp + fn)``.
    others : dict of str to ThresholdCost
        The costs of other thresholds: 0.5, ``fp / (fp + fn)``, always and never.
    curve : tuple of (float, float)
        Thresholds and their costs, for the picture.

    Examples
    --------
    >>> from treewright import ID3Classifier, choose_threshold, datasets
    >>> X, y = datasets.play_tennis()
    >>> choice = choose_threshold(ID3Classifier(max_depth=1).fit(X, y), X, y, fp=1, fn=5)
    >>> choice.threshold, choice.best.cost, choice.others["0.5"].cost
    (0.16666666666666666, 5.0, 12.0)
    """

    _noun = "a choice of a threshold"

    positive: str
    false_positive_cost: float
    false_negative_cost: float
    best: ThresholdCost
    others: dict[str, ThresholdCost]
    curve: tuple[tuple[float, float], ...]

    @property
    def threshold(self) -> float:
        """The threshold that costs least."""
        return self.best.threshold

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "positive": self.positive,
            "false_positive_cost": self.false_positive_cost,
            "false_negative_cost": self.false_negative_cost,
            "best": asdict(self.best),
            "others": {name: asdict(cost) for name, cost in self.others.items()},
        }

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each threshold of the table."""
        named = {"cheapest": self.best, **self.others}
        return [{"name": name, **asdict(cost)} for name, cost in named.items()]

    def _document(self, page: PageFormat) -> Document:
        named = {"cheapest": self.best, **self.others}
        costs = list(named.values())
        table = Table(
            (
                Column("threshold", tuple(named), left=True),
                Column("probability", tuple(_write_threshold(c.threshold) for c in costs)),
                Column("false positives", tuple(weights([c.false_positives for c in costs]))),
                Column("false negatives", tuple(weights([c.false_negatives for c in costs]))),
                Column("cost", tuple(weights([c.cost for c in costs]))),
            ),
            key="thresholds",
        )
        name = visible(self.positive)
        title = (
            f'Threshold for "{name}", where a false positive costs {self.false_positive_cost:g} '
            f"and a false negative {self.false_negative_cost:g}"
        )
        note = "It costs least on these rows: choose it on rows that the model was not trained on."
        return Document((title,), (table, Text(note), Picture(self._chart(title))))

    def _chart(self, title: str) -> LineChart:
        x, y = zip(*self.curve, strict=True)
        mark = (f"cheapest: {self.threshold:.3f}", min(self.threshold, x[-1]), self.best.cost)
        return LineChart(x, (("cost", y),), (mark,), title, ("threshold", "cost"))


def cheapest_threshold(scores: ClassProbabilities, fp: float, fn: float) -> ThresholdChoice:
    """Return the threshold of the positive class that costs least."""
    at = scores.thresholds()
    theory = fp / (fp + fn)
    # The first one predicts nothing as positive; each other one lies between two neighboring probabilities, all of
    # which do the same: it is the one that theory has, or the middle.
    upper, lower = np.append(NEVER, at.threshold), np.append(at.threshold, 0.0)
    thresholds = np.where((lower < theory) & (theory <= upper), theory, (upper + lower) / 2)
    thresholds[0] = NEVER
    false_alarms = np.concatenate([[0.0], at.false_alarms])
    misses = at.positives - np.concatenate([[0.0], at.hits])
    costs = fp * false_alarms + fn * misses

    def cost_at(threshold: float) -> ThresholdCost:
        above = int(np.searchsorted(-at.threshold, -threshold, side="right"))
        return ThresholdCost(
            threshold, float(false_alarms[above]), float(misses[above]), float(costs[above])
        )

    cheapest = np.flatnonzero(costs <= costs.min() * (1 + 1e-12))
    best = int(cheapest[np.argmin(np.abs(thresholds[cheapest] - theory))])
    others = {
        "0.5": cost_at(0.5),
        "fp / (fp + fn)": cost_at(theory),
        "always": cost_at(0.0),
        "never": cost_at(NEVER),
    }
    drawn = np.unique(np.linspace(0, len(costs) - 1, MAX_POINTS).astype(np.int64))[::-1]
    return ThresholdChoice(
        scores.classes[scores.positive],
        fp,
        fn,
        cost_at(float(thresholds[best])),
        others,
        tuple((min(1.0, float(thresholds[i])), float(costs[i])) for i in drawn.tolist()),
    )


def _write_threshold(threshold: float) -> str:
    return "none" if threshold > 1 else fixed(threshold)
