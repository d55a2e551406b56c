"""A tree as a table: the tree on the left, a line a node, its figures aligned on the right.

It reads like a table, and differences between two trees show in ``diff`` and ``grep``. Narrow papers get sentences
instead (``plain``). Lines never exceed the paper; what does not fit is shortened, first the bars, then the names.
"""

from __future__ import annotations

from dataclasses import replace

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
# Room that labels keep beside the lines of the tree, and that figures need.
LABEL = 24
FIGURES = 48


def render(tree: Tree, caption: Caption, scope: Scope, paper: Paper) -> str:
    """Draw a tree as text."""
    if paper.width < NARROW:
        return plain.render(tree, caption, scope, paper)
    if scope.depth is None:
        # Deeper nodes would be indented out of the paper: they are cut, and can be opened by their number.
        scope = replace(scope, depth=max(4, (paper.width - FIGURES) // len(paper.glyphs.pipe)))
    lines = excerpt(tree, scope, paper.lines)
    stems = _stems(lines, paper)
    whole = [i for i, line in enumerate(lines) if not line.hidden]
    nodes = [lines[i].node for i in whole]
    labels = [stems[i] + label(tree, lines[i], paper) for i in whole]
    table = iter(_table(tree, caption, nodes, labels, paper))
    drawn = [*headline(tree, caption, scope.node, paper), ""]
    drawn += [next(table)] if whole else []
    missed = 0
    for line, stem in zip(lines, stems, strict=True):
        if not line.hidden:
            drawn.append(next(table))
            continue
        shown, hinted = _cut(tree, caption, line, stem, scope, paper)
        drawn.append(shown)
        missed = missed or (0 if hinted else line.node)
    if missed:
        drawn += ["", f"open a subtree by its number: {caption.open(missed)}"]
    return "\n".join(drawn)


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


def _table(
    tree: Tree, caption: Caption, nodes: list[int], labels: list[str], paper: Paper
) -> list[str]:
    if not nodes:
        return []
    lanes = facts.lanes(tree, caption, nodes, paper)
    share = facts.share_lane(tree, nodes, paper) if paper.width >= BARS else None
    longest = max(map(cells, labels))
    if share and longest + grid.width([*lanes, share]) <= paper.width:
        lanes.append(share)
    room = max(LABEL, paper.width - grid.width(lanes))
    short = [clip(text, room, paper.glyphs.dots) for text in labels]
    return grid.rows([grid.Lane("", short, left=True, gap=0), *lanes])


def _cut(
    tree: Tree, caption: Caption, line: Line, stem: str, scope: Scope, paper: Paper
) -> tuple[str, bool]:
    """Write a line that stands for more, with what opens it where that fits."""
    way = "" if line.branch is None else f"{branch_words(line.branch, paper)}: "
    said = facts.hidden(tree, line, paper)
    if len(line.folded):
        hint = "" if scope.min_rows else caption.more(1 + int(tree.n_children[line.node]))
        number = ""
    else:
        hint, number = caption.open(line.node), f"   #{line.node}"
    if hint and cells(f"{stem}{way}{said}   {hint}") <= paper.width:
        return f"{stem}{way}{said}   {hint}", True
    room = paper.width - cells(said + number)
    return f"{clip(stem + way, room, paper.glyphs.dots)}{said}{number}", not number
