"""A tree as a Mermaid flowchart, which many Markdown viewers draw."""

from __future__ import annotations

import re

from treewright._draw.caption import Caption
from treewright._draw.excerpt import Scope, excerpt
from treewright._draw.heading import headline
from treewright._draw.node_card import cards
from treewright._render.page_format import PageFormat
from treewright.tree import Tree

__all__ = ["render"]


def render(tree: Tree, caption: Caption, scope: Scope, lines: int) -> str:
    """Draw a tree as a flowchart from top to bottom."""
    page = PageFormat(width=200, lines=lines)
    drawn = cards(tree, excerpt(tree, scope, lines), page)
    title = ", ".join(headline(tree, caption, scope.node, page))
    # A comment ends with its line, and braces in it may be taken for directives.
    text = ["flowchart TD", f"  %% {re.sub('[{}%]', ' ', title)}"]
    for card in drawn:
        parts = [card.title, *card.body] if card.title else card.body
        label = "<br/>".join(map(_escape, parts))
        shape = f'(["{label}"])' if card.leaf else f'["{label}"]'
        text.append(f"  n{card.number}{shape}")
        if card.parent >= 0:
            text.append(f'  n{card.parent} -->|"{_escape(card.way) or " "}"| n{card.number}')
    return "\n".join(text)


def _escape(text: str) -> str:
    """Write every character but letters, digits and plain marks by its code: labels may hold tags and Markdown."""
    return re.sub(r"[^\w \u00a0.,?·≤…→()%+=:-]", lambda match: f"#{ord(match[0])};", text)
