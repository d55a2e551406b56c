"""A view as plain values for programs: full names, exact numbers, no formatting."""

from __future__ import annotations

import math
from typing import Any

from treewright._draw.caption import Caption
from treewright._draw.conditions import conditions_of, plain_value
from treewright._draw.excerpt import Line, Scope, excerpt, size
from treewright._draw.rules import rule_nodes
from treewright.tree import Branch, Tree

__all__ = ["drawing", "rule_list"]


def drawing(tree: Tree, caption: Caption, scope: Scope, lines: int) -> dict[str, Any]:
    """Return the nodes of a drawing, in reading order, and what each one hides."""
    drawn = excerpt(tree, scope, lines)
    return _heading(tree, caption, scope) | {"drawn": [_node(tree, line) for line in drawn]}


def rule_list(tree: Tree, caption: Caption, scope: Scope, lines: int) -> dict[str, Any]:
    """Return the rules, the largest first, and how many were left out."""
    nodes = rule_nodes(tree, scope)
    return _heading(tree, caption, scope) | {
        "rules": [
            {"if": [c.to_dict() for c in conditions_of(tree, node)], "node": node}
            | _says(tree, node)
            for node in nodes[:lines].tolist()
        ],
        "left_out": max(0, len(nodes) - lines),
    }


def _heading(tree: Tree, caption: Caption, scope: Scope) -> dict[str, Any]:
    extent = size(tree)
    return {
        "target": tree.schema.target,
        "method": caption.method,
        "criterion": caption.criterion,
        "classes": [plain_value(c) for c in tree.schema.classes],
        "rows": extent.rows,
        "nodes": extent.nodes,
        "leaves": extent.leaves,
        "depth": extent.depth,
        "from": scope.node,
    }


def _node(tree: Tree, line: Line) -> dict[str, Any]:
    if len(line.folded):
        return {"folded": line.folded.tolist(), "parent": line.node, "hidden": line.hidden}
    node = line.node
    parent = int(tree.parents[node])
    record = {
        "node": node,
        "parent": parent if parent >= 0 else None,
        "branch": None if line.branch is None else _branch(line.branch),
        "asks": tree.schema.columns[tree.feature[node]].name if tree.n_children[node] else None,
    }
    if math.isfinite(tree.threshold[node]):
        record["at_most"] = _number(tree.threshold[node])
    # The sums over the rows of the node; the gain that work shows is that of one row.
    more = {"total_cost": _number(tree.cost[node]), "total_gain": _number(tree.gain[node])}
    return record | _says(tree, node) | more | {"hidden": line.hidden}


def _says(tree: Tree, node: int) -> dict[str, Any]:
    says = {
        "then": plain_value(tree.answer(node)),
        "rows": int(tree.count[node]),
        "weight": float(tree.weight[node]),
    }
    if tree.schema.classes:
        says["tied"] = bool(tree.tied(node))
        says["class_weights"] = tree.class_weights(node).tolist()
    return says


def _branch(branch: Branch) -> dict[str, Any]:
    value = branch.value
    if isinstance(value, tuple):
        return {
            "op": branch.op,
            "value": [plain_value(v) for v in value],
            "missing": branch.missing,
        }
    return {
        "op": branch.op,
        "value": None if value is None else plain_value(value),
        "missing": branch.missing,
    }


def _number(x: float) -> float:
    return float(x) + 0.0  # a zero without a sign
