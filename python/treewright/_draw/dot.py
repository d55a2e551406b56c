"""A tree as text for Graphviz. The program is never called: no view needs it."""

from __future__ import annotations

from treewright._draw.caption import Caption
from treewright._draw.excerpt import Scope, excerpt
from treewright._draw.heading import headline
from treewright._draw.node_card import cards
from treewright._render.page_format import PageFormat
from treewright.tree import Tree

__all__ = ["render"]


def render(tree: Tree, caption: Caption, scope: Scope, lines: int) -> str:
    """Draw a tree as a directed graph."""
    page = PageFormat(width=200, lines=lines)
    drawn = cards(tree, excerpt(tree, scope, lines), page)
    title = ", ".join(headline(tree, caption, scope.node, page))
    text = ["digraph tree {", f"  label={_string(title)};", "  node [shape=box, style=rounded];"]
    for card in drawn:
        label = _string("\n".join([card.title, *card.body] if card.title else card.body))
        style = ", style=filled" if card.leaf else "" if card.title else ", style=dashed"
        text.append(f"  n{card.number} [label={label}{style}];")
        if card.parent >= 0:
            text.append(f"  n{card.parent} -> n{card.number} [label={_string(card.way)}];")
    return "\n".join([*text, "}"])


def _string(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + plain.replace("\n", "\\n") + '"'
