"""The rows of a source for a fitted model, in batches: a file may be larger than memory.

Glossary: *cells* are the texts of all columns as they stand in the file; a category is *unseen* when it did not occur
in training.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.source_columns import find_source, model_series
from treewright._reading import refuse_lacking
from treewright._reading.quoting import clip_text
from treewright._render.numbers import plural
from treewright._render.safe_text import visible
from treewright._utils.suggestions import list_names
from treewright.cli.app.console import Console
from treewright.cli.tables.source import Source, resolve_target
from treewright.errors import DataError
from treewright.schema import Schema, label
from treewright.table import MISSING, Series, Table

__all__ = [
    "Batch",
    "batches",
    "class_name",
    "labeled_batches",
    "missing_targets",
    "note_missing",
    "read_for_model",
    "read_labeled",
]


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows: the model's columns, the cells of all columns, and which rows have an unseen category."""

    table: Table
    cells: dict[str, list[str]]
    unseen: dict[str, NDArray[np.bool_]]
    first: int

    def __len__(self) -> int:
        return len(self.table)


def batches(
    source: Source, schema: Schema, console: Console, used: Collection[str] | None = None
) -> Iterator[Batch]:
    """Give the rows of a source in the order of the file: at least one batch, even if it is empty.

    ``used`` names the columns that the source must have; without it all columns of the schema are needed.
    """
    used = schema.names if used is None else used
    if not source.is_text:
        yield _typed_batch(source, schema, used)
        return
    with source.row_reader(schema, cells=True, used=used) as reader:
        empty = True
        for rows in reader:
            empty = False
            yield Batch(rows.table, rows.cells, _find_unseen(rows.table), rows.first)
        if empty:
            kinds = {"numeric": np.float64, "categorical": np.uint32}
            columns = [np.empty(0, dtype=kinds[c.kind]) for c in schema.columns]
            cells: dict[str, list[str]] = {name: [] for name in reader.header}
            yield Batch(Table.of_codes(columns, schema), cells, {}, 0)
        if reader.dropped:
            verb = "is" if reader.dropped == 1 else "are"
            console.note(
                f"{plural(reader.dropped, 'row')} {verb} dropped because the number of fields differs "
                "from the header."
            )


def _find_unseen(table: Table) -> dict[str, NDArray[np.bool_]]:
    """Return which rows have an unseen category, for each column that has some."""
    unseen = {s.name: _unseen_codes(s) for s in table.series if s.kind == "categorical"}
    return {name: rows for name, rows in unseen.items() if rows.any()}


def _unseen_codes(series: Series) -> NDArray[np.bool_]:
    unseen: NDArray[np.bool_] = (series.data >= len(series.levels)) & (series.data != MISSING)
    return unseen


def _typed_batch(source: Source, schema: Schema, used: Collection[str]) -> Batch:
    """Return all rows of a table whose columns have their types."""
    table = source.content
    known_columns = {series.name: series for series in table.series}
    sources = {column.name: find_source(known_columns, column) for column in schema.columns}
    derived = [name for name, origin in sources.items() if origin and name not in known_columns]
    refuse_lacking([*table.columns, *derived], used, source.label, clip_text)
    cells = {
        s.name: ["" if value is None else label(value) for value in s.values()]
        for s in table.series
    }
    nothing = np.full(len(table), np.nan)
    series = []
    for column in schema.columns:
        origin = sources[column.name]
        gap = Series(column.name, "numeric", nothing)
        series.append(gap if origin is None else model_series(known_columns[origin], column))
    table = Table(series)
    unseen = {}
    for column in schema.columns:
        if (column.levels or column.order) and not column.part and not column.other:
            known = {*column.levels, *column.order}
            values = table[column.name]
            rows = np.array([v is not None and v not in known for v in values], dtype=bool)
            if rows.any():
                unseen[column.name] = rows
    return Batch(table, cells, unseen, 0)


def labeled_batches(
    model: Any, source: Source, target: str, console: Console
) -> Iterator[tuple[Batch, list[str]]]:
    """Give the rows of a source in batches, each with its true values as text."""
    for batch in batches(source, model.schema_, console, model._used_columns()):
        if target not in batch.cells:
            raise DataError(
                f'{source.label} has no column "{target}" with the true values',
                slug="data.no-such-column",
                hints=[f"columns: {list_names(list(batch.cells))}"],
            )
        if not len(batch):
            raise DataError(f"{source.label} has a header but no rows", slug="data.no-rows")
        yield batch, [cell.strip(" \t") for cell in batch.cells[target]]


def note_missing(rows: int, missing: int, source: Source, target: str, console: Console) -> None:
    """Print how many rows are ignored because their target is missing; raise an error where all are."""
    if missing == rows:
        raise DataError(
            f'{source.label}: the target "{target}" is missing in every row', slug="data.no-rows"
        )
    if missing:
        verb = "is" if missing == 1 else "are"
        console.note(f'{plural(missing, "row")} {verb} ignored because "{target}" is missing.')


def missing_targets(source: Source, model: Any) -> Callable[[str], bool]:
    """Return a function that tells whether a cell of the target is missing; a class of the model never is."""
    rules, names = source.rules(), {label(c) for c in model.schema_.classes}
    return lambda cell: cell not in names and rules.is_missing(cell, not names)


def read_labeled(
    model: Any, source: Source, target: str | None, console: Console
) -> tuple[Table, list[Any]]:
    """Return the rows of a source as the model reads them, and their true values.

    Unseen categories become missing values; rows without a true value are left out.
    """
    name = resolve_target(
        target,
        model.schema_.target,
        source,
        what="the column with the true values",
        slug="eval.no-target",
    )
    tables, cells = [], list[str]()
    for batch, truth in labeled_batches(model, source, name, console):
        tables.append(batch.table)
        cells += truth
    is_missing = missing_targets(source, model)
    known = np.array([not is_missing(cell) for cell in cells], dtype=bool)
    note_missing(len(cells), int(np.count_nonzero(~known)), source, name, console)
    number = source.rules().number
    truth = [_true_value(cell, model, name, number) for cell in cells if not is_missing(cell)]
    return _concatenate(tables)[np.flatnonzero(known)], truth


def read_for_model(model: Any, source: Source, console: Console) -> Table:
    """Return all rows of a source as the model reads them; unseen categories become missing values."""
    rows = batches(source, model.schema_, console, model._used_columns())
    return _concatenate([batch.table for batch in rows])


def class_name(
    cell: str, names: Collection[str], read_number: Callable[[str], float | None]
) -> str:
    """Return the class that a cell names: 1.0 in a file is the class 1."""
    if cell in names:
        return cell
    number = read_number(cell)
    name = cell if number is None else label(number)
    return name if name in names else cell


def _true_value(
    cell: str, model: Any, target: str, read_number: Callable[[str], float | None]
) -> Any:
    classes = {label(c): c for c in model.schema_.classes}
    name = class_name(cell, classes, read_number)
    if name in classes:
        return classes[name]
    number = None if classes else read_number(cell)
    if number is not None:
        return number
    raise DataError(
        f'column "{visible(target)}" contains the class "{visible(cell)}", which the model does not have',
        slug="data.unknown-class",
        hints=[f"classes: {list_names(list(classes))}"] if classes else [],
    )


def _concatenate(tables: Sequence[Table]) -> Table:
    """Put batches below each other; they have the same columns."""
    return Table(
        [
            replace(parts[0], data=np.concatenate([_known_data(part) for part in parts]))
            for parts in zip(*(table.series for table in tables), strict=True)
        ]
    )


def _known_data(series: Series) -> Any:
    if series.kind == "numeric":
        return series.data
    return np.where(_unseen_codes(series), MISSING, series.data).astype(np.uint32)
