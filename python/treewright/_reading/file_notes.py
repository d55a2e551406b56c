"""Notes on a text file as a whole: its delimiter, its header, words for missing values, an index without a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from treewright import _core
from treewright._reading.cell_shapes import CellShapes
from treewright._reading.column_kinds import TypedColumn
from treewright._reading.column_overrides import ColumnOverrides
from treewright._reading.dialect import Dialect
from treewright._reading.inspection import DELIMITERS, Inspection, Note
from treewright._reading.quoting import list_some, quote
from treewright._render.numbers import plural
from treewright._utils.validation import is_number_text
from treewright.errors import Hint
from treewright.schema import label

__all__ = ["file_notes", "report_index"]


def file_notes(
    columns: Sequence[TypedColumn],
    shapes: Sequence[CellShapes],
    dialect: Dialect,
    reader: _core.CsvReader,
) -> Iterator[Note]:
    """Yield the decisions about the whole file."""
    header = [typed.series.name for typed in columns]
    yield from _delimiter_notes(dialect, reader)
    if reader.dropped:
        yield Note(None, f"{plural(reader.dropped, 'ragged row')} left out.")
    if reader.blank_lines:
        yield Note(None, f"{plural(reader.blank_lines, 'blank line')} left out.")
    if reader.comment_lines:
        yield Note(None, f"{plural(reader.comment_lines, 'comment line')} left out.")
    yield from _missing_notes(shapes, dialect)
    padded = [name for name, cells in zip(header, shapes, strict=True) if cells.padded]
    if padded:
        names = list_some(padded[:3], more=len(padded) > 3)
        yield Note(None, f"blanks around text left out: {names}.")
    if dialect.header:
        yield from _header_notes(columns, header)


def _delimiter_notes(dialect: Dialect, reader: _core.CsvReader) -> Iterator[Note]:
    if dialect.delimiter is not None or reader.names_delimiter or reader.delimiter == ",":
        return
    separator = DELIMITERS.get(reader.delimiter, reader.delimiter)
    text = f"the first line is separated by a {separator}: so are the others."
    if reader.delimiter == "whitespace":
        text = "the lines are separated by blanks."
    yield Note(None, text, Hint(option="delimiter"), "names another delimiter")


def _missing_notes(shapes: Sequence[CellShapes], dialect: Dialect) -> Iterator[Note]:
    """Yield how often each marker, and how often the usual words were read as missing."""
    for i, marker in enumerate(dialect.missing):
        counts = [each.missing[i] for each in shapes if each.missing[i]]
        if marker.strip(" \t") and counts:
            yield Note(None, f"{quote(marker)} is read as missing: {_count_cells(counts)}.")
    words = sorted({word for each in shapes for word, _ in each.words})
    if words:
        counts = [sum(n for _, n in each.words) for each in shapes if each.words]
        verb = "is" if len(words) == 1 else "are"
        text = f"{', '.join(map(quote, words))} {verb} read as missing: {_count_cells(counts)}."
        yield Note(None, text, Hint(option="missing", value=[""]), "keeps such words as text")


def _count_cells(counts: Sequence[int]) -> str:
    """Write how many cells of how many columns there are, from the counts of the columns."""
    return f"{plural(sum(counts), 'cell')} of {plural(len(counts), 'column')}"


def _header_notes(columns: Sequence[TypedColumn], header: Sequence[str]) -> Iterator[Note]:
    if len(header) == 1 and header[0].startswith("#"):
        text = f"the first line starts with # ({list_some(header, more=False)}) and was read as a name."
        yield Note(None, text, Hint(option="comment", value="#"), "leaves out such lines")
    elif _are_values(columns):
        names = list_some(header[:3], more=len(header) > 3)
        text = f"the first row ({names}) looks like data and was read as names."
        yield Note(None, text, Hint(option="header", value=False), "reads it as a row")


def _are_values(columns: Sequence[TypedColumn]) -> bool:
    """Whether most names look like a value of their column: the file has no header."""
    names = [typed.series.name for typed in columns]
    if all(map(is_number_text, names)):
        return True
    alike = [name for name, typed in zip(names, columns, strict=True) if _is_value(name, typed)]
    if 2 * len(alike) <= len(columns):
        return False
    if not all(map(str.isdecimal, alike)):
        return True
    # Names such as 2019, 2020, 2021 are years, and 0, 1, 2 are positions: both are names.
    steps = {int(b) - int(a) for a, b in pairwise(alike)}
    return len(alike) == 1 or steps != {1}


def _is_value(name: str, typed: TypedColumn) -> bool:
    if typed.series.kind == "numeric":
        return is_number_text(name)
    return name in map(label, typed.series.levels)


def report_index(inspection: Inspection, overrides: ColumnOverrides) -> Inspection:
    """Ignore a first column that has no name in the header, unless the user decided about it."""
    first, *others = inspection.reports
    if overrides.mentions(first.name) or first.name in overrides.ignore:
        return inspection
    hint = Hint(option="keep", value=[first.name])
    text = f"the first column has no name: read as row numbers, called {quote(first.name)} and ignored."
    report = replace(first, note="no name: ignored", ignored=True, hints=(hint,))
    notes = tuple(note for note in inspection.notes if note.column != first.name)
    return replace(
        inspection,
        reports=(report, *others),
        notes=(Note(first.name, text, hint, "uses it"), *notes),
    )
