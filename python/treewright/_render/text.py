"""A document as text: aligned, for terminals and for diffs."""

from __future__ import annotations

from treewright._render import formula_text
from treewright._render import table_grid as grid
from treewright._render.document import (
    Block,
    Cell,
    Column,
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
from treewright._render.formula import Formula
from treewright._render.page_format import ASCII, PageFormat
from treewright._render.safe_text import cells
from treewright._render.table_grid import TableColumn
from treewright._render.words import FOOTNOTE, join_pieces, rounded_result, title_of

__all__ = ["write"]

LABEL_WIDTH = 22  # of a label before a formula
FIELD_WIDTH = {"Date": 16}  # of a line to write on; a name needs more
# What replaces the symbols of this package in ASCII.
PLAIN = str.maketrans(
    {"×": "x", "−": "-", "≤": "<=", "≥": ">=", "→": "=>", "·": "*", "…": "...", "◀": "<-",
     "†": "*", "²": "^2", "½": "1/2", "α": "alpha", "β": "beta", "τ": "tau", "Σ": "sum ",
     "ȳ": "mean", "█": "#", "░": ".", "–": "-", "₂": "2", "├": "|", "└": "`", "│": "|", "─": "-"}
)  # fmt: skip


def write(document: Document, page: PageFormat) -> str:
    """Write a document on a page."""
    return "\n".join(_Writer(page).lines(document)).rstrip()


class _Writer:
    """The lines of one document."""

    def __init__(self, page: PageFormat) -> None:
        self.page = page
        self.ascii = page.glyphs is ASCII
        self.signs = formula_text.ASCII if self.ascii else formula_text.UNICODE

    def lines(self, document: Document) -> list[str]:
        """Return all lines."""
        title = self.words(title_of(document, "   "))
        lines = grid.wrap_sentence(title, self.page.width) if title else []
        before: Block | None = None
        for block in document.blocks:
            if isinstance(block, Picture) and block.chart.text is None:
                continue
            apart = not document.compact if before is None else _begins(block, before)
            if lines and apart:
                lines.append("")
            lines += self.block(block)
            before = block
        notes = document.footnotes()
        if notes:
            lines += ["", *self.wrap(f"{self.signs.mark} {FOOTNOTE}")]
        for formula, result in notes:
            lines += self.wrap(f"  {self.words(rounded_result(formula, result))}")
        return lines

    def block(self, block: Block) -> list[str]:
        """Return the lines of a block."""
        match block:
            case Heading(words):
                return self.wrap(self.words(words))
            case Text(words, apart):
                return self.wrap(("" if apart else "  ") + self.words(words))
            case Note(words):
                return self.wrap(self.words(words))
            case Equations(rows):
                return [line for label, formula in rows for line in self.equation(label, formula)]
            case Table():
                return self.table(block)
            case Verbatim(text):
                return self.verbatim(text, block.indent)
            case Fields(names):
                return ["   ".join(f"{name}: {'_' * FIELD_WIDTH.get(name, 32)}" for name in names)]
            case PageBreak():
                return ["\f"]
            case Picture(chart):
                return self.verbatim(chart.text or "", 0)

    def verbatim(self, text: str, indent: int) -> list[str]:
        """Return preformatted lines."""
        return [(" " * indent + self.plain(line)).rstrip() for line in text.split("\n")]

    def equation(self, label: str, formula: Formula) -> list[str]:
        """Return a formula behind its label."""
        start = f"{self.plain(label):<{LABEL_WIDTH}}  " if label else ""
        return self.wrap(f"  {start}{self.formula(formula)}")

    def table(self, table: Table) -> list[str]:
        """Return the lines of a table."""
        first, *others = table.columns
        inside = bool(table.title) and not first.head
        head = self.words(table.title) if inside else self.words(first.head)
        body = [("  " if inside else "") + self.words(cell) for cell in first.cells]
        gap = 0 if inside else 2 if first.gap is None else first.gap
        columns = [TableColumn(head, body, first.left or inside, gap)]
        columns += [self.text_column(column, table.chosen) for column in others]
        lines = grid.align_columns(columns, self.page.width)
        title = [] if inside or not table.title else self.wrap(self.words(table.title))
        return [*title, *lines]

    def text_column(self, column: Column, chosen: int | None) -> TableColumn:
        """Return a column as text; the chosen row is marked in the last column."""
        body = [self.words(cell) for cell in column.cells]
        if chosen is not None and not column.head and column.left:
            body[chosen] = f"{self.plain('◀')} {body[chosen]}".rstrip()
        return TableColumn(
            self.words(column.head), body, column.left, 3 if column.gap is None else column.gap
        )

    def words(self, words: Cell) -> str:
        """Write words."""
        return join_pieces(words, self.plain, self.formula, self.page.glyphs.none)

    def formula(self, formula: Formula) -> str:
        """Write a formula."""
        return self.plain(formula_text.write(formula, self.signs))

    def plain(self, text: str) -> str:
        """Write a text with the characters of the page's encoding."""
        if self.ascii:
            text = text.translate(PLAIN)
        return text.encode(self.page.encoding, "backslashreplace").decode(self.page.encoding)

    def wrap(self, line: str) -> list[str]:
        """Break a long line between words; the following lines are indented."""
        width = max(40, self.page.width)
        if cells(line) <= width:
            return [line]
        start = len(line) - len(line.lstrip())
        lines, current = [], ""
        for word in line.lstrip().split(" "):
            if current and cells(current) + 1 + cells(word) > width - start - 4:
                lines.append(current)
                current = "    " + word
            else:
                current = f"{current} {word}" if current else word
        return [" " * start + part for part in [*lines, current]]


def _begins(block: Block, before: Block) -> bool:
    """Whether an empty line stands above a block."""
    match block:
        case Heading() | Fields():
            return True
        case Table():
            return bool(block.title) or not isinstance(before, Heading | Text)
        case Text(_, apart):
            return isinstance(before, Fields) or (apart and not _is_apart(before))
        case _:
            return False


def _is_apart(block: Block) -> bool:
    return isinstance(block, Text) and block.apart
