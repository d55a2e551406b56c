"""A tree as a picture: plain SVG without scripts, style sheets of a page, or a background.

Lines and letters take the color of the text around them, so the picture works in dark and light pages. A class has
its name and its color; colors are for the eight most frequent classes, all others share one.
"""

from __future__ import annotations

from html import escape

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import branch_forms, branch_text
from treewright._draw.excerpt import Line, Scope, excerpt
from treewright._draw.heading import headline
from treewright._draw.layout import BAR, LEADING, PADDING, Box, Place, arrange
from treewright._draw.node_card import texts
from treewright._render.page_format import PageFormat
from treewright._render.svg_frame import COLORS, OTHER, framed
from treewright._render.svg_text import FONT, wrap
from treewright.tree import Tree

__all__ = ["COLORS", "MAX_NODES", "render"]

# Nodes of a picture; more cannot be read.
MAX_NODES = 60
ROOM = 150.0
BRANCH_LINES = 2


def render(
    tree: Tree, caption: Caption, scope: Scope, lines: int = MAX_NODES, *, alone: bool = False
) -> str:
    """Draw a tree as SVG; ``alone`` makes it a file of its own."""
    page = PageFormat(width=200, lines=lines)
    drawn = excerpt(tree, scope, lines)
    boxes = _boxes(tree, drawn, page)
    places, width, height = arrange(boxes)
    colors = dict.fromkeys(range(len(tree.schema.classes)), OTHER)
    if tree.schema.classes:
        order = facts.class_order(tree).tolist()
        colors.update(zip(order, COLORS, strict=False))
    marks = [
        _node(tree, line, box, place, colors, page)
        for line, box, place in zip(drawn, boxes, places, strict=True)
    ]
    title = ", ".join(headline(tree, caption, scope.node, page))
    body = _edges(boxes, places) + "".join(marks)
    return framed(width, height, FONT, title, body, alone=alone)


def _boxes(tree: Tree, drawn: list[Line], page: PageFormat) -> list[Box]:
    boxes: list[Box] = []
    above: list[int] = []  # the last line at each depth
    for i, line in enumerate(drawn):
        above[line.depth :] = [i]
        title, body = texts(tree, line, page)
        boxes.append(
            Box(
                parent=above[line.depth - 1] if line.depth else -1,
                depth=line.depth,
                way=_way(tree, line, page),
                title=wrap(title, ROOM, 3, bold=True) if title else [],
                body=[part for text in body for part in wrap(text, ROOM, 3)],
                bar=bool(tree.schema.classes)
                and not len(line.folded)
                and tree.weight[line.node] > 0,
            )
        )
    return boxes


def _way(tree: Tree, line: Line, page: PageFormat) -> list[str]:
    """Return the branch into a node in two lines, with as many categories as they hold."""
    if line.branch is None:
        return []
    forms = [wrap(form, ROOM, BRANCH_LINES) for form in branch_forms(line.branch, page, tree)]
    return next((lines for lines in forms if not lines[-1].endswith("…")), forms[-1])


def _node(
    tree: Tree, line: Line, box: Box, place: Place, colors: dict[int, str], page: PageFormat
) -> str:
    middle, leaf = f"{place.middle:.1f}", not line.opened and not line.hidden
    marks = []
    for i, text in enumerate(box.way):
        y = place.way + (i + 0.75) * LEADING
        marks.append(_text(middle, y, text, ' opacity="0.8"'))
    marks.append(_frame(tree, line, place, colors, leaf))
    for i, text in enumerate((*box.title, *box.body)):
        bold = ' font-weight="600"' if i < len(box.title) else ""
        marks.append(_text(middle, place.top + PADDING / 2 + (i + 0.78) * LEADING, text, bold))
    if box.bar:
        marks.append(_bar(tree, line.node, place, colors))
    full = branch_text(line.branch, page, tree) if line.branch is not None else ""
    title, body = texts(tree, line, page, full=True)
    hover = escape(" ".join(part for part in (full, title, *body) if part))
    return f"<g><title>{hover}</title>{''.join(marks)}</g>"


def _frame(tree: Tree, line: Line, place: Place, colors: dict[int, str], leaf: bool) -> str:
    dashed = ' stroke-dasharray="4 3"' if line.hidden else ""
    fill, shade, stroke = "none", 0.15, ' stroke="currentColor" stroke-opacity="0.45"'
    if leaf:
        fill = colors[int(tree.answers[line.node])] if tree.schema.classes else COLORS[0]
        shade = 0.15 if tree.schema.classes else _shade(tree, line.node)
        stroke = f' stroke="{fill}" stroke-width="2"'
    return (
        f'<rect x="{place.x:.1f}" y="{place.top:.1f}" width="{place.width:.1f}" '
        f'height="{place.height:.1f}" rx="5" fill="{fill}" fill-opacity="{shade:g}"{stroke}{dashed}/>'
    )


def _shade(tree: Tree, node: int) -> float:
    """Return how dark a leaf is that predicts a number: light for the smallest prediction, dark for the largest."""
    leaves = tree.value[tree.n_children == 0, 0]
    low, high = float(leaves.min()), float(leaves.max())
    share = (float(tree.value[node, 0]) - low) / (high - low) if high > low else 0.0
    return round(0.05 + 0.4 * share, 3)


def _bar(tree: Tree, node: int, place: Place, colors: dict[int, str]) -> str:
    """Draw the proportions of the classes, in the order of their colors."""
    x, y = place.x + PADDING, place.top + place.height - BAR - 4
    room, marks = place.width - 2 * PADDING, []
    shares: dict[str, float] = {}
    for i in facts.class_order(tree).tolist():
        shares[colors[i]] = shares.get(colors[i], 0.0) + float(tree.value[node, i])
    for color, share in shares.items():
        if share > 0:
            size = room * share
            marks.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" height="{BAR:.0f}" fill="{color}"/>'
            )
            x += size
    return "".join(marks)


def _edges(boxes: list[Box], places: list[Place]) -> str:
    """Draw all lines as one path: where they lie on each other they do not become darker."""
    lines = []
    for box, place in zip(boxes, places, strict=True):
        if box.parent >= 0:
            parent = places[box.parent]
            start = f"M{parent.middle:.1f} {parent.top + parent.height:.1f}"
            lines.append(f"{start}V{place.bend:.1f}H{place.middle:.1f}V{place.way:.1f}")
    if not lines:
        return ""
    return f'<path d="{"".join(lines)}" fill="none" stroke="currentColor" stroke-opacity="0.45"/>'


def _text(x: str, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y:.1f}" text-anchor="middle"{more}>{escape(text)}</text>'
