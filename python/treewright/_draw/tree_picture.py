"""A tree as a picture: boxes, lines and texts that SVG and matplotlib draw alike.

Lines and letters take the color of the text around them, so the picture works in dark and light pages. A class has
its name and its color; colors are for the eight most frequent classes, all others share one.
"""

from __future__ import annotations

from collections.abc import Iterable

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import branch_forms, branch_text
from treewright._draw.excerpt import Line, Scope, excerpt
from treewright._draw.heading import headline
from treewright._draw.layout import BAR, LEADING, PADDING, PLOT, Box, Place, arrange
from treewright._draw.node_card import texts
from treewright._draw.node_plots import NodePlot, Plots
from treewright._render.page_format import PageFormat
from treewright._render.shapes import Group, Path, Rectangle, ShapePicture, Stroke, TextLine
from treewright._render.svg_frame import COLORS, OTHER
from treewright._render.svg_text import text_width, wrap
from treewright.tree import Tree

__all__ = ["MAX_NODES", "MAX_WIDTH", "class_colors", "draw"]

# Nodes of a picture; more cannot be read.
MAX_NODES = 60
# Pixels; branches with few rows are folded until a picture is no wider, unless a number of nodes was chosen.
MAX_WIDTH = 1600.0
# Pixels for text in a box; up to the second number where a class with its rows would not fit.
ROOM, WIDEST_ROOM = 150.0, 200.0
BRANCH_LINES = 2
FAINT = 0.45
EDGE = Stroke(opacity=FAINT)
Colors = dict[int, str]


def draw(
    tree: Tree,
    caption: Caption,
    scope: Scope,
    lines: int | None = None,
    plots: Plots | None = None,
) -> ShapePicture:
    """Draw a tree; None for ``lines`` means as many nodes as can be read, and ``plots`` go into the boxes of nodes."""
    page = PageFormat(width=200, lines=lines or MAX_NODES)
    drawn, boxes = _choose_nodes(tree, scope, lines, page, plots)
    places, width, height = arrange(boxes)
    colors = class_colors(tree)
    marks = [
        _node(tree, line, box, place, colors, page, plots and plots(line.node))
        for line, box, place in zip(drawn, boxes, places, strict=True)
    ]
    title = ", ".join(headline(tree, caption, scope.node, page))
    return ShapePicture(width, height, title, (*_edges(boxes, places), *marks))


def class_colors(tree: Tree) -> Colors:
    """Return the color of each class."""
    colors = dict.fromkeys(range(len(tree.schema.classes)), OTHER)
    if tree.schema.classes:
        colors.update(zip(facts.class_order(tree).tolist(), COLORS, strict=False))
    return colors


def _choose_nodes(
    tree: Tree, scope: Scope, lines: int | None, page: PageFormat, plots: Plots | None
) -> tuple[list[Line], list[Box]]:
    """Choose the nodes to draw, and write their boxes."""
    nodes = lines or MAX_NODES
    while True:
        drawn = excerpt(tree, scope, nodes)
        boxes = _boxes(tree, drawn, page, plots)
        if lines or len(drawn) <= 3 or arrange(boxes)[1] <= MAX_WIDTH:
            return drawn, boxes
        nodes = min(nodes, len(drawn)) - max(1, len(drawn) // 10)


def _boxes(tree: Tree, drawn: list[Line], page: PageFormat, plots: Plots | None) -> list[Box]:
    boxes: list[Box] = []
    above: list[int] = []  # the last line at each depth
    written = [texts(tree, line, page) for line in drawn]
    room = _choose_room(body for _, body in written)
    for i, (line, (title, body)) in enumerate(zip(drawn, written, strict=True)):
        above[line.depth :] = [i]
        boxes.append(
            Box(
                parent=above[line.depth - 1] if line.depth else -1,
                depth=line.depth,
                way=_way(tree, line, page),
                title=wrap(title, room, 3, bold=True) if title else [],
                body=[part for text in body for part in wrap(text, room, 3)],
                bar=bool(tree.schema.classes)
                and not len(line.folded)
                and tree.weight[line.node] > 0,
                plot=not line.hidden and plots is not None and plots(line.node) is not None,
            )
        )
    return boxes


def _choose_room(bodies: Iterable[list[str]]) -> float:
    """Return the width for text in all boxes: as wide as the longest name of a class with its rows, within limits."""
    widest = max(
        (text_width(f"{part} ·") for body in bodies for text in body for part in text.split(" · ")),
        default=0.0,
    )
    return min(max(ROOM, widest), WIDEST_ROOM)


def _way(tree: Tree, line: Line, page: PageFormat) -> list[str]:
    """Return the branch into a node in two lines, with as many categories as they hold."""
    if line.branch is None:
        return []
    forms = [wrap(form, ROOM, BRANCH_LINES) for form in branch_forms(line.branch, page, tree)]
    return next((lines for lines in forms if not lines[-1].endswith("…")), forms[-1])


def _node(
    tree: Tree,
    line: Line,
    box: Box,
    place: Place,
    colors: Colors,
    page: PageFormat,
    plot: NodePlot | None,
) -> Group:
    marks: list[Rectangle | TextLine | Path | Group] = [
        TextLine(place.middle, place.way + (i + 0.75) * LEADING, text, opacity=0.8)
        for i, text in enumerate(box.way)
    ]
    marks.append(_frame(tree, line, place, colors))
    for i, text in enumerate((*box.title, *box.body)):
        y = place.top + PADDING / 2 + (i + 0.78) * LEADING
        marks.append(TextLine(place.middle, y, text, bold=i < len(box.title)))
    bottom = place.top + place.height - 4
    if box.bar:
        bottom -= BAR
        marks += _bar(tree, line.node, place, bottom, colors)
    if plot is not None and box.plot:
        top = bottom - PLOT
        marks += plot.draw(place.x + PADDING, top, place.width - 2 * PADDING, PLOT - 4, colors)
    full = branch_text(line.branch, page, tree) if line.branch is not None else ""
    title, body = texts(tree, line, page, full=True)
    return Group(" ".join(part for part in (full, title, *body) if part), tuple(marks))


def _frame(tree: Tree, line: Line, place: Place, colors: Colors) -> Rectangle:
    leaf = not line.opened and not line.hidden
    fill, shade, stroke = "none", 1.0, EDGE
    if leaf:
        fill = colors[int(tree.answers[line.node])] if tree.schema.classes else COLORS[0]
        shade = 0.15 if tree.schema.classes else _shade(tree, line.node)
        stroke = Stroke(fill, 2.0)
    elif line.hidden:
        stroke = Stroke(opacity=FAINT, dashes=(4, 3))
    return Rectangle(place.x, place.top, place.width, place.height, fill, shade, stroke, radius=5.0)


def _shade(tree: Tree, node: int) -> float:
    """Return how dark a leaf is that predicts a number: light for the smallest prediction, dark for the largest."""
    leaves = tree.value[tree.n_children == 0, 0]
    low, high = float(leaves.min()), float(leaves.max())
    share = (float(tree.value[node, 0]) - low) / (high - low) if high > low else 0.0
    return round(0.05 + 0.4 * share, 3)


def _bar(tree: Tree, node: int, place: Place, top: float, colors: Colors) -> list[Rectangle]:
    """Draw the proportions of the classes, in the order of their colors."""
    x, room, marks = place.x + PADDING, place.width - 2 * PADDING, []
    shares: dict[str, float] = {}
    for i in facts.class_order(tree).tolist():
        shares[colors[i]] = shares.get(colors[i], 0.0) + float(tree.value[node, i])
    for color, share in shares.items():
        if share > 0:
            marks.append(Rectangle(x, top, room * share, BAR, color))
            x += room * share
    return marks


def _edges(boxes: list[Box], places: list[Place]) -> list[Path]:
    """Draw all lines as one path: where they lie on each other they do not become darker."""
    lines = []
    for box, place in zip(boxes, places, strict=True):
        if box.parent >= 0:
            parent = places[box.parent]
            start = (parent.middle, parent.top + parent.height)
            turn = (parent.middle, place.bend), (place.middle, place.bend)
            lines.append((start, *turn, (place.middle, place.way)))
    return [Path(tuple(lines), EDGE)] if lines else []
