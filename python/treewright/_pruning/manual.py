"""Pruning without errors: sibling leaves with the same prediction are merged, or named nodes become leaves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._pruning.trace import PruneTrace, Row
from treewright._utils.validation import is_whole
from treewright.errors import UsageError
from treewright.schema import label
from treewright.tree import Tree

__all__ = ["collapse", "snip"]

PrunedForest = tuple[_core.Forest, PruneTrace]


def collapse(tree: Tree, forest: _core.Forest) -> PrunedForest:
    """Merge sibling leaves with the same prediction, children first."""
    costs = [cost for row in tree.schema.costs for cost in row]
    nodes = _core.prune_alike(forest, costs)
    return _make_leaves(tree, forest, nodes, "collapse", _Same(tree))


def snip(tree: Tree, forest: _core.Forest, nodes: Iterable[Any]) -> PrunedForest:
    """Make leaves of the named nodes."""
    numbers = sorted({_check_node(tree, node) for node in nodes})
    return _make_leaves(tree, forest, np.array(numbers, dtype=np.uint32), "snip", _asked)


def _check_node(tree: Tree, node: Any) -> int:
    if not is_whole(node):
        raise UsageError(f"a node is a whole number; got {node!r}", slug="usage.parameter")
    if not 0 <= node < tree.n_nodes:
        raise UsageError(
            f"there is no node {node}",
            slug="show.no-such-node",
            hints=[f"nodes: 0 to {tree.n_nodes - 1}"],
        )
    if not tree.n_children[node]:
        raise UsageError(f"node {node} is a leaf already", slug="prune.leaf")
    return int(node)


def _make_leaves(
    tree: Tree, forest: _core.Forest, nodes: NDArray[np.uint32], method: str, why: Any
) -> PrunedForest:
    branches = np.flatnonzero(tree.n_children)[::-1]
    errors = np.array([tree.errors(int(node)) for node in branches])
    columns = {
        "node": branches,
        "before": _errors_below(tree)[branches],
        "after": errors,
        "decision": np.where(np.isin(branches, nodes), "leaf", "keep"),
    }
    unit = "training errors" if tree.schema.classes else "squared error on the training rows"
    return _core.prune_nodes(forest, nodes), PruneTrace(method, unit, columns, why)


def _errors_below(tree: Tree) -> NDArray[np.float64]:
    below = np.zeros(tree.n_nodes)
    for node in range(tree.n_nodes - 1, -1, -1):  # children come after their parent
        if not tree.n_children[node]:
            below[node] = tree.errors(node)
        if node:
            below[tree.parents[node]] += below[node]
    return below


def _asked(row: Row) -> str:
    return "as asked" if row["decision"] == "leaf" else "not named"


class _Same:
    """The reason of a decision in words."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def __call__(self, row: Row) -> str:
        if row["decision"] == "keep":
            return "its leaves give different answers"
        return f'every leaf below says "{label(self._tree.answer(row["node"]))}"'
