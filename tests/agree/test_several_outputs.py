"""Trees and forests of several outputs: the same as scikit-learn's, and each output is a model of its own."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_diabetes
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treewright
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    export,
    save,
    show,
)
from treewright._input import sparse as sparse_input
from treewright.errors import UsageError


@pytest.fixture(scope="module")
def flowers() -> tuple[np.ndarray, np.ndarray]:
    """Return numbers, and two classes for each row: enough rows that no two splits save the same."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 4))
    noise = rng.normal(size=(900, 2)) * 0.5
    kind = np.digitize(X[:, 0] + X[:, 1] + noise[:, 0], [-0.7, 0.9])
    return X, np.column_stack([kind, X[:, 2] - X[:, 0] ** 2 + noise[:, 1] > -1])


@pytest.fixture(scope="module")
def patients() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X, y = load_diabetes(return_X_y=True)
    X = X + rng.normal(size=X.shape) * 1e-4
    return X, np.column_stack([y, 100 * X[:, 2], X[:, 3] * X[:, 4]])


@pytest.mark.parametrize(
    "params", [{"max_depth": 3}, {"min_samples_leaf": 60}, {"max_leaf_nodes": 7}]
)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_classes_are_those_of_scikit_learn(params: dict[str, Any], criterion: str, flowers) -> None:
    X, Y = flowers
    ours = CARTClassifier(criterion=criterion, **params).fit(X, Y)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **params).fit(X, Y)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    for one, two in zip(ours.predict_proba(X), theirs.predict_proba(X), strict=True):
        assert np.allclose(one, two)
    assert np.allclose(ours.feature_importances_, theirs.feature_importances_)
    assert [c.tolist() for c in ours.classes_] == [c.tolist() for c in theirs.classes_]
    assert (ours.n_outputs_, ours.n_classes_) == (2, [3, 2])


@pytest.mark.parametrize("params", [{"max_depth": 3}, {"min_samples_leaf": 20}])
def test_numbers_are_those_of_scikit_learn(params: dict[str, Any], patients) -> None:
    X, Y = patients
    ours = CARTRegressor(**params).fit(X, Y)
    theirs = DecisionTreeRegressor(random_state=0, **params).fit(X, Y)
    assert np.allclose(ours.predict(X), theirs.predict(X))
    assert np.isclose(ours.score(X, Y), theirs.score(X, Y))
    assert np.allclose(ours.feature_importances_, theirs.feature_importances_)


@pytest.mark.parametrize("name", ["RandomForestClassifier", "ExtraTreesClassifier"])
def test_forests_of_classes(name: str, flowers) -> None:
    X, Y = flowers
    model = getattr(treewright, name)(n_estimators=20).fit(X, Y)
    assert model.predict(X).shape == Y.shape
    assert [p.shape for p in model.predict_proba(X)] == [(900, 3), (900, 2)]
    assert (model.predict(X) == Y).mean() > 0.9
    order = np.random.default_rng(1).permutation(len(X))
    shuffled = getattr(treewright, name)(n_estimators=20).fit(X[order], Y[order])
    assert np.array_equal(shuffled.predict(X), model.predict(X))


def test_forests_of_numbers_share_their_splits(patients) -> None:
    X, Y = patients
    for learner in (RandomForestRegressor, ExtraTreesRegressor):
        model = learner(n_estimators=5).fit(X, Y, np.arange(len(X)) % 3)
        assert model.predict(X).shape == Y.shape
        thresholds = [np.nan_to_num(one.trees_[2].threshold).tolist() for one in model.outputs_]
        assert thresholds[0] == thresholds[1] == thresholds[2]
        assert np.array_equal(model.apply(X), model.outputs_[1].apply(X))


def test_twice_the_same_output_is_that_output(flowers) -> None:
    X, Y = flowers
    one, two = CARTClassifier().fit(X, Y[:, 0]), CARTClassifier().fit(X, Y[:, [0, 0]])
    assert str(show(two.outputs_[1])) == str(show(one))


def test_an_output_is_a_model_of_its_own(flowers, tmp_path) -> None:
    X, Y = flowers
    names = pd.DataFrame(Y, columns=["kind", "wide"])
    model = CARTClassifier(max_depth=2).fit(X, names)
    first = model.outputs_[0]
    assert first.schema_.target == "kind"
    assert "kind" in str(show(first)) or len(str(show(first))) > 0
    assert "CASE" in export(first, "sql")
    save(first, tmp_path / "kind.tree")
    assert np.array_equal(
        treewright.load(tmp_path / "kind.tree").predict(X), model.predict(X)[:, 0]
    )
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


def test_what_is_about_one_output_says_so(flowers, tmp_path) -> None:
    X, Y = flowers
    model = CARTClassifier(max_depth=2).fit(X, Y)
    with pytest.raises(UsageError, match="predicts 2 outputs, and this shows one") as caught:
        show(model)
    assert caught.value.slug == "usage.several-outputs"
    with pytest.raises(
        AttributeError, match=r"take the model of one output, such as outputs_\[0\]"
    ):
        model.tree_  # noqa: B018
    with pytest.raises(AttributeError, match="predicts 2 outputs"):
        save(model, tmp_path / "x.tree")
    with pytest.raises(UsageError, match="class_weight='balanced' is not supported"):
        CARTClassifier(class_weight="balanced").fit(X, Y)
    with pytest.raises(UsageError, match="oob_score=True is not supported"):
        RandomForestClassifier(oob_score=True).fit(X, Y)
    with pytest.raises(ValueError, match="1d array"):
        C45Classifier().fit(X, Y)


def test_sparse_tables_give_the_same_trees(flowers, monkeypatch: pytest.MonkeyPatch) -> None:
    X, Y = np.where(flowers[0] > 3, flowers[0], 0), flowers[1]
    dense = RandomForestClassifier(n_estimators=4).fit(X, Y)
    monkeypatch.setattr(sparse_input, "SMALL_CELLS", 0)
    monkeypatch.setattr(sparse_input, "DENSE_SHARE", 2.0)
    stored = RandomForestClassifier(n_estimators=4).fit(sparse.csr_array(X), Y)
    for one, two in zip(dense.outputs_, stored.outputs_, strict=True):
        assert treewright.files.to_bytes(one) == treewright.files.to_bytes(two)
