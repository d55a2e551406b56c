"""The init of boosting: a constant, the trees of a native model, or the predictions of any other estimator."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor

from treewright import (
    AdaBoostRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    load,
    save,
    shap_values,
)
from treewright.errors import UsageError
from treewright.files import to_bytes

Numbers = NDArray[np.float64]
# So slow that the answers are those of the start.
SLOW: dict[str, Any] = {"n_estimators": 1, "learning_rate": 1e-12}


def make_table(rows: int = 400, seed: int = 0) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 4))
    return X, X[:, 0] * X[:, 1] + 2 * X[:, 2] + 0.1 * rng.standard_normal(rows)


@pytest.mark.parametrize(
    "init",
    [
        CARTRegressor(max_depth=2),
        RandomForestRegressor(n_estimators=7, max_depth=3),
        GradientBoostingRegressor(n_estimators=5),
        GradientBoostingRegressor(n_estimators=2, init=CARTRegressor(max_depth=1)),
    ],
    ids=lambda init: type(init).__name__,
)
def test_native_trees_become_the_first_trees(init: Any, tmp_path: Any) -> None:
    X, y = make_table()
    alone = clone(init).fit(X, y)
    model = GradientBoostingRegressor(init=init, **SLOW).fit(X, y)
    assert model.n_init_trees_ == len(getattr(alone, "trees_", [0]))
    assert len(model.trees_) == model.n_init_trees_ + 1
    assert model.predict(X) == pytest.approx(alone.predict(X), abs=1e-9)
    fitted = GradientBoostingRegressor(init=init, n_estimators=20).fit(X, y)
    assert fitted.score(X, y) > alone.score(X, y)
    assert fitted.n_estimators_ == 20
    stages = list(fitted.staged_predict(X))
    assert len(stages) == 20
    assert np.array_equal(stages[-1], fitted.predict(X))
    save(fitted, tmp_path / "a.tree")
    again = load(tmp_path / "a.tree")
    assert np.array_equal(again.predict(X), fitted.predict(X))
    assert (again.n_init_trees_, repr(again.init)) == (fitted.n_init_trees_, repr(init))
    assert to_bytes(again) == to_bytes(fitted)
    values, expected = shap_values(fitted, X[:5])
    assert values.sum(axis=1) + expected == pytest.approx(fitted.predict(X[:5]), abs=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_tree_of_classes_becomes_a_tree_for_each_sum(classes: int) -> None:
    X, y = make_table()
    labels = np.array(["b", "c", "a"])[np.digitize(y, [0.0, 1.0][: classes - 1])]
    tree = CARTClassifier(max_depth=3, min_samples_leaf=5).fit(X, labels)
    model = GradientBoostingClassifier(init=clone(tree), **SLOW).fit(X, labels)
    assert model.n_init_trees_ == (1 if classes == 2 else classes)
    eps = np.finfo(np.float32).eps
    shares = tree.predict_proba(X).clip(eps, 1 - eps)
    assert model.predict_proba(X) == pytest.approx(shares / shares.sum(axis=1)[:, None], abs=1e-6)
    more = GradientBoostingClassifier(init=clone(tree), n_estimators=10).fit(X, labels)
    assert more.score(X, labels) > tree.score(X, labels)
    assert np.array_equal(list(more.staged_predict(X))[-1], more.predict(X))


def test_warm_starts_continue_from_the_same_init() -> None:
    X, y = make_table()
    for init in (CARTRegressor(max_depth=2), LinearRegression()):
        single = GradientBoostingRegressor(init=init, n_estimators=12).fit(X, y)
        parts = GradientBoostingRegressor(init=init, n_estimators=5, warm_start=True).fit(X, y)
        parts.set_params(n_estimators=12).fit(X, y)
        assert np.array_equal(parts.predict(X), single.predict(X))
        assert parts.n_estimators_ == 12


def test_importances_are_those_of_the_rounds() -> None:
    X, y = make_table()
    model = GradientBoostingRegressor(init=CARTRegressor(max_depth=1), n_estimators=3).fit(X, y)
    rounds = sum(np.bincount(t.feature, weights=t.gain, minlength=4) for t in model.trees_[1:])
    assert model.feature_importances_ == pytest.approx(rounds / rounds.sum())


# ---- learners of other kinds


def test_any_regressor_can_be_an_external_init(tmp_path: Any) -> None:
    X, y = make_table()
    linear = LinearRegression().fit(X, y)
    model = GradientBoostingRegressor(init=LinearRegression(), **SLOW).fit(X, y)
    assert model.predict(X) == pytest.approx(linear.predict(X), abs=1e-9)
    model = GradientBoostingRegressor(init=LinearRegression(), n_estimators=30).fit(X, y)
    assert model.init_.coef_ == pytest.approx(linear.coef_)
    assert model.score(X, y) > linear.score(X, y)
    assert np.array_equal(list(model.staged_predict(X))[-1], model.predict(X))
    assert model.predict_one(X[3]) == pytest.approx(model.predict(X[3:4])[0], rel=1e-12)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X), model.predict(X))
    with pytest.raises(UsageError, match=r"whose init is a LinearRegression.*usage.model"):
        save(model, tmp_path / "a.tree")
    assert not list(tmp_path.iterdir())
    with pytest.raises(UsageError, match="is not a sum over trees"):
        shap_values(model, X)
    with pytest.raises(AttributeError, match="which is not a tree"):
        _ = model.trees_
    model.set_params(init=None).fit(X, y)
    assert len(model.trees_) == 30
    assert not hasattr(model, "init_")


def test_models_that_are_no_sums_are_external_inits() -> None:
    X, y = make_table()
    median = AdaBoostRegressor(n_estimators=3)
    model = GradientBoostingRegressor(init=median, **SLOW).fit(X, y)
    assert model.predict(X) == pytest.approx(clone(median).fit(X, y).predict(X), abs=1e-9)
    counts = np.random.default_rng(1).poisson(np.exp(X[:, 0])).astype(float)
    forest = RandomForestRegressor(n_estimators=3, max_depth=3)
    poisson = GradientBoostingRegressor(loss="poisson", init=forest, **SLOW).fit(X, counts)
    assert poisson.predict(X) == pytest.approx(
        clone(forest).fit(X, counts).predict(X).clip(1e-7), rel=1e-6
    )


@pytest.mark.parametrize(
    "init",
    [GaussianNB(), LogisticRegression(), RandomForestClassifier(n_estimators=5), C45Classifier()],
    ids=lambda init: type(init).__name__,
)
@pytest.mark.parametrize("classes", [2, 3])
def test_any_classifier_can_be_an_external_init(init: Any, classes: int) -> None:
    X, y = make_table()
    labels = np.array(["b", "c", "a"])[np.digitize(y, [0.0, 1.0][: classes - 1])]
    alone = clone(init).fit(X, labels)
    model = GradientBoostingClassifier(init=init, **SLOW).fit(X, labels)
    shares = alone.predict_proba(X).clip(1e-7, 1)
    assert model.predict_proba(X) == pytest.approx(shares / shares.sum(axis=1)[:, None], abs=1e-5)
    model = GradientBoostingClassifier(init=init, n_estimators=10).fit(X, labels)
    assert model.predict(X).tolist() == [model.predict_one(row) for row in X]
    decisions = model.decision_function(X)
    assert decisions.shape == ((400,) if classes == 2 else (400, 3))
    assert np.allclose(list(model.staged_decision_function(X))[-1], decisions)


def test_validation_rows_are_not_used_for_init() -> None:
    X, y = make_table()
    model = GradientBoostingRegressor(init=LinearRegression(), early_stopping=True, n_estimators=99)
    model.fit(X, y)
    assert not np.allclose(model.init_.coef_, LinearRegression().fit(X, y).coef_, rtol=1e-12)
    ours = GradientBoostingRegressor(init=CARTRegressor(max_depth=1), early_stopping=True)
    assert int(ours.fit(X, y).trees_[0].count[0]) == 360
    more, truth = make_table(100, 1)
    watched = GradientBoostingRegressor(init=LinearRegression(), n_estimators=3)
    watched.fit(X, y, X_val=more, y_val=truth)
    start = np.mean((LinearRegression().fit(X, y).predict(more) - truth) ** 2) / 2
    assert watched.validation_score_[0] == pytest.approx(start)


def test_rows_of_weight_zero_do_not_count() -> None:
    X, y = make_table()
    weights = np.repeat([0.0, 1.0], 200)
    for init in (LinearRegression(), CARTRegressor(max_depth=2)):
        model = GradientBoostingRegressor(init=init, n_estimators=5).fit(X, y, weights)
        rest = GradientBoostingRegressor(init=init, n_estimators=5).fit(X[200:], y[200:])
        assert model.predict(X) == pytest.approx(rest.predict(X), abs=1e-9)


def test_impossible_inits_are_errors() -> None:
    X, y = make_table(60)
    with pytest.raises(UsageError, match="an estimator with predict_proba; got LinearRegression"):
        GradientBoostingClassifier(init=LinearRegression()).fit(X, y > 0)
    with pytest.raises(ValueError, match="does not support sample weights"):
        GradientBoostingRegressor(init=KNeighborsRegressor()).fit(X, y, np.arange(60.0) + 1)
