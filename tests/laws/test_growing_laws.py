"""A tree grown by hand, best question after best question, is the tree of `fit`: every byte of the model file."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    Growing,
    ID3Classifier,
    UsageError,
    rows_of,
)
from treewright.files import to_bytes

CLASSES = [
    ID3Classifier(),
    ID3Classifier(max_p_value=0.3),
    ID3Classifier(min_gain=0.05, max_depth=3),
    ID3Classifier(sufficient_majority=0.8),
    ID3Classifier(prune="pessimistic"),
    C45Classifier(),
    C45Classifier(categorical="groups"),
    C45Classifier(variant="j48"),
    C45Classifier(prune=None, criterion="gain"),
    C45Classifier(prune="reduced_error", thresholds="midpoint"),
    CARTClassifier(),
    CARTClassifier(missing="branch", min_samples_leaf=3),
    CARTClassifier(missing="surrogate"),
    CARTClassifier(variant="rpart"),
    CARTClassifier(prune="cost_complexity"),
    CARTClassifier(prune="reduced_error", criterion="entropy"),
    CARTClassifier(class_weight="balanced", ccp_alpha=0.01),
]
NUMBERS = [
    CARTRegressor(min_samples_leaf=2),
    CARTRegressor(missing="surrogate"),
    CARTRegressor(variant="rpart"),
    CARTRegressor(prune="cost_complexity", missing="branch"),
]


def random_table(seed: int, rows: int = 60) -> tuple[dict[str, list[Any]], Any, Any, Any]:
    rng = np.random.default_rng(seed)
    numbers = [rng.integers(0, 9, rows).astype(float), rng.normal(size=rows).round(1)]
    levels = rng.choice(["red", "green", "blue", "grey"], rows).astype(object)
    for cells in (*numbers, levels):
        gaps = rng.random(rows) < 0.12
        cells[gaps] = None if cells.dtype == object else np.nan
    table = {"number": numbers[0], "other": numbers[1], "color": levels}
    signal = np.nan_to_num(numbers[0]) + 2.0 * (levels == "red") + rng.normal(size=rows)
    classes = np.array(["low", "middle", "high"])[np.digitize(signal, [2.5, 5.5])]
    return (
        {k: list(v) for k, v in table.items()},
        classes,
        signal.round(2),
        rng.integers(0, 3, rows),
    )


def grow_by_best_splits(growing: Growing, rng: np.random.Generator) -> Growing:
    while growing.open:
        growing.split(int(rng.choice(growing.open)))
    return growing


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("estimator", CLASSES + NUMBERS, ids=str)
def test_best_splits_by_hand_are_fit(estimator: Any, seed: int) -> None:
    X, classes, numbers, weights = random_table(seed)
    y = numbers if isinstance(estimator, CARTRegressor) else classes
    sample_weight = weights if seed == 1 else None
    expected = to_bytes(clone(estimator).fit(X, y, sample_weight))
    growing = Growing(estimator, X, y, sample_weight)
    model = grow_by_best_splits(growing, np.random.default_rng(seed)).prune().model()
    assert to_bytes(model) == expected
    assert not hasattr(model, "by_hand_")
    assert to_bytes(Growing(estimator, X, y, sample_weight).grow().prune().model()) == expected


@pytest.mark.parametrize("leaves", [2, 5, 9])
def test_limited_leaves_are_grown_best_first(leaves: int) -> None:
    X, y, _, _ = random_table(5)
    estimator = CARTClassifier(max_leaf_nodes=leaves)
    growing = Growing(estimator, X, y).grow()
    assert to_bytes(growing.model()) == to_bytes(clone(estimator).fit(X, y))
    reasons = {node["reason"] for node in growing.nodes if node["state"] == "leaf"}
    assert "max_leaves" in reasons
    assert not growing.open


@pytest.mark.parametrize("estimator", CLASSES[5:8] + CLASSES[10:14] + NUMBERS, ids=str)
def test_rows_of_nodes_are_those_of_the_tree(estimator: Any) -> None:
    X, classes, numbers, _ = random_table(7)
    y = numbers if isinstance(estimator, CARTRegressor) else classes
    growing = Growing(estimator, X, y).grow()
    tree = growing.tree
    for node in range(tree.n_nodes):
        rows = growing.rows(node)
        assert len(rows.positions) == tree.count[node]
        assert np.isclose(rows.fractions.sum(), tree.weight[node])
    model = growing.model()
    whole = model.tree_
    leaves = [
        rows_of(model, node, X) for node in range(whole.n_nodes) if not whole.n_children[node]
    ]
    shares = np.zeros(len(y))
    for rows in leaves:
        shares[rows.positions] += rows.fractions
    if not isinstance(estimator, C45Classifier):
        np.testing.assert_array_equal(
            np.concatenate([r.positions for r in leaves]).size, int((shares > 0).sum())
        )
    np.testing.assert_allclose(shares[shares > 0], 1.0)


@pytest.mark.parametrize("seed", range(4))
def test_any_sequence_of_actions_can_be_taken_back(seed: int) -> None:
    X, y, _, _ = random_table(seed, rows=40)
    rng = np.random.default_rng(seed)
    growing = Growing(C45Classifier() if seed % 2 else CARTClassifier(), X, y)
    seen = [to_bytes(growing.model())]
    for _ in range(12):
        with contextlib.suppress(UsageError):  # a question that divides nothing
            act(growing, rng)
        if len(growing._stages) > len(seen):
            seen.append(to_bytes(growing.model()))
    for expected in reversed(seen[:-1]):
        assert to_bytes(growing.undo().model()) == expected
    for expected in seen[1:]:
        assert to_bytes(growing.redo().model()) == expected


def act(growing: Growing, rng: np.random.Generator) -> None:
    nodes, n_nodes = growing.open, growing.tree.n_nodes
    kind = rng.integers(0, 5)
    node = int(rng.choice(nodes)) if nodes else 0
    if kind == 0 and nodes:
        growing.split(node)
    elif kind == 1 and nodes:
        growing.split_on(node, "other", 0.05)
    elif kind == 2:
        growing.split_on(0, "color")
    elif kind == 3 and nodes:
        growing.leaf(node)
    elif n_nodes < 30:
        growing.grow(node)
