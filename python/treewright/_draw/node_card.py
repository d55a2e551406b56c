"""The texts of a node in a picture: a title and a few lines, the same for SVG, Graphviz, Mermaid and LaTeX."""

from __future__ import annotations

from dataclasses import dataclass

from treewright._draw import node_figures as facts
from treewright._draw.conditions import branch_text, write_test
from treewright._draw.excerpt import Line
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright.tree import Tree

__all__ = ["Card", "cards", "texts"]

THRESHOLD_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Card:
    """One node of a picture.

    Parameters
    ----------
    number : int
        Its number among the cards.
    parent : int
        The number of the card above it; -1 for the first.
    way : str
        The branch that leads to it.
    title : str
        Its test or its prediction; empty if it stands for nodes that are not drawn.
    body : list of str
        Its rows and classes, or a description of the nodes that are not drawn.
    leaf : bool
        Whether it is a leaf.
    """

    number: int
    parent: int
    way: str
    title: str
    body: list[str]
    leaf: bool


def cards(tree: Tree, lines: list[Line], page: PageFormat) -> list[Card]:
    """Return the cards of the lines of a drawing."""
    result: list[Card] = []
    above: list[int] = []  # the last card at each depth
    for i, line in enumerate(lines):
        above[line.depth :] = [i]
        title, body = texts(tree, line, page)
        result.append(
            Card(
                number=i,
                parent=above[line.depth - 1] if line.depth else -1,
                way="" if line.branch is None else branch_text(line.branch, page, tree),
                title=title,
                body=body,
                leaf=not line.opened and not line.hidden,
            )
        )
    return result


def texts(tree: Tree, line: Line, page: PageFormat, *, full: bool = False) -> tuple[str, list[str]]:
    """Return the title and the lines of a node; a long threshold ends in dots unless ``full``."""
    if line.hidden:
        return "", [facts.hidden(tree, line, page)]
    node = line.node
    rows = f"#{node} · {plural(int(tree.count[node]), 'row')}"
    # Lines are broken between classes, not between a class and its number.
    held = " · ".join(part.replace(" ", "\u00a0") for part in facts.held(tree, node, page))
    body = [rows, held] if held else [rows]
    if not line.opened:
        return facts.answer(tree, node, page), body
    column = tree.schema.columns[tree.feature[node]]
    threshold = float(tree.threshold[node])
    return write_test(column, threshold, page, THRESHOLD_DIGITS if not full else None), body
