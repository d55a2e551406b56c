"""A document as plain values for programs: every number with its stage, None where a worksheet has a blank.

A hidden number has the number of its ``blank``, which is the same in the worksheet and in its answer key.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

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
    plain,
)
from treewright._render.formula import Formula, Name, Number, Ratio, leaves

__all__ = ["to_values"]


def to_values(document: Document, hidden: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return a document as dictionaries, lists, texts and numbers.

    ``hidden`` are the stages that the worksheet hides; what belongs to them is numbered, blank or not.
    """
    return _Writer(hidden).document(document)


class _Writer:
    def __init__(self, hidden: frozenset[str]) -> None:
        self.hidden, self.numbers = hidden, count(1)

    def document(self, document: Document) -> dict[str, Any]:
        title = [self.words(part) for part in document.title]
        blocks = [self.block(block) for block in document.blocks]
        return {"title": title, "stages": list(document.stages), "blocks": blocks}

    def block(self, block: Block) -> dict[str, Any]:
        match block:
            case Heading(words):
                return {"kind": "heading", "text": self.words(words)}
            case Text(words):
                return {"kind": "text", "text": self.words(words)}
            case Note(words):
                return {"kind": "note", "text": self.words(words)}
            case Equations(rows):
                formulas = [{"label": label, "formula": self.formula(f)} for label, f in rows]
                return {"kind": "formulas", "rows": formulas}
            case Table():
                return self.table(block)
            case Verbatim(text):
                return {"kind": "verbatim", "text": text}
            case Picture(chart):
                return {"kind": "picture", "chart": chart.kind, "title": chart.title}
            case Fields(names):
                return {"kind": "fields", "names": list(names)}
            case PageBreak():
                return {"kind": "page break"}

    def table(self, table: Table) -> dict[str, Any]:
        columns = [column for column in table.columns if not column.drawn]
        size = len(columns[0].cells)
        return {
            "kind": "table",
            "title": self.words(table.title),
            "columns": [self.words(column.head) for column in columns],
            "rows": [[self.words(column.cells[i]) for column in columns] for i in range(size)],
            "chosen": table.chosen,
        }

    def words(self, words: Cell) -> Any:
        """Return words: a text, a figure, or a list of both."""
        if words is None or isinstance(words, str):
            return words
        if isinstance(words, tuple):
            parts = [p if isinstance(p, str) else self.formula(p) for p in words]
            present = [p for p in parts if p != ""]
            return present[0] if len(present) == 1 else present
        return self.formula(words)

    def formula(self, formula: Formula) -> Any:
        figures = list(self.figures(formula))
        if isinstance(formula, Name):
            return figures[0] if figures else formula.text
        if isinstance(formula, Number) and len(figures) == 1:
            return figures[0]
        return {"formula": plain(formula), "figures": figures}

    def figures(self, formula: Formula) -> Iterator[dict[str, Any]]:
        """Give the figures of a formula that belong to a stage."""
        for leaf in leaves(formula):
            if not leaf.stage:
                continue
            if isinstance(leaf, Name) and leaf.vanishes:  # it leaves no blank, so it has no number
                if leaf.text:
                    yield {"blank": None, "stage": leaf.stage, **_figure(leaf)}
                continue
            number = next(self.numbers) if leaf.stage in self.hidden else None
            yield {"blank": number, "stage": leaf.stage, **_figure(leaf)}


def _figure(leaf: Name | Number | Ratio) -> dict[str, Any]:
    if leaf.blank:
        return {"text": None, "value": None}
    if isinstance(leaf, Ratio):
        return {"text": f"{leaf.top}/{leaf.bottom}", "value": None}
    return {"text": leaf.text, "value": leaf.value if isinstance(leaf, Number) else None}
