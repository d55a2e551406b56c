"""The node table as text: one row per node, with names in place of numbers."""

from __future__ import annotations

from dataclasses import replace

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import write_test
from treewright._draw.excerpt import Scope, members
from treewright._render.numbers import amounts, plural
from treewright._render.page_format import PageFormat
from treewright._render.table_grid import TableColumn, align_columns
from treewright.tree import Tree

__all__ = ["columns", "render"]


def columns(
    tree: Tree, caption: Caption, scope: Scope, page: PageFormat
) -> tuple[list[TableColumn], str]:
    """Return the node table as columns, with a note about the rows left out."""
    every = members(tree, scope.node)
    if scope.depth is not None:
        every = every[tree.depths[every] - tree.depths[scope.node] <= scope.depth]
    every = every[tree.count[every] >= scope.min_rows]
    nodes, left_out = every[: page.lines].tolist(), len(every) - page.lines
    figures = facts.node_columns(tree, caption, nodes, page)
    table = [
        TableColumn("node", figures[0].body, left=True, gap=0),
        TableColumn("parent", [_parent(tree, node, page) for node in nodes], left=True),
        TableColumn("depth", [f"{tree.depths[node]:,}" for node in nodes]),
        TableColumn("test", [_test(tree, node, page) for node in nodes], left=True),
        TableColumn("prediction", [facts.answer(tree, node, page) for node in nodes], left=True),
        replace(figures[1], gap=3),
        *figures[2:],
    ]
    if tree.schema.classes:
        errors = amounts([tree.errors(node) for node in nodes], aligned=True)
        table.append(TableColumn("errors", errors))
    if left_out <= 0:
        return table, ""
    hint = caption.more(len(every), "table")
    return table, f"{page.glyphs.dots} {plural(left_out, 'more node')}   {hint}"


def render(tree: Tree, caption: Caption, scope: Scope, page: PageFormat) -> str:
    """Write the node table."""
    table, note = columns(tree, caption, scope, page)
    lines = align_columns(table, page.width)
    return "\n".join([*lines, note] if note else lines)


def _parent(tree: Tree, node: int, page: PageFormat) -> str:
    return f"#{tree.parents[node]}" if node else page.glyphs.none


def _test(tree: Tree, node: int, page: PageFormat) -> str:
    if not tree.n_children[node]:
        return page.glyphs.none
    column = tree.schema.columns[tree.feature[node]]
    return write_test(column, float(tree.threshold[node]), page)
