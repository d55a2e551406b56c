"""The node table as text: the rows of the table in their order, with names in place of numbers."""

from __future__ import annotations

from dataclasses import replace

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import question
from treewright._draw.excerpt import Scope, members
from treewright._render import table_grid as grid
from treewright._render.numbers import amounts, plural
from treewright._render.page_format import PageFormat
from treewright.tree import Tree

__all__ = ["lanes", "render"]


def lanes(
    tree: Tree, caption: Caption, scope: Scope, paper: PageFormat
) -> tuple[list[grid.TableColumn], str]:
    """Return the node table as columns, with what to say about the rows left out."""
    nodes = members(tree, scope.node)
    if scope.depth is not None:
        nodes = nodes[tree.depths[nodes] - tree.depths[scope.node] <= scope.depth]
    nodes = nodes[tree.count[nodes] >= scope.min_rows]
    shown, rest = nodes[: paper.lines].tolist(), len(nodes) - paper.lines
    figures = facts.lanes(tree, caption, shown, paper)
    columns = [
        grid.TableColumn("node", figures[0].body, left=True, gap=0),
        grid.TableColumn("parent", [_parent(tree, node, paper) for node in shown], left=True),
        grid.TableColumn("depth", [f"{tree.depths[node]:,}" for node in shown]),
        grid.TableColumn("asks", [_asks(tree, node, paper) for node in shown], left=True),
        grid.TableColumn("says", [facts.answer(tree, node, paper) for node in shown], left=True),
        replace(figures[1], gap=3),
        *figures[2:],
    ]
    if tree.schema.classes:
        columns.append(
            grid.TableColumn("wrong", amounts([tree.errors(node) for node in shown], aligned=True))
        )
    if rest <= 0:
        return columns, ""
    hint = caption.more(len(nodes), "table")
    return columns, f"{paper.glyphs.dots} {plural(rest, 'more node')}   {hint}"


def render(tree: Tree, caption: Caption, scope: Scope, paper: PageFormat) -> str:
    """Write the node table."""
    columns, note = lanes(tree, caption, scope, paper)
    lines = grid.align_columns(columns, paper.width)
    return "\n".join([*lines, note] if note else lines)


def _parent(tree: Tree, node: int, paper: PageFormat) -> str:
    return f"#{tree.parents[node]}" if node else paper.glyphs.none


def _asks(tree: Tree, node: int, paper: PageFormat) -> str:
    if not tree.n_children[node]:
        return paper.glyphs.none
    column = tree.schema.columns[tree.feature[node]]
    return question(column, float(tree.threshold[node]), paper)
