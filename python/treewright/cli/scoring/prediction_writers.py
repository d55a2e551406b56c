"""The answers of ``predict`` as they are written, a batch of rows at a time: CSV, JSON, Markdown, LaTeX.

Each writer is given the names first, then rows of cells; nothing of what was written is held.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Protocol

from treewright._render.latex_text import tex
from treewright._render.safe_text import visible
from treewright._render.table_grid import escape_markdown

__all__ = ["WRITERS", "Numbers"]

Row = Sequence[str]


class Writer(Protocol):
    """What writes rows as they come."""

    def rows(self, rows: Sequence[Row]) -> str:
        """Write some rows."""
        ...

    def end(self) -> str:
        """Write what stands behind all rows."""
        ...


class Numbers(Protocol):
    """What tells which columns hold numbers."""

    def numeric(self, place: int) -> bool:
        """Whether the column at a place, counted from the end, holds numbers."""
        ...


class Csv:
    """Comma-separated text."""

    def __init__(self, numbers: Numbers) -> None:
        pass

    def rows(self, rows: Sequence[Row]) -> str:
        """Write some rows."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        return text.getvalue()

    def end(self) -> str:
        """Write what stands behind all rows."""
        return ""


class Json:
    """A list of objects, one a line; answers and shares that are numbers are numbers."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers, self._first = numbers, True
        self._names: list[str] = []

    def rows(self, rows: Sequence[Row]) -> str:
        """Write some rows."""
        text = ""
        if not self._names and rows:
            self._names, rows, text = list(rows[0]), rows[1:], "["
        for row in rows:
            cells = [self._value(i - len(row), cell) for i, cell in enumerate(row)]
            record = dict(zip(self._names, cells, strict=True))
            text += ("\n " if self._first else ",\n ") + json.dumps(record, ensure_ascii=False)
            self._first = False
        return text

    def _value(self, place: int, cell: str) -> str | float:
        if not self._numbers.numeric(place):
            return cell
        return int(cell) if cell.lstrip("-").isdecimal() else float(cell)

    def end(self) -> str:
        """Write what stands behind all rows."""
        return "\n]\n"


class Markdown:
    """A Markdown table."""

    def __init__(self, numbers: Numbers) -> None:
        self._begun = False

    def rows(self, rows: Sequence[Row]) -> str:
        """Write some rows."""
        lines = [
            f"| {' | '.join(escape_markdown(visible(cell)) for cell in row)} |\n" for row in rows
        ]
        if not self._begun and rows:
            lines.insert(1, "|" + " :-- |" * len(rows[0]) + "\n")
            self._begun = True
        return "".join(lines)

    def end(self) -> str:
        """Write what stands behind all rows."""
        return ""


class Latex:
    """A LaTeX table for ``booktabs``, which may be longer than a page with ``longtable``."""

    def __init__(self, numbers: Numbers) -> None:
        self._begun = False

    def rows(self, rows: Sequence[Row]) -> str:
        """Write some rows."""
        lines = [" & ".join(tex(visible(cell)) for cell in row) + " \\\\\n" for row in rows]
        if not self._begun and rows:
            self._begun = True
            sides = "l" * len(rows[0])
            lines[0] = f"\\begin{{tabular}}{{{sides}}}\n\\toprule\n{lines[0]}\\midrule\n"
        return "".join(lines)

    def end(self) -> str:
        """Write what stands behind all rows."""
        return "\\bottomrule\n\\end{tabular}\n"


WRITERS: dict[str, Callable[[Numbers], Writer]] = {
    "csv": Csv,
    "json": Json,
    "markdown": Markdown,
    "latex": Latex,
}
