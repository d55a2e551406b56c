"""A tree as a table of rules: one for each leaf, the conditions on a column merged, the largest first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import conditions_of
from treewright._draw.excerpt import Scope, members
from treewright._draw.rule_list import rule_columns, support_columns
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright._render.table_grid import TableColumn, align_columns
from treewright.tree import Tree

__all__ = ["columns", "render", "rule_nodes"]


def rule_nodes(tree: Tree, scope: Scope) -> NDArray[np.int64]:
    """Return the nodes that end a rule, the one of most rows first, ties in the order of the nodes."""
    nodes = members(tree, scope.node)
    ends = tree.n_children[nodes] == 0
    if scope.depth is not None:
        depths = tree.depths[nodes] - tree.depths[scope.node]
        ends = (ends & (depths <= scope.depth)) | (depths == scope.depth)
    leaves: NDArray[np.int64] = nodes[ends & (tree.count[nodes] >= scope.min_rows)]
    return leaves[np.argsort(-tree.count[leaves].astype(np.int64), kind="stable")]


def columns(
    tree: Tree, caption: Caption, scope: Scope, page: PageFormat
) -> tuple[list[TableColumn], str]:
    """Return the rules as columns, with a note about those left out."""
    every = rule_nodes(tree, scope)
    nodes, rest = every[: page.lines].tolist(), every[page.lines :]
    weights = tree.weight[nodes].tolist()
    right = None
    if tree.schema.classes:
        right = [w - tree.errors(node) for w, node in zip(weights, nodes, strict=True)]
    support = support_columns(tree.count[nodes].tolist(), weights, right)
    if right is None:
        support.append(TableColumn("sd", [facts.spread(tree, n, page) for n in nodes], gap=2))
    table = rule_columns(
        [conditions_of(tree, node) for node in nodes],
        [facts.answer(tree, node, page) for node in nodes],
        support,
        page,
    )
    if not len(rest):
        return table, ""
    rows = int(tree.count[rest].sum(dtype=np.int64))
    more = f"{plural(len(rest), 'more rule')} for {plural(rows, 'row')}"
    hint = caption.more(len(every), "rules")
    return table, f"{page.glyphs.dots} {more}   {hint}"


def render(tree: Tree, caption: Caption, scope: Scope, page: PageFormat) -> str:
    """Write the rules as a table."""
    table, note = columns(tree, caption, scope, page)
    lines = align_columns(table, page.width)
    return "\n".join([*lines, f"  {note}"] if note else lines)
