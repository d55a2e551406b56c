"""A tree for LaTeX's package ``forest``: text that slides and exams can hold and change."""

from __future__ import annotations

from treewright._draw.caption import Caption
from treewright._draw.excerpt import Scope, excerpt
from treewright._draw.heading import headline
from treewright._draw.node_card import Card, cards
from treewright._render.latex_text import document as tex_document
from treewright._render.latex_text import tex
from treewright._render.page_format import PageFormat
from treewright.tree import Tree

__all__ = ["document", "render"]

STYLE = "for tree={align=center, inner sep=2pt, s sep=14pt, l sep=26pt}"
EDGE = r", edge label={{node[midway, fill=white, inner sep=1pt, font=\footnotesize]{{{way}}}}}"


def render(tree: Tree, caption: Caption, scope: Scope, lines: int) -> str:
    """Draw a tree; the preamble must load ``forest``, and ``textcomp`` where LaTeX is older than 2020."""
    page = PageFormat(width=200, lines=lines)
    drawn = cards(tree, excerpt(tree, scope, lines), page)
    title = ", ".join(headline(tree, caption, scope.node, page))
    text = [f"% {_comment(title)}\n\\begin{{forest}} {STYLE}"]
    depth: list[int] = []
    for card in drawn:
        while depth and depth[-1] != card.parent:
            depth.pop()
            text.append("]")
        indent = "  " * len(depth)
        text.append(f"\n{indent}[{{{_content(card)}}}{_edge(card)}")
        depth.append(card.number)
    return "".join([*text, "]" * len(depth), "\n\\end{forest}"])


def document(body: str) -> str:
    """Return a file that compiles around a fragment."""
    return tex_document(f"{body}\n", "amsmath,booktabs,graphicx,forest")


def _content(card: Card) -> str:
    title = tex(card.title)
    head = [rf"\textbf{{{title}}}" if card.leaf else title] if title else []
    return r" \\ ".join([*head, *(rf"\footnotesize {tex(part)}" for part in card.body)])


def _edge(card: Card) -> str:
    return EDGE.format(way=tex(card.way)) if card.way else ""


def _comment(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode()
