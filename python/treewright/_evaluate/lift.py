"""Lift and gains: how many rows of a class are found among those that a model ranks highest."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from treewright._catalog import public
from treewright._evaluate.class_probabilities import ClassProbabilities
from treewright._render.charts import LineChart
from treewright._render.document import Column, Document, Picture, Table
from treewright._render.numbers import fixed, percent
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.safe_text import visible

__all__ = ["LiftCurve", "LiftPoint", "lift_of"]

# The fractions of the rows that the table has.
LISTED = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
CHART_POINTS = 101


@dataclass(frozen=True)
class LiftPoint:
    """The rows with the highest probabilities.

    Parameters
    ----------
    fraction : float
        Their fraction of all rows.
    threshold : float
        The smallest probability among them.
    gain : float
        The fraction of all rows of the class that is among them.
    lift : float
        How many times more frequent the class is among them than among all rows.
    """

    fraction: float
    threshold: float
    gain: float
    lift: float


@public
@dataclass(frozen=True, eq=False, repr=False)
class LiftCurve(Result):
    """The rows of a class that are found among those ranked highest.

    Parameters
    ----------
    positive : str
        The class that is looked for.
    points : tuple of LiftPoint
        For growing fractions of the rows. Rows of equal probability are found in proportion.
    base : float
        The frequency of the class among all rows.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets, lift_curve
    >>> X, y = datasets.play_tennis()
    >>> lift_curve(C45Classifier().fit(X, y), X, y).points[4].lift.__round__(2)
    1.56
    """

    _noun = "a lift curve"

    positive: str
    points: tuple[LiftPoint, ...]
    base: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {"positive": self.positive, "base": self.base, "points": self.to_csv_rows()}

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each fraction of the rows."""
        return [asdict(point) for point in self.points]

    def _document(self, page: PageFormat) -> Document:
        listed = [p for p in self.points if round(p.fraction, 9) in LISTED]
        name = visible(self.positive)
        table = Table(
            (
                Column("rows", tuple(f"top {100 * p.fraction:g}%" for p in listed), left=True),
                Column("probability", tuple(f"at least {fixed(p.threshold)}" for p in listed)),
                Column(f'"{name}" found', tuple(percent(p.gain) for p in listed)),
                Column("lift", tuple(fixed(p.lift, 2) for p in listed)),
            ),
            key="points",
        )
        title = f'Lift: "{name}" among the rows with the highest probability'
        return Document((title,), (table, Picture(self._chart(title))))

    def _chart(self, title: str) -> LineChart:
        fractions = (0.0, *(p.fraction for p in self.points))
        gains = (0.0, *(p.gain for p in self.points))
        return LineChart(
            fractions,
            (("model", gains), ("random order", fractions)),
            (),
            title,
            ("fraction of the rows", f'fraction of "{visible(self.positive)}" found'),
        )


def lift_of(scores: ClassProbabilities) -> LiftCurve:
    """Return the lift of the probability of the positive class, at each percent of the rows."""
    at = scores.thresholds()
    rows = np.concatenate([[0.0], at.hits + at.false_alarms])
    hits = np.concatenate([[0.0], at.hits])
    total, base = float(rows[-1]), at.positives / float(rows[-1])
    points = []
    for percentage in range(1, CHART_POINTS):
        fraction = percentage / 100
        gain = float(np.interp(fraction * total, rows, hits)) / at.positives
        last = min(int(np.searchsorted(rows, fraction * total * (1 - 1e-12))), len(rows) - 1)
        points.append(LiftPoint(fraction, float(at.threshold[last - 1]), gain, gain / fraction))
    return LiftCurve(scores.classes[scores.positive], tuple(points), base)
