"""A tree as a table: the tree on the left, one line per node, its numbers aligned on the right.

It reads like a table, and works with ``diff`` and ``grep``. Narrow pages get sentences instead (``leaf_sentences``).
Lines never exceed the page: the branches into nodes are shortened first, then numbers are left out, the impurity and
the gain before the classes, then the deepest nodes. Tests and predictions stay.
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
from treewright._draw.labels import Label, label, labels, shorten_names, write_branch
from treewright._render import table_grid as grid
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, clip
from treewright._render.table_grid import TableColumn
from treewright.tree import Tree

__all__ = ["label", "outline", "render"]

NARROW = 60
BARS = 78
# Depth that is drawn at least: before numbers are left out, and before names are shortened.
DEEP, SHALLOWEST = 4, 2
ROOM = 40  # of a label that does not fit in any case


def render(tree: Tree, caption: Caption, scope: Scope, page: PageFormat) -> str:
    """Draw a tree as text."""
    if page.width < NARROW:
        return leaf_sentences.render(tree, caption, scope, page, wraps=True)
    lines, columns = _layout(tree, caption, scope, page)
    heading, *table = _table(tree, lines, columns, page)
    heads = [heading] if table and columns else []
    drawn = [*headline(tree, caption, scope.node, page), "", *heads]
    cuts = _cuts(tree, caption, lines, scope, page)
    # The hint that opens a part stands beside it, or once at the end if that would be too wide.
    beside = all(cells(f"{cut.text}   {cut.hint}".rstrip()) <= page.width for cut in cuts)
    cut = iter(f"{c.text}   {c.hint if beside else c.number}".rstrip() for c in cuts)
    rows = iter(table)
    drawn += [next(cut) if line.hidden else next(rows) for line in lines]
    return "\n".join(drawn if beside else [*drawn, "", *_hints(cuts)])


def outline(tree: Tree, page: PageFormat) -> list[str]:
    """Draw a tree without numbers: a line for each node, with its test or its prediction."""
    lines = excerpt(tree, Scope(), page.lines)
    texts = iter(labels(tree, lines, _stems(lines, page), page))
    stems = _stems(lines, page)
    return [
        f"{stem}{page.glyphs.dots}"
        if line.hidden
        else next(texts).clipped(page.width, page.glyphs.dots)
        for line, stem in zip(lines, stems, strict=True)
    ]


def _layout(
    tree: Tree, caption: Caption, scope: Scope, page: PageFormat
) -> tuple[list[Line], list[TableColumn]]:
    """Return the lines to draw and the columns beside them: as many as leave room for the labels."""
    for useful, shallowest in ((True, DEEP), (False, SHALLOWEST)):
        depth = scope.depth
        while True:
            lines = excerpt(tree, replace(scope, depth=depth), page.lines)
            columns = _choose_columns(tree, caption, lines, page, useful)
            if columns is not None:
                return lines, columns
            # No more columns can be left out: deeper nodes are, and can be opened by their number.
            deepest = max(line.depth for line in lines)
            if scope.depth is not None or deepest <= shallowest:
                break
            depth = deepest - 1
    return lines, _fewest(tree, lines, page)


def _choose_columns(
    tree: Tree, caption: Caption, lines: list[Line], page: PageFormat, useful: bool
) -> list[TableColumn] | None:
    """Return the most columns that leave room for the labels of lines; None if none do."""
    every = labels(tree, lines, _stems(lines, page), page)
    nodes = [line.node for line in lines if not line.hidden]
    full = max((cells(one.full) for one in every), default=0)
    # A name that is too long for a page of this width is shortened in any case.
    sizes = [(one.short, one.least) if one.least <= page.width else (ROOM, ROOM) for one in every]
    short, least = (max((size[i] for size in sizes), default=0) for i in (0, 1))
    if useful:
        for columns, bars in _choices(tree, caption, nodes, page):
            if grid.width(columns) + (full if bars else short) <= page.width:
                return columns
        return None
    rows = facts.row_columns(tree, nodes)
    left = (rows[:n] for n in range(len(rows), 1, -1))
    return next((few for few in left if grid.width(few) + least <= page.width), None)


def _choices(
    tree: Tree, caption: Caption, nodes: Sequence[int], page: PageFormat
) -> Iterator[tuple[list[TableColumn], bool]]:
    """Yield sets of columns, the largest first, and whether they have bars, which need full labels beside them."""
    rows, costs = facts.row_columns(tree, nodes), facts.cost_columns(tree, caption, nodes, page)
    values = facts.value_columns(tree, caption, nodes, page)
    share = facts.share_column(tree, nodes, page)
    if share and page.width >= BARS:
        yield [*rows, *values, *costs, share], True
    for left in range(len(costs), -1, -1):
        yield [*rows, *values, *costs[:left]], False
    yield [*rows[:2], *values], False  # the weights of the classes add up to that of the node
    for most in (3, 2):  # of many classes, fewer are named
        yield [*rows[:2], *facts.value_columns(tree, caption, nodes, page, most)], False
    if share:
        yield [*rows[:2], *filter(None, [facts.share_column(tree, nodes, page, bars=False)])], False
    for left in range(len(values) - 1, 0, -1) if not share else ():
        yield [*rows[:2], *values[:left]], False


def _fewest(tree: Tree, lines: list[Line], page: PageFormat) -> list[TableColumn]:
    """Return the numbers of the nodes if there is room for them beside full names, or nothing."""
    every = labels(tree, lines, _stems(lines, page), page)
    number = facts.row_columns(tree, [line.node for line in lines if not line.hidden])[:1]
    least = max((one.least for one in every if one.least <= page.width), default=0)
    return number if grid.width(number) + least <= page.width else []


def _stems(lines: list[Line], page: PageFormat) -> list[str]:
    """Draw the lines of the tree before each label."""
    glyphs, stems, below = page.glyphs, [], [""]
    for line in lines:
        if line.depth == 0:
            stems.append("")
            continue
        stem = below[line.depth - 1]
        stems.append(stem + (glyphs.end if line.last else glyphs.tee))
        below[line.depth :] = [stem + (glyphs.blank if line.last else glyphs.pipe)]
    return stems


def _table(
    tree: Tree, lines: list[Line], columns: list[TableColumn], page: PageFormat
) -> list[str]:
    room = page.width - grid.width(columns)
    every = shorten_names(tree, labels(tree, lines, _stems(lines, page), page), room, page)
    # Labels that are still too long are so deep that no name has room beside the stem.
    texts = [clip(one.within(room), room, page.glyphs.dots) for one in every]
    return grid.align_columns([TableColumn("", texts, left=True, gap=0), *columns])


class Cut(NamedTuple):
    """A line that stands for more: its text, the hint that opens it, its number unless it stands for several nodes."""

    text: str
    hint: str
    number: str


def _cuts(
    tree: Tree, caption: Caption, lines: list[Line], scope: Scope, page: PageFormat
) -> list[Cut]:
    cuts = []
    for line, stem in zip(lines, _stems(lines, page), strict=True):
        if not line.hidden:
            continue
        summary = facts.hidden(tree, line, page)
        if len(line.folded):
            number = ""
            hint = "" if scope.min_rows else caption.more(1 + int(tree.n_children[line.node]))
        else:
            number, hint = f"#{line.node}", caption.open(line.node)
        room = page.width - (3 + len(number) if number else 0)
        one = Label(stem, *write_branch(tree, line, page), ": ", summary, "")
        cuts.append(Cut(one.clipped(room, page.glyphs.dots), hint, number))
    return cuts


def _hints(cuts: list[Cut]) -> list[str]:
    one = [f"open a subtree by its number: {cut.hint}" for cut in cuts if cut.number]
    more = [f"show more branches: {cut.hint}" for cut in cuts if cut.hint and not cut.number]
    return [*one[:1], *more]
