"""A tree in the layout that users of Weka's J48 know.

Its signs are ASCII, a leaf shows ``(weight)`` or ``(weight/errors)``, and the sizes of the whole tree end it. A
threshold that Weka would round has all the digits that it takes to divide the training rows.
"""

from __future__ import annotations

from dataclasses import replace

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import among, asked_column, levels_in
from treewright._draw.excerpt import Line, Scope, excerpt
from treewright._input.short_numbers import write_cut
from treewright._render.glyphs import ASCII
from treewright._render.page_format import PageFormat
from treewright.tree import Branch, Tree

__all__ = ["render"]

NAME = 80


def render(tree: Tree, caption: Caption, scope: Scope, paper: PageFormat) -> str:
    """Write a tree as J48 does."""
    paper = replace(paper, glyphs=ASCII)
    lines = excerpt(tree, scope, paper.lines)
    # J48 has no line for the root: its questions stand in the lines of its children.
    top, drawn = lines[0], lines[1:]
    if not drawn:
        return "\n".join([_leaf(tree, top, paper), *_sizes(tree)])
    return "\n".join([*(_line(tree, line, paper) for line in drawn), *_sizes(tree)])


def _line(tree: Tree, line: Line, paper: PageFormat) -> str:
    indent = "|   " * (line.depth - 1)
    way = "" if line.branch is None else _test(tree, line.branch, paper)
    return indent + way + ("" if line.opened else _leaf(tree, line, paper))


def _leaf(tree: Tree, line: Line, paper: PageFormat) -> str:
    if line.hidden:
        return f": {facts.hidden(tree, line, paper)}"
    node, classes = line.node, tree.schema.classes
    said = paper.level(tree.answer(node), NAME) if classes else facts.mean(tree, node)
    cases, errors = _cases(float(tree.weight[node])), _cases(tree.errors(node))
    return f": {said} ({cases})" if errors == "0.0" else f": {said} ({cases}/{errors})"


def _test(tree: Tree, branch: Branch, paper: PageFormat) -> str:
    column = paper.name(branch.column, NAME)
    if branch.op in ("known", "missing"):
        return f"{column} {'=' if branch.op == 'missing' else '!='} ?"
    if branch.op in ("=", "in"):
        return f"{column} {among(levels_in(branch, tree), paper, NAME)}"
    return f"{column} {branch.op} {write_cut(branch.value, asked_column(tree, branch))}"  # type: ignore[arg-type]


def _cases(weight: float) -> str:
    # At most two decimals and at least one, as Weka writes them.
    return repr(round(weight, 2) + 0.0)


def _sizes(tree: Tree) -> list[str]:
    leaves, nodes = tree.n_leaves, tree.n_nodes
    return ["", f"Number of Leaves  : \t{leaves}", "", f"Size of the tree : \t{nodes}"]
