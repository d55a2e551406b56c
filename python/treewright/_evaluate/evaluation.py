"""The result of measuring a model on rows with known target values: what ``evaluate`` returns and ``eval`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treewright._catalog import public
from treewright._estimator.find import unwrap
from treewright._evaluate.class_probabilities import ClassProbabilities
from treewright._evaluate.prediction_scores import (
    ClassScore,
    Measure,
    NumberScore,
    Score,
    measures_for,
)
from treewright._render.charts import LineChart
from treewright._render.document import Block, Column, Document, Heading, Picture, Table, Text
from treewright._render.numbers import fixed, percent, plural, weights
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.safe_text import visible
from treewright.measures import wilson
from treewright.schema import Level, label

__all__ = ["Evaluation", "baseline_prediction"]

MAX_CLASSES = 12  # larger confusion matrices are left out of text; JSON always has them
MAX_CURVES = 8  # of the picture
CURVE_POINTS = 200
PROBABILITY_BASELINE = (
    "For AUC, log loss and Brier score, the baseline predicts the class proportions of these rows."
)


@public
@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Result):
    """The measures of a model beside those of a baseline, which always predicts the same.

    Parameters
    ----------
    title : str
        What was measured.
    score : ClassScore or NumberScore
        The predictions, compared with the true values.
    constant : class or float
        What the baseline predicts: the majority class or the mean of the training rows.
    more : dict of str to Result, default={}
        Further results about the same rows: calibration, lift, threshold.
    width, ascii : optional
        The width of text, and whether it is ASCII.

    Examples
    --------
    >>> from treewright import ZeroRClassifier, datasets, evaluate
    >>> X, y = datasets.play_tennis()
    >>> evaluate(ZeroRClassifier().fit(X, y), X, y).measures["accuracy"]
    0.6428571428571429
    """

    _noun = "an evaluation"

    title: str
    score: Score
    constant: Level
    more: dict[str, Result] = field(default_factory=dict)
    width: int | None = None
    ascii: bool | None = None

    @property
    def measures(self) -> dict[str, float]:
        """The value of each measure by its name, as in ``--require``: accuracy, f1, auc, log-loss, ..."""
        return self.score.measures()

    @property
    def baseline(self) -> Score:
        """The score of the baseline."""
        return self.score.constant(self.constant)

    @property
    def baseline_name(self) -> str:
        """The name of the baseline in text."""
        return f"always {_write_prediction(self.constant, self.score)}"

    def main_measure(self, score: Score | None = None) -> tuple[str, str]:
        """Return the first measure of a score as text: the count or nothing, and the value."""
        score = score or self.score
        if isinstance(score, NumberScore):
            return "", _write_measure(measures_for(score)[0], score)
        right, total = weights([score.right, score.total])
        unit = "weight " if score.weighted else ""
        return f"{unit}{right} of {total}", f"({percent(score.accuracy)})"

    def _document(self, page: PageFormat) -> Document:
        rows = plural(round(self.score.total), "row")
        blocks: list[Block] = [self._measures(), *self._classes()]
        for result in self.more.values():
            document = result._document(page)
            blocks += [Heading(document.title[0]), *document.blocks]
        return Document((f"{visible(self.title)}: {rows}",), (*blocks, *self._curves()))

    def _measures(self) -> Table:
        measures = [
            m
            for m in measures_for(self.score)
            if m.in_text and (not m.needs_probabilities or self._probabilities is not None)
        ]
        baseline = self.baseline
        return Table(
            (
                Column(
                    "measure", tuple(visible(m.title_for(self.score)) for m in measures), left=True
                ),
                Column("model", tuple(self._write(m, self.score) for m in measures)),
                Column(self.baseline_name, tuple(self._write(m, baseline) for m in measures)),
            ),
            key="measures",
        )

    @property
    def _probabilities(self) -> ClassProbabilities | None:
        return self.score.probabilities if isinstance(self.score, ClassScore) else None

    def _write(self, measure: Measure, score: Score) -> str:
        if measure == measures_for(score)[0]:
            return " ".join(filter(None, self.main_measure(score)))
        return _write_measure(measure, score)

    def _classes(self) -> Sequence[Block]:
        score = self.score
        if isinstance(score, NumberScore):
            return ()
        low, high = wilson(score.right, score.total)
        interval = [
            Text(f"95% interval of the accuracy: {percent(low)} to {percent(high)}", apart=True)
        ]
        if score.probabilities is not None:
            interval.append(Text(PROBABILITY_BASELINE, apart=True))
        names = tuple(visible(name) for name in score.classes)
        ratios = [
            tuple("·" if value is None else percent(value) for value in values)
            for values in (score.precision(), score.recall())
        ]
        by_class = Table(
            (
                Column("class", names, left=True),
                Column("rows", tuple(weights(score.matrix.sum(axis=1)))),
                Column("predicted", tuple(weights(score.matrix.sum(axis=0)))),
                Column("correct", tuple(weights(score.matrix.diagonal()))),
                Column("precision", ratios[0]),
                Column("recall", ratios[1]),
            )
        )
        if len(names) > MAX_CLASSES:
            return by_class, *interval
        columns = [Column(name, tuple(weights(score.matrix[:, i]))) for i, name in enumerate(names)]
        confusion = Table((Column("actual \\ predicted", names, left=True), *columns))
        return by_class, confusion, *interval

    def _curves(self) -> Sequence[Block]:
        """Return the ROC curves: of the positive class, or of each of several classes."""
        scores = self._probabilities
        if scores is None:
            return ()
        asked = [scores.positive] if scores.is_binary else range(len(scores.classes))
        curves = {scores.classes[k]: scores.roc_curve(k) for k in asked if scores.has_both(k)}
        if not curves:
            return ()
        x = np.linspace(0.0, 1.0, CURVE_POINTS + 1)
        lines = [
            (visible(name), tuple(_steps(x, *curve).tolist()))
            for name, curve in list(curves.items())[:MAX_CURVES]
        ]
        chart = LineChart(
            tuple(x.tolist()),
            (*lines, ("random", tuple(x.tolist()))),
            (),
            f"ROC curve of {visible(self.title)}",
            ("false-positive rate", "true-positive rate (recall)"),
        )
        return (Picture(chart),)

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as plain values."""
        score = self.score
        values: dict[str, Any] = {
            "title": self.title,
            "rows": _write_count(score.total, score),
            **score.measures(),
        }
        baseline = {"answer": self.constant, **self.baseline.measures()}
        if isinstance(score, NumberScore):
            return {**values, "baseline": baseline}
        matrix = [[_write_count(cell, score) for cell in row] for row in score.matrix.tolist()]
        by_class = zip(score.classes, score.precision(), score.recall(), strict=True)
        return {
            **values,
            **({"positive": score.positive} if score.is_binary else {}),
            "right": _write_count(score.right, score),
            "interval": list(wilson(score.right, score.total)),
            "baseline": baseline,
            "classes": [{"class": c, "precision": p, "recall": r} for c, p, r in by_class],
            "confusion": {"classes": list(score.classes), "matrix": matrix},
            **{name: result.to_dict() for name, result in self.more.items()},
        }

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one row per measure: its name, the class it belongs to, its value."""
        constant = label(self.constant)
        values = [(name, "", value) for name, value in self.score.measures().items()]
        values += [
            (f"baseline-{name}", constant, value)
            for name, value in self.baseline.measures().items()
        ]
        rows: list[tuple[str, str, float | None]] = [*values]
        if isinstance(self.score, ClassScore):
            classes = self.score.classes
            rows += zip(["precision"] * len(classes), classes, self.score.precision(), strict=True)
            rows += zip(["recall"] * len(classes), classes, self.score.recall(), strict=True)
        return [dict(zip(("measure", "class", "value"), row, strict=True)) for row in rows]


def _write_measure(measure: Measure, score: Score) -> str:
    value = measure.function(score)
    if value is None:
        return "·"
    if isinstance(score, NumberScore):
        return write_number(value)
    return percent(value) if measure.as_percent else fixed(value)


def write_number(x: float) -> str:
    """Write a measured number with about four digits.

    Examples
    --------
    >>> write_number(9.9441), write_number(11804.2)
    ('9.944', '11,804')
    """
    return f"{x:,.0f}" if 1000 <= abs(x) < 1e9 else f"{x:.4g}"


def _write_prediction(prediction: Level, score: Score) -> str:
    if isinstance(score, ClassScore):
        return f'"{visible(label(prediction))}"'
    return write_number(float(prediction))


def _write_count(amount: float, score: Score) -> int | float:
    """Return a number of rows as a whole number, a weight as it is."""
    return amount if score.weighted else round(amount)


def baseline_prediction(model: Any) -> Any:
    """Return what a model of this package predicts without any features; None for other models.

    It is the most frequent class of the training rows, or their mean.
    """
    model = unwrap(model)
    if hasattr(model, "usual_answer_"):
        return model.usual_answer_
    kind = getattr(model, "_kind", None)
    if kind == "trees":
        return model.trees_.baseline_prediction()
    return None if kind is None else model.tree_.answer(0)


def _steps(x: Any, across: Any, up: Any) -> Any:
    """Return the heights of a curve of straight pieces at some places; the highest where it rises."""
    at = np.searchsorted(across, x, side="right")
    inside = np.interp(x, across, up)
    return np.where(across[np.minimum(at, len(across)) - 1] == x, up[at - 1], inside)
