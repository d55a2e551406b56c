"""CART against scikit-learn's trees: the same splits wherever no two splits are tied.

scikit-learn shuffles the columns, so that ties go to a random one. A table counts here only if at every node of the
tree the best split is better than the second best; a slow search in numpy says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treewright import CARTClassifier, CARTRegressor

LEAF = 4


def impurity(y: NDArray[Any], criterion: str) -> float:
    if criterion == "squared_error":
        return float(np.var(y))
    shares = np.bincount(y) / len(y)
    shares = shares[shares > 0]
    if criterion == "gini":
        return float(1 - np.sum(shares**2))
    return float(-np.sum(shares * np.log2(shares)))


def savings(X: NDArray[Any], y: NDArray[Any], criterion: str) -> list[float]:
    """What every allowed split saves, largest first."""
    found = []
    for x in X.T:
        for cut in np.unique(x)[:-1]:
            left = x <= cut
            if LEAF <= left.sum() <= len(y) - LEAF:
                parts = [y[left], y[~left]]
                rest = sum(len(part) * impurity(part, criterion) for part in parts) / len(y)
                found.append(impurity(y, criterion) - rest)
    return sorted(found, reverse=True)


def has_ties(X: NDArray[Any], y: NDArray[Any], criterion: str, tree: Any) -> bool:
    """Whether at some branch of a scikit-learn tree two splits save the same."""
    inside = tree.decision_path(X).toarray().astype(bool)
    for node in np.flatnonzero(tree.tree_.children_left >= 0):
        rows = inside[:, node]
        best = savings(X[rows], y[rows], criterion)
        if len(best) > 1 and best[0] - best[1] < 1e-9 * max(best[0], 1e-12):
            return True
    return False


def table(seed: int, criterion: str) -> tuple[NDArray[np.float32], NDArray[Any]]:
    rng = np.random.default_rng(seed)
    rows, width = int(rng.integers(20, 70)), int(rng.integers(1, 4))
    X = rng.normal(size=(rows, width)).astype(np.float32)
    signal = X[:, 0] + rng.normal(size=rows)
    if criterion == "squared_error":
        return X, signal
    return X, np.searchsorted(np.quantile(signal, [0.4, 0.7][: 1 + seed % 2]), signal)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_trees_without_ties_are_those_of_sklearn(criterion: str) -> None:
    ours = CARTRegressor if criterion == "squared_error" else CARTClassifier
    theirs = DecisionTreeRegressor if criterion == "squared_error" else DecisionTreeClassifier
    compared, seed = 0, 0
    while compared < 170:
        seed += 1
        assert seed < 2000, f"only {compared} tables without ties"
        X, y = table(seed, criterion)
        limits = {"max_depth": 3, "min_samples_leaf": LEAF}
        other = theirs(criterion=criterion, random_state=0, **limits).fit(X, y)
        if has_ties(X, y, criterion, other):
            continue
        tree = ours(criterion=criterion, **limits).fit(X, y).tree_
        compared += 1
        assert splits(tree) == pytest.approx(their_splits(other.tree_), rel=1e-6), f"table {seed}"
    assert compared == 170


def splits(tree: Any) -> list[float]:
    """Column, threshold and rows of each node, a parent before its first child, a child before its sibling."""
    found, open_nodes = [], [0]
    while open_nodes:
        node = open_nodes.pop()
        first = int(tree.first_child[node])
        column = float(tree.feature[node]) if first else -1.0
        cut = float(tree.threshold[node]) if first else 0.0
        found += [column, cut, float(tree.count[node])]
        if first:
            open_nodes += [first + 1, first]
    return found


def their_splits(tree: Any) -> list[float]:
    found = []
    for node in range(tree.node_count):  # scikit-learn numbers in the same order
        leaf = tree.children_left[node] < 0
        column = -1.0 if leaf else float(tree.feature[node])
        cut = 0.0 if leaf else float(tree.threshold[node])
        found += [column, cut, float(tree.n_node_samples[node])]
    return found


def test_best_first_grows_the_leaves_of_sklearn() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 3)).astype(np.float32)
    y = X[:, 0] * X[:, 1] + rng.normal(size=400)
    for leaves in (2, 3, 5, 9, 17):
        other = DecisionTreeRegressor(max_leaf_nodes=leaves, min_samples_leaf=5, random_state=0)
        other.fit(X, y)
        tree = CARTRegressor(max_leaf_nodes=leaves, min_samples_leaf=5).fit(X, y).tree_
        assert tree.n_leaves == leaves == other.get_n_leaves()
        # Both number the children of a node when it is split.
        branches = np.flatnonzero(other.tree_.children_left >= 0)
        assert tree.feature[branches].tolist() == other.tree_.feature[branches].tolist()
        assert tree.count.tolist() == other.tree_.n_node_samples.tolist()
        assert tree.value[:, 0] == pytest.approx(other.tree_.value.ravel())
