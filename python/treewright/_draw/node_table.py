"""The node table as text: the rows of the table in their order, with names in place of numbers."""

from __future__ import annotations

from dataclasses import replace

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import question
from treewright._draw.excerpt import Scope, members
from treewright._render import table_grid as grid
from treewright._render.numbers import amounts, plural
from treewright._render.page_format import Paper
from treewright.tree import Tree

__all__ = ["lanes", "render"]


def lanes(tree: Tree, caption: Caption, scope: Scope, paper: Paper) -> tuple[list[grid.Lane], str]:
    """Return the node table as columns, with what to say about the rows left out."""
    nodes = members(tree, scope.node)
    if scope.depth is not None:
        nodes = nodes[tree.depths[nodes] - tree.depths[scope.node] <= scope.depth]
    nodes = nodes[tree.count[nodes] >= scope.min_rows]
    shown, rest = nodes[: paper.lines].tolist(), len(nodes) - paper.lines
    figures = facts.lanes(tree, caption, shown, paper)
    columns = [
        grid.Lane("node", figures[0].body, left=True, gap=0),
        grid.Lane("parent", [_parent(tree, node, paper) for node in shown], left=True),
        grid.Lane("depth", [f"{tree.depths[node]:,}" for node in shown]),
        grid.Lane("asks", [_asks(tree, node, paper) for node in shown], left=True),
        grid.Lane("says", [facts.answer(tree, node, paper) for node in shown], left=True),
        replace(figures[1], gap=3),
        *figures[2:],
    ]
    if tree.schema.classes:
        columns.append(
            grid.Lane("wrong", amounts([tree.errors(node) for node in shown], aligned=True))
        )
    if rest <= 0:
        return columns, ""
    hint = caption.more(len(nodes), "table")
    return columns, f"{paper.glyphs.dots} {plural(rest, 'more node')}   {hint}"


def render(tree: Tree, caption: Caption, scope: Scope, paper: Paper) -> str:
    """Write the node table."""
    columns, note = lanes(tree, caption, scope, paper)
    lines = grid.rows(columns, paper.width)
    return "\n".join([*lines, note] if note else lines)


def _parent(tree: Tree, node: int, paper: Paper) -> str:
    return f"#{tree.parents[node]}" if node else paper.glyphs.none


def _asks(tree: Tree, node: int, paper: Paper) -> str:
    if not tree.n_children[node]:
        return paper.glyphs.none
    column = tree.schema.columns[tree.feature[node]]
    return question(column, float(tree.threshold[node]), paper)
