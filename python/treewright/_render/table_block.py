"""Tables of a document from aligned columns of text, and tables that fit a page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treewright._render.document import Column, Table, plain
from treewright._render.safe_text import cells
from treewright._render.table_grid import TableColumn

__all__ = ["fit_columns", "table_block"]


def table_block(columns: Sequence[TableColumn]) -> Table:
    r"""Return columns of text as a table of a document: cells in one line, without filling.

    Examples
    --------
    >>> table_block([TableColumn("if", ["a = 1\nand  b = 2"], left=True)]).columns[0].cells
    ('a = 1 and b = 2',)
    """
    return Table(
        tuple(
            Column(_one_line(c.head), tuple(map(_one_line, c.body)), left=c.left, gap=c.gap)
            for c in columns
        )
    )


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def fit_columns(columns: Sequence[Column], width: int, keep: int) -> tuple[tuple[Column, ...], int]:
    """Leave out the last columns until the others fit a page, and count them; ``keep`` always stay.

    Examples
    --------
    >>> wide = [Column(name, ("x" * 10,)) for name in "abc"]
    >>> [column.head for column in fit_columns(wide, 30, keep=1)[0]]
    ['a', 'b']
    """
    widths = [
        (3 if column.gap is None else column.gap)
        + max(cells(plain(cell or "")) for cell in (column.head, *column.cells))
        for column in columns
    ]
    size = len(columns)
    while size > keep and sum(widths[:size]) > width:
        size -= 1
    return tuple(columns[:size]), len(columns) - size
