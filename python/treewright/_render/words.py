"""What the writers of all formats share: words, titles, footnotes, and long tables in parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treewright._render.document import Cell, Column, Document, Table, Words
from treewright._render.formula import Formula, leaves
from treewright._render.safe_text import visible

__all__ = [
    "blank_in",
    "footnote",
    "has_blanks",
    "join_pieces",
    "rounded_result",
    "split_rows",
    "title_of",
]

FOOTNOTE = "calculated from unrounded values. With the rounded numbers shown:"


def join_pieces(
    words: Cell, text: Callable[[str], str], formula: Callable[[Formula], str], none: str = ""
) -> str:
    """Write words: texts by one function, formulas by another; control characters are made visible."""
    if words is None:
        return none
    pieces = words if isinstance(words, tuple) else (words,)
    return "".join(
        text(visible(piece)) if isinstance(piece, str) else formula(piece) for piece in pieces
    )


def title_of(document: Document, between: str) -> tuple[str | Formula, ...]:
    """Return the parts of a title as words, with a separator between them."""
    pieces: list[str | Formula] = []
    for part in document.title:
        pieces += [between] if pieces else []
        pieces += part if isinstance(part, tuple) else [part]
    return tuple(pieces)


def rounded_result(formula: Formula, result: str) -> tuple[str | Formula, ...]:
    """Return what the printed numbers of a formula give."""
    return (formula, f" gives {result.replace('-', '−')}")


def footnote(document: Document) -> Words | None:
    """Return the footnote on results that the printed operands do not give; None where there are none."""
    pieces: list[str | Formula] = []
    for formula, result in document.footnotes():
        pieces += ["; " if pieces else f"{FOOTNOTE} ", *rounded_result(formula, result)]
    return (*pieces, ".") if pieces else None


def blank_in(words: Cell) -> bool:
    """Whether words have blanks."""
    pieces = words if isinstance(words, tuple) else (words,)
    return any(
        leaf.blank
        for piece in pieces
        if piece is not None and not isinstance(piece, str)
        for leaf in leaves(piece)
    )


def has_blanks(table: Table) -> bool:
    """Whether a table has blanks."""
    return any(blank_in(cell) for column in table.columns for cell in column.cells)


def split_rows(table: Table, most: int) -> list[Table]:
    """Return a table in parts of limited length, each with the headings."""
    size = len(table.columns[0].cells)
    if size <= most:
        return [table]
    parts = []
    for start in range(0, size, most):
        rows = slice(start, start + most)
        columns = tuple(_part(column, rows) for column in table.columns)
        at = None if table.chosen is None else table.chosen - start
        chosen = at if at is not None and 0 <= at < most else None
        title = table.title if start == 0 else ""
        last = start + most >= size
        parts.append(
            replace(table, columns=columns, title=title, chosen=chosen, total=table.total and last)
        )
    return parts


def _part(column: Column, rows: slice) -> Column:
    return replace(column, cells=column.cells[rows])
