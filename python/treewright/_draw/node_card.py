"""What a node says in a picture: a title and a few lines, the same for SVG, Graphviz, Mermaid and LaTeX."""

from __future__ import annotations

from dataclasses import dataclass

from treewright._draw import node_figures as facts
from treewright._draw.conditions import branch_words, question
from treewright._draw.excerpt import Line
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright.tree import Tree

__all__ = ["Card", "cards", "texts"]

DIGITS = 6  # of a cut in a picture


@dataclass(frozen=True, slots=True)
class Card:
    """One node of a picture.

    Parameters
    ----------
    number : int
        Its place among the cards.
    parent : int
        The place of the card above it; -1 for the first.
    way : str
        The answer that leads to it.
    title : str
        Its question or its answer; empty where it stands for nodes that are not drawn.
    body : list of str
        Its rows and classes, or what it stands for.
    leaf : bool
        Whether it is a leaf.
    """

    number: int
    parent: int
    way: str
    title: str
    body: list[str]
    leaf: bool


def cards(tree: Tree, lines: list[Line], paper: PageFormat) -> list[Card]:
    """Return the cards of the lines of a drawing."""
    made: list[Card] = []
    above: list[int] = []  # the last card at each depth
    for i, line in enumerate(lines):
        above[line.depth :] = [i]
        title, body = texts(tree, line, paper)
        made.append(
            Card(
                number=i,
                parent=above[line.depth - 1] if line.depth else -1,
                way="" if line.branch is None else branch_words(line.branch, paper, tree),
                title=title,
                body=body,
                leaf=not line.opened and not line.hidden,
            )
        )
    return made


def texts(
    tree: Tree, line: Line, paper: PageFormat, *, whole: bool = False
) -> tuple[str, list[str]]:
    """Return the title and the lines of a node; a long cut ends in dots unless the whole is wanted."""
    if line.hidden:
        return "", [facts.hidden(tree, line, paper)]
    node = line.node
    rows = f"#{node} · {plural(int(tree.count[node]), 'row')}"
    # Lines are broken between classes, not between a class and its figure.
    held = " · ".join(part.replace(" ", "\u00a0") for part in facts.held(tree, node, paper))
    body = [rows, held] if held else [rows]
    if not line.opened:
        return facts.answer(tree, node, paper), body
    column = tree.schema.columns[tree.feature[node]]
    cut = float(tree.threshold[node])
    return question(column, cut, paper, DIGITS if not whole else None), body
