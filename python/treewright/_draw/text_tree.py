"""A tree as a table: the tree on the left, a line a node, its figures aligned on the right.

It reads like a table, and differences between two trees show in ``diff`` and ``grep``. Narrow papers get sentences
instead (``plain``). Lines never exceed the paper: the ways into nodes are shortened first, then figures are left out,
the criterion and the gain before the classes, then the deepest nodes. Questions and predictions stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from treewright._draw import leaf_sentences
from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.excerpt import Line, Scope, excerpt
from treewright._draw.heading import headline
from treewright._draw.labels import Label, label, labels, shortened, ways
from treewright._render import table_grid as grid
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, clip
from treewright._render.table_grid import TableColumn
from treewright.tree import Tree

__all__ = ["label", "render"]

NARROW = 60
BARS = 78
# Questions below each other that are drawn, whatever figures that costs, and however long their labels are.
DEEP, SHALLOWEST = 4, 2
ROOM = 40  # of a label that does not fit in any case


def render(tree: Tree, caption: Caption, scope: Scope, paper: PageFormat) -> str:
    """Draw a tree as text."""
    if paper.width < NARROW:
        return leaf_sentences.render(tree, caption, scope, paper, wraps=True)
    lines, lanes = _layout(tree, caption, scope, paper)
    heading, *table = _table(tree, lines, lanes, paper)
    heads = [heading] if table and lanes else []
    drawn = [*headline(tree, caption, scope.node, paper), "", *heads]
    cuts = _cuts(tree, caption, lines, scope, paper)
    # What opens a part stands beside it, or once at the end where that would be too wide.
    beside = all(cells(f"{cut.text}   {cut.hint}".rstrip()) <= paper.width for cut in cuts)
    cut = iter(f"{c.text}   {c.hint if beside else c.number}".rstrip() for c in cuts)
    whole = iter(table)
    drawn += [next(cut) if line.hidden else next(whole) for line in lines]
    return "\n".join(drawn if beside else [*drawn, "", *_hints(cuts)])


def _layout(
    tree: Tree, caption: Caption, scope: Scope, paper: PageFormat
) -> tuple[list[Line], list[TableColumn]]:
    """Return the lines to draw and the figures beside them: as many as leave room for the labels."""
    for useful, shallowest in ((True, DEEP), (False, SHALLOWEST)):
        depth = scope.depth
        while True:
            lines = excerpt(tree, replace(scope, depth=depth), paper.lines)
            lanes = _lanes(tree, caption, lines, paper, useful)
            if lanes is not None:
                return lines, lanes
            # Figures cannot give way any more: deeper nodes do, and can be opened by their number.
            deepest = max(line.depth for line in lines)
            if scope.depth is not None or deepest <= shallowest:
                break
            depth = deepest - 1
    return lines, _fewest(tree, lines, paper)


def _lanes(
    tree: Tree, caption: Caption, lines: list[Line], paper: PageFormat, useful: bool
) -> list[TableColumn] | None:
    """Return the richest figures that leave room for the labels of lines; None where none do."""
    found = labels(tree, lines, _stems(lines, paper), paper)
    nodes = [line.node for line in lines if not line.hidden]
    whole = max((cells(one.whole) for one in found), default=0)
    # A name that is too long for a paper of this width is shortened in any case, and moves nothing.
    sizes = [(one.short, one.least) if one.least <= paper.width else (ROOM, ROOM) for one in found]
    short, least = (max((size[i] for size in sizes), default=0) for i in (0, 1))
    if useful:
        for lanes, bars in _choices(tree, caption, nodes, paper):
            if grid.width(lanes) + (whole if bars else short) <= paper.width:
                return lanes
        return None
    rows = facts.row_lanes(tree, nodes)
    left = (rows[:n] for n in range(len(rows), 1, -1))
    return next((few for few in left if grid.width(few) + least <= paper.width), None)


def _choices(
    tree: Tree, caption: Caption, nodes: Sequence[int], paper: PageFormat
) -> Iterator[tuple[list[TableColumn], bool]]:
    """Give sets of figures, the richest first, and whether these are bars, which want whole labels beside them."""
    rows, costs = facts.row_lanes(tree, nodes), facts.cost_lanes(tree, caption, nodes, paper)
    values = facts.value_lanes(tree, caption, nodes, paper)
    share = facts.share_lane(tree, nodes, paper)
    if share and paper.width >= BARS:
        yield [*rows, *values, *costs, share], True
    for left in range(len(costs), -1, -1):
        yield [*rows, *values, *costs[:left]], False
    yield [*rows[:2], *values], False  # the weights of the classes add up to that of the node
    for most in (3, 2):  # of many classes, fewer are named
        yield [*rows[:2], *facts.value_lanes(tree, caption, nodes, paper, most)], False
    if share:
        yield [*rows[:2], *filter(None, [facts.share_lane(tree, nodes, paper, bars=False)])], False
    for left in range(len(values) - 1, 0, -1) if not share else ():
        yield [*rows[:2], *values[:left]], False


def _fewest(tree: Tree, lines: list[Line], paper: PageFormat) -> list[TableColumn]:
    """Return the numbers of the nodes where there is room for them beside whole names, or nothing."""
    found = labels(tree, lines, _stems(lines, paper), paper)
    number = facts.row_lanes(tree, [line.node for line in lines if not line.hidden])[:1]
    least = max((one.least for one in found if one.least <= paper.width), default=0)
    return number if grid.width(number) + least <= paper.width else []


def _stems(lines: list[Line], paper: PageFormat) -> list[str]:
    """Draw the lines of the tree before each label."""
    glyphs, stems, below = paper.glyphs, [], [""]
    for line in lines:
        if line.depth == 0:
            stems.append("")
            continue
        stem = below[line.depth - 1]
        stems.append(stem + (glyphs.end if line.last else glyphs.tee))
        below[line.depth :] = [stem + (glyphs.blank if line.last else glyphs.pipe)]
    return stems


def _table(tree: Tree, lines: list[Line], lanes: list[TableColumn], paper: PageFormat) -> list[str]:
    room = paper.width - grid.width(lanes)
    found = shortened(tree, labels(tree, lines, _stems(lines, paper), paper), room, paper)
    # What is still too long is so deep that no name has room beside its stem.
    texts = [clip(one.within(room), room, paper.glyphs.dots) for one in found]
    return grid.align_columns([TableColumn("", texts, left=True, gap=0), *lanes])


class Cut(NamedTuple):
    """A line that stands for more: its text, what opens it, its number unless it stands for several nodes."""

    text: str
    hint: str
    number: str


def _cuts(
    tree: Tree, caption: Caption, lines: list[Line], scope: Scope, paper: PageFormat
) -> list[Cut]:
    cuts = []
    for line, stem in zip(lines, _stems(lines, paper), strict=True):
        if not line.hidden:
            continue
        said = facts.hidden(tree, line, paper)
        if len(line.folded):
            number = ""
            hint = "" if scope.min_rows else caption.more(1 + int(tree.n_children[line.node]))
        else:
            number, hint = f"#{line.node}", caption.open(line.node)
        room = paper.width - (3 + len(number) if number else 0)
        one = Label(stem, *ways(tree, line, paper), ": ", said, "")
        cuts.append(Cut(one.clipped(room, paper.glyphs.dots), hint, number))
    return cuts


def _hints(cuts: list[Cut]) -> list[str]:
    one = [f"open a subtree by its number: {cut.hint}" for cut in cuts if cut.number]
    more = [f"show more branches: {cut.hint}" for cut in cuts if cut.hint and not cut.number]
    return [*one[:1], *more]
