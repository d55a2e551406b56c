"""What a tree and the rows it is wrong about cost to write down, in bits: the shortest message is a choice of size.

The tree: a bit for each node, leaf or question; the name of the column and of the answer's place at each question; a
class at each leaf. The rows: how many are wrong, which, and what they are instead. For numbers the errors are those of
a normal distribution around the leaf's mean, and each mean costs half the bits of the number of rows.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from treewright._pruning.cost_complexity import PruningPath
from treewright.table import Table
from treewright.tree import Tree

__all__ = ["lengths"]

Numbers = NDArray[np.float64]
# The deviation below which numbers are the same to the message, as a share of the root's.
FINEST = 2.0**-20


def lengths(tree: Tree, path: PruningPath, table: Table, errors: Numbers) -> Numbers:
    """Return the bits of each tree of a path, given its training errors by row."""
    bits = _questions(tree, table)
    alive = _alive(tree, path.link)
    order = np.argsort(alive)
    after = np.append(np.cumsum(bits[order][::-1])[::-1], 0.0)
    asked = np.searchsorted(alive[order], path.alpha, side="right")
    questions = after[asked]
    branches = len(order) - asked
    rows = float(tree.weight[0])
    nodes = branches + path.leaves
    if tree.schema.classes:
        leaf = math.log2(max(1, len(tree.schema.classes)))
        wrong = np.array([_exceptions(rows, e * rows, len(tree.schema.classes)) for e in errors])
    else:
        leaf = 0.5 * math.log2(max(2.0, rows))
        spread = float(tree.cost[0]) / rows * FINEST**2 or FINEST**2
        wrong = 0.5 * rows * np.log2(np.maximum(errors, spread) / spread)
    return np.asarray(nodes + questions + leaf * path.leaves + wrong)


def _questions(tree: Tree, table: Table) -> Numbers:
    """Return the bits of each branch's question, in the order of the branches."""
    columns = tree.schema.columns
    naming = math.log2(max(1, len(columns)))
    places = []
    for column in columns:
        if column.kind == "numeric":
            values = table.column(column.name).data
            different = len(np.unique(values[~np.isnan(values)])) if values.dtype.kind == "f" else 2
            places.append(math.log2(max(1, different - 1)))
        else:
            places.append(float(len(column.levels)))
    branches = np.flatnonzero(tree.n_children)
    features = tree.feature[branches]
    bits = np.array(places)[features] + naming
    # A branch for each level says nothing about them.
    for i, branch in enumerate(branches):
        column = columns[int(features[i])]
        if column.kind == "categorical" and tree.n_children[branch] >= len(column.levels) > 2:
            bits[i] = naming
    return np.asarray(bits, dtype=np.float64)


def _alive(tree: Tree, link: Numbers) -> Numbers:
    """Return the price up to which each branch is asked: its own, or that of a node above it that goes first."""
    least = np.where(tree.n_children > 0, link, np.inf)
    parents = tree.parents
    for node in range(1, tree.n_nodes):
        least[node] = min(least[node], least[parents[node]])
    return np.asarray(least[np.flatnonzero(tree.n_children)])


def _exceptions(rows: float, wrong: float, classes: int) -> float:
    """Return the bits that say which rows are wrong, and what they are."""
    wrong = min(max(0.0, wrong), rows)
    ways = math.lgamma(rows + 1) - math.lgamma(wrong + 1) - math.lgamma(rows - wrong + 1)
    return math.log2(rows + 1) + ways / math.log(2) + wrong * math.log2(max(1, classes - 1))
