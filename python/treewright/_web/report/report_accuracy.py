"""How good the predictions are: on training and held-out rows, beside the baseline, with intervals; probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from treewright._draw.summary import correct_weights
from treewright._evaluate.calibration import calibrate
from treewright._evaluate.evaluate import evaluate
from treewright._evaluate.evaluation import Evaluation, write_number
from treewright._evaluate.lift import lift_of
from treewright._evaluate.prediction_scores import ClassScore, NumberScore
from treewright._render.document import Block, Column, Heading, Table, Text
from treewright._render.numbers import amounts, percent
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import visible
from treewright._web.report.report_subject import GivenRows, Subject
from treewright.measures import wilson
from treewright.schema import label

__all__ = ["Accuracy", "accuracy_blocks", "measure"]

PAGE = PageFormat(width=100, lines=60)
MIN_ROWS_OF_CURVES = 20  # calibration and lift of fewer rows say little


@dataclass(frozen=True)
class Figures:
    """The main measure on some rows, of the model and of the baseline."""

    title: str
    rows: float
    right: float | None  # the weight of correct predictions; None for numbers
    value: float  # accuracy, or root mean squared error
    baseline: float

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the accuracy."""
        return None if self.right is None else wilson(self.right, self.rows)


@dataclass(frozen=True, eq=False)
class Accuracy:
    """Everything that was measured."""

    training: Figures | None
    held_out: Figures | None
    evaluation: Evaluation | None  # on the rows that say most
    evaluated: GivenRows | None

    @property
    def main(self) -> Figures | None:
        """The figures that say most about new rows."""
        return self.held_out or self.training


def measure(subject: Subject) -> Accuracy:
    """Measure a model on the rows that are given, and by its own counts where the training rows are not."""
    measured: dict[str, tuple[Figures, Evaluation]] = {}
    for key, rows in (("training", subject.training), ("held_out", subject.held_out)):
        if rows is not None:
            result = evaluate(subject.model, rows.X, rows.y, rows.weights)
            measured[key] = _figures(rows.title, result), result
    training = measured["training"][0] if "training" in measured else _from_tree(subject)
    held_out = measured["held_out"][0] if "held_out" in measured else None
    last = measured.get("held_out") or measured.get("training")
    return Accuracy(training, held_out, None if last is None else last[1], subject.measured)


def _figures(title: str, result: Evaluation) -> Figures:
    score, baseline = result.score, result.baseline
    if isinstance(score, ClassScore) and isinstance(baseline, ClassScore):
        return Figures(title, score.total, score.right, score.accuracy, baseline.accuracy)
    assert isinstance(score, NumberScore)
    pair = score.measures()["rmse"], baseline.measures()["rmse"]
    return Figures(title, score.total, None, *pair)


def _from_tree(subject: Subject) -> Figures | None:
    """Return the figures on the training rows from the counts of a tree; None for many trees."""
    tree = subject.tree
    if tree is None or not tree.weight[0]:
        return None
    total, title = float(tree.weight[0]), "training rows"
    if tree.schema.classes:
        right = float(correct_weights(tree).sum())
        return Figures(title, total, right, right / total, 1 - tree.errors(0) / total)
    ends = tree.n_children == 0
    if not math.isclose(float(tree.weight[ends].sum()), total, rel_tol=1e-9):
        return None  # some rows end in nodes that split, which the sum over leaves leaves out
    squares = float(tree.cost[ends].sum()), float(tree.cost[0])
    return Figures(title, total, None, *(math.sqrt(max(0.0, s) / total) for s in squares))


def accuracy_blocks(subject: Subject, accuracy: Accuracy) -> list[Block]:
    """Return the section on accuracy."""
    lines = [figures for figures in (accuracy.training, accuracy.held_out) if figures is not None]
    if not lines:
        return [
            Text(
                "No rows with known target values were given, so nothing was measured. To measure the model: "
                "report(model, X, y, path), or treewright report MODEL FILE."
            )
        ]
    blocks: list[Block] = [_comparison(lines), *_remarks(subject, accuracy)]
    if accuracy.evaluation is not None and accuracy.evaluated is not None:
        blocks.append(Heading(f"On {_the(accuracy.evaluated.title)}"))
        blocks += accuracy.evaluation._document(PAGE).blocks
        blocks += _probability_blocks(accuracy.evaluation)
    return blocks


def _the(title: str) -> str:
    return title if title.startswith("the ") else f"the {title}"


def _comparison(lines: list[Figures]) -> Table:
    """Return a line for each set of rows."""
    by_class = lines[0].right is not None
    columns = [
        Column("measured on", tuple(f.title for f in lines), left=True),
        Column("rows", tuple(amounts([f.rows])[0] for f in lines)),
    ]
    if by_class:
        intervals = [f.interval or (0.0, 1.0) for f in lines]
        columns += [
            Column("correct", tuple(amounts([f.right or 0.0])[0] for f in lines)),
            Column("accuracy", tuple(percent(f.value) for f in lines)),
            Column("95% interval", tuple(f"{percent(a)} to {percent(b)}" for a, b in intervals)),
            Column("baseline", tuple(percent(f.baseline) for f in lines)),
        ]
    else:
        columns += [
            Column("RMSE", tuple(write_number(f.value) for f in lines)),
            Column("baseline RMSE", tuple(write_number(f.baseline) for f in lines)),
        ]
    return Table(tuple(columns))


def _remarks(subject: Subject, accuracy: Accuracy) -> list[Block]:
    constant = accuracy.evaluation.constant if accuracy.evaluation is not None else None
    if constant is None and subject.tree is not None:
        constant = subject.tree.answer(0)
    remarks: list[Block] = []
    if constant is not None:
        named = f'"{visible(label(constant))}"' if subject.schema.classes else "the mean"
        remarks.append(Text(f"The baseline (0-R) always predicts {named}."))
    if accuracy.held_out is None:
        remarks.append(
            Text(
                "A tree predicts its training rows better than new rows. Measure it on held-out rows before you rely "
                "on it."
            )
        )
    elif subject.held_out is not None and subject.held_out.role == "given":
        remarks.append(
            Text(
                "A model of many trees does not know its training rows. If the given rows are among them, the "
                "figures are too good."
            )
        )
    return remarks


def _probability_blocks(evaluation: Evaluation) -> list[Block]:
    """Return calibration and lift of a model of two classes."""
    score = evaluation.score
    if not isinstance(score, ClassScore) or score.probabilities is None or not score.is_binary:
        return []
    scores = score.probabilities
    present = np.unique(scores.truth)
    if score.total < MIN_ROWS_OF_CURVES or len(present) < 2:
        return []
    blocks: list[Block] = []
    for result in (calibrate(scores), lift_of(scores)):
        document = result._document(PAGE)
        blocks += [Heading(document.title[0]), *document.blocks]
    return blocks
