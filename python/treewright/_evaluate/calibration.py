"""Calibration: whether of the rows with a predicted probability of 30%, about 30% are in the class."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._evaluate.class_probabilities import ClassProbabilities
from treewright._render.charts import LineChart
from treewright._render.document import Column, Document, Picture, Table, Text
from treewright._render.numbers import fixed, percent, weights
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.safe_text import visible

__all__ = ["CalibrationBin", "CalibrationCurve", "calibrate"]


@dataclass(frozen=True)
class CalibrationBin:
    """Rows with about the same predicted probability.

    Parameters
    ----------
    lower, upper : float
        The smallest and the largest predicted probability.
    weight : float
        The number of rows, or their weight.
    predicted : float
        Their mean predicted probability.
    observed : float
        The fraction of them that is in the class.
    """

    lower: float
    upper: float
    weight: float
    predicted: float
    observed: float


@public
@dataclass(frozen=True, eq=False, repr=False)
class CalibrationCurve(Result):
    """Predicted probabilities beside observed frequencies.

    Parameters
    ----------
    positive : str
        The class whose probability is predicted.
    bins : tuple of CalibrationBin
        Bins of about equally many rows, the smallest probabilities first; equal probabilities are in one bin.

    Examples
    --------
    >>> from treewright import ID3Classifier, calibration_curve, datasets
    >>> X, y = datasets.play_tennis()
    >>> curve = calibration_curve(ID3Classifier(max_depth=1).fit(X, y), X, y)
    >>> [(round(bin.predicted, 2), bin.observed) for bin in curve.bins]
    [(0.4, 0.4), (0.6, 0.6), (1.0, 1.0)]
    """

    _noun = "a calibration curve"

    positive: str
    bins: tuple[CalibrationBin, ...]

    @property
    def error(self) -> float:
        """The expected calibration error: the mean of how far predicted and observed are apart, by rows."""
        total = sum(bin.weight for bin in self.bins)
        return sum(bin.weight * abs(bin.predicted - bin.observed) for bin in self.bins) / total

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        bins = [asdict(bin) for bin in self.bins]
        return {"positive": self.positive, "error": self.error, "bins": bins}

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each bin."""
        return [asdict(bin) for bin in self.bins]

    def _document(self, page: PageFormat) -> Document:
        bins, name = self.bins, visible(self.positive)
        ranges = tuple(
            fixed(b.lower) if b.lower == b.upper else f"{fixed(b.lower)} to {fixed(b.upper)}"
            for b in bins
        )
        table = Table(
            (
                Column("probability", ranges, left=True),
                Column("rows", tuple(weights([b.weight for b in bins]))),
                Column("mean probability", tuple(percent(b.predicted) for b in bins)),
                Column("observed", tuple(percent(b.observed) for b in bins)),
            ),
            key="bins",
        )
        sentence = f"Mean difference of probability and observed frequency: {percent(self.error)}."
        title = f'Calibration of the probability of "{name}"'
        return Document((title,), (table, Text(sentence), Picture(self._chart(title))))

    def _chart(self, title: str) -> LineChart:
        predicted = tuple(bin.predicted for bin in self.bins)
        observed = tuple(bin.observed for bin in self.bins)
        return LineChart(
            predicted,
            (("model", observed), ("perfect", predicted)),
            (),
            title,
            ("mean predicted probability", "observed frequency"),
            span=(0.0, 1.0),
        )


def calibrate(scores: ClassProbabilities, bins: int = 10) -> CalibrationCurve:
    """Divide rows into bins of about equally many rows by the probability of the positive class."""
    p, k = scores.values[:, scores.positive], scores.positive
    weight = np.ones(len(p)) if scores.weights is None else scores.weights
    levels, place = np.unique(p, return_inverse=True)
    amounts = np.bincount(place, weight, len(levels))
    middle = np.cumsum(amounts) - amounts / 2
    # Equal probabilities are in the bin of their middle row.
    bin_of = np.minimum((middle / amounts.sum() * bins).astype(np.int64), bins - 1)
    hits = np.bincount(place, weight * (scores.truth == k), len(levels))
    return CalibrationCurve(
        scores.classes[k],
        tuple(
            _bin(levels[bin_of == b], amounts[bin_of == b], hits[bin_of == b])
            for b in np.unique(bin_of[amounts > 0]).tolist()
        ),
    )


def _bin(
    levels: NDArray[np.float64], amounts: NDArray[np.float64], hits: NDArray[np.float64]
) -> CalibrationBin:
    total = float(amounts.sum())
    predicted, observed = float(levels @ amounts) / total, float(hits.sum()) / total
    return CalibrationBin(float(levels[0]), float(levels[-1]), total, predicted, observed)
