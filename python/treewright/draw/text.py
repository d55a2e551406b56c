"""A tree as a table: the tree on the left, a line a node, its figures aligned on the right.

It reads like a table, and differences between two trees show in ``diff`` and ``grep``. Narrow papers get sentences
instead (``plain``). Lines never exceed the paper; what does not fit is shortened, first the bars, then the names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from treewright.draw import facts, grid, plain
from treewright.draw.caption import Caption
from treewright.draw.conditions import branch_words, question
from treewright.draw.excerpt import Line, Scope, excerpt
from treewright.draw.headline import headline
from treewright.draw.names import cells, clip
from treewright.draw.paper import Paper
from treewright.tree import Tree

__all__ = ["render"]

NARROW = 60
BARS = 78
# Room that labels may claim from the figures, and that each keeps beside the lines of the tree.
ROOM = 40
LABEL = 20


def render(tree: Tree, caption: Caption, scope: Scope, paper: Paper) -> str:
    """Draw a tree as text."""
    if paper.width < NARROW:
        return plain.render(tree, caption, scope, paper)
    lines = excerpt(tree, scope, paper.lines)
    lanes, room = _lanes(tree, caption, lines, paper)
    if scope.depth is None and max(map(cells, _labels(tree, lines, paper)), default=0) > room:
        # Deeper nodes would be pushed out of the paper: they are cut, and can be opened by their number.
        deepest = max(2, (room - LABEL) // len(paper.glyphs.pipe))
        lines = excerpt(tree, replace(scope, depth=deepest), paper.lines)
        lanes, room = _lanes(tree, caption, lines, paper)
    heading, *table = _table(tree, lines, lanes, paper)
    drawn = [*headline(tree, caption, scope.node, paper), "", *([heading] if table else [])]
    cuts = _cuts(tree, caption, lines, scope, paper)
    # What opens a part stands beside it, or once at the end where that would be too wide.
    beside = all(cells(f"{cut.text}   {cut.hint}".rstrip()) <= paper.width for cut in cuts)
    cut = iter(f"{c.text}   {c.hint if beside else c.number}".rstrip() for c in cuts)
    whole = iter(table)
    drawn += [next(cut) if line.hidden else next(whole) for line in lines]
    return "\n".join(drawn if beside else [*drawn, "", *_hints(cuts)])


def label(tree: Tree, line: Line, paper: Paper) -> str:
    """Write a node: the branch into it, then its question or answer."""
    way = "" if line.branch is None else branch_words(line.branch, paper)
    if line.opened:
        column = tree.schema.columns[tree.feature[line.node]]
        asks = question(column, float(tree.threshold[line.node]), paper)
        return f"{way}: {asks}" if way else asks
    said = f"{paper.glyphs.arrow} {facts.answer(tree, line.node, paper)}"
    return f"{way} {said}" if way else said


def _stems(lines: list[Line], paper: Paper) -> list[str]:
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


def _labels(tree: Tree, lines: list[Line], paper: Paper) -> list[str]:
    return [
        stem + label(tree, line, paper)
        for line, stem in zip(lines, _stems(lines, paper), strict=True)
        if not line.hidden
    ]


def _lanes(
    tree: Tree, caption: Caption, lines: list[Line], paper: Paper
) -> tuple[list[grid.Lane], int]:
    """Return the figures, and the room of labels: without the gain, the criterion, or all but the rows if need be."""
    longest = max(map(cells, _labels(tree, lines, paper)), default=0)
    lanes = facts.lanes(tree, caption, [line.node for line in lines if not line.hidden], paper)
    for kept in (len(lanes), len(lanes) - 1, len(lanes) - 2, 2):
        room = paper.width - grid.width(lanes[:kept])
        if room >= min(longest, ROOM):
            break
    return lanes[:kept], max(LABEL, room)


def _table(tree: Tree, lines: list[Line], lanes: list[grid.Lane], paper: Paper) -> list[str]:
    labels = _labels(tree, lines, paper)
    nodes = [line.node for line in lines if not line.hidden]
    share = facts.share_lane(tree, nodes, paper) if paper.width >= BARS else None
    longest = max(map(cells, labels), default=0)
    if share and longest + grid.width([*lanes, share]) <= paper.width:
        lanes = [*lanes, share]
    room = max(LABEL, paper.width - grid.width(lanes))
    short = [clip(text, room, paper.glyphs.dots) for text in labels]
    return grid.rows([grid.Lane("", short, left=True, gap=0), *lanes])


class Cut(NamedTuple):
    """A line that stands for more: its text, what opens it, its number unless it stands for several nodes."""

    text: str
    hint: str
    number: str


def _cuts(tree: Tree, caption: Caption, lines: list[Line], scope: Scope, paper: Paper) -> list[Cut]:
    cuts = []
    for line, stem in zip(lines, _stems(lines, paper), strict=True):
        if not line.hidden:
            continue
        said = facts.hidden(tree, line, paper)
        if len(line.folded):
            number, way = "", ""
            hint = "" if scope.min_rows else caption.more(1 + int(tree.n_children[line.node]))
        else:
            number, hint = f"#{line.node}", caption.open(line.node)
            way = "" if line.branch is None else f"{branch_words(line.branch, paper)}: "
        room = paper.width - (3 + len(number) if number else 0)
        cuts.append(Cut(clip(stem + way + said, room, paper.glyphs.dots), hint, number))
    return cuts


def _hints(cuts: list[Cut]) -> list[str]:
    one = [f"open a subtree by its number: {cut.hint}" for cut in cuts if cut.number]
    more = [f"show more branches: {cut.hint}" for cut in cuts if cut.hint and not cut.number]
    return [*one[:1], *more]
