"""A tree as rules: one for each leaf, the conditions on a column merged, the largest first.

Glossary: *right* is the training weight of the class that a rule answers, among the rows that it covers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import Condition, asked, words
from treewright._draw.excerpt import Scope, members
from treewright._render import table_grid as grid
from treewright._render.numbers import amounts, count, plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells, pad
from treewright.tree import Tree

__all__ = ["Rule", "joined", "lanes", "render", "rules"]

NAME = 60


@dataclass(frozen=True, slots=True)
class Rule:
    """What a leaf asks of a row, in the order of the questions."""

    node: int
    conditions: tuple[Condition, ...]


def rules(tree: Tree, scope: Scope, limit: int) -> tuple[list[Rule], NDArray[np.int64]]:
    """Return the rules of most rows, ties in the order of the nodes, and the leaves left out."""
    nodes = members(tree, scope.node)
    ends = tree.n_children[nodes] == 0
    if scope.depth is not None:
        depths = tree.depths[nodes] - tree.depths[scope.node]
        ends = (ends & (depths <= scope.depth)) | (depths == scope.depth)
    leaves = nodes[ends & (tree.count[nodes] >= scope.min_rows)]
    leaves = leaves[np.argsort(-tree.count[leaves].astype(np.int64), kind="stable")]
    chosen = [Rule(node, tuple(asked(tree, node))) for node in leaves[:limit].tolist()]
    return chosen, leaves[limit:]


def lanes(
    tree: Tree, caption: Caption, scope: Scope, paper: PageFormat
) -> tuple[list[grid.TableColumn], str]:
    """Return the rules as columns, with what to say about the ones left out."""
    chosen, rest = rules(tree, scope, paper.lines)
    nodes = [rule.node for rule in chosen]
    said = [[words(c, paper, NAME) for c in rule.conditions] or ["always"] for rule in chosen]
    number = grid.TableColumn("#", [str(i + 1) for i in range(len(chosen))], gap=2)
    answers = [facts.answer(tree, node, paper) for node in nodes]
    columns = [
        number,
        grid.TableColumn("then", answers, left=True, gap=1),
        *_figures(tree, nodes, paper),
    ]
    room = max(24, paper.width - grid.width(columns) - 2)
    columns.insert(1, grid.TableColumn("if", joined(said, room), left=True, gap=2))
    if not len(rest):
        return columns, ""
    rows = int(tree.count[rest].sum(dtype=np.int64))
    more = f"{plural(len(rest), 'more rule')} for {plural(rows, 'row')}"
    hint = caption.more(len(nodes) + len(rest), "rules")
    return columns, f"{paper.glyphs.dots} {more}   {hint}"


def render(tree: Tree, caption: Caption, scope: Scope, paper: PageFormat) -> str:
    """Write the rules as a table."""
    columns, note = lanes(tree, caption, scope, paper)
    lines = grid.align_columns(columns, paper.width)
    return "\n".join([*lines, f"  {note}"] if note else lines)


def _figures(tree: Tree, nodes: list[int], paper: PageFormat) -> list[grid.TableColumn]:
    """Return the support of rules: rows, their weight where it differs, and how many are right."""
    lanes = [grid.TableColumn("rows", [count(tree.count[node]) for node in nodes], gap=2)]
    if facts.weighted(tree):
        lanes.append(
            grid.TableColumn("weight", amounts(tree.weight[list(nodes)], aligned=True), gap=2)
        )
    if tree.schema.classes:
        right = [float(tree.weight[node]) - tree.errors(node) for node in nodes]
        lanes.append(grid.TableColumn("right", amounts(right, aligned=True), gap=2))
    else:
        spreads = [facts.spread(tree, node, paper) for node in nodes]
        lanes.append(grid.TableColumn("sd", spreads, gap=2))
    return lanes


def joined(said: list[list[str]], room: int) -> list[str]:
    """Join the conditions of each rule: every "and" under the one above, or in lines where that is too wide."""
    positions = max(map(len, said), default=1) - 1
    wide = [max(cells(way[i]) for way in said if len(way) > i + 1) for i in range(positions)]
    even = [
        " and ".join([*(pad(t, wide[i], left=True) for i, t in enumerate(way[:-1])), way[-1]])
        for way in said
    ]
    if all(cells(text) <= room for text in even):
        return even
    return ["\n".join(_wrapped(way, room)) for way in said]


def _wrapped(way: list[str], room: int) -> list[str]:
    lines = [way[0]]
    for text in way[1:]:
        if cells(lines[-1]) + 5 + cells(text) <= room:
            lines[-1] += f" and {text}"
        else:
            lines.append(f"and {text}")
    return lines
