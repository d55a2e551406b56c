"""Boosting with exact splits makes scikit-learn's trees, where no two cuts are equally good."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import ensemble, tree

from treewright import (
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)

CART: dict[str, Any] = {
    "splits": "exact",
    "max_leaf_nodes": None,
    "max_depth": 3,
    # In a node of two rows every column cuts equally well, and scikit-learn draws lots.
    "min_samples_leaf": 10,
}


def made(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    # scikit-learn compares in single precision.
    X = rng.standard_normal((rows, 6)).astype(np.float32)
    y = X[:, 0] * X[:, 1] + np.sin(X[:, 2]) + 0.1 * rng.standard_normal(rows)
    return X, y


def same_trees(ours: Any, theirs: Any) -> None:
    estimators = theirs.estimators_.ravel()
    assert len(ours.trees_) == len(estimators)
    for mine, other in zip(ours.trees_, estimators, strict=True):
        grown = other.tree_
        asked = grown.children_left >= 0
        assert mine.n_nodes == grown.node_count
        # Theirs are numbered depth first, ours sibling beside sibling: the questions are compared as a set.
        mine_asks = mine.n_children > 0
        mine_questions = sorted(
            zip(mine.feature[mine_asks], mine.threshold[mine_asks], strict=True)
        )
        questions = sorted(zip(grown.feature[asked], grown.threshold[asked], strict=True))
        assert [q[0] for q in mine_questions] == [q[0] for q in questions]
        found, expected = [[q[1] for q in some] for some in (mine_questions, questions)]
        assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("leaf", [10, 20])
def test_squared_error(seed: int, leaf: int) -> None:
    X, y = made(400, seed)
    theirs = ensemble.GradientBoostingRegressor(n_estimators=50, min_samples_leaf=leaf).fit(X, y)
    ours = GradientBoostingRegressor(n_estimators=50, **CART | {"min_samples_leaf": leaf}).fit(X, y)
    same_trees(ours, theirs)
    new = made(1000, seed + 10)[0]
    assert abs(ours.predict(new) - theirs.predict(new)).max() < 1e-10
    stages = zip(ours.staged_predict(new), theirs.staged_predict(new), strict=True)
    assert max(abs(mine - other).max() for mine, other in stages) < 1e-10


def test_weights_and_leaves_best_first() -> None:
    X, y = made(400, 5)
    weights = np.random.default_rng(0).integers(1, 4, 400).astype(float)
    theirs = ensemble.GradientBoostingRegressor(
        n_estimators=30,
        max_leaf_nodes=6,
        max_depth=None,
        min_samples_leaf=10,
    ).fit(X, y, weights)
    ours = GradientBoostingRegressor(
        n_estimators=30, **CART | {"max_leaf_nodes": 6, "max_depth": None}
    ).fit(X, y, weights)
    assert abs(ours.predict(X) - theirs.predict(X)).max() < 1e-10


def test_deviance_of_two_and_of_three_classes() -> None:
    X, y = made(800, 7)
    for target, rounds in ((y > 0.2, 25), (np.digitize(y, [-0.5, 0.5]), 8)):
        theirs = ensemble.GradientBoostingClassifier(n_estimators=rounds, min_samples_leaf=10).fit(
            X, target
        )
        ours = GradientBoostingClassifier(n_estimators=rounds, **CART).fit(X, target)
        same_trees(ours, theirs)
        assert abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-10


@pytest.mark.slow
def test_bins_are_as_good_as_theirs() -> None:
    X, y = made(3000, 1)
    new, truth = made(3000, 2)
    theirs = ensemble.HistGradientBoostingRegressor(early_stopping=False).fit(X, y)
    ours = GradientBoostingRegressor().fit(X, y)
    error = [np.mean((model.predict(new) - truth) ** 2) for model in (ours, theirs)]
    assert error[0] < 1.05 * error[1]


@pytest.mark.parametrize("ours_first", [True, False])
def test_the_start_of_another_learner(ours_first: bool) -> None:
    X, y = made(400, 5)
    new = made(1000, 6)[0]
    theirs_init = tree.DecisionTreeRegressor(max_depth=2)
    mine_init: Any = CARTRegressor(max_depth=2) if ours_first else theirs_init
    theirs = ensemble.GradientBoostingRegressor(
        n_estimators=30, min_samples_leaf=10, init=theirs_init
    )
    ours = GradientBoostingRegressor(n_estimators=30, init=mine_init, **CART)
    assert abs(ours.fit(X, y).predict(new) - theirs.fit(X, y).predict(new)).max() < 1e-10
    labels = np.digitize(y, [0.0])
    theirs_init = tree.DecisionTreeClassifier(max_depth=2)
    mine_init = CARTClassifier(max_depth=2) if ours_first else theirs_init
    other = ensemble.GradientBoostingClassifier(
        n_estimators=10, min_samples_leaf=10, init=theirs_init
    ).fit(X, labels)
    mine = GradientBoostingClassifier(n_estimators=10, init=mine_init, **CART).fit(X, labels)
    assert abs(mine.predict_proba(new) - other.predict_proba(new)).max() < 1e-10
