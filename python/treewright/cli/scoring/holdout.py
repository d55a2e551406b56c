"""How good a freshly learnt model is: on its own rows, on rows it did not see, and beside always the same answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._evaluate.scores import ClassScore, NumberScore, Score
from treewright._input.folds import folds, held_out
from treewright._input.row_order import row_order
from treewright._render.numbers import percent, plural
from treewright.cli.app.console import Console
from treewright.cli.scoring.evaluation import Evaluation
from treewright.cli.scoring.resampling import Rows, answers_left_out, singles
from treewright.cli.scoring.score_file import constant_score, measure
from treewright.cli.scoring.score_text import always, right, side_by_side
from treewright.cli.tables.model_file import usual_answer
from treewright.cli.tables.source import Source
from treewright.cli.tables.training_data import Lesson
from treewright.errors import Hint, UsageError

__all__ = ["Trial", "accuracy_line", "evaluations"]

# Up to here leaving out each row in turn takes seconds, so it is done without being asked.
FEW_ROWS = 1000


@dataclass(frozen=True)
class Trial:
    """Which rows a model is tried on."""

    test: Source | None = None
    holdout: float | None = None
    cv: int | None = None
    loo: bool = False
    seed: int | None = None
    drawn: bool = False

    def __post_init__(self) -> None:
        chosen = {
            "--test": self.test is not None,
            "--holdout": self.holdout is not None,
            "--cv": self.cv is not None,
            "--loo": self.loo,
        }
        both = [flag for flag, given in chosen.items() if given]
        if len(both) > 1:
            raise UsageError(f"{both[0]} and {both[1]} exclude each other", slug="usage")
        chance = self.drawn or self.holdout is not None or self.cv is not None
        if self.seed is not None and not chance:
            raise UsageError(
                "--seed has no effect here: only --holdout and --cv choose rows at random",
                slug="usage",
                hints=["bagging, forests and boosting draw too"],
            )

    def _order(self, lesson: Lesson) -> Rows:
        """Return the rows in the order along which they are chosen."""
        return row_order(lesson.table, lesson.target.data, lesson.weights, self.seed or 0)

    def refuse(self, rows: int) -> None:
        """Refuse more parts than there are rows."""
        if self.cv is not None and self.cv > rows:
            raise UsageError(
                f"--cv {self.cv} needs at least {self.cv} rows; there are {rows}",
                slug="usage",
                hints=[Hint(option="loo", value=True)],
            )

    def run(self, model: Any, lesson: Lesson, console: Console) -> tuple[str, Score] | None:
        """Return what was tried and the score, or None where nothing was asked and the table is large."""
        rows, target = len(lesson.table), lesson.target
        codes = target.data if target.kind == "categorical" else None
        if self.test is not None:
            name = str(model.schema_.target)
            return self.test.label, measure(model, self.test, name, console)
        if self.holdout is not None:
            part = held_out(codes, self._order(lesson), self.holdout)
            said = f"held-out {percent(self.holdout)}"
            return said, _left_out(model, lesson, [part], said, console)
        if self.cv is not None:
            parts = folds(codes, self._order(lesson), self.cv)
            said = f"{self.cv}-fold cross-validation"
            return said, _left_out(model, lesson, parts, said, console)
        if self.loo or rows <= FEW_ROWS:
            said = "leave-one-out"
            return said, _left_out(model, lesson, singles(rows), said, console)
        return None


def _left_out(model: Any, lesson: Lesson, parts: list[Rows], what: str, console: Console) -> Score:
    rows, answers = answers_left_out(model, lesson, parts, what, console)
    return _score(lesson, rows, answers, model.schema_.classes)


def _score(lesson: Lesson, rows: Rows, answers: list[Any], classes: tuple[Any, ...]) -> Score:
    """Compare the answers for some rows with the target."""
    weights = None if lesson.weights is None else lesson.weights[rows]
    if not classes:
        return NumberScore(lesson.target.data[rows], np.array(answers, dtype=np.float64), weights)
    truth = [lesson.target.levels[code] for code in lesson.target.data[rows]]
    return ClassScore.of(truth, answers, classes, weights, weighted=weights is not None)


def evaluations(model: Any, lesson: Lesson, trial: Trial, console: Console) -> list[Evaluation]:
    """Return the figures of the training rows and, where there was one, of the trial, each with its baseline."""
    rows = len(lesson.table)
    own = _score(
        lesson, np.arange(rows), model.predict(lesson.table).tolist(), model.schema_.classes
    )
    tried = trial.run(model, lesson, console)
    answer = usual_answer(model)
    scores = [("training rows", own), *([] if tried is None else [tried])]
    return [
        Evaluation(what, score, answer, constant_score(score, answer)) for what, score in scores
    ]


def accuracy_line(rows: int, own: Evaluation, tried: Evaluation | None = None) -> str:
    """Write the training figure, the trial's figure, and the baseline on the same rows."""
    score, last = own.score, own if tried is None else tried
    what = "right" if isinstance(score, ClassScore) else "RMSE"
    parts = [f"{what} on the {plural(rows, 'training row')}: {right(score, whole=False)}"]
    if tried is not None:
        parts.append(f"{tried.title}: {right(tried.score)}")
    parts.append(always(last.answer, last.baseline))
    return side_by_side(parts)
