"""The left side of a line of a drawn tree: the way into a node, and its question or its prediction.

Where the room is too small the way is shortened first. The name that a question asks about, the number that it compares
with and the prediction stay whole, as long as they fit on the paper at all; beyond that a name keeps its beginning and
its end, so that no two names look the same.

Glossary: the *stem* is made of the lines of the tree before a label; a *form* of a way is one of the texts that can
stand for it, the whole one first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright._draw import node_figures as facts
from treewright._draw.conditions import branch_forms, question_end
from treewright._draw.excerpt import Line
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, clip, distinct
from treewright.schema import label as written
from treewright.tree import Tree

__all__ = ["Label", "label", "label_names", "labels", "shortened", "ways"]

# Room of a category in the shortest form of a way that is used for the sake of figures, and of all.
SHORT, SHORTEST = 16, 4


@dataclass(frozen=True, slots=True)
class Label:
    """The parts of a label.

    Parameters
    ----------
    stem : str
        The lines of the tree before it.
    forms : tuple of str
        The way into the node, in shorter and shorter forms; one empty form for the top.
    last : str
        The shortest form of all, for names that have no room otherwise.
    joint : str
        What stands between the way and the name.
    name : str
        The column that is asked about, or what is predicted.
    after : str
        What follows the name: a comparison, or a remark.
    """

    stem: str
    forms: tuple[str, ...]
    last: str
    joint: str
    name: str
    after: str

    def _written(self, form: str) -> str:
        way = f"{form}{self.joint}" if form else self.joint.removeprefix(":").lstrip()
        return f"{self.stem}{way}{self.name}{self.after}"

    @property
    def whole(self) -> str:
        """The label with nothing left out."""
        return self._written(self.forms[0])

    @property
    def short(self) -> int:
        """The cells that it takes where its way is short."""
        return min(cells(self._written(form)) for form in self.forms)

    @property
    def least(self) -> int:
        """The cells that it takes at least."""
        return min(self.short, cells(self._written(self.last)))

    def within(self, room: int) -> str:
        """Write it with the longest form of its way that fits."""
        texts = [self._written(form) for form in (*self.forms, self.last)]
        return next((text for text in texts if cells(text) <= room), min(texts, key=cells))

    def clipped(self, room: int, dots: str) -> str:
        """Write it with a short way, and cut its end off where that does not fit."""
        texts = list(map(self._written, self.forms))
        fits = next((text for text in texts if cells(text) <= room), min(texts, key=cells))
        return clip(fits, room, dots)


def label(tree: Tree, line: Line, paper: PageFormat, stem: str = "") -> Label:
    """Return the label of a node, with names as long as the paper is wide."""
    forms, last = ways(tree, line, paper)
    if line.opened:
        column = tree.schema.columns[tree.feature[line.node]]
        after = question_end(column, float(tree.threshold[line.node]), paper)
        return Label(stem, forms, last, ": ", paper.full(column.name), after)
    said = facts.prediction(tree, line.node, paper.full)
    after = facts.remark(tree, line.node)
    return Label(stem, forms, last, f" {paper.glyphs.arrow} ", said, after)


def ways(tree: Tree, line: Line, paper: PageFormat) -> tuple[tuple[str, ...], str]:
    """Return the forms of the way into a node, and the shortest of all."""
    if line.branch is None:
        return ("",), ""
    rooms = (paper.width, SHORT)
    forms = [f for room in rooms for f in branch_forms(line.branch, paper, tree, room)]
    return tuple(dict.fromkeys(forms)), branch_forms(line.branch, paper, tree, SHORTEST)[-1]


def labels(
    tree: Tree, lines: Sequence[Line], stems: Sequence[str], paper: PageFormat
) -> list[Label]:
    """Return the labels of the nodes that are drawn."""
    return [
        label(tree, line, paper, stem)
        for line, stem in zip(lines, stems, strict=True)
        if not line.hidden
    ]


def shortened(tree: Tree, found: Sequence[Label], room: int, paper: PageFormat) -> list[Label]:
    """Return labels whose names were shortened where they do not fit, so that they can still be told apart."""
    over = [one for one in found if one.least > room]
    if not over:
        return list(found)
    # One length for all of them: a name then looks the same wherever it had to be shortened.
    least = min(room - one.least + cells(one.name) for one in over)
    names = distinct(label_names(tree, paper), max(SHORTEST, least), paper.glyphs.dots)
    return [
        replace(one, name=names.get(one.name, one.name)) if one.least > room else one
        for one in found
    ]


def label_names(tree: Tree, paper: PageFormat) -> Iterable[str]:
    """Give what a label may name: the columns that are asked about, and the classes or numbers that are predicted."""
    asked = np.unique(tree.feature[tree.n_children > 0]).tolist()
    yield from (paper.full(tree.schema.columns[i].name) for i in asked)
    yield from (paper.full(written(c)) for c in tree.schema.classes)
