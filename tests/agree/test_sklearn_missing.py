"""CART with missing values, and with monotone answers, is scikit-learn's tree.

Its features come in a random order, and it tries all cuts with missing values above before those with missing values
below: at a tie it may take another split. There both must save the same, and the comparison ends. Numbers are of single
precision, as scikit-learn holds them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treewright import CARTClassifier, CARTRegressor

TABLES = 25


def random_table(random: np.random.Generator, lacking: bool) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = int(random.integers(20, 150)), int(random.integers(1, 4))
    X = random.normal(size=(rows, columns)).astype(np.float32).astype(float)
    score = X[:, 0] + random.normal(size=rows)
    if lacking:
        X[random.random(X.shape) < random.choice([0.05, 0.3])] = np.nan
    return X, score


def saved(theirs: Any, node: int) -> float:
    def cost(node: int) -> float:
        return float(theirs.impurity[node] * theirs.weighted_n_node_samples[node])

    return cost(node) - cost(theirs.children_left[node]) - cost(theirs.children_right[node])


def split(tree: Any, node: int) -> tuple[int, float, bool]:
    """Return what a node asks: column, cut, and whether missing values go with the smaller numbers."""
    return tree.feature[node], tree.threshold[node], bool(tree.missing[node] == 0)


def their_split(tree: Any, node: int) -> tuple[int, float, bool]:
    return tree.feature[node], tree.threshold[node], bool(tree.missing_go_to_left[node])


def check_same(ours: Any, theirs: Any) -> int:
    """Compare two trees node by node; return how many nodes were the same."""
    open_nodes, same = [(0, 0)], 0
    while open_nodes:
        node, other = open_nodes.pop()
        leaf = theirs.children_left[other] == -1
        assert (ours.n_children[node] == 0) == leaf
        assert ours.value[node] == pytest.approx(theirs.value[other].ravel(), rel=1e-9)
        same += 1
        if leaf:
            continue
        if split(ours, node) != their_split(theirs, other):  # a tie
            assert ours.gain[node] == pytest.approx(saved(theirs, other), rel=1e-6, abs=1e-9)
            continue
        first = int(ours.first_child[node])
        open_nodes += [
            (first, theirs.children_left[other]),
            (first + 1, theirs.children_right[other]),
        ]
    return same


def compare(random: np.random.Generator, classes: bool, monotone: bool) -> int:
    X, score = random_table(random, lacking=not monotone)
    limits: dict[str, Any] = {
        "min_samples_leaf": int(random.integers(1, 6)),
        "max_depth": int(random.integers(2, 8)),
        "monotonic_cst": random.integers(-1, 2, X.shape[1]) if monotone else None,
    }
    y = (score > 0).astype(int) if classes else score
    if classes and not monotone:
        y = y + (score > 1)
    ours: Any = CARTClassifier if classes else CARTRegressor
    theirs: Any = DecisionTreeClassifier if classes else DecisionTreeRegressor
    tree = theirs(random_state=0, **limits).fit(X, y).tree_
    return check_same(ours(**limits).fit(X, y).tree_, tree)


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("monotone", [True, False])
def test_the_tree_is_the_same(classes: bool, monotone: bool) -> None:
    random = np.random.default_rng(0)
    same = sum(compare(random, classes, monotone) for _ in range(TABLES))
    assert same > 10 * TABLES  # most of the nodes were compared
