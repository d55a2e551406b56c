"""AdaBoost: its rounds, its weak learners, and what ends it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier as Neighbours

from treewright import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    UsageError,
    datasets,
    load,
    save,
)
from treewright.files import to_bytes


def task(rows: int = 400, classes: int = 2, seed: int = 0) -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5))
    s = X[:, 0] + X[:, 1] ** 2 + 0.5 * X[:, 2] + 0.5 * rng.standard_normal(rows)
    return X, np.searchsorted(np.quantile(s, np.arange(1, classes) / classes), s)


@pytest.mark.parametrize("classes", [2])
@pytest.mark.parametrize("rows", [60, 3000])
def test_the_fast_path_gives_the_stumps_of_the_plain_one(classes: int, rows: int) -> None:
    X, y = task(rows, classes)
    X[:, 3] = np.round(X[:, 3])
    X[:, 4] = 1.5
    weights = np.random.default_rng(1).integers(1, 5, rows) / 4
    for w in (None, weights):
        fast = AdaBoostClassifier(n_estimators=12).fit(X, y, w)
        clear = AdaBoostClassifier(CARTClassifier(max_depth=1), n_estimators=12).fit(X, y, w)
        assert len(fast.rounds_) == len(clear.rounds_)
        for one, two in zip(fast.trees_, clear.trees_, strict=True):
            assert one.feature.tolist() == two.feature.tolist()
            assert np.array_equal(one.threshold, two.threshold, equal_nan=True)
            assert one.count.tolist() == two.count.tolist()
            assert np.allclose(one.value, two.value, rtol=0, atol=1e-9)
        assert np.allclose(fast.estimator_weights_, clear.estimator_weights_, rtol=1e-8)
        assert [r.rows.tolist() for r in fast.rounds_] == [r.rows.tolist() for r in clear.rounds_]


@pytest.mark.parametrize("jobs", [1, 2, 3, 8])
def test_threads_and_the_order_of_rows_do_not_matter(jobs: int) -> None:
    X, y = task(9000, 3)
    base = AdaBoostClassifier(n_estimators=8, n_jobs=1).fit(X, y).set_params(n_jobs=None)
    order = np.random.default_rng(1).permutation(len(X))
    other = AdaBoostClassifier(n_estimators=8, n_jobs=jobs).fit(X[order], y[order])
    assert to_bytes(other.set_params(n_jobs=None)) == to_bytes(base)


def test_rounds_record_error_vote_and_weights() -> None:
    X, y = task()
    model = AdaBoostClassifier(n_estimators=6).fit(X, y)
    shares = np.full(len(y), 1 / len(y))
    for turn, (one, tree) in enumerate(zip(model.rounds_, model.trees_, strict=True)):
        left = X[:, tree.feature[0]] <= tree.threshold[0]
        says = np.where(left, np.argmax(tree.value[1]), np.argmax(tree.value[2]))
        missed = says != y
        assert one.number == turn
        assert one.rows.tolist() == np.flatnonzero(missed).tolist()
        assert one.gained == missed.sum()
        assert np.isclose(one.error, shares[missed].sum(), atol=1e-12)
        assert np.isclose(one.vote, np.log((1 - one.error) / one.error), atol=1e-10)
        shares[missed] *= np.exp(one.vote)
        shares /= shares.sum()


def test_a_perfect_learner_is_the_last_and_chance_ends_the_fit() -> None:
    model = AdaBoostClassifier().fit([[0], [1]], ["a", "b"])
    assert [(r.error, r.vote) for r in model.rounds_] == [(0.0, 1.0)]
    # Nothing to tell the rows apart: the first learner stays, though it is no better than chance.
    for X, y in (([[0], [0]], [0, 1]), ([[0], [0], [0], [0]], [0, 0, 0, 1])):
        model = AdaBoostClassifier().fit(X, y)
        assert len(model.rounds_) == 1 or model.rounds_[-1].error < 0.5
    one = AdaBoostClassifier().fit([[0], [1]], ["a", "a"])
    assert one.predict([[5]]).tolist() == ["a"]
    assert one.predict_proba([[5]]).tolist() == [[1.0]]


def test_stages_lead_to_the_model() -> None:
    X, y = task(classes=3)
    model = AdaBoostClassifier(n_estimators=7).fit(X, y)
    assert (list(model.staged_predict(X))[-1] == model.predict(X)).all()
    assert np.array_equal(list(model.staged_predict_proba(X))[-1], model.predict_proba(X))
    assert np.array_equal(list(model.staged_decision_function(X))[-1], model.decision_function(X))
    reg = AdaBoostRegressor(n_estimators=7).fit(X, X[:, 0])
    assert np.array_equal(list(reg.staged_predict(X))[-1], reg.predict(X))


@pytest.mark.parametrize("base", [C45Classifier(), ID3Classifier(max_depth=1)])
def test_native_trees_are_weak_learners(base: Any, tmp_path: Any) -> None:
    X, y = datasets.play_tennis()
    model = AdaBoostClassifier(base, n_estimators=5).fit(X, y)
    assert model.score(X, y) > 0.6
    save(model, tmp_path / "a.tree")
    again = load(tmp_path / "a.tree")
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    assert again.estimator.get_params() == base.get_params()
    assert again.estimator_weights_.tolist() == model.estimator_weights_.tolist()
    assert to_bytes(pickle.loads(pickle.dumps(model))) == to_bytes(model)


def test_missing_values_and_categories_take_the_plain_path() -> None:
    X, y = task(200)
    X[::7, 0] = np.nan
    model = AdaBoostClassifier(n_estimators=20).fit(X, y)
    assert model.score(X, y) > 0.8


def test_other_estimators(tmp_path: Any) -> None:
    X, y = task()
    model = AdaBoostClassifier(LogisticRegression(), n_estimators=4).fit(X, y)
    assert len(model.estimators_) == len(model.rounds_)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X) == model.predict(X)).all()
    assert ((model.decision_function(X) > 0) == (model.predict(X) == 1)).all()
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    with pytest.raises(UsageError, match=r"with base estimator LogisticRegression.*usage.model"):
        save(model, tmp_path / "a.tree")
    with pytest.raises(ValueError, match="doesn't support sample_weight"):
        AdaBoostClassifier(Neighbours()).fit(X, y)
    reg = AdaBoostRegressor(LinearRegression(), n_estimators=4).fit(X, X[:, 0] + X[:, 1] ** 2)
    assert reg.predict(X).shape == (len(X),)


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_numbers(loss: str) -> None:
    X, _ = task()
    y = X[:, 0] + X[:, 1] ** 2
    for resample in (False, True):
        model = AdaBoostRegressor(
            CARTRegressor(max_depth=5), n_estimators=20, loss=loss, resample=resample
        ).fit(X, y)
        alone = CARTRegressor(max_depth=5).fit(X, y)
        assert model.score(X, y) > alone.score(X, y)
    with pytest.raises(UsageError, match="loss must be"):
        AdaBoostRegressor(loss="cubic").fit(X, y)


def test_a_perfect_learner_of_numbers_is_the_last() -> None:
    model = AdaBoostRegressor().fit([[0], [1]], [3.0, 4.0])
    assert [(r.error, r.vote) for r in model.rounds_] == [(0.0, 1.0)]
    assert model.predict([[0], [1]]).tolist() == [3.0, 4.0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"n_estimators": 0}, "n_estimators must be"),
        ({"learning_rate": 0}, "learning_rate must be"),
        ({"estimator": "tree"}, "estimator must be"),
    ],
)
def test_wrong_parameters_are_errors(words: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AdaBoostClassifier(**words).fit(*task(20))


def test_the_default_trees_have_a_leaf_for_each_class() -> None:
    random = np.random.default_rng(0)
    X = random.uniform(0, 4, (600, 2))
    y = np.floor(X[:, 0]).astype(int) * 4 + np.floor(X[:, 1]).astype(int)  # 16 classes
    model = AdaBoostClassifier(n_estimators=20).fit(X, y)
    assert model.trees_[0].depth == 4
    assert model.score(X, y) > 0.9
    stumps = AdaBoostClassifier(CARTClassifier(max_depth=1), n_estimators=20).fit(X, y)
    assert stumps.score(X, y) < 0.5
    two = AdaBoostClassifier(n_estimators=3).fit(X, y > 7)
    assert two.trees_[0].depth == 1
