"""Nodes of another library as a node table: numbered level by level, the two children of a node next to each other.

The nodes may come from a file that somebody damaged: a child that does not exist, or that two nodes share, is an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._model.table_builder import DTYPES
from treewright.errors import ModelFileError

__all__ = ["ForeignNodes", "damaged", "mean_of_children", "node_table", "order_by_level"]

Numbers = NDArray[np.float64]
Integers = NDArray[np.int64]


def damaged(what: str) -> ModelFileError:
    """Return the error for a model of another library that no training writes."""
    return ModelFileError(f"the model cannot be read: {what[:200]}", slug="interchange.damaged")


@dataclass(frozen=True, slots=True, eq=False)
class ForeignNodes:
    """The nodes of one binary tree in the order of the other library; node 0 is the root.

    Parameters
    ----------
    left, right : ndarray of int
        The children of each node; -1 for a leaf.
    feature : ndarray of int
        The tested column; ignored for a leaf.
    threshold : ndarray of float
        Rows with a value up to it go left; ignored for a leaf and for a test of categories.
    missing_left : ndarray of bool
        Whether rows with a missing value go left.
    value : ndarray of shape (nodes, outputs)
        The prediction of each node.
    weight, count : ndarray
        The weight and the number of the training rows in each node.
    cost, gain : ndarray of float
        The impurity of each node times its weight; how much the split decreases it.
    routes : dict, default={}
        For each node that tests categories, the branch of each category: 0 for left, 1 for right.
    """

    left: Integers
    right: Integers
    feature: Integers
    threshold: Numbers
    missing_left: NDArray[np.bool_]
    value: Numbers
    weight: Numbers
    count: Integers
    cost: Numbers
    gain: Numbers
    routes: dict[int, NDArray[np.uint16]] = field(default_factory=dict)


def node_table(nodes: ForeignNodes) -> dict[str, Any]:
    """Return the columns of the tree as ``Forest.from_tables`` takes them."""
    order = order_by_level(nodes.left, nodes.right)
    inner = nodes.left[order] >= 0
    has_route = np.array([node in nodes.routes for node in order.tolist()], dtype=bool)
    parts = [nodes.routes[node] for node in order[has_route].tolist()]
    lengths = np.array([len(part) for part in parts], dtype=np.int64)
    starts = np.zeros(len(order), dtype=np.int64)
    starts[has_route] = np.cumsum(lengths) - lengths
    columns: dict[str, Any] = {
        # The k-th inner node has the k-th pair of the nodes after the root.
        "first_child": np.where(inner, 2 * np.cumsum(inner) - 1, 0),
        "n_children": np.where(inner, 2, 0),
        "feature": np.where(inner, nodes.feature[order], 0),
        "threshold": np.where(inner & ~has_route, nodes.threshold[order], np.nan),
        "route_start": starts,
        "missing": np.where(inner, np.where(nodes.missing_left[order], 0, 1), _core.STOP),
        "weight": nodes.weight[order],
        "count": nodes.count[order],
        "cost": nodes.cost[order],
        "gain": np.where(inner, nodes.gain[order], 0.0),
    }
    table = {name: columns[name].astype(dtype) for name, dtype in DTYPES.items()}
    table["value"] = np.ascontiguousarray(nodes.value[order], dtype=np.float64).ravel()
    table["route"] = np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint16)
    return table


def order_by_level(left: Integers, right: Integers, root: int = 0) -> Integers:
    """Return the nodes below the root level by level, both children of a node next to each other.

    Examples
    --------
    >>> order_by_level(np.array([1, 2, -1, -1, -1]), np.array([4, 3, -1, -1, -1])).tolist()
    [0, 1, 4, 2, 3]
    """
    level, levels, n_ordered = np.array([root], dtype=np.int64), [], 0
    while len(level):
        levels.append(level)
        n_ordered += len(level)
        inner = level[left[level] >= 0]
        level = np.column_stack([left[inner], right[inner]]).ravel()
        if len(level) and not (level.min() >= 0 and level.max() < len(left)):
            raise damaged("a node has a child that does not exist")
        # A cycle would find more nodes than there are.
        if n_ordered + len(level) > len(left):
            raise damaged("two nodes have the same child")
    order = np.concatenate(levels)
    if len(np.unique(order)) != len(order):
        raise damaged("two nodes have the same child")
    return order


def mean_of_children(left: Integers, right: Integers, values: Numbers, weight: Numbers) -> Numbers:
    """Return the value of each leaf as it is, and for each inner node the weighted mean of its children.

    Examples
    --------
    >>> left, right = np.array([1, -1, -1]), np.array([2, -1, -1])
    >>> values, weight = np.array([[9.0], [1.0], [2.0]]), np.array([4.0, 3.0, 1.0])
    >>> mean_of_children(left, right, values, weight).ravel().tolist()
    [1.25, 1.0, 2.0]
    """
    values = values.astype(np.float64)
    weight = np.maximum(weight, 1e-30)  # a file may leave them out
    for node in reversed(order_by_level(left, right).tolist()):
        a, b = left[node], right[node]
        if a >= 0:
            total = weight[a] + weight[b]
            values[node] = (weight[a] * values[a] + weight[b] * values[b]) / total
    return values
