"""The description length of a tree and its errors in bits: the minimum is one choice of its size (MDL).

The tree: one bit per node, leaf or branch; the column and the threshold or categories of each test; a class at each
leaf. The errors: how many rows are wrong, which, and their true class. For numbers the errors have a normal
distribution around the mean of a leaf, and each mean costs half the bits of the number of rows.
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
# The deviation below which numbers count as equal, as a fraction of that at the root.
MIN_DEVIATION = 2.0**-20


def lengths(tree: Tree, path: PruningPath, table: Table, errors: Numbers) -> Numbers:
    """Return the bits of each tree of a path, given its training errors per row."""
    bits = _test_bits(tree, table)
    alive = _alive(tree, path.link)
    order = np.argsort(alive)
    after = np.append(np.cumsum(bits[order][::-1])[::-1], 0.0)
    pruned = np.searchsorted(alive[order], path.alpha, side="right")
    tests = after[pruned]
    branches = len(order) - pruned
    rows = float(tree.weight[0])
    nodes = branches + path.leaves
    if tree.schema.classes:
        leaf = math.log2(max(1, len(tree.schema.classes)))
        wrong = np.array([_exceptions(rows, e * rows, len(tree.schema.classes)) for e in errors])
    else:
        leaf = 0.5 * math.log2(max(2.0, rows))
        spread = float(tree.cost[0]) / rows * MIN_DEVIATION**2 or MIN_DEVIATION**2
        wrong = 0.5 * rows * np.log2(np.maximum(errors, spread) / spread)
    return np.asarray(nodes + tests + leaf * path.leaves + wrong)


def _test_bits(tree: Tree, table: Table) -> Numbers:
    """Return the bits of the test of each branch, in the order of the branches."""
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
