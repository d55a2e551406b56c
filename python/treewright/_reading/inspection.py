"""How the columns of a table are read, as a value and as the report that ``treewright inspect`` prints.

It reports decisions and makes none: the rules are in the core.

Glossary: a column is *read as* numeric, categorical, ordered, identifier (a different value in every row), date, text
(sentences), or empty. An
*ignored* column stays in the table but is no feature unless the user keeps it. A *note* is a sentence about a decision
that the user did not make.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from treewright._input.columns import to_levels
from treewright._input.dates import write_date
from treewright._reading.quoting import clip_text
from treewright._reading.value_counts import count_values
from treewright._render.document import Column, Document
from treewright._render.document import Table as TableBlock
from treewright._render.numbers import count, decimals, fixed, plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.safe_text import visible
from treewright.errors import Hint
from treewright.schema import Kind, label
from treewright.table import MISSING, Series, Table

__all__ = ["ColumnReport", "Inspection", "Note", "count_different", "summarize"]

MAX_LEVELS = 4
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}


@dataclass(frozen=True, slots=True)
class Note:
    """A decision that the user did not make.

    Parameters
    ----------
    column : str or None
        The column; None for a note about the file.
    text : str
        The decision in a sentence.
    hint : Hint or None, default=None
        The option that changes the decision.
    effect : str, default=""
        What the option does, as the rest of a sentence that begins with it.

    Examples
    --------
    >>> str(Note(None, "2 blank lines left out."))
    '2 blank lines left out.'
    """

    column: str | None
    text: str
    hint: Hint | None = None
    effect: str = ""

    def __str__(self) -> str:
        words = "" if self.hint is None else str(self.hint)
        return f"{self.text} {words} {self.effect}." if words else self.text


@dataclass(frozen=True, slots=True)
class ColumnReport:
    """How one column was read.

    Parameters
    ----------
    name : str
        The column's name.
    read_as : {"numeric", "categorical", "ordered", "identifier", "date", "text", "empty"}
        The role of the column.
    kind : {"numeric", "categorical"}
        The kind of its values in the table.
    summary : str
        Its values in a few words.
    missing : int
        The number of missing values.
    note : str or None, default=None
        A decision that the user did not make, in a few words.
    ignored : bool, default=False
        Whether it is left out of the features.
    hints : tuple of Hint, default=()
        The options that change the decision.

    Examples
    --------
    >>> ColumnReport("Wind", "categorical", "categorical", "Weak 8, Strong 6", 0).ignored
    False
    """

    name: str
    read_as: str
    kind: Kind
    summary: str
    missing: int
    note: str | None = None
    ignored: bool = False
    hints: tuple[Hint, ...] = ()

    def remark(self) -> str:
        """Return the note with the options that change the decision."""
        words = ", ".join(filter(None, map(str, self.hints)))
        return f"{self.note} ({words})" if self.note and words else self.note or ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Inspection(Result):
    r"""A table with a report of how it was read.

    Parameters
    ----------
    label : str
        The name of the table: the path of its file.
    table : Table
        All columns, the ignored ones included.
    reports : tuple of ColumnReport
        One for each column.
    notes : tuple of Note, default=()
        The decisions that the user did not make.
    delimiter : str or None, default=None
        The separator of the fields of a text file.
    encoding : str or None, default=None
        The encoding of a text file.
    header : bool, default=True
        Whether the first row of a text file holds the names of the columns.

    Examples
    --------
    >>> from treewright import inspect
    >>> print(inspect(b"Day,Wind\nD1,Weak\nD2,Strong\nD3,Weak\n", label="days.csv"))
    days.csv: 3 rows, 2 columns, comma, header, UTF-8
      column  read as      values           missing  note
      Day     identifier   3 different            0  one value per row: ignored (keep=["Day"])
      Wind    categorical  Weak 2, Strong 1       0
    """

    _noun = "an inspection"
    _file_page = PageFormat(width=100, lines=100_000)

    label: str
    table: Table
    reports: tuple[ColumnReport, ...]
    notes: tuple[Note, ...] = ()
    delimiter: str | None = None
    encoding: str | None = None
    header: bool = True

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.table)

    @property
    def ignored(self) -> tuple[str, ...]:
        """The names of the ignored columns."""
        return tuple(report.name for report in self.reports if report.ignored)

    @property
    def used(self) -> Table:
        """The table without the ignored columns."""
        return self.table.drop(self.ignored)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "label": self.label,
            "rows": self.rows,
            "delimiter": self.delimiter,
            "encoding": self.encoding,
            "columns": [
                record | {"values": count_values(series)}
                for record, series in zip(self.to_csv_rows(), self.table.series, strict=True)
            ],
            "notes": [
                {"column": n.column, "text": n.text, "hint": _hint_options([n.hint])}
                for n in self.notes
            ],
        }

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each column."""
        return [asdict(report) | {"hints": _hint_options(report.hints)} for report in self.reports]

    def _document(self, page: PageFormat) -> Document:
        facts = [plural(self.rows, "row"), plural(len(self.reports), "column")]
        if self.delimiter is not None:
            known = {**DELIMITERS, "whitespace": "whitespace"}
            facts.append(known.get(self.delimiter, f'"{clip_text(self.delimiter)}"'))
            facts.append("header" if self.header else "no header")
        if self.encoding is not None:
            facts.append(self.encoding.upper())
        reports = self.reports
        table = TableBlock(
            (
                Column("column", tuple(clip_text(r.name) for r in reports), left=True),
                Column("read as", tuple(r.read_as for r in reports), left=True, gap=2),
                Column("values", tuple(r.summary for r in reports), left=True, gap=2),
                Column("missing", tuple(count(r.missing) for r in reports), gap=1),
                Column("note", tuple(r.remark() for r in reports), left=True, gap=2),
            )
        )
        title = f"{visible(self.label)}: {', '.join(facts)}"
        return Document((title,), (table,), compact=True)


def _hint_options(hints: Sequence[Hint | None]) -> dict[str, Any]:
    """Return the options of hints with their values."""
    return {name: value for h in hints if h is not None for name, value in h.options.items()}


def count_different(series: Series) -> int:
    """Return the number of different values."""
    if series.kind == "categorical":
        return int(np.count_nonzero(np.bincount(series.data[series.data != MISSING])))
    return len(np.unique(series.data[~np.isnan(series.data)]))


def summarize(series: Series) -> str:
    """Write the values of a column in a few words.

    Examples
    --------
    >>> summarize(Series.of("age", [64, 85, 70.5]))
    '64 to 85, mean 73.2'
    >>> summarize(Series.of("wind", ["weak", "strong", "weak"]))
    'weak 2, strong 1'
    """
    if series.meaning is not None and series.meaning.order:
        series = to_levels(series)
    return _numbers(series) if series.kind == "numeric" else _levels(series)


def _numbers(series: Series) -> str:
    values = series.data[~np.isnan(series.data)]
    if not len(values):
        return ""
    low, high = float(values.min()), float(values.max())
    if series.meaning is not None and series.meaning.part in ("date", "time"):
        return f"{write_date(low)} to {write_date(high)}"
    if low == high:
        return f"always {_number(low)}"
    mean = float(np.sum(values / len(values)))  # the sum of the values themselves might overflow
    return f"{_number(low)} to {_number(high)}, mean {_number(mean, 3)}"


def _number(x: float, significant: int = 6) -> str:
    if x == math.floor(x) and abs(x) < 1e15:
        return fixed(x, 0)
    size = abs(x)
    if not 1e-4 <= size < 1e15:
        return f"{x:.{significant}g}"
    text = fixed(x, decimals(size, significant))
    return text.rstrip("0").rstrip(".") if "." in text else text  # the zeros of 1,180 are digits


def _levels(series: Series) -> str:
    codes = series.data[series.data != MISSING]
    counts = np.bincount(codes, minlength=len(series.levels))
    # Of equally frequent values the first in the table comes first: writing in reverse leaves the first row.
    first = np.full(len(series.levels), len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    order = np.lexsort((first, -counts))
    order = order[counts[order] > 0]
    listed = order if len(order) <= MAX_LEVELS else order[: MAX_LEVELS - 1]
    parts = [f"{clip_text(label(series.levels[i]))} {count(counts[i])}" for i in listed.tolist()]
    if len(listed) < len(order):
        parts.append(f"+{count(len(order) - len(listed))} others")
    return ", ".join(parts)
