"""A table with the report on how it was read: from text, or from a container with typed columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treewright import _core
from treewright._reading import column_kinds
from treewright._reading.byte_source import Binary, CsvFeed, Dialect, open_binary
from treewright._reading.cell_shapes import CellShapes
from treewright._reading.column_overrides import ColumnOverrides
from treewright._reading.column_roles import report_column
from treewright._reading.inspection import DELIMITERS, Inspection, Note
from treewright._reading.quoting import list_some, quote
from treewright._render.numbers import count, plural
from treewright._utils.validation import is_number_text
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
    source: Binary, dialect: Dialect, overrides: ColumnOverrides, label: str
) -> Inspection:
    """Read delimited text and decide what its columns are."""
    with open_binary(source) as file:
        feed = CsvFeed(file, dialect, label)
        header = feed.header()
        overrides.check(header, label)
        chunks = list(feed.chunks(ROWS_PER_CHUNK))
    reader = feed.reader
    if not chunks:
        raise _no_rows(label, reader.dropped)
    read = _core.csv_columns(chunks, [overrides.form(name) for name in header], dialect.missing)
    shapes = [CellShapes.of(report) for _, _, report in read]
    columns = [
        column_kinds.type_text_column(name, values, levels, cells, overrides)
        for name, (values, levels, _), cells in zip(header, read, shapes, strict=True)
    ]
    columns = [
        _declare(typed, overrides, lambda row: _line(chunks, row, label)) for typed in columns
    ]
    notes = tuple(_notes(header, shapes, dialect, reader))
    return _inspection(columns, overrides, label, notes, reader.delimiter, dialect.encoding)


def _inspection(
    columns: Sequence[column_kinds.TypedColumn],
    overrides: ColumnOverrides,
    label: str,
    notes: tuple[Note, ...] = (),
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Inspection:
    reported = [report_column(typed, overrides) for typed in columns]
    table = Table([typed.series for typed in columns])
    reports = tuple(report for report, _ in reported)
    notes = (*notes, *(note for _, column_notes in reported for note in column_notes))
    return Inspection(label, table, reports, notes, delimiter, encoding)


def _declare(
    typed: column_kinds.TypedColumn, overrides: ColumnOverrides, line: column_kinds.Line
) -> column_kinds.TypedColumn:
    levels = overrides.levels.get(typed.series.name)
    return typed if levels is None else column_kinds.declare_levels(typed, levels, line)


def _line(chunks: Sequence[_core.CsvChunk], row: int, label: str) -> str:
    for chunk in chunks:
        if row < chunk.rows:
            break
        row -= chunk.rows
    return f"{label} line {count(chunk.line(row))}"


def _no_rows(label: str, dropped: int) -> DataError:
    hints = ["the first row holds the names of the columns"]
    if dropped:
        hints = [f"{plural(dropped, 'row')} left out: not as many fields as the header has"]
    return DataError(f"{label} has no rows under its header", slug="data.no-rows", hints=hints)


def _notes(
    header: Sequence[str], shapes: Sequence[CellShapes], dialect: Dialect, reader: _core.CsvReader
) -> Iterator[Note]:
    """Yield the decisions about the whole file."""
    if dialect.delimiter is None and reader.delimiter != ",":
        separator = DELIMITERS[reader.delimiter]
        text = f"the first line is separated by a {separator}: so are the others."
        yield Note(None, text, Hint(option="delimiter"), "names another delimiter")
    if reader.dropped:
        yield Note(None, f"{plural(reader.dropped, 'ragged row')} left out.")
    if reader.blank_lines:
        yield Note(None, f"{plural(reader.blank_lines, 'blank line')} left out.")
    for i, marker in enumerate(dialect.missing):
        n_cells = sum(cells.missing[i] for cells in shapes)
        if marker.strip(" \t") and n_cells:
            columns = plural(sum(cells.missing[i] > 0 for cells in shapes), "column")
            cells_of = f"{plural(n_cells, 'cell')} of {columns}"
            yield Note(None, f"{quote(marker)} is read as missing: {cells_of}.")
    padded = [name for name, cells in zip(header, shapes, strict=True) if cells.padded]
    if padded:
        names = list_some(padded[:3], more=len(padded) > 3)
        yield Note(None, f"blanks around text left out: {names}.")
    if all(is_number_text(name) for name in header):
        names = list_some(header[:3], more=len(header) > 3)
        text = f"the first row holds only numbers ({names}) and was read as names. No header?"
        yield Note(None, text)
