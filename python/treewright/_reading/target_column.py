"""A column as the target: numbers or classes, and what cannot be learned at all.

Glossary: a target is *ambiguous* when it has few distinct whole numbers, which may be classes or amounts.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from treewright import _core
from treewright._render.numbers import count, plural
from treewright._render.safe_text import visible
from treewright.errors import DataError, Hint, UsageError
from treewright.schema import label
from treewright.table import Series

__all__ = ["ambiguous_error", "as_classes", "is_ambiguous", "refuse_target"]

MAX_VALUES = 6  # in a message
AMBIGUOUS_VALUES = _core.AMBIGUOUS_VALUES  # so many distinct whole numbers may be classes


def as_classes(target: Series) -> Series:
    """Return a numeric target as classes: their names are the numbers, in the order of the numbers."""
    if target.kind == "categorical":
        return target
    values, codes = np.unique(target.data, return_inverse=True)
    names = tuple(label(value) for value in values.tolist())
    codes = codes.astype(np.uint32)
    return replace(target, kind="categorical", data=codes, levels=names, declared=True)


def is_ambiguous(target: Series) -> bool:
    """Whether a numeric target may be classes: it has few distinct whole numbers."""
    values = np.unique(target.data)
    return len(values) <= AMBIGUOUS_VALUES and bool(np.all(values == np.floor(values)))


def refuse_target(target: Series, where: str) -> None:
    """Raise an error where the target cannot be learned: a missing value, one row, one class."""
    rows, missing = len(target.data), np.flatnonzero(target.missing())
    name = visible(target.name)
    if len(missing):
        raise DataError(
            f'{where}: the target "{name}" is missing in {count(len(missing))} of {plural(rows, "row")}',
            slug="fit.missing-target",
            hints=[
                f"the first is row {count(missing[0] + 1)} under the header",
                Hint(option="drop_missing_target", value=True),
                Hint(option="target", note="another column"),
            ],
        )
    if rows == 1:
        raise DataError(
            f"{where} has only one row; at least two are needed",
            slug="fit.one-row",
            hints=["their targets must differ"],
        )
    if len(np.unique(target.data)) == 1:
        only = visible(label(target.values()[0]))
        value = "class" if target.kind == "categorical" else "value"
        raise DataError(
            f'the target "{name}" has only one {value}, "{only}", in {where}',
            slug="fit.one-class",
            hints=["is it the right target?", Hint(option="target", note="another one")],
        )


def ambiguous_error(target: Series) -> UsageError:
    """Return the error for a target that may be classes or amounts."""
    values, rows = np.unique(target.data, return_counts=True)
    texts = [f"{label(v)} ({count(n)})" for v, n in zip(values.tolist(), rows, strict=True)]
    texts[0] = f"{label(float(values[0]))} ({plural(int(rows[0]), 'row')})"
    more = [] if len(texts) <= MAX_VALUES else [f"and {len(texts) - MAX_VALUES} more"]
    return UsageError(
        f'cannot tell whether the target "{visible(target.name)}" is a class or a number',
        slug="fit.ambiguous-task",
        hints=[
            f"it has {len(values)} distinct whole numbers: {', '.join([*texts[:MAX_VALUES], *more])}",
            Hint(option="task", value="classify", note=f"predict one of {len(values)} classes"),
            Hint(option="task", value="regress", note="predict a number"),
        ],
    )
