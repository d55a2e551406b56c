"""The work of a tree: a page for each split; on a worksheet no page gives the answer of another one away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from treewright._draw.conditions import condition_text, conditions_of
from treewright._render.document import (
    CHOICE,
    Block,
    Document,
    Equations,
    Heading,
    PageBreak,
    Table,
    Text,
    Verbatim,
    Words,
    plain,
)
from treewright._render.formula import Equation, Name
from treewright._render.numbers import plural
from treewright._render.words import title_of
from treewright._work.node_words import NodeWords
from treewright._work.node_work import Work
from treewright._work.split_formulas import STAGES, SplitFormulas
from treewright._work.work_result import NAMES, WorkResult
from treewright.tree import Tree

__all__ = ["TreeWork"]


@dataclass(frozen=True, slots=True, repr=False)
class TreeWork(WorkResult):
    """The work of every split of a tree, made by :func:`treewright.work` with ``node="all"``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> work(ID3Classifier().fit(*datasets.play_tennis()), "all").nodes
    (0, 1, 3)
    """

    tree: Tree
    # The work of each node with a split, in the order of the drawing.
    pages: tuple[WorkResult, ...]
    nodes: tuple[int, ...]
    drawing: str = ""  # the tree as text

    def to_dict(self, **limits: int | None) -> dict[str, Any]:
        """Return the work of every node as plain values.

        Parameters
        ----------
        **limits
            The maximum number of ``candidates``, ``children`` and ``cuts``, as the work of one node takes them.
        """
        return {"nodes": [page.to_dict(**limits) for page in self.pages]}

    def _pages(self, *, worksheet: bool = False) -> Document:
        target = self.tree.schema.target
        size = f"{plural(len(self.nodes), 'split')}, {plural(int(self.tree.count[0]), 'row')}"
        title: tuple[Words, ...] = ("The work of a tree",)
        title += () if target is None else (NAMES.name(target),)
        blocks: list[Block] = []
        stages: tuple[str, ...] = STAGES
        for i, (node, page) in enumerate(zip(self.nodes, self.pages, strict=True)):
            document = page._pages(worksheet=worksheet)
            stages = document.stages
            if worksheet and i and isinstance(page, Work):
                document = self._sketch(page, document)
            blocks += [PageBreak()] if i and worksheet else []
            blocks.append(Heading(title_of(document, " · ")))
            blocks += [Text(self._path(node))] if node else []
            blocks += document.blocks
        blocks += [PageBreak(), Heading("The tree")] if worksheet else [Heading("The tree")]
        blocks += [Text("With its splits and predictions:")] if worksheet else []
        blocks.append(Verbatim(self.drawing, CHOICE))
        return Document((*title, size), tuple(blocks), stages)

    def _path(self, node: int) -> Words:
        """Write the path to a node, which is an answer of the nodes above it."""
        steps = ", ".join(
            condition_text(condition, NAMES) for condition in conditions_of(self.tree, node)
        )
        return ("Reached by: ", Name(steps, CHOICE))

    def _sketch(self, page: Work, document: Document) -> Document:
        """Return the worksheet of a node below the root: which columns are left is an answer, too."""
        tables = [b for b in document.blocks if isinstance(b, Table) and b.key]
        blocks: list[Block] = [Equations((("", _short(document)),))]
        for table in tables:
            first, *others = table.columns
            names = tuple(Name("" if c is None else plain(c), CHOICE) for c in first.cells)
            columns = (replace(first, cells=names, values=()), *others)
            blocks.append(replace(table, columns=columns))
        chosen = page.node.chosen
        if chosen is not None:
            blocks.append(Text(("Chosen: ", Name(NAMES.name(chosen), CHOICE), ".")))
        title = (document.title[0], _counted(page))
        return replace(document, blocks=tuple(blocks), title=title)


def _short(document: Document) -> Equation:
    """Return the impurity of a node without its terms, which would show how many classes are left."""
    first = next(b for b in document.blocks if isinstance(b, Equations))
    equation = first.rows[0][1]
    assert isinstance(equation, Equation)
    return Equation((equation.sides[0], equation.sides[-1]))


def _counted(page: Work) -> Words:
    """Return the rows of a node and their classes, to be counted by the reader."""
    work = page.node
    words = NodeWords(work, worksheet=True)
    formulas = SplitFormulas(
        work.criterion, work.unit, work.group, words.order, page.rounding, zeros=True
    )
    (size,) = formulas.counts([work.group.count])
    return (size, " rows: ", *words.contents(work.group, formulas))


def inner_nodes(tree: Tree) -> list[int]:
    """Return the nodes with a split in depth-first order, the first branch first."""
    order, left = [], [0]
    while left:
        node = left.pop()
        size = int(tree.n_children[node])
        if size:
            order.append(node)
            first = int(tree.first_child[node])
            left += reversed(range(first, first + size))
    return order
