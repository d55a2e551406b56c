"""Predicting the rows of a source and comparing with their true values, a batch of rows at a time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._evaluate.class_probabilities import ClassProbabilities
from treewright._evaluate.prediction_scores import ClassScore, NumberScore, Score, find_positive
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
from treewright.schema import Level, label

__all__ = ["score_source"]

MERGED_ROWS = 1 << 16


class _ProbabilityRows:
    """Probabilities and true classes, each combination once with its number of rows: few for a tree."""

    def __init__(self) -> None:
        self._classes: dict[str, int] = {}
        self._rows: list[NDArray[np.float64]] = []  # number of rows, true class, probabilities
        self._held, self._limit = 0, MERGED_ROWS

    def add(self, truth: list[str], probabilities: NDArray[np.float64]) -> None:
        codes = [self._classes.setdefault(name, len(self._classes)) for name in truth]
        ones = np.ones(len(codes))
        self._rows.append(np.column_stack([ones, np.array(codes, dtype=np.float64), probabilities]))
        self._held += len(codes)
        if self._held > self._limit:
            self._merge()
            self._limit = max(MERGED_ROWS, 2 * self._held)

    def _merge(self) -> None:
        rows = np.concatenate(self._rows)
        distinct, place = np.unique(rows[:, 1:], axis=0, return_inverse=True)
        counts = np.bincount(place.ravel(), rows[:, 0], len(distinct))
        self._rows, self._held = [np.column_stack([counts, distinct])], len(distinct)

    def score(self, classes: list[str], positive: str) -> ClassProbabilities:
        self._merge()
        (rows,) = self._rows
        names = list(self._classes)
        truth = [names[code] for code in rows[:, 1].astype(np.int64).tolist()]
        return ClassProbabilities.of(truth, rows[:, 2:], classes, positive, rows[:, 0])


def score_source(
    model: Any, source: Source, target: str, console: Console, positive: str | None = None
) -> Score:
    """Predict the rows of a source and compare with the true values; rows without one are left out.

    ``positive`` is the class that F1 is about; without it, it is the last one in sorted order.
    """
    # Each pair of true value and prediction with its number of rows: few for classes, however long the file is.
    pairs: Counter[tuple[str, Level]] = Counter()
    rows, unseen, is_missing = 0, UnseenReport(model), missing_targets(source, model)
    names, read_number = {label(c) for c in model.schema_.classes}, source.rules().number
    probabilities = _ProbabilityRows()
    for batch, truth in labeled_batches(model, source, target, console):
        unseen.count(batch)
        rows += len(batch)
        pairs.update(zip(truth, model.predict(batch.table).tolist(), strict=True))
        known = [row for row, true in enumerate(truth) if not is_missing(true)]
        if names and known:
            shares = model.predict_proba(batch.table)[known]
            probabilities.add([class_name(truth[i], names, read_number) for i in known], shares)
    for note in unseen.notes(rows, advise=False):
        console.note(note)
    missing = sum(number for (true, _), number in pairs.items() if is_missing(true))
    note_missing(rows, missing, source, target, console)
    counted = {pair: number for pair, number in pairs.items() if not is_missing(pair[0])}
    cells, predictions = [true for true, _ in counted], [predicted for _, predicted in counted]
    counts = np.array(list(counted.values()), dtype=np.float64)
    if not names:
        true_numbers = _numbers(cells, source, target)
        return NumberScore(true_numbers, np.array(predictions, dtype=np.float64), counts)
    classes = model.classes_.tolist()
    positive = positive or find_positive(classes)
    return ClassScore.of(
        [class_name(cell, names, read_number) for cell in cells],
        predictions,
        model.schema_.classes,
        counts,
        positive=positive,
        probabilities=probabilities.score([label(c) for c in classes], positive),
    )


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
