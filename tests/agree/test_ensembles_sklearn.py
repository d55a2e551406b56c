"""Bagging and AdaBoost of CART are scikit-learn's where no two splits save the same; forests are as good as its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import ensemble, tree
from sklearn.metrics import roc_auc_score

import treewright
from treewright import AdaBoostClassifier, AdaBoostRegressor, CARTClassifier, CARTRegressor
from treewright._learners.ensembles import bagging


def task(rows: int, classes: int = 2, seed: int = 0) -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(seed)
    # Single precision: scikit-learn's trees have no other.
    X = rng.standard_normal((rows, 8)).astype(np.float32)
    s = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + X[:, 3] + 0.8 * rng.standard_normal(rows)
    return X, np.searchsorted(np.quantile(s, np.arange(1, classes) / classes), s)


def same_trees(ours: Any, theirs: list[Any]) -> None:
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        inner = other.tree_.children_left >= 0
        assert len(one.feature) == len(inner)
        assert sorted(one.feature[one.n_children > 0]) == sorted(other.tree_.feature[inner])
        cuts = np.sort(one.threshold[one.n_children > 0])
        assert np.allclose(cuts, np.sort(other.tree_.threshold[inner]), rtol=0, atol=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("depth", [1, 3])
def test_adaboost_of_classes(classes: int, depth: int) -> None:
    X, y = task(1500, classes)
    base = None if depth == 1 else CARTClassifier(max_depth=depth, min_samples_leaf=60)
    if depth == 1 and classes > 2:  # our default has a leaf for each class
        base = CARTClassifier(max_depth=1)
    ours = AdaBoostClassifier(base, n_estimators=20, learning_rate=0.8).fit(X, y)
    theirs = ensemble.AdaBoostClassifier(
        tree.DecisionTreeClassifier(max_depth=depth, min_samples_leaf=60 if depth > 1 else 1),
        n_estimators=20,
        learning_rate=0.8,
    ).fit(X, y)
    same_trees(ours.trees_, theirs.estimators_)
    assert np.allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=0, atol=1e-9)
    assert np.allclose(ours.estimator_errors_, theirs.estimator_errors_, rtol=0, atol=1e-10)
    probe = task(500, classes, 7)[0]
    assert np.abs(ours.predict_proba(probe) - theirs.predict_proba(probe)).max() < 1e-10
    assert np.abs(ours.decision_function(probe) - theirs.decision_function(probe)).max() < 1e-9
    assert (ours.predict(probe) == theirs.predict(probe)).all()


@pytest.mark.parametrize("classes", [2, 3, None])
def test_bagging_with_the_same_samples(
    classes: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = task(3000, classes or 2)
    if classes is None:
        y = X[:, 0].astype(float) + X[:, 1] ** 2
        theirs = ensemble.BaggingRegressor(tree.DecisionTreeRegressor(max_depth=3), 8)
        base: Any = CARTRegressor(max_depth=3)
    else:
        theirs = ensemble.BaggingClassifier(tree.DecisionTreeClassifier(max_depth=3), 8)
        base = CARTClassifier(max_depth=3)
    theirs.set_params(random_state=0).fit(X, y)
    drawn = [np.bincount(rows, minlength=len(X)) for rows in theirs.estimators_samples_]

    kind = treewright.BaggingRegressor if classes is None else treewright.BaggingClassifier
    ours = kind(base, 8)
    plan = bagging._make_bag(ours, None, len(X)) | {"given": np.array(drawn, dtype=np.uint32)}
    monkeypatch.setattr(bagging, "_make_bag", lambda *arguments: plan)
    ours.fit(X, y)
    same_trees(ours.trees_, theirs.estimators_)
    probe = task(500, classes or 2, 7)[0]
    if classes is None:
        assert np.abs(ours.predict(probe) - theirs.predict(probe)).max() < 1e-10
    else:
        assert np.abs(ours.predict_proba(probe) - theirs.predict_proba(probe)).max() < 1e-10


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_adaboost_of_numbers_given_the_same_weights(loss: str) -> None:
    """scikit-learn draws rows by their weights; a learner that is told the weights instead does what ours does."""
    X, _ = task(600)
    y = X[:, 0].astype(float) + X[:, 1] ** 2

    class Drawn:
        """Draws every row once."""

        def choice(self, rows: Any, size: int, replace: bool, p: Any) -> Any:
            Weighted.shares = p
            return rows

    class Weighted(tree.DecisionTreeRegressor):
        shares: Any = None

        def fit(self, X: Any, y: Any) -> Any:  # type: ignore[override]
            return super().fit(X, y, sample_weight=Weighted.shares)

    theirs = ensemble.AdaBoostRegressor(
        Weighted(max_depth=4, min_samples_leaf=60), n_estimators=10, loss=loss
    )
    theirs.estimator_ = Weighted(max_depth=4, min_samples_leaf=60)
    theirs.estimators_ = []
    shares, votes, errors = np.full(len(X), 1 / len(X)), [], []
    for turn in range(10):
        theirs._make_estimator = lambda random_state, self=theirs: self._fresh()  # type: ignore[attr-defined]
        theirs._fresh = lambda self=theirs: (  # type: ignore[attr-defined]
            self.estimators_.append(Weighted(max_depth=4, min_samples_leaf=60))
            or self.estimators_[-1]
        )
        shares, vote, error = theirs._boost(turn, X, y, shares, Drawn())
        votes.append(vote)
        errors.append(error)
        shares = shares / shares.sum()
    ours = AdaBoostRegressor(
        CARTRegressor(max_depth=4, min_samples_leaf=60), n_estimators=10, loss=loss
    ).fit(X, y)
    same_trees(ours.trees_, theirs.estimators_)
    assert np.allclose(ours.estimator_weights_, votes, rtol=0, atol=1e-9)
    assert np.allclose(ours.estimator_errors_, errors, rtol=0, atol=1e-10)
    theirs.estimator_weights_ = np.array(votes)
    assert np.abs(ours.predict(X) - theirs.predict(X)).max() < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["RandomForestClassifier", "ExtraTreesClassifier"])
def test_forests_are_as_good(name: str) -> None:
    """In the mean of seeds: one run differs from the next by 0.003, as much as is promised."""
    X, y = task(2000)
    probe, truth = task(4000, seed=9)
    scores: dict[str, list[float]] = {"ours": [], "theirs": []}
    for seed in range(8):
        for who, home in (("ours", treewright), ("theirs", ensemble)):
            model = getattr(home, name)(n_estimators=60, random_state=seed, n_jobs=2).fit(X, y)
            scores[who].append(roc_auc_score(truth, model.predict_proba(probe)[:, 1]))
    assert np.mean(scores["ours"]) > np.mean(scores["theirs"]) - 0.003
