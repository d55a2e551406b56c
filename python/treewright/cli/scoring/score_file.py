"""A model's answers for the rows of a source, compared with the truth that stands beside them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from treewright._evaluate.scores import ClassScore, NumberScore, Score
from treewright._render.numbers import plural
from treewright._render.safe_text import visible
from treewright.cli.app.console import Console
from treewright.cli.app.suggestions import listed
from treewright.cli.scoring.unseen_report import Unseen
from treewright.cli.tables.batches import batches
from treewright.cli.tables.source import Source
from treewright.errors import DataError, Hint
from treewright.schema import Level, label

__all__ = ["constant_score", "measure"]


def measure(model: Any, source: Source, target: str, console: Console) -> Score:
    """Answer the rows and compare; rows without a truth are left out and counted."""
    # Truth and answer with how often they meet: few for classes, whatever the length of the file.
    pairs: Counter[tuple[str, Level]] = Counter()
    rows, unseen = 0, Unseen(model)
    for batch in batches(source, model.schema_, console, model._used_columns()):
        if target not in batch.cells:
            raise DataError(
                f'{source.label} has no column "{target}" to compare the answers with',
                slug="data.no-such-column",
                hints=[f"columns: {listed(list(batch.cells))}"],
            )
        if not len(batch):
            raise DataError(f"{source.label} has no rows under its header", slug="data.no-rows")
        unseen.count(batch)
        rows += len(batch)
        truths = (cell.strip(" \t") for cell in batch.cells[target])
        pairs.update(zip(truths, model.predict(batch.table).tolist(), strict=True))
    for note in unseen.notes(rows, advise=False):
        console.note(note)
    blanks = source.missing()
    lost = sum(rows for (truth, _), rows in pairs.items() if truth in blanks)
    if lost:
        console.note(f'{plural(lost, "row")} without a "{target}" left out.')
    known = {pair: rows for pair, rows in pairs.items() if pair[0] not in blanks}
    if not known:
        raise DataError(f'{source.label} has no row with a "{target}"', slug="data.no-rows")
    cells, answers = [truth for truth, _ in known], [answer for _, answer in known]
    weights = np.array(list(known.values()), dtype=np.float64)
    classes = model.schema_.classes
    if not classes:
        truth = _numbers(cells, source, target)
        return NumberScore(truth, np.array(answers, dtype=np.float64), weights)
    # 1.0 in a file is the class 1.
    names = {label(c) for c in classes}
    return ClassScore.of([_as_class(cell, names) for cell in cells], answers, classes, weights)


def constant_score(score: Score, answer: Level) -> Score:
    """Return the score of always giving one answer on the same rows."""
    if isinstance(score, NumberScore):
        return NumberScore(score.truth, np.full(len(score.truth), float(answer)), score.weights)
    matrix = np.zeros_like(score.matrix)
    matrix[:, score.classes.index(label(answer))] = score.matrix.sum(axis=1)
    return ClassScore(score.classes, matrix, score.weighted)


def _as_class(cell: str, known: set[str]) -> str:
    if cell in known:
        return cell
    try:
        number = label(float(cell))
    except ValueError:
        return cell
    return number if number in known else cell


def _numbers(cells: list[str], source: Source, target: str) -> Any:
    try:
        return np.array([float(cell) for cell in cells])
    except ValueError:
        wrong = next(cell for cell in cells if not _is_number(cell))
        raise DataError(
            f'{source.label}: "{visible(target)}" holds "{visible(wrong)}", and this model predicts numbers',
            slug="eval.not-a-number",
            hints=[Hint(option="missing", value=[wrong])],
        ) from None


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
