"""Bagging of native trees and of other estimators."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

from treewright import (
    BaggingClassifier,
    BaggingRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    KNeighborsClassifier,
    UsageError,
    datasets,
    load,
    save,
)
from treewright.files import to_bytes


def task(rows: int = 300, seed: int = 0) -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 6))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + 0.3 * rng.standard_normal(rows) > 0).astype(int)


@pytest.mark.parametrize("bagging", [BaggingClassifier, BaggingRegressor])
def test_threads_and_the_order_of_rows_do_not_matter(bagging: Any) -> None:
    X, y = task()
    models = [bagging(n_jobs=jobs).fit(X, y).set_params(n_jobs=None) for jobs in (1, 2, 3, 8)]
    assert len({to_bytes(model) for model in models}) == 1
    order = np.random.default_rng(1).permutation(len(X))
    assert to_bytes(bagging().fit(X[order], y[order])) == to_bytes(models[0])


def test_the_core_and_the_loop_grow_the_same_trees() -> None:
    """Pruning at no price changes nothing, and takes the way of one tree after the other."""
    X, y = task()
    core = BaggingClassifier(CARTClassifier(max_depth=4), 5).fit(X, y)
    loop = BaggingClassifier(CARTClassifier(max_depth=4, missing="surrogate"), 5).fit(X, y)
    for one, two in zip(core.trees_, loop.trees_, strict=True):
        assert one.feature.tolist() == two.feature.tolist()
        assert np.array_equal(one.threshold, two.threshold, equal_nan=True)


@pytest.mark.parametrize("base", [C45Classifier(), ID3Classifier(), CARTClassifier(ccp_alpha=0.01)])
def test_native_trees(base: Any, tmp_path: Any) -> None:
    X, y = datasets.play_tennis()
    model = BaggingClassifier(base, 12).fit(X, y)
    assert model.score(X, y) >= 0.7
    save(model, tmp_path / "b.tree")
    again = load(tmp_path / "b.tree")
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    assert type(again.estimator) is type(base)
    assert not hasattr(base, "schema_")


def test_some_columns_only() -> None:
    X, y = task()
    model = BaggingClassifier(CARTClassifier(max_depth=3), 8, max_features=2).fit(X, y)
    for tree in model.trees_:
        assert len(set(tree.feature[tree.n_children > 0].tolist())) <= 2
    assert len({int(f) for tree in model.trees_ for f in tree.feature}) > 2
    reg = BaggingRegressor(CARTRegressor(max_depth=3), 8, max_features=0.5).fit(X, X[:, 0])
    assert reg.score(X, X[:, 0]) > 0.05


def test_samples_without_replacement() -> None:
    X, y = task(100)
    model = BaggingClassifier(n_estimators=4, bootstrap=False, max_samples=0.3).fit(X, y)
    assert [tree.count[0] for tree in model.trees_] == [30] * 4
    with pytest.raises(ValueError, match="bootstrap=True"):
        BaggingClassifier(bootstrap=False, oob_score=True).fit(X, y)


@pytest.mark.parametrize("base", [None, C45Classifier(), LogisticRegression(), LinearSVC()])
def test_out_of_bag(base: Any) -> None:
    X, y = task(200)
    model = BaggingClassifier(base, 40, oob_score=True).fit(X, y)
    assert 0.5 < model.oob_score_ < 1
    assert np.allclose(model.oob_decision_function_.sum(axis=1), 1)
    reg = BaggingRegressor(n_estimators=40, oob_score=True).fit(X, X[:, 0] + X[:, 1])
    assert 0.5 < reg.oob_score_ < 1
    assert len(reg.oob_curve_) == 40


def test_other_estimators(tmp_path: Any) -> None:
    X, y = task()
    names = np.array(["no", "yes"])[y]
    model = BaggingClassifier(LogisticRegression(), 5, max_features=3).fit(X, names)
    assert [len(columns) for columns in model.estimators_features_] == [3] * 5
    assert set(model.predict(X)) == {"no", "yes"}
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    with pytest.raises(UsageError, match=r"with base estimator LogisticRegression.*usage.model"):
        save(model, tmp_path / "b.tree")
    reg = BaggingRegressor(LinearRegression(), 5).fit(X, X[:, 0], sample_weight=np.ones(len(X)))
    assert np.allclose(reg.predict(X), X[:, 0])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        reg.fit(X, X[:50, 0])
    with pytest.raises(ValueError, match="KNeighborsClassifier doesn't support sample_weight"):
        BaggingClassifier(KNeighborsClassifier(), 2).fit(X, y, sample_weight=np.ones(len(X)))
