"""A table with the report on how it was read: from text, or from a container with typed columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treewright import _core
from treewright._reading import column_kinds
from treewright._reading.byte_source import open_feed
from treewright._reading.cell_shapes import CellShapes
from treewright._reading.column_overrides import ColumnOverrides
from treewright._reading.column_roles import report_column
from treewright._reading.content import Binary, Content
from treewright._reading.date_parts import split_dates
from treewright._reading.dialect import Dialect
from treewright._reading.file_notes import file_notes, report_index
from treewright._reading.inspection import Inspection, Note
from treewright._render.numbers import count, plural
from treewright.errors import DataError, Hint
from treewright.table import Table

__all__ = ["inspect_table", "inspect_text"]

ROWS_PER_CHUNK = 1 << 16


def inspect_table(table: Table, overrides: ColumnOverrides, label: str) -> Inspection:
    """Report on a table with typed columns."""
    overrides.check(table.columns, label)
    if not len(table):
        raise DataError(f"{label} has no rows", slug="data.no-rows")
    columns = [column_kinds.type_container_column(series, overrides) for series in table.series]
    columns = [_declare(typed, overrides, lambda row: f"row {row}") for typed in columns]
    return _inspection(columns, overrides, label)


def inspect_text(
    source: Binary | Content, dialect: Dialect, overrides: ColumnOverrides, label: str
) -> Inspection:
    """Read delimited text and decide what its columns are."""
    with open_feed(source, dialect, label) as feed:
        dialect = feed.dialect
        header = feed.header()
        overrides.check(header, label)
        chunks = list(feed.chunks(ROWS_PER_CHUNK))
    reader = feed.reader
    if not chunks:
        raise _no_rows(label, reader.dropped)
    read = _core.csv_columns(chunks, [overrides.form(name) for name in header], dialect.rules())
    shapes = CellShapes.of_file([report for _, _, report in read], dialect.missing)
    columns = [
        column_kinds.type_text_column(name, values, levels, cells, overrides)
        for name, (values, levels, _), cells in zip(header, read, shapes, strict=True)
    ]
    columns = [
        _declare(typed, overrides, lambda row: _line(chunks, row, label)) for typed in columns
    ]
    notes = tuple(file_notes(columns, shapes, dialect, reader))
    inspection = _inspection(columns, overrides, label, notes)
    if not dialect.rewritten:
        inspection = replace(
            inspection,
            delimiter=reader.delimiter,
            encoding=dialect.encoding,
            header=dialect.header,
        )
    return report_index(inspection, overrides) if reader.unnamed_index else inspection


def _inspection(
    columns: Sequence[column_kinds.TypedColumn],
    overrides: ColumnOverrides,
    label: str,
    notes: tuple[Note, ...] = (),
) -> Inspection:
    columns = [part for typed in columns for part in split_dates(typed, overrides)]
    reported = [report_column(typed, overrides) for typed in columns]
    table = Table([typed.series for typed in columns])
    reports = tuple(report for report, _ in reported)
    notes = (*notes, *(note for _, column_notes in reported for note in column_notes))
    return Inspection(label, table, reports, notes)


def _declare(
    typed: column_kinds.TypedColumn, overrides: ColumnOverrides, line: column_kinds.Line
) -> column_kinds.TypedColumn:
    name = typed.series.name
    levels = overrides.levels.get(name)
    if levels is None:
        return typed
    ordered = name in overrides.ordered
    return column_kinds.declare_levels(typed, levels, line, ordered=ordered)


def _line(chunks: Sequence[_core.CsvChunk], row: int, label: str) -> str:
    for chunk in chunks:
        if row < chunk.rows:
            break
        row -= chunk.rows
    return f"{label} line {count(chunk.line(row))}"


def _no_rows(label: str, dropped: int) -> DataError:
    hints: list[str | Hint] = ["the first row holds the names of the columns"]
    if dropped:
        hints = [f"{plural(dropped, 'row')} left out: not as many fields as the header has"]
    return DataError(f"{label} has no rows under its header", slug="data.no-rows", hints=hints)
