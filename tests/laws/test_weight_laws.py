"""Weights of any size: no fit fails, and every node weighs what its children weigh."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from helpers.soak import size
from treewright import (
    AdaBoostClassifier,
    CARTClassifier,
    CARTRegressor,
    ExtraTreesClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)

TABLES = size(40, 2000)


def table(seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Return a small table, its classes, and weights from 1e-12 to 1e12."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(20, 200)), int(rng.integers(1, 6))
    X = rng.standard_normal((rows, columns))
    if seed % 3 == 0:
        X = X.round(1)  # many equal values
    if seed % 4 == 0:
        X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 2 + seed % 3, rows)
    low, high = [(-12, 12), (-12, -9), (9, 12), (-1, 1), (-6, 6)][seed % 5]
    return X, y, 10.0 ** rng.uniform(low, high, rows)


def learners(depth: int, seed: int) -> list[Any]:
    limits: dict[str, Any] = {"max_depth": depth, "criterion": ["gini", "entropy"][seed % 2]}
    class_weight = [None, "balanced"][seed // 2 % 2]
    return [
        CARTClassifier(**limits, class_weight=class_weight, n_jobs=1),
        CARTRegressor(max_depth=depth, n_jobs=1),
        RandomForestClassifier(3, **limits, n_jobs=1, random_state=seed),
        RandomForestClassifier(2, **limits, class_weight="balanced_subsample", n_jobs=1),
        RandomForestRegressor(2, max_depth=depth, n_jobs=1),
        ExtraTreesClassifier(2, **limits, n_jobs=1),
        AdaBoostClassifier(CARTClassifier(**limits), n_estimators=12),
    ]


def check(tree: Any) -> None:
    branches = np.flatnonzero(tree.n_children)
    for node in branches:
        first = int(tree.first_child[node])
        children = slice(first, first + int(tree.n_children[node]))
        assert np.isclose(tree.weight[children].sum(), tree.weight[node], rtol=1e-9)
        assert tree.count[children].sum() == tree.count[node]
    assert np.isfinite(tree.value).all()
    assert (tree.weight[tree.n_children == 0] > 0).all()


@pytest.mark.parametrize("seed", range(TABLES))
def test_trees_of_weights_from_tiny_to_huge(seed: int) -> None:
    X, y, weights = table(seed)
    for model in learners(1 + seed % 16, seed):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            model.fit(X, y, weights)
        for tree in getattr(model, "trees_", None) or [model.tree_]:
            check(tree)


@pytest.mark.parametrize("depth", [4, 8, 12])
def test_boosted_deep_trees_of_digits(depth: int) -> None:
    X, y = load_digits(return_X_y=True)
    model = AdaBoostClassifier(CARTClassifier(max_depth=depth), n_estimators=size(12, 50)).fit(X, y)
    assert model.score(X, y) > 0.9
