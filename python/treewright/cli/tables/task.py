"""What is to be predicted: whether the target's values are classes or a quantity, and what forbids learning.

Glossary: the *task* is ``classify`` or ``regress``; a target is *ambiguous* when it holds few different whole numbers:
they may be the names of classes or amounts, and only the user knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treewright._render.numbers import count, plural
from treewright._render.safe_text import visible
from treewright.cli.app.learner_options import ALGORITHMS, DEFAULTS, TASKS, Algorithm
from treewright.errors import DataError, Hint, UsageError
from treewright.schema import label
from treewright.table import Series

__all__ = ["classes_of", "decide_task", "refuse_many_classes", "refuse_target"]

# The numbers of classes that are ambiguous, as words.
SPELLED = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
SHOWN = 6
MOST_CLASSES = 20  # in a small table many classes may be meant


def refuse_target(target: Series, where: str) -> None:
    """Stop where there is nothing to learn: a missing answer, one row, one answer."""
    rows, missing = len(target.data), np.flatnonzero(target.missing())
    name = visible(target.name)
    if len(missing):
        raise DataError(
            f'{where}: the target "{name}" is missing in {count(len(missing))} of {plural(rows, "row")}',
            slug="fit.missing-target",
            hints=[
                f"the first is row {count(missing[0] + 1)} under the header",
                "a tree learns from rows whose answer is known: remove the others",
            ],
        )
    if rows == 1:
        raise DataError(
            f"{where} has only one row: there is nothing to learn from it",
            slug="fit.one-row",
            hints=["a table needs at least two rows with different answers"],
        )
    values = np.unique(target.data)
    if len(values) == 1:
        only = visible(label(target.values()[0]))
        raise DataError(
            f'every row of {where} has the same "{name}", "{only}": there is nothing to learn',
            slug="fit.one-class",
            hints=["is it the right target?", Hint(option="target", note="another one")],
        )


def refuse_many_classes(target: Series, task: str, notes: Sequence[str]) -> None:
    """Stop where more than half of the rows have a class of their own, unless classes were asked for.

    ``notes`` is what was noticed about the target when it was read.
    """
    rows, classes = len(target.data), len(np.unique(target.data))
    if task != "auto" or target.kind != "categorical":
        return
    if classes > MOST_CLASSES and 2 * classes > rows:
        raise DataError(
            f'"{visible(target.name)}" has {count(classes)} different values in {plural(rows, "row")}: '
            "too many classes to learn",
            slug="fit.too-many-classes",
            hints=[
                *notes,
                Hint(option="target", note="another column"),
                Hint(option="task", value="classify", note="learn each of them as a class"),
            ],
        )


def decide_task(target: Series, asked: str, learner: Algorithm | None) -> str:
    """Return the task; ``learner`` is the one that the user named."""
    able = tuple(TASKS) if learner is None else learner.tasks
    if asked != "auto":
        task = asked
    elif target.kind == "categorical":
        task = "classify"
    elif _few_whole_numbers(target):
        if "regress" in able:
            raise _ambiguous(target)
        task = "classify"
    else:
        task = "regress"
    if learner is not None and task not in able:
        raise _unable(target, task, learner)
    return task


def classes_of(target: Series) -> Series:
    """Return a numeric target as classes: their names are the numbers, in the order of the numbers."""
    if target.kind == "categorical":
        return target
    values, codes = np.unique(target.data, return_inverse=True)
    names = tuple(label(value) for value in values.tolist())
    codes = codes.astype(np.uint32)
    return replace(target, kind="categorical", data=codes, levels=names, declared=True)


def _few_whole_numbers(target: Series) -> bool:
    values = np.unique(target.data)
    return len(values) < len(SPELLED) and bool(np.all(values == np.floor(values)))


def _ambiguous(target: Series) -> UsageError:
    values, rows = np.unique(target.data, return_counts=True)
    seen = [f"{label(v)} ({count(n)})" for v, n in zip(values.tolist(), rows, strict=True)]
    seen[0] = f"{label(float(values[0]))} ({plural(int(rows[0]), 'row')})"
    more = [] if len(seen) <= SHOWN else [f"and {len(seen) - SHOWN} more"]
    return UsageError(
        f'"{visible(target.name)}" holds {len(values)} different whole numbers: classes or a quantity?',
        slug="fit.ambiguous-task",
        hints=[
            f"values: {', '.join([*seen[:SHOWN], *more])}",
            Hint(option="task", value="classify", note=f"{SPELLED[len(values)]} separate classes"),
            Hint(option="task", value="regress", note="a number; errors are measured by distance"),
        ],
    )


def _unable(target: Series, task: str, learner: Algorithm) -> UsageError:
    able = [a.word for a in ALGORITHMS.values() if task in a.tasks]
    hints: list[str | Hint] = [
        f"algorithms for {TASKS[task]}: {', '.join(able)}",
        Hint(option="algorithm", value=DEFAULTS[task]),
    ]
    if task == "regress" and target.kind == "numeric":
        classes = f"each of the {count(len(np.unique(target.data)))} different numbers a class"
        hints.append(Hint(option="task", value="classify", note=classes))
    return UsageError(
        f'{learner.word} does not predict {TASKS[task]}, and "{visible(target.name)}" holds them',
        slug="fit.task",
        hints=hints,
    )
