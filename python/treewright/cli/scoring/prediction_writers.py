"""The formats of ``predict``: CSV, JSON, Markdown and LaTeX, written one batch of rows at a time.

Each writer gets the header first, then rows of cells; nothing that was written is held in memory.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence

from treewright._render.latex_text import tex
from treewright._render.safe_text import visible
from treewright._render.table_grid import escape_markdown

__all__ = ["WRITERS", "Writer"]

Row = Sequence[str]


class Writer:
    """Comma-separated text; the base class of the other formats.

    Parameters
    ----------
    is_numeric : callable
        Tells whether the column at a place, counted from the end, has numbers.
    """

    end = ""

    def __init__(self, is_numeric: Callable[[int], bool]) -> None:
        self.is_numeric = is_numeric

    def header(self, names: Row) -> str:
        """Write the names of the columns."""
        return self.rows([names])

    def rows(self, rows: Sequence[Row]) -> str:
        """Write some rows."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        return text.getvalue()


class JsonWriter(Writer):
    """A list of objects, one per line; predictions and probabilities that are numbers are numbers."""

    end = "\n]\n"

    def header(self, names: Row) -> str:
        """Remember the names of the columns."""
        self._names, self._separator = names, "\n "
        return "["

    def rows(self, rows: Sequence[Row]) -> str:
        """Write some rows."""
        text = ""
        for row in rows:
            cells = [self._value(i - len(row), cell) for i, cell in enumerate(row)]
            record = dict(zip(self._names, cells, strict=True))
            text += self._separator + json.dumps(record, ensure_ascii=False)
            self._separator = ",\n "
        return text

    def _value(self, place: int, cell: str) -> str | float:
        if not self.is_numeric(place):
            return cell
        return int(cell) if cell.lstrip("-").isdecimal() else float(cell)


class MarkdownWriter(Writer):
    """A Markdown table."""

    def header(self, names: Row) -> str:
        """Write the names of the columns and the line below them."""
        return self.rows([names]) + "|" + " :-- |" * len(names) + "\n"

    def rows(self, rows: Sequence[Row]) -> str:
        """Write some rows."""
        return "".join(
            f"| {' | '.join(escape_markdown(visible(cell)) for cell in row)} |\n" for row in rows
        )


class LatexWriter(Writer):
    """A LaTeX table for ``booktabs``."""

    end = "\\bottomrule\n\\end{tabular}\n"

    def header(self, names: Row) -> str:
        """Begin the table."""
        sides = "l" * len(names)
        return f"\\begin{{tabular}}{{{sides}}}\n\\toprule\n{self.rows([names])}\\midrule\n"

    def rows(self, rows: Sequence[Row]) -> str:
        """Write some rows."""
        return "".join(" & ".join(tex(visible(cell)) for cell in row) + " \\\\\n" for row in rows)


WRITERS = {"csv": Writer, "json": JsonWriter, "markdown": MarkdownWriter, "latex": LatexWriter}
