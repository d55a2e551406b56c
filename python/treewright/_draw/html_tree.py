"""A tree for a notebook or a page: no script, no reference to anything outside, at most 100 KB.

Small trees are a picture; larger ones an outline that opens and closes by itself (``<details>``). Tables of rules and
nodes are tables, everything else is preformatted text.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from treewright._draw import node_figures as facts
from treewright._draw import node_table as nodes
from treewright._draw import rules
from treewright._draw import svg_tree as svg
from treewright._draw.caption import Caption
from treewright._draw.conditions import branch_words
from treewright._draw.excerpt import Line, Scope, excerpt, members
from treewright._draw.heading import headline
from treewright._draw.labels import label
from treewright._render import table_grid as grid
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright.tree import Tree

__all__ = ["bounded", "document", "outline", "picture", "preformatted", "table"]

BUDGET = 100_000
OUTLINE = 400
# Levels of an outline: far below what browsers nest.
DEEPEST = 100
# Levels that are open at first.
OPEN = 2


def bounded(write: Callable[[int], str], lines: int | None) -> str:
    """Write with fewer and fewer lines until the text is small enough for a notebook."""
    budget = lines or OUTLINE
    written = write(budget)
    while len(written.encode()) > BUDGET and budget > 1:
        budget //= 2
        written = write(budget)
    return written


def picture(tree: Tree, caption: Caption, scope: Scope, lines: int | None = None) -> str:
    """Draw a small tree as a picture, a larger one as an outline."""
    if len(members(tree, scope.node)) <= svg.DRAWN:
        drawn = svg.render(tree, caption, scope, lines or svg.DRAWN)
        if len(drawn.encode()) <= BUDGET:
            return f'<div style="overflow-x:auto">{drawn}</div>'
    return bounded(lambda budget: outline(tree, caption, scope, budget), lines)


def outline(tree: Tree, caption: Caption, scope: Scope, lines: int) -> str:
    """Draw a tree as nested lists that open and close."""
    paper = PageFormat(width=200, lines=lines)
    depth = DEEPEST if scope.depth is None else min(scope.depth, DEEPEST)
    drawn = excerpt(tree, Scope(scope.node, depth, scope.min_rows), lines)
    title = escape(", ".join(headline(tree, caption, scope.node, paper)))
    parts, open_lists = [f"<div><p><bdi>{title}</bdi></p><ul>"], 0
    for line in drawn:
        parts.append("</ul></details></li>" * (open_lists - line.depth))
        open_lists = line.depth
        said = _item(tree, caption, line, paper)
        if line.opened:
            state = " open" if line.depth < OPEN else ""
            parts.append(f"<li><details{state}><summary>{said}</summary><ul>")
            open_lists += 1
        else:
            parts.append(f"<li>{said}</li>")
    parts.append("</ul></details></li>" * open_lists + "</ul></div>")
    return "".join(parts)


def table(tree: Tree, caption: Caption, scope: Scope, style: str, lines: int | None = None) -> str:
    """Write the rules, or the node table, as an HTML table."""
    lanes = {"rules": rules.lanes, "table": nodes.lanes}[style]

    def write(budget: int) -> str:
        columns, note = lanes(tree, caption, scope, PageFormat(width=10_000, lines=budget))
        said = f"<p>{escape(note)}</p>" if note else ""
        return f"<div>{grid.html(columns)}{said}</div>"

    return bounded(write, lines)


def preformatted(text: str) -> str:
    """Write text as it stands."""
    # Columns and bars stand under each other only where every character is equally wide.
    return (
        f'<pre style="font-family:monospace;white-space:pre;text-align:left">{escape(text)}</pre>'
    )


def document(title: str, body: str) -> str:
    """Return a whole page around a fragment."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title></head>\n<body>{body}</body></html>\n"
    )


def _item(tree: Tree, caption: Caption, line: Line, paper: PageFormat) -> str:
    if line.hidden:
        way = "" if line.branch is None else f"{branch_words(line.branch, paper, tree)}: "
        hint = "" if len(line.folded) else f" <code>{escape(caption.open(line.node))}</code>"
        return f"<bdi>{escape(way + facts.hidden(tree, line, paper))}</bdi>{hint}"
    rows = plural(int(tree.count[line.node]), "row")
    figures = ", ".join([f"#{line.node}", rows, *facts.held(tree, line.node, paper)])
    return f"<bdi>{escape(label(tree, line, paper).whole)}</bdi> <small>{escape(figures)}</small>"
