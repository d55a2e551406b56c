"""From a source and the wishes of the user to what a model learns from, with every decision told.

Glossary: a *lesson* is features, target and weights; an *identifier* is a column with a different value in every row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._render.numbers import count, fixed, plural
from treewright.cli.app.console import Console
from treewright.cli.app.learner_options import DEFAULTS, Algorithm, algorithm
from treewright.cli.app.options import Columns
from treewright.cli.tables.source import Source
from treewright.cli.tables.task import classes_of, decide_task, refuse_many_classes, refuse_target
from treewright.errors import DataError, Hint
from treewright.table import Series, Table

__all__ = ["Lesson", "Wish", "lesson_of"]

NAMED = 3


@dataclass(frozen=True, eq=False)
class Lesson:
    """What a model learns from."""

    table: Table
    target: Series
    weights: NDArray[np.float64] | None = None

    def teach(self, model: Any, **besides: Any) -> Any:
        """Return the model, fitted to all rows; weights are passed on only where there are some."""
        weights = () if self.weights is None else (self.weights,)
        return model.fit(self.table, self.target, *weights, **besides)

    def __getitem__(self, rows: Any) -> Lesson:
        weights = None if self.weights is None else self.weights[rows]
        return Lesson(self.table[rows], self.target.take(rows), weights)


@dataclass(frozen=True)
class Wish:
    """What the user wants to be learnt, and how.

    Parameters
    ----------
    target : str
        The column to predict.
    learner : Algorithm or None
        Who learns; None leaves it to the task.
    task : {"auto", "classify", "regress"}
        Whether the target is a class or a number.
    weight : str or None
        The column with the weights.
    columns : Columns
        What was said about columns.
    """

    target: str
    learner: Algorithm | None
    task: str
    weight: str | None
    columns: Columns

    def reading(self) -> Columns:
        """Return how the columns are to be read: target and weight are never taken for identifiers."""
        numbers = [self.weight] if self.weight else []
        if self.task == "regress":
            numbers.append(self.target)
        return replace(
            self.columns,
            numeric=(*self.columns.numeric, *numbers),
            keep=(*self.columns.keep, self.target),
        )


def lesson_of(source: Source, wish: Wish, console: Console) -> tuple[Lesson, Algorithm, str]:
    """Read the table; return what is learnt from, who learns, and the task."""
    found = source.inspect(wish.reading())
    target = found.table.column(wish.target)
    refuse_target(target, source.label)
    about = [note.text for note in found.notes if note.column == wish.target]
    refuse_many_classes(target, wish.task, about)
    task = decide_task(target, wish.task, wish.learner)
    learner = wish.learner or algorithm(DEFAULTS[task])
    target = classes_of(target) if task == "classify" else target
    unused = {*found.ignored, wish.target, wish.weight}
    table = Table([s for s in found.table.series if s.name not in unused])
    if not table.series:
        raise _no_features(found, source)
    identifiers = [r.name for r in found.reports if r.read_as == "identifier" and r.ignored]
    identifiers += [name for name in source.ignore if name not in wish.columns.keep]
    for note in found.notes:
        if note.column not in identifiers:  # they are told below, with the gain that would deceive
            console.note(str(note))
    for name in identifiers:
        console.note(_about_identifier(found.table.column(name), target))
    if learner.by_levels:
        _tell_levels(table, learner, console)
    lesson = Lesson(table, target)
    if wish.weight is not None:
        lesson = _weighted(lesson, found.table.column(wish.weight), source, console)
    return lesson, learner, task


def _about_identifier(series: Series, target: Series) -> str:
    """Say why a column is not learnt from, with the gain that would deceive."""
    from treewright.measures import information_gain

    said = f"{series.name} ignored: it has a different value in every row."
    if target.kind == "categorical" and not series.missing().any():
        gain = fixed(information_gain(series.data, target.data))
        said += (
            f" Its gain would be {gain}, the largest possible, and it would predict nothing new."
        )
    return f"{said} {Hint(option='keep', value=[series.name])} learns from it all the same."


def _tell_levels(table: Table, learner: Algorithm, console: Console) -> None:
    """Say which numbers are taken one by one, for a learner without cut points."""
    numeric = [s for s in table.series if s.kind == "numeric"]
    if numeric:
        said = [f"{s.name} ({count(len(np.unique(s.data[~s.missing()])))})" for s in numeric]
        more = [] if len(said) <= NAMED else [f"{count(len(said) - NAMED)} more"]
        console.note(
            f"{learner.word} has no cut points: each different value of a numeric column becomes a branch: "
            f"{', '.join([*said[:NAMED], *more])}."
        )


def _weighted(lesson: Lesson, weight: Series, source: Source, console: Console) -> Lesson:
    missing = np.flatnonzero(weight.missing())
    if len(missing):
        raise DataError(
            f'{source.label}: the weight "{weight.name}" is missing in {plural(len(missing), "row")}',
            slug="data.weights",
            hints=[f"the first is row {count(missing[0] + 1)} under the header"],
        )
    negative = np.flatnonzero(weight.data < 0)
    if len(negative):
        row = int(negative[0])
        raise DataError(
            f'{source.label}: the weight "{weight.name}" of row {count(row + 1)} is negative: {weight.data[row]:g}',
            slug="data.weights",
            hints=["a weight says how many rows a row stands for; 0 leaves it out"],
        )
    lesson = replace(lesson, weights=weight.data)
    absent = weight.data == 0
    if absent.any() and not absent.all():
        console.note(f"{plural(int(absent.sum()), 'row')} of weight 0 left out.")
        lesson = lesson[~absent]
        refuse_target(lesson.target, f"{source.label} without the rows of weight 0")
    return lesson


def _no_features(found: Any, source: Source) -> DataError:
    keep = [Hint(option="keep", value=[name]) for name in found.ignored[:1]]
    return DataError(
        f"{source.label} has no column left to learn from",
        slug="fit.no-features",
        hints=[
            *[f"{r.name}: {r.note}" for r in found.reports if r.ignored and r.note][:NAMED],
            *keep,
        ],
    )
