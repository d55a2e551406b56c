"""A document as Markdown with formulas between dollars: for GitHub, notebooks and Quarto."""

from __future__ import annotations

import re

from treewright._render import formula_latex
from treewright._render.document import (
    Block,
    Cell,
    Document,
    Equations,
    Fields,
    Heading,
    Note,
    PageBreak,
    Picture,
    Table,
    Text,
    Verbatim,
)
from treewright._render.formula import Equation, Formula, Name, Number
from treewright._render.latex_text import tex
from treewright._render.table_grid import escape_markdown
from treewright._render.words import footnote, join_pieces, title_of

__all__ = ["write"]

BLANK = r"\_" * 8
BREAK = '<div style="page-break-after: always"></div>'


def write(document: Document) -> str:
    """Write a document."""
    title = _words(title_of(document, " · "))
    parts = [f"#### {title}"] if title else []
    for block in document.blocks:
        parts += _block(block)
    note = footnote(document)
    parts += [] if note is None else [f"† {_words(note)}"]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> list[str]:
    match block:
        case Heading(words):
            return [f"**{_words(words)}**"]
        case Text(words) | Note(words):
            return [_words(words)]
        case Equations(rows):
            return [_equation(label, formula) for label, formula in rows]
        case Table():
            return _table(block)
        case Verbatim(text):
            return [fence(text)]
        case Fields(names):
            return ["   ".join(f"{name}: " + r"\_" * 30 for name in names)]
        case PageBreak():
            return [BREAK]
        case Picture(chart):
            return [] if chart.text is None else [fence(chart.text)]


def fence(text: str) -> str:
    """Write preformatted lines as a fenced block that nothing in them can end.

    Examples
    --------
    >>> print(fence("a ``` b"))
    ````text
    a ``` b
    ````
    """
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=2))
    return f"{ticks}text\n{text}\n{ticks}"


def _equation(label: str, formula: Formula) -> str:
    start = rf"\text{{{tex(label)}}} = " if label else ""
    return f"$${start}{formula_latex.write(formula)}$$"


def _table(table: Table) -> list[str]:
    columns = [column for column in table.columns if not column.drawn]
    lines = [
        [_words(column.head) for column in columns],
        [":--" if column.left else "--:" for column in columns],
    ]
    size = len(columns[0].cells)
    for i in range(size):
        row = [_words(column.cells[i]) for column in columns]
        if i == table.chosen or (table.total and i == size - 1):
            row = [f"**{cell}**" if cell else cell for cell in row]
        lines.append(row)
    title = [f"**{_words(table.title)}**"] if table.title else []
    return [*title, "\n".join(f"| {' | '.join(line)} |" for line in lines)]


def _words(words: Cell) -> str:
    return join_pieces(words, escape_markdown, _formula)


def _formula(formula: Formula) -> str:
    match formula:
        case Number(blank=True) | Name(blank=True):
            return BLANK
        case Number(text):
            return escape_markdown(text.replace("-", "−")) + (" †" if formula.differs else "")
        case Name(text):
            return escape_markdown(text)
        case Equation() | _:
            return f"${formula_latex.write(formula)}$"
