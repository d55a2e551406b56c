"""How the columns of a table are read, as a value and as the report that ``treewright inspect`` prints.

It says what was decided, never decides: the rules are in ``kinds`` and ``roles``.

Glossary: a column is *read as* numeric, categorical, identifier (a different value in every row), date, or empty; an
*ignored* column stays in the table and is not learned from unless the user keeps it; a *note* is a sentence about a
decision that the user did not make.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from treewright._reading.quoting import clip_text
from treewright._render import table_grid as grid
from treewright._render.latex_text import tex
from treewright._render.numbers import count, decimals, fixed, plural
from treewright._render.safe_text import visible
from treewright.errors import Hint
from treewright.schema import Kind, label
from treewright.table import MISSING, Series, Table

__all__ = ["ColumnReport", "Inspection", "Note", "different", "summarise"]

SHOWN_LEVELS = 4
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}


@dataclass(frozen=True, slots=True)
class Note:
    """A decision that the user did not make.

    Parameters
    ----------
    column : str or None
        The column that it is about; None where it is about the whole file.
    text : str
        The decision in a sentence.
    hint : Hint or None, default=None
        What to type for another decision.
    effect : str, default=""
        What that does, as the rest of a sentence that begins with it.

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
    read_as : {"numeric", "categorical", "identifier", "date", "empty"}
        What it is taken for.
    kind : {"numeric", "categorical"}
        What the table holds.
    summary : str
        Its values in a few words.
    missing : int
        How many rows have none.
    note : str or None, default=None
        What was decided without being asked, in a few words.
    ignored : bool, default=False
        Whether it is left out of the features.
    hints : tuple of Hint, default=()
        What to type for another decision.

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
        """Return the note with what to type for another decision."""
        words = ", ".join(filter(None, map(str, self.hints)))
        return f"{self.note} ({words})" if self.note and words else self.note or ""


@dataclass(frozen=True, slots=True, eq=False)
class Inspection:
    r"""A table with the account of how it was read.

    Parameters
    ----------
    label : str
        What the table is called: the path of its file.
    table : Table
        All its columns, the ignored ones included.
    reports : tuple of ColumnReport
        One for each column.
    notes : tuple of Note, default=()
        Every decision that was not asked for.
    delimiter : str or None, default=None
        What separates the fields of a text file.
    encoding : str or None, default=None
        The encoding of a text file.

    Examples
    --------
    >>> from treewright import inspect
    >>> print(inspect(b"Day,Wind\nD1,Weak\nD2,Strong\nD3,Weak\n", label="days.csv"))
    days.csv: 3 rows, 2 columns, comma, header, UTF-8
      column  read as      values           missing  note
      Day     identifier   3 different            0  one value per row: ignored (keep=["Day"])
      Wind    categorical  Weak 2, Strong 1       0
    """

    label: str
    table: Table
    reports: tuple[ColumnReport, ...]
    notes: tuple[Note, ...] = ()
    delimiter: str | None = None
    encoding: str | None = None

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.table)

    @property
    def ignored(self) -> tuple[str, ...]:
        """The names of the columns that are not learned from."""
        return tuple(report.name for report in self.reports if report.ignored)

    @property
    def used(self) -> Table:
        """The table without the ignored columns."""
        return self.table.drop(self.ignored)

    def __str__(self) -> str:
        room = grid.terminal_width()
        return "\n".join(
            [*grid.wrap_sentence(self._heading(), room), *grid.align_columns(self._lanes(), room)]
        )

    def to_markdown(self) -> str:
        """Return the account of the columns as a Markdown table."""
        return f"{grid.escape_markdown(self._heading())}\n\n{grid.markdown(self._lanes())}\n"

    def to_latex(self) -> str:
        """Return the account of the columns as a LaTeX table for ``booktabs``."""
        return f"{tex(self._heading())}\n\n{grid.latex(self._lanes())}\n"

    def to_dict(self) -> dict[str, Any]:
        """Return the account as plain values."""
        return {
            "label": self.label,
            "rows": self.rows,
            "delimiter": self.delimiter,
            "encoding": self.encoding,
            "columns": [
                asdict(report) | {"hints": _named(report.hints)} for report in self.reports
            ],
            "notes": [
                {"column": n.column, "text": n.text, "hint": _named([n.hint])} for n in self.notes
            ],
        }

    def _heading(self) -> str:
        said = [plural(self.rows, "row"), plural(len(self.reports), "column")]
        if self.delimiter is not None:
            said += [DELIMITERS.get(self.delimiter, f'"{clip_text(self.delimiter)}"'), "header"]
        if self.encoding is not None:
            said.append(self.encoding.upper())
        return f"{visible(self.label)}: {', '.join(said)}"

    def _lanes(self) -> list[grid.TableColumn]:
        return [
            grid.TableColumn("column", [clip_text(r.name) for r in self.reports], left=True, gap=2),
            grid.TableColumn("read as", [r.read_as for r in self.reports], left=True, gap=2),
            grid.TableColumn("values", [r.summary for r in self.reports], left=True, gap=2),
            grid.TableColumn("missing", [count(r.missing) for r in self.reports], gap=1),
            grid.TableColumn("note", [r.remark() for r in self.reports], left=True, gap=2),
        ]


def _named(hints: Sequence[Hint | None]) -> dict[str, Any]:
    """Return the options of hints with their values."""
    return {name: value for h in hints if h is not None for name, value in h.options.items()}


def different(series: Series) -> int:
    """Return how many different values occur."""
    if series.kind == "categorical":
        return int(np.count_nonzero(np.bincount(series.data[series.data != MISSING])))
    return len(np.unique(series.data[~np.isnan(series.data)]))


def summarise(series: Series) -> str:
    """Write the values of a column in a few words.

    Examples
    --------
    >>> summarise(Series.of("age", [64, 85, 70.5]))
    '64 to 85, mean 73.2'
    >>> summarise(Series.of("wind", ["weak", "strong", "weak"]))
    'weak 2, strong 1'
    """
    return _numbers(series) if series.kind == "numeric" else _levels(series)


def _numbers(series: Series) -> str:
    values = series.data[~np.isnan(series.data)]
    if not len(values):
        return ""
    low, high = float(values.min()), float(values.max())
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
    # Ties go to the value that comes first in the table: the last writer of a slot is the first row.
    first = np.full(len(series.levels), len(codes))
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    order = np.lexsort((first, -counts))
    order = order[counts[order] > 0]
    shown = order if len(order) <= SHOWN_LEVELS else order[: SHOWN_LEVELS - 1]
    said = [f"{clip_text(label(series.levels[i]))} {count(counts[i])}" for i in shown.tolist()]
    if len(shown) < len(order):
        said.append(f"+{count(len(order) - len(shown))} others")
    return ", ".join(said)
