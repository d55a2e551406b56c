"""The left side of a line of a drawn tree: the branch into a node, and its test or its prediction.

If there is not enough room, the branch is shortened first. The column of a test, its threshold and the prediction stay
complete as long as they fit on the page at all; beyond that a name keeps its beginning and its end, so that no two
names look the same.

Glossary: the *stem* is made of the lines of the tree before a label; the *forms* of a branch are the texts that can
stand for it, the full one first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright._draw import node_figures as facts
from treewright._draw.conditions import branch_forms, write_test_end
from treewright._draw.excerpt import Line
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, clip, distinct
from treewright.schema import label as written
from treewright.tree import Tree

__all__ = ["Label", "label", "label_names", "labels", "shorten_names", "write_branch"]

# Room of a category in the shortest form that makes room for numbers, and in the shortest of all.
SHORT, SHORTEST = 16, 4


@dataclass(frozen=True, slots=True)
class Label:
    """The parts of a label.

    Parameters
    ----------
    stem : str
        The lines of the tree before it.
    forms : tuple of str
        The branch into the node, in shorter and shorter forms; one empty form for the top.
    last : str
        The shortest form of all, for names that would have no room otherwise.
    joint : str
        The text between the branch and the name.
    name : str
        The tested column, or the prediction.
    after : str
        The text after the name: a comparison, or a remark.
    """

    stem: str
    forms: tuple[str, ...]
    last: str
    joint: str
    name: str
    after: str

    def _write(self, form: str) -> str:
        branch = f"{form}{self.joint}" if form else self.joint.removeprefix(":").lstrip()
        return f"{self.stem}{branch}{self.name}{self.after}"

    @property
    def full(self) -> str:
        """The label with nothing left out."""
        return self._write(self.forms[0])

    @property
    def short(self) -> int:
        """The cells that it takes with a short branch."""
        return min(cells(self._write(form)) for form in self.forms)

    @property
    def least(self) -> int:
        """The minimum number of cells that it takes."""
        return min(self.short, cells(self._write(self.last)))

    def within(self, room: int) -> str:
        """Write it with the longest form of its branch that fits."""
        texts = [self._write(form) for form in (*self.forms, self.last)]
        return next((text for text in texts if cells(text) <= room), min(texts, key=cells))

    def clipped(self, room: int, dots: str) -> str:
        """Write it with a short branch, and clip its end if that does not fit."""
        texts = list(map(self._write, self.forms))
        fits = next((text for text in texts if cells(text) <= room), min(texts, key=cells))
        return clip(fits, room, dots)


def label(tree: Tree, line: Line, page: PageFormat, stem: str = "") -> Label:
    """Return the label of a node, with names as long as the page is wide."""
    forms, last = write_branch(tree, line, page)
    if line.opened:
        column = tree.schema.columns[tree.feature[line.node]]
        after = write_test_end(column, float(tree.threshold[line.node]), page)
        return Label(stem, forms, last, ": ", page.full(column.name), after)
    prediction = facts.prediction(tree, line.node, page.full)
    after = facts.remark(tree, line.node)
    return Label(stem, forms, last, f" {page.glyphs.arrow} ", prediction, after)


def write_branch(tree: Tree, line: Line, page: PageFormat) -> tuple[tuple[str, ...], str]:
    """Return the forms of the branch into a node, and the shortest of all."""
    if line.branch is None:
        return ("",), ""
    rooms = (page.width, SHORT)
    forms = [f for room in rooms for f in branch_forms(line.branch, page, tree, room)]
    return tuple(dict.fromkeys(forms)), branch_forms(line.branch, page, tree, SHORTEST)[-1]


def labels(
    tree: Tree, lines: Sequence[Line], stems: Sequence[str], page: PageFormat
) -> list[Label]:
    """Return the labels of the nodes that are drawn."""
    return [
        label(tree, line, page, stem)
        for line, stem in zip(lines, stems, strict=True)
        if not line.hidden
    ]


def shorten_names(tree: Tree, every: Sequence[Label], room: int, page: PageFormat) -> list[Label]:
    """Return labels whose names are shortened if they do not fit, so that no two look the same."""
    over = [one for one in every if one.least > room]
    if not over:
        return list(every)
    # One length for all of them: a name then looks the same wherever it had to be shortened.
    least = min(room - one.least + cells(one.name) for one in over)
    names = distinct(label_names(tree, page), max(SHORTEST, least), page.glyphs.dots)
    return [
        replace(one, name=names.get(one.name, one.name)) if one.least > room else one
        for one in every
    ]


def label_names(tree: Tree, page: PageFormat) -> Iterable[str]:
    """Yield the names in labels: the tested columns and the classes."""
    tested = np.unique(tree.feature[tree.n_children > 0]).tolist()
    yield from (page.full(tree.schema.columns[i].name) for i in tested)
    yield from (page.full(written(c)) for c in tree.schema.classes)
