"""A tree for HTML: no script, no reference to anything outside.

Small trees are a picture; larger ones an outline that opens and closes by itself (``<details>``).
"""

from __future__ import annotations

from html import escape

from treewright._draw import node_figures as facts
from treewright._draw import tree_picture
from treewright._draw.caption import Caption
from treewright._draw.conditions import branch_text
from treewright._draw.excerpt import Line, Scope, excerpt, members
from treewright._draw.heading import headline
from treewright._draw.labels import label
from treewright._draw.node_plots import Plots
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright.tree import Tree

__all__ = ["outline", "picture"]

MAX_PICTURE = 90_000  # bytes
MAX_DEPTH = 100  # levels of an outline: far below what browsers nest
OPEN_LEVELS = 2  # levels that are open at first


def picture(
    tree: Tree, caption: Caption, scope: Scope, lines: int, plots: Plots | None = None
) -> str:
    """Draw a small tree as a picture, a larger one as an outline."""
    if len(members(tree, scope.node)) <= tree_picture.MAX_NODES:
        drawn = tree_picture.draw(tree, caption, scope, lines, plots).svg(alone=False)
        if len(drawn.encode()) <= MAX_PICTURE:
            return drawn
    return outline(tree, caption, scope, lines)


def outline(tree: Tree, caption: Caption, scope: Scope, lines: int) -> str:
    """Draw a tree as nested lists that open and close."""
    page = PageFormat(width=200, lines=lines)
    depth = MAX_DEPTH if scope.depth is None else min(scope.depth, MAX_DEPTH)
    drawn = excerpt(tree, Scope(scope.node, depth, scope.min_rows), lines)
    title = escape(", ".join(headline(tree, caption, scope.node, page)))
    parts, open_lists = [f"<div><p><bdi>{title}</bdi></p><ul>"], 0
    for line in drawn:
        parts.append("</ul></details></li>" * (open_lists - line.depth))
        open_lists = line.depth
        item = _item(tree, caption, line, page)
        if line.opened:
            state = " open" if line.depth < OPEN_LEVELS else ""
            parts.append(f"<li><details{state}><summary>{item}</summary><ul>")
            open_lists += 1
        else:
            parts.append(f"<li>{item}</li>")
    parts.append("</ul></details></li>" * open_lists + "</ul></div>")
    return "".join(parts)


def _item(tree: Tree, caption: Caption, line: Line, page: PageFormat) -> str:
    if line.hidden:
        way = "" if line.branch is None else f"{branch_text(line.branch, page, tree)}: "
        hint = "" if len(line.folded) else f" <code>{escape(caption.open(line.node))}</code>"
        return f"<bdi>{escape(way + facts.hidden(tree, line, page))}</bdi>{hint}"
    rows = plural(int(tree.count[line.node]), "row")
    figures = ", ".join([f"#{line.node}", rows, *facts.held(tree, line.node, page)])
    return f"<bdi>{escape(label(tree, line, page).full)}</bdi> <small>{escape(figures)}</small>"
