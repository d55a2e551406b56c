"""From a source and the options of the user to training data, with a note about every decision.

Glossary: an *identifier* is a column with a different value in every row; a target is *ambiguous* when it has few
distinct whole numbers, which may be classes or amounts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._reading.target_column import (
    ambiguous_error,
    as_classes,
    is_ambiguous,
    refuse_target,
)
from treewright._render.numbers import count, fixed, plural
from treewright._render.safe_text import visible
from treewright.cli.app.algorithms import (
    ALGORITHMS,
    DEFAULTS,
    TASKS,
    Algorithm,
    find_algorithm,
)
from treewright.cli.app.console import Console
from treewright.cli.app.options import ColumnOptions
from treewright.cli.tables.batches import note_missing
from treewright.cli.tables.source import Source, resolve_target
from treewright.errors import DataError, Hint, UsageError
from treewright.table import Series, Table

__all__ = ["FitRequest", "TrainingData"]

MAX_NAMES = 3
MAX_CLASSES = 20  # a small table may have more than one class for two rows


@dataclass(frozen=True, eq=False)
class TrainingData:
    """What a model is trained on."""

    table: Table
    target: Series
    weights: NDArray[np.float64] | None = None

    def fit(self, model: Any, **arguments: Any) -> Any:
        """Return the model, fitted to all rows."""
        weights = () if self.weights is None else (self.weights,)
        return model.fit(self.table, self.target, *weights, **arguments)

    def __getitem__(self, rows: Any) -> TrainingData:
        weights = None if self.weights is None else self.weights[rows]
        return TrainingData(self.table[rows], self.target.take(rows), weights)


@dataclass(frozen=True)
class FitRequest:
    """What the user wants to train, and on which columns.

    Parameters
    ----------
    target : str or None
        The column to predict; None for the one that a built-in table knows.
    columns : ColumnOptions
        How columns are read.
    algorithm : Algorithm or None
        None for the default of the task.
    task : {"auto", "classify", "regress"}
        Whether the target is a class or a number.
    weight : str or None
        The column with the weights.
    drop_missing_target : bool
        Whether rows without a target are left out.
    """

    target: str | None
    columns: ColumnOptions
    algorithm: Algorithm | None = None
    task: str = "auto"
    weight: str | None = None
    drop_missing_target: bool = False

    def read(self, source: Source, console: Console) -> tuple[TrainingData, Algorithm, str]:
        """Read the table; return the training data, the algorithm and the task."""
        name = resolve_target(self.target, source.target, source)
        self._refuse_two_roles(name)
        inspection = source.inspect(self._reading(name))
        if self.drop_missing_target:
            inspection = _drop_missing(inspection, name, source, console)
        target = inspection.table.column(name)
        _refuse_dates(target, self.task)
        refuse_target(target, source.label)
        notes = [note.text for note in inspection.notes if note.column == name]
        _refuse_many_classes(target, self.task, notes)
        task = _decide_task(target, self.task, self.algorithm)
        algorithm = self.algorithm or find_algorithm(DEFAULTS[task])
        target = as_classes(target) if task == "classify" else target
        unused = {*inspection.ignored, name, self.weight}
        table = Table([s for s in inspection.table.series if s.name not in unused])
        if not table.series:
            raise _no_features(inspection, source)
        self._note_columns(inspection, target, source, console)
        if algorithm.by_levels:
            _note_values(table, algorithm, console)
        data = TrainingData(table, target)
        if self.weight is not None:
            data = _add_weights(data, inspection.table.column(self.weight), source, console)
        return data, algorithm, task

    def _refuse_two_roles(self, target: str) -> None:
        if target == self.weight or target in self.columns.ignore:
            other = "--weight" if target == self.weight else "--ignore"
            raise UsageError(f'"{target}" cannot be both --target and {other}', slug="usage")

    def _reading(self, target: str) -> ColumnOptions:
        """Return how the columns are read: target and weight are never taken for identifiers."""
        numbers = [self.weight] if self.weight else []
        if self.task == "regress":
            numbers.append(target)
        return replace(
            self.columns,
            numeric=(*self.columns.numeric, *numbers),
            keep=(*self.columns.keep, target),
        )

    def _note_columns(
        self, inspection: Any, target: Series, source: Source, console: Console
    ) -> None:
        """Print what was decided about columns; of identifiers also the gain that would mislead."""
        reports = inspection.reports
        identifiers = [r.name for r in reports if r.read_as == "identifier" and r.ignored]
        identifiers += [name for name in source.ignore if name not in self.columns.keep]
        for note in inspection.notes:
            if note.column not in identifiers:
                console.note(str(note))
        for name in identifiers:
            if name not in self.columns.ignore:  # who asks for it needs no note
                console.note(_identifier_note(inspection.table.column(name), target))


def _drop_missing(inspection: Any, target: str, source: Source, console: Console) -> Any:
    """Leave out the rows whose target is missing."""
    missing = inspection.table.column(target).missing()
    note_missing(len(missing), int(missing.sum()), source, target, console)
    return replace(inspection, table=inspection.table[~missing]) if missing.any() else inspection


def _identifier_note(series: Series, target: Series) -> str:
    from treewright.measures import information_gain

    note = f'column "{visible(series.name)}" is ignored because every row has a different value.'
    if target.kind == "categorical" and not series.missing().any():
        gain = fixed(information_gain(series.data, target.data))
        note += (
            f" It would separate the training rows perfectly (gain {gain}) but cannot help "
            "with new rows."
        )
    return f"{note} To use it: {Hint(option='keep', value=[series.name])}"


def _note_values(table: Table, algorithm: Algorithm, console: Console) -> None:
    """Print which numeric columns get a branch for every number, for an algorithm without thresholds."""
    numeric = [s for s in table.series if s.kind == "numeric"]
    if numeric:
        names = [
            f"{visible(s.name)} ({count(len(np.unique(s.data[~s.missing()])))} values)"
            for s in numeric
        ]
        more = [] if len(names) <= MAX_NAMES else [f"{count(len(names) - MAX_NAMES)} more"]
        console.note(
            f"{algorithm.name} does not use thresholds, so every distinct number becomes a branch: "
            f"{', '.join([*names[:MAX_NAMES], *more])}. "
            f"For thresholds: {Hint(option='algorithm', value='c45')}"
        )


def _add_weights(
    data: TrainingData, weight: Series, source: Source, console: Console
) -> TrainingData:
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
            hints=["weights must be zero or positive; 0 ignores the row"],
        )
    data = replace(data, weights=weight.data)
    absent = weight.data == 0
    if absent.any() and not absent.all():
        rows = int(absent.sum())
        console.note(f"{plural(rows, 'row')} with weight 0 {'is' if rows == 1 else 'are'} ignored.")
        data = data[~absent]
        refuse_target(data.target, f"{source.label} without the rows of weight 0")
    return data


def _no_features(inspection: Any, source: Source) -> DataError:
    keep = [Hint(option="keep", value=[name]) for name in inspection.ignored[:1]]
    reasons = [f"{r.name}: {r.note}" for r in inspection.reports if r.ignored and r.note]
    return DataError(
        f"{source.label} has no usable feature column",
        slug="fit.no-features",
        hints=[*reasons[:MAX_NAMES], *keep],
    )


def _refuse_dates(target: Series, task: str) -> None:
    from treewright._input.dates import find_written

    texts = [level for level in target.levels if isinstance(level, str)]
    if task == "auto" and texts and find_written(texts) is not None:
        raise DataError(
            f'the target "{visible(target.name)}" holds dates, which are neither numbers nor classes',
            slug="fit.date-target",
            hints=[
                Hint(option="target", note="another column"),
                Hint(option="task", value="classify", note="use each date as a class"),
            ],
        )


def _refuse_many_classes(target: Series, task: str, notes: Sequence[str]) -> None:
    """Raise an error where more than half of the rows have a class of their own, unless asked for.

    ``notes`` is what was noticed about the target when it was read.
    """
    rows, classes = len(target.data), len(np.unique(target.data))
    if task != "auto" or target.kind != "categorical":
        return
    if classes > MAX_CLASSES and 2 * classes > rows:
        raise DataError(
            f'the target "{visible(target.name)}" has {count(classes)} classes in {plural(rows, "row")}: '
            "too many to learn",
            slug="fit.too-many-classes",
            hints=[
                *notes,
                Hint(option="target", note="another column"),
                Hint(option="task", value="classify", note="use each value as a class"),
            ],
        )


def _decide_task(target: Series, task: str, algorithm: Algorithm | None) -> str:
    """Return the task; ``algorithm`` is the one that the user named."""
    able = tuple(TASKS) if algorithm is None else algorithm.tasks
    if task == "auto":
        if target.kind == "numeric" and is_ambiguous(target) and "regress" in able:
            raise ambiguous_error(target)
        numeric = target.kind == "numeric" and not is_ambiguous(target)
        task = "regress" if numeric else "classify"
    if algorithm is not None and task not in able:
        raise _unable(target, task, algorithm)
    return task


def _unable(target: Series, task: str, algorithm: Algorithm) -> UsageError:
    able = [a.name for a in ALGORITHMS.values() if task in a.tasks]
    hints: list[str | Hint] = [
        f"algorithms for {TASKS[task]}: {', '.join(able)}",
        Hint(option="algorithm", value=DEFAULTS[task]),
    ]
    if task == "regress" and target.kind == "numeric":
        classes = f"each of the {count(len(np.unique(target.data)))} distinct numbers a class"
        hints.append(Hint(option="task", value="classify", note=classes))
    is_what = "numeric" if task == "regress" else "a class"
    return UsageError(
        f'{algorithm.name} cannot predict {TASKS[task]}, but the target "{visible(target.name)}" is {is_what}',
        slug="fit.task",
        hints=hints,
    )
