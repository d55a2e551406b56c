"""A whole table with the account of how it was read: from text, or from a container that typed it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treewright import _core
from treewright._reading import column_kinds as kinds
from treewright._reading.byte_source import Binary, Dialect, Pieces, opened
from treewright._reading.cell_shapes import Facts
from treewright._reading.column_overrides import Wishes
from treewright._reading.column_roles import judge
from treewright._reading.inspection import DELIMITERS, Inspection, Note
from treewright._reading.quoting import named, some
from treewright._render.numbers import count, plural
from treewright.errors import DataError, Hint
from treewright.table import Table

__all__ = ["from_table", "from_text"]

ROWS_A_CHUNK = 1 << 16


def from_table(table: Table, wishes: Wishes, label: str) -> Inspection:
    """Report on a table whose columns have their kinds."""
    wishes.check(table.columns, label)
    if not len(table):
        raise DataError(f"{label} has no rows", slug="data.no-rows")
    columns = [kinds.of_series(series, wishes) for series in table.series]
    columns = [_declared(typed, wishes, lambda row: f"row {row}") for typed in columns]
    return _inspection(columns, wishes, label)


def from_text(source: Binary, dialect: Dialect, wishes: Wishes, label: str) -> Inspection:
    """Read delimited text and decide what its columns are."""
    with opened(source) as file:
        pieces = Pieces(file, dialect, label)
        header = pieces.header()
        wishes.check(header, label)
        chunks = list(pieces.chunks(ROWS_A_CHUNK))
    reader = pieces.reader
    if not chunks:
        raise _no_rows(label, reader.dropped)
    read = _core.csv_columns(chunks, [wishes.form(name) for name in header], dialect.missing)
    facts = [Facts.of(said) for _, _, said in read]
    columns = [
        kinds.of_text(name, values, levels, fact, wishes)
        for name, (values, levels, _), fact in zip(header, read, facts, strict=True)
    ]
    columns = [_declared(typed, wishes, lambda row: _line(chunks, row, label)) for typed in columns]
    notes = tuple(_notes(header, facts, dialect, reader))
    return _inspection(columns, wishes, label, notes, reader.delimiter, dialect.encoding)


def _inspection(
    columns: Sequence[kinds.Typed],
    wishes: Wishes,
    label: str,
    notes: tuple[Note, ...] = (),
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Inspection:
    judged = [judge(typed, wishes) for typed in columns]
    table = Table([typed.series for typed in columns])
    reports = tuple(report for report, _ in judged)
    notes = (*notes, *(note for _, said in judged for note in said))
    return Inspection(label, table, reports, notes, delimiter, encoding)


def _declared(typed: kinds.Typed, wishes: Wishes, line: kinds.Line) -> kinds.Typed:
    levels = wishes.levels.get(typed.series.name)
    return typed if levels is None else kinds.declare(typed, levels, line)


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
    header: Sequence[str], facts: Sequence[Facts], dialect: Dialect, reader: _core.CsvReader
) -> Iterator[Note]:
    """Give what was decided about the file as a whole."""
    if dialect.delimiter is None and reader.delimiter != ",":
        word = DELIMITERS[reader.delimiter]
        text = f"the first line is separated by a {word}: so are the others."
        yield Note(None, text, Hint(option="delimiter"), "names another delimiter")
    if reader.dropped:
        yield Note(None, f"{plural(reader.dropped, 'ragged row')} left out.")
    if reader.blank_lines:
        yield Note(None, f"{plural(reader.blank_lines, 'blank line')} left out.")
    for i, marker in enumerate(dialect.missing):
        cells = sum(fact.missing[i] for fact in facts)
        if marker.strip(" \t") and cells:
            columns = plural(sum(fact.missing[i] > 0 for fact in facts), "column")
            cells_of = f"{plural(cells, 'cell')} of {columns}"
            yield Note(None, f"{named(marker)} is read as missing: {cells_of}.")
    padded = [name for name, fact in zip(header, facts, strict=True) if fact.padded]
    if padded:
        names = some(padded[:3], more=len(padded) > 3)
        yield Note(None, f"blanks around text left out: {names}.")
    if all(_is_number(name) for name in header):
        names = some(header[:3], more=len(header) > 3)
        text = f"the first row holds only numbers ({names}) and was read as names. No header?"
        yield Note(None, text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
