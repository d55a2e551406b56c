"""The question that somebody asks by hand: a column, and a threshold in the words of its values."""

from __future__ import annotations

import math
from typing import Any

from treewright._utils.validation import is_number
from treewright.errors import UsageError
from treewright.schema import Column, Schema, label

__all__ = ["read_column", "read_cut"]


def read_column(schema: Schema, column: Any) -> int:
    """Return the position of a column, given by its name or position."""
    names = schema.names
    if column in names:
        return names.index(column)
    if isinstance(column, int) and not isinstance(column, bool) and 0 <= column < len(names):
        return column
    raise UsageError(
        f"there is no column {column!r}",
        slug="work.no-such-column",
        hints=[f"columns: {', '.join(names[:20])}{', …' if len(names) > 20 else ''}"],
    )


def read_cut(column: Column, cut: Any) -> float | None:
    """Return a threshold as the tree has it: days of a date, places between ordered categories."""
    if cut is None:
        return None
    if column.kind != "numeric":
        raise UsageError(f'"{column.name}" holds categories and has no threshold', slug="grow.rule")
    if column.order:
        places = {label(level): place for place, level in enumerate(column.order)}
        if label(cut) in places:
            return places[label(cut)] + 0.5
    elif column.meaning is not None and column.is_date and not is_number(cut):
        from treewright._input.dates import days_of

        days = days_of(cut, column.meaning)
        if days is not None:
            return days
    if is_number(cut) and not math.isnan(float(cut)):
        return float(cut)
    what = "give a date such as 2024-03-01" if column.is_date else "give a number"
    if column.order:
        what = f"values: {', '.join(label(level) for level in column.order[:20])}"
    raise UsageError(f'{cut!r} is no threshold of "{column.name}"', slug="grow.rule", hints=[what])
