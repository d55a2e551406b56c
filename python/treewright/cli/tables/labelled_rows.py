"""Rows with their truth for a model that exists: what pruning and choosing are given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from treewright._render.numbers import plural
from treewright._render.safe_text import visible
from treewright.cli.app.console import Console
from treewright.cli.app.suggestions import listed
from treewright.cli.tables.batches import batches
from treewright.cli.tables.source import Source
from treewright.errors import DataError, Hint, UsageError
from treewright.schema import label
from treewright.table import MISSING, Series, Table

__all__ = ["rows_of"]


def rows_of(model: Any, source: Source, target: str | None, console: Console) -> tuple[Table, Any]:
    """Return the rows of a source as the model reads them, and what is true of them.

    A value that the model never met counts as missing; rows without a truth are left out and counted.
    """
    name = target or model.schema_.target
    if name is None:
        raise UsageError(
            "which column holds the true values of the target?",
            slug="eval.no-target",
            hints=[Hint(option="target")],
        )
    tables, cells = [], []
    for batch in batches(source, model.schema_, console, model._used_columns()):
        if name not in batch.cells:
            raise DataError(
                f'{source.label} has no column "{name}"',
                slug="data.no-such-column",
                hints=[f"columns: {listed(list(batch.cells))}"],
            )
        tables.append(batch.table)
        cells += [cell.strip(" \t") for cell in batch.cells[name]]
    blanks = source.missing()
    known = np.array([cell not in blanks for cell in cells], dtype=bool)
    if not known.any():
        raise DataError(f'{source.label} has no row with a "{name}"', slug="data.no-rows")
    if not known.all():
        lost = plural(int(np.count_nonzero(~known)), "row")
        console.note(f'{lost} without a "{name}" left out.')
    truth = [_truth(cell, model, name) for cell in cells if cell not in blanks]
    return _joined(tables)[np.flatnonzero(known)], truth


def _truth(cell: str, model: Any, name: str) -> Any:
    classes = {label(c): c for c in model.schema_.classes}
    if cell in classes:
        return classes[cell]
    try:
        number = float(cell)
    except ValueError:
        number = None
    if not classes and number is not None:
        return number
    if number is not None and label(number) in classes:  # 1.0 in a file is the class 1
        return classes[label(number)]
    raise DataError(
        f'"{visible(name)}" holds "{visible(cell)}", which the model does not know as an answer',
        slug="data.unknown-class",
        hints=[f"classes: {listed(list(classes))}"] if classes else [],
    )


def _joined(tables: list[Table]) -> Table:
    """Put batches under each other; they have the same columns."""
    series = [
        replace(parts[0], data=np.concatenate([_met(part) for part in parts]))
        for parts in zip(*(table.series for table in tables), strict=True)
    ]
    return Table(series)


def _met(series: Series) -> Any:
    if series.kind == "numeric":
        return series.data
    return np.where(series.data < len(series.levels), series.data, MISSING).astype(np.uint32)
