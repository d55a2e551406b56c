"""A document: a title and blocks. It is made once; every form (text, Markdown, LaTeX, HTML, JSON) is written from it.

Names in it are printable (see ``safe_text``); each writer does the escaping of its format.

Glossary: *words* are a text, a formula, or several of both. A *stage* is a step of a calculation; a worksheet has
blanks in place of the numbers of hidden stages. The *choice* is the last stage: the decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treewright._render.charts import Chart
from treewright._render.formula import Equation, Formula, Name, Number, hide, leaves

__all__ = [
    "CHOICE",
    "Block",
    "Cell",
    "Column",
    "Document",
    "Equations",
    "Fields",
    "Heading",
    "Note",
    "PageBreak",
    "Picture",
    "Table",
    "Text",
    "Verbatim",
    "Words",
]

CHOICE = "choice"
Piece = str | Formula
Words = str | Formula | tuple[Piece, ...]
Cell = Words | None  # None: there is no value


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading."""

    words: Words


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence; ``apart`` puts an empty line above it."""

    words: Words
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on the block above, such as how many rows of a table are left out."""

    words: Words


@dataclass(frozen=True, slots=True)
class Equations:
    """Formulas below each other, each with a label or an empty one."""

    rows: tuple[tuple[str, Formula], ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    head: Words
    cells: tuple[Cell, ...]  # a cell for each row
    key: str = ""  # its name for programs; by default its heading
    left: bool = False  # whether it is aligned at the left: words, not numbers
    # The space before it in text; None is two for the first column and three for others.
    gap: int | None = None
    # Whether it is a drawing made of characters, which only text has.
    drawn: bool = False
    # The values for programs, where they differ from the cells.
    values: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Columns side by side."""

    columns: tuple[Column, ...]  # the columns, all of one length
    title: Words = ""  # in text it takes the place of the first heading where that is empty
    # The row that is marked; a worksheet that hides the choice does not mark it.
    chosen: int | None = None
    total: bool = False  # whether the last row is a total
    key: str = ""  # its name for programs; the first table with a key is the main one


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Preformatted lines, such as a drawing made of characters."""

    text: str  # the lines
    stage: str = ""  # a worksheet that hides this stage leaves the lines out
    indent: int = 2  # the spaces before each line in text


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart, and the one that takes its place on a worksheet that hides its stage."""

    chart: Chart
    stage: str = ""
    empty: Chart | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """Lines to be filled in by hand: name, date."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageBreak:
    """The next block begins a new page."""


Block = Heading | Text | Note | Equations | Table | Verbatim | Picture | Fields | PageBreak


@dataclass(frozen=True, slots=True)
class Document:
    """What every form is written from."""

    # In one or more parts; empty where the blocks begin with a heading of their own.
    title: tuple[Words, ...]
    blocks: tuple[Block, ...]
    stages: tuple[str, ...] = ()  # of the calculation, in their order
    name: str = ""  # the name of the page in a browser, where the title is empty
    compact: bool = False  # whether text has no empty line below the title

    def hide(self, stages: Sequence[str]) -> Document:
        """Return the document with blanks in place of the numbers of some stages."""
        hidden = frozenset(stages)
        blocks = (_hide_block(block, hidden) for block in self.blocks)
        left = tuple(block for block in blocks if block is not None)
        title = tuple(hide_words(part, hidden) for part in self.title)
        return replace(self, title=title, blocks=left)

    def footnotes(self) -> list[tuple[Formula, str]]:
        """Return the calculations whose printed operands do not give the printed result, with what they give."""
        odd: dict[tuple[Formula, str], None] = {}
        for formula in self.formulas():
            for equation in _equations(formula):
                result = equation.result
                if result is not None and result.differs and len(equation.sides) > 1:
                    odd[(equation.sides[-2], result.differs)] = None
        return list(odd)

    def formulas(self) -> Iterator[Formula]:
        """Yield every formula of the document in reading order."""
        for block in self.blocks:
            match block:
                case Heading(words) | Text(words) | Note(words):
                    yield from _formulas(words)
                case Equations(rows):
                    for _, formula in rows:
                        yield formula
                case Table(columns, title):
                    yield from _formulas(title)
                    for row in zip(*(column.cells for column in columns), strict=True):
                        for cell in row:
                            yield from _formulas(cell)

    def records(self) -> list[dict[str, Any]] | None:
        """Return the rows of the main table for programs; None where there is no such table."""
        tables = [b for b in self.blocks if isinstance(b, Table) and b.key]
        if not tables:
            return None
        columns = [c for c in tables[0].columns if not c.drawn]
        names = [column.key or plain(column.head) for column in columns]
        size = len(columns[0].cells) - tables[0].total
        return [
            {
                name: column.values[i] if column.values else value_of(column.cells[i])
                for name, column in zip(names, columns, strict=True)
            }
            for i in range(size)
        ]


def hide_words(words: Words, hidden: frozenset[str]) -> Words:
    """Return words with blanks in place of the numbers of some stages."""
    if isinstance(words, str):
        return words
    if isinstance(words, tuple):
        return tuple(p if isinstance(p, str) else hide(p, hidden) for p in words)
    return hide(words, hidden)


def _hide_block(block: Block, hidden: frozenset[str]) -> Block | None:
    match block:
        case Heading(words) | Text(words) | Note(words):
            left = hide_words(words, hidden)
            gone = isinstance(left, Name) and left.vanishes and not left.text
            return None if gone else replace(block, words=left)
        case Equations(rows):
            return Equations(tuple((label, hide(formula, hidden)) for label, formula in rows))
        case Table(columns, title):
            return replace(
                block,
                columns=tuple(_hide_column(column, hidden) for column in columns),
                title=hide_words(title, hidden),
                chosen=None if CHOICE in hidden else block.chosen,
            )
        case Verbatim(_, stage) if stage in hidden:
            return None
        case Picture(_, stage, empty) if stage in hidden:
            return None if empty is None else Picture(empty)
    return block


def _hide_column(column: Column, hidden: frozenset[str]) -> Column:
    cells = tuple(None if c is None else hide_words(c, hidden) for c in column.cells)
    return replace(column, head=hide_words(column.head, hidden), cells=cells)


def _formulas(words: Cell) -> Iterator[Formula]:
    for piece in words if isinstance(words, tuple) else (words,):
        if piece is not None and not isinstance(piece, str):
            yield piece


def _equations(formula: Formula) -> Iterator[Equation]:
    if isinstance(formula, Equation):
        yield formula


def plain(words: Words) -> str:
    """Return words as one line of text, for programs."""
    from treewright._render.formula_text import UNICODE, write

    pieces = words if isinstance(words, tuple) else (words,)
    return "".join(p if isinstance(p, str) else write(p, UNICODE) for p in pieces)


def value_of(cell: Cell) -> Any:
    """Return the value of a cell for programs: the exact number of a number, None for a blank."""
    if cell is None or isinstance(cell, str):
        return cell
    if any(leaf.blank for formula in _formulas(cell) for leaf in leaves(formula)):
        return None
    last = cell.result if isinstance(cell, Equation) else cell
    return last.value if isinstance(last, Number) and last.value is not None else plain(cell)
