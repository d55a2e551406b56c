"""A tree as sentences, one per leaf: for narrow terminals and for screen readers."""

from __future__ import annotations

from dataclasses import replace

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import condition_text, conditions_of
from treewright._draw.excerpt import Line, Scope, excerpt
from treewright._draw.heading import headline
from treewright._draw.labels import label_names
from treewright._render.numbers import amounts, plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, distinct, wrapped
from treewright.tree import Tree

__all__ = ["render"]


INDENT = "  "
MAX_NAME = 200  # cells of a name in a sentence that does not wrap


def render(
    tree: Tree, caption: Caption, scope: Scope, page: PageFormat, *, wraps: bool = False
) -> str:
    """Write a tree as sentences: ``Outlook = Sunny, Humidity = High: No (3/0)``.

    With ``wraps``, lines are no wider than the page and broken between conditions.
    """
    lines = [line for line in excerpt(tree, scope, page.lines) if not line.opened]
    # A name may stand in a line of its own: indented twice, in braces, with a colon after it.
    room = max(1, page.width - 2 * len(INDENT) - len("{}:")) if wraps else MAX_NAME
    names = distinct(label_names(tree, page), room, page.glyphs.dots) if wraps else {}
    sentences = []
    for line in lines:
        parts = _sentence(tree, caption, line, page, room, names)
        sentences += _pack(parts, page.width) if wraps else [" ".join(parts)]
    return "\n".join([*headline(tree, caption, scope.node, page), *sentences])


def _pack(parts: list[str], room: int) -> list[str]:
    """Put parts side by side as far as they fit; a part that is too long alone is broken at its spaces."""
    lines: list[str] = []
    for part in parts:
        if lines and cells(lines[-1]) + 1 + cells(part) <= room:
            lines[-1] += f" {part}"
        else:
            lines += wrapped(INDENT + part if lines else part, room, INDENT * 2)
    return lines


def _sentence(
    tree: Tree, caption: Caption, line: Line, page: PageFormat, room: int, names: dict[str, str]
) -> list[str]:
    """Return the conditions of a node, its prediction, and its rows."""

    def name(text: str) -> str:
        full = page.full(text)
        return names.get(full, full)

    conditions = [
        condition_text(replace(condition, column=name(condition.column)), page, room)
        for condition in conditions_of(tree, line.node)
    ]
    if len(line.folded):
        conditions.append("otherwise")
    *first, last = conditions or ["always"]
    path = [*(f"{part}," for part in first), f"{last}:"]
    if not line.hidden:
        predicted = facts.prediction(tree, line.node, name) + facts.remark(tree, line.node)
        return [*path, *filter(None, [predicted, _support(tree, line.node, page)])]
    hint = [] if len(line.folded) else [caption.open(line.node)]
    return [*path, facts.hidden(tree, line, page) + (";" if hint else ""), *hint]


def _support(tree: Tree, node: int, page: PageFormat) -> str:
    if not tree.weight[node]:
        return ""  # the prediction already has the remark "no rows"
    if tree.schema.classes:
        cases, errors = amounts([tree.weight[node], tree.errors(node)])
        return f"({cases}/{errors})"
    return f"({plural(int(tree.count[node]), 'row')}, sd {facts.spread(tree, node, page)})"
