"""The evaluation of a model on a table with known target values: what ``eval`` prints, and ``fit`` in part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._evaluate.prediction_scores import (
    ClassScore,
    Measure,
    NumberScore,
    Score,
    measures_for,
)
from treewright._render.document import Block, Column, Document, Table, Text
from treewright._render.numbers import percent, plural, weights
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.safe_text import visible
from treewright.cli.app.console import Console
from treewright.cli.scoring.unseen_report import UnseenReport
from treewright.cli.tables.batches import (
    class_name,
    labeled_batches,
    missing_targets,
    note_missing,
)
from treewright.cli.tables.source import Source
from treewright.errors import DataError, Hint
from treewright.measures import wilson
from treewright.schema import Level, label

__all__ = ["Evaluation", "score_source"]

MAX_CLASSES = 12  # larger confusion matrices are left out of text; JSON always has them


@dataclass(frozen=True, repr=False)
class Evaluation(Result):
    """A score beside that of the baseline, which always predicts the same.

    Parameters
    ----------
    title : str
        What was measured.
    score : Score
        The score of the model.
    constant : Level
        What the baseline predicts.
    """

    title: str
    score: Score
    constant: Level
    width: int | None = None
    ascii: bool | None = None

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
        return Document((f"{visible(self.title)}: {rows}",), (self._measures(), *self._classes()))

    def _measures(self) -> Table:
        measures = [m for m in measures_for(self.score) if m.in_text]
        baseline = self.baseline
        return Table(
            (
                Column("measure", tuple(m.title for m in measures), left=True),
                Column("model", tuple(self._write(m, self.score) for m in measures)),
                Column(self.baseline_name, tuple(self._write(m, baseline) for m in measures)),
            ),
            key="measures",
        )

    def _write(self, measure: Measure, score: Score) -> str:
        if measure == measures_for(score)[0]:
            return " ".join(filter(None, self.main_measure(score)))
        return _write_measure(measure, score)

    def _classes(self) -> Sequence[Block]:
        score = self.score
        if isinstance(score, NumberScore):
            return ()
        low, high = wilson(score.right, score.total)
        interval = Text(
            f"95% interval of the accuracy: {percent(low)} to {percent(high)}", apart=True
        )
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
            return by_class, interval
        columns = [Column(name, tuple(weights(score.matrix[:, i]))) for i, name in enumerate(names)]
        confusion = Table((Column("actual \\ predicted", names, left=True), *columns))
        return by_class, confusion, interval

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
            "right": _write_count(score.right, score),
            "interval": list(wilson(score.right, score.total)),
            "baseline": baseline,
            "classes": [{"class": c, "precision": p, "recall": r} for c, p, r in by_class],
            "confusion": {"classes": list(score.classes), "matrix": matrix},
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
    return percent(value) if isinstance(score, ClassScore) else write_number(value)


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


def score_source(model: Any, source: Source, target: str, console: Console) -> Score:
    """Predict the rows of a source and compare with the true values; rows without one are left out."""
    # Each pair of true value and prediction with its number of rows: few for classes, however long the file is.
    pairs: Counter[tuple[str, Level]] = Counter()
    rows, unseen = 0, UnseenReport(model)
    for batch, truth in labeled_batches(model, source, target, console):
        unseen.count(batch)
        rows += len(batch)
        pairs.update(zip(truth, model.predict(batch.table).tolist(), strict=True))
    for note in unseen.notes(rows, advise=False):
        console.note(note)
    is_missing = missing_targets(source, model)
    missing = sum(number for (true, _), number in pairs.items() if is_missing(true))
    note_missing(rows, missing, source, target, console)
    known = {pair: number for pair, number in pairs.items() if not is_missing(pair[0])}
    cells, predictions = [true for true, _ in known], [predicted for _, predicted in known]
    counts = np.array(list(known.values()), dtype=np.float64)
    classes = model.schema_.classes
    if not classes:
        true_numbers = _numbers(cells, source, target)
        return NumberScore(true_numbers, np.array(predictions, dtype=np.float64), counts)
    names, read_number = {label(c) for c in classes}, source.rules().number
    truth = [class_name(cell, names, read_number) for cell in cells]
    return ClassScore.of(truth, predictions, classes, counts)


def _numbers(cells: list[str], source: Source, target: str) -> Any:
    numbers, read_number = [], source.rules().number
    for cell in cells:
        number = read_number(cell)
        if number is None:
            raise DataError(
                f'{source.label}: column "{visible(target)}" contains "{visible(cell)}", but this model '
                "predicts numbers",
                slug="eval.not-a-number",
                hints=[Hint(option="missing", value=[cell])],
            )
        numbers.append(number)
    return np.array(numbers)
