"""A tree in the layout that users of Weka's J48 know.

It is ASCII text, a leaf shows ``(weight)`` or ``(weight/errors)``, and the size of the tree ends it. A threshold that
Weka would round has as many digits as it takes to split the training rows.
"""

from __future__ import annotations

from dataclasses import replace

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import branch_levels, tested_column, write_levels
from treewright._draw.excerpt import Line, Scope, excerpt
from treewright._input.short_numbers import write_cut
from treewright._render.page_format import ASCII, PageFormat
from treewright.tree import Branch, Tree

__all__ = ["render"]

NAME = 80


def render(tree: Tree, caption: Caption, scope: Scope, page: PageFormat) -> str:
    """Write a tree as J48 does."""
    page = replace(page, glyphs=ASCII)
    lines = excerpt(tree, scope, page.lines)
    # J48 has no line for the root: its tests stand in the lines of its children.
    top, drawn = lines[0], lines[1:]
    if not drawn:
        return "\n".join([_leaf(tree, top, page), *_write_sizes(tree)])
    return "\n".join([*(_line(tree, line, page) for line in drawn), *_write_sizes(tree)])


def _line(tree: Tree, line: Line, page: PageFormat) -> str:
    indent = "|   " * (line.depth - 1)
    test = "" if line.branch is None else _test(tree, line.branch, page)
    return indent + test + ("" if line.opened else _leaf(tree, line, page))


def _leaf(tree: Tree, line: Line, page: PageFormat) -> str:
    if line.hidden:
        return f": {facts.hidden(tree, line, page)}"
    node, classes = line.node, tree.schema.classes
    prediction = page.level(tree.answer(node), NAME) if classes else facts.mean(tree, node)
    cases, errors = _write_weight(float(tree.weight[node])), _write_weight(tree.errors(node))
    return f": {prediction} ({cases})" if errors == "0.0" else f": {prediction} ({cases}/{errors})"


def _test(tree: Tree, branch: Branch, page: PageFormat) -> str:
    column = page.name(branch.column, NAME)
    if branch.op in ("known", "missing"):
        return f"{column} {'=' if branch.op == 'missing' else '!='} ?"
    if branch.op in ("=", "in"):
        return f"{column} {write_levels(branch_levels(branch, tree), page, NAME)}"
    return f"{column} {branch.op} {write_cut(branch.value, tested_column(tree, branch))}"  # type: ignore[arg-type]


def _write_weight(weight: float) -> str:
    # At most two decimals and at least one, as Weka writes them.
    return repr(round(weight, 2) + 0.0)


def _write_sizes(tree: Tree) -> list[str]:
    leaves, nodes = tree.n_leaves, tree.n_nodes
    return ["", f"Number of Leaves  : \t{leaves}", "", f"Size of the tree : \t{nodes}"]
