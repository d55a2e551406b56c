"""A round of AdaBoost on the training rows: the rounds up to it are repeated with the learners of the model.

Glossary: the *loss* of a row is 1 for a wrong class and 0 for the right one; for a numeric target it lies between them.
A *raised* weight is multiplied by its factor, but not yet divided by the sum of all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.class_weights import keep_class_shares, weigh_rows
from treewright._input.target import ClassTarget
from treewright._learners.ensembles.adaboost_rounds import scale_losses
from treewright._pruning.pruning_rows import LabeledRows, read_labeled
from treewright.errors import DataError, Hint, UsageError
from treewright.schema import Level

__all__ = ["ReplayedRound", "Row", "Seen", "refuse_other_estimators", "replay_round"]
__all__ += ["replay_rounds"]

FEW_ROWS = 20  # are all shown
MAX_ROWS = 10  # shown of more
TOLERANCE = 1e-6  # far above the difference of sums in integers and in floats

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """What a round does to one row."""

    index: int  # counted from 0, as Python does
    truth: Level
    answer: Level
    loss: float
    before: float
    raised: float
    after: float

    @property
    def row(self) -> int:
        """Its number, counted from 1."""
        return self.index + 1


@dataclass(frozen=True, slots=True)
class Seen:
    """A round on all rows: their number, the errors, the sum of the raised weights, and some of the rows."""

    n_rows: int
    wrong: int
    total: float
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class ReplayedRound:
    """A round on all rows: what its learner predicts, and the weights before and after it."""

    predictions: NDArray[Any]  # the position of a class, or a number
    losses: Numbers
    before: Numbers
    raised: Numbers
    total: float  # the sum of the raised weights
    after: Numbers


def replay_rounds(model: Any, last: int, rows: LabeledRows) -> list[ReplayedRound]:
    """Repeat the rounds up to a last one on the training rows."""
    weights: Numbers = rows.weights
    if rows.classes and model.class_weight is not None:
        target = ClassTarget(None, model.classes_, model._order, rows.target)
        weights = np.asarray(weigh_rows(model.class_weight, target, weights))
    after, rounds = weights / math.fsum(weights), []
    for turn in range(last + 1):
        before = after
        values = model._forest.predict(rows.columns, turn, turn + 1)
        predictions = values.argmax(axis=1) if rows.classes else values[:, 0]
        losses = _losses(model, rows, predictions)
        _check(turn, float(model.estimator_errors_[turn]), math.fsum(before * losses))
        raised = _raise_weights(model, turn, rows.classes, before, losses)
        if rows.classes and model.class_weight is not None:
            raised = keep_class_shares(before, raised, rows.target)
        total = math.fsum(raised)
        after = raised / total
        rounds.append(ReplayedRound(predictions, losses, before, raised, total, after))
    return rounds


def refuse_other_estimators(model: Any) -> None:
    """Raise an error where the learners of the rounds are not trees of this package."""
    if model._other_estimators() is not None:
        name = type(model._base_estimator()).__name__
        raise UsageError(
            f"rows can be shown only for base estimators of treewright, not for {name}",
            slug="work.no-candidates",
            hints=[Hint(call="work", arguments=("model",), option="round", note="without rows")],
        )


def replay_round(model: Any, last: int, X: Any, y: Any, sample_weight: Any) -> tuple[Seen, int]:
    """Return what a round does to the training rows, and how many of them gain weight."""
    refuse_other_estimators(model)
    rows = read_labeled(model, X, y, sample_weight)
    turn = replay_rounds(model, last, rows)[-1]
    listed = _largest_gains(turn.after - turn.before)
    weights = [turn.losses, turn.before, turn.raised, turn.after]
    numbers = np.stack(weights)[:, listed].T.tolist()
    truths = _levels(model, rows.target[listed])
    predicted = _levels(model, turn.predictions[listed])
    records = zip(listed, truths, predicted, numbers, strict=True)
    some = tuple(Row(row, truth, answer, *four) for row, truth, answer, four in records)
    gained = int(np.count_nonzero(turn.raised > turn.before * turn.total))
    wrong = int(np.count_nonzero(turn.losses))
    return Seen(len(turn.after), wrong, turn.total, some), gained


def _losses(model: Any, rows: LabeledRows, predictions: NDArray[Any]) -> Numbers:
    if rows.classes:
        return np.asarray(predictions != rows.target, dtype=np.float64)
    return scale_losses(np.abs(predictions - rows.target), model.loss)


def _raise_weights(
    model: Any, turn: int, classes: int | None, weights: Numbers, losses: Numbers
) -> Numbers:
    """Return the weights after a round, not yet normalized; the round that ends a fit changes none."""
    error, vote = float(model.estimator_errors_[turn]), float(model.estimator_weights_[turn])
    if not 0 < error < (1 - 1 / classes if classes else 0.5):
        return weights
    if classes:
        return np.where(losses > 0, weights * math.exp(vote), weights)
    return np.asarray(weights * (error / (1 - error)) ** ((1 - losses) * model.learning_rate))


def _levels(model: Any, values: NDArray[Any]) -> list[Level]:
    classes = model.schema_.classes
    return [classes[code] for code in values.tolist()] if classes else values.tolist()


def _largest_gains(gains: Numbers) -> list[int]:
    """Return the rows that gain most weight; few rows are all returned, in their order."""
    if len(gains) <= FEW_ROWS:
        return list(range(len(gains)))
    largest: list[int] = np.argsort(-gains, kind="stable")[:MAX_ROWS].tolist()
    return largest


def _check(turn: int, fitted: float, replayed: float) -> None:
    if abs(fitted - replayed) > TOLERANCE:
        raise DataError(
            "this is not the training table, or the weights differ: "
            f"the error of round {turn} is {fitted:.6g}, with these rows {replayed:.6g}",
            slug="work.other-rows",
            hints=["pass the training table with its weights, or no rows"],
        )
