"""Models of scikit-learn predict the same here: on 10,000 rows, at the thresholds, with missing values, from files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import ensemble, tree
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from threadpoolctl import threadpool_limits

import treewright as tw
from treewright.errors import UsageError


@pytest.fixture(autouse=True)
def one_thread() -> Any:
    """Keep the threads of histogram boosting from waiting for each other."""
    with threadpool_limits(1):
        yield


CLASSIFIERS = (
    tree.DecisionTreeClassifier(random_state=0),
    tree.DecisionTreeClassifier(criterion="log_loss", max_depth=4, random_state=0),
    tree.ExtraTreeClassifier(random_state=0),
    ensemble.RandomForestClassifier(n_estimators=10, random_state=0),
    ensemble.ExtraTreesClassifier(n_estimators=10, random_state=0),
    ensemble.HistGradientBoostingClassifier(max_iter=10),
    ensemble.GradientBoostingClassifier(n_estimators=5, random_state=0),
)
REGRESSORS = (
    tree.DecisionTreeRegressor(random_state=0),
    tree.ExtraTreeRegressor(random_state=0),
    ensemble.RandomForestRegressor(n_estimators=10, random_state=0),
    ensemble.ExtraTreesRegressor(n_estimators=10, random_state=0),
    ensemble.HistGradientBoostingRegressor(max_iter=10, loss="poisson"),
    ensemble.GradientBoostingRegressor(n_estimators=5, loss="huber", random_state=0),
    ensemble.GradientBoostingRegressor(n_estimators=5, init="zero", random_state=0),
)


def rows(model: Any, count: int) -> Any:
    """Return rows as the model takes them: gradient boosting of scikit-learn takes no missing values."""
    rng = np.random.default_rng(count)
    X = rng.normal(size=(count, 4))
    if not isinstance(
        model, (ensemble.GradientBoostingClassifier, ensemble.GradientBoostingRegressor)
    ):
        X[rng.random(X.shape) < 0.1] = np.nan
    return X


def fit(model: Any) -> Any:
    X = rows(model, 400)
    filled = np.nan_to_num(X)
    target: Any = np.exp(filled[:, 0]) + filled[:, 1] ** 2
    if hasattr(model, "predict_proba"):
        target = np.array(["a", "b", "c"])[(filled[:, 0] > 0) * 1 + (filled[:, 1] > 1)]
    return model.fit(X, target)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda m: type(m).__name__)
def test_classifiers(model: Any) -> None:
    ours, X = tw.from_sklearn(fit(model)), rows(model, 10_000)
    assert np.array_equal(ours.predict(X), model.predict(X))
    assert np.abs(ours.predict_proba(X) - model.predict_proba(X)).max() <= 4e-16
    if not hasattr(model, "decision_function"):  # no exponentials: every bit is the same
        assert np.array_equal(ours.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("model", REGRESSORS, ids=lambda m: type(m).__name__)
def test_regressors(model: Any) -> None:
    ours, X = tw.from_sklearn(fit(model)), rows(model, 10_000)
    if getattr(model, "loss", "") == "poisson":
        assert np.allclose(ours.predict(X), model.predict(X), rtol=1e-15, atol=0)
    else:
        assert np.array_equal(ours.predict(X), model.predict(X))


def test_numbers_at_the_thresholds() -> None:
    model = fit(tree.DecisionTreeRegressor(random_state=0))
    ours = tw.from_sklearn(model)
    cuts = np.unique(np.concatenate([model.tree_.threshold, ours.tree_.threshold]))
    cuts = cuts[np.isfinite(cuts)]
    singles = cuts.astype(np.float32)
    up, down = (np.nextafter(singles, np.float32(x)) for x in (np.inf, -np.inf))
    halves = (singles.astype(float) + up.astype(float)) / 2, (singles.astype(float) + down) / 2
    near = np.concatenate([cuts, singles, up, down, *halves])
    near = np.concatenate([near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)])
    for column in range(4):
        X = np.repeat(rows(model, 1), len(near), axis=0)
        X[:, column] = near
        assert np.array_equal(ours.predict(X), model.predict(X))


def test_costs_and_rows_of_nodes_are_kept() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = tree.DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    ours = tw.from_sklearn(model)
    assert ours.feature_names_in_.tolist() == list(X.columns)
    assert np.allclose(ours.feature_importances_, model.feature_importances_, atol=1e-15)
    assert "petal width (cm) ≤ 1.75?" in str(tw.show(ours))
    assert ours.classes_.dtype == model.classes_.dtype


@pytest.mark.parametrize("model", [CLASSIFIERS[3], REGRESSORS[4]], ids=lambda m: type(m).__name__)
def test_files_exports_and_explanations(model: Any, tmp_path: Any) -> None:
    ours, X = tw.from_sklearn(fit(model)), rows(model, 200)
    tw.save(ours, tmp_path / "model.tree")
    again = tw.load(tmp_path / "model.tree")
    assert repr(again) == repr(ours)
    assert np.array_equal(again.predict(X), ours.predict(X))
    assert "def predict" in tw.export(ours, "python")
    assert str(tw.explain(ours, X[0]))


def test_models_that_cannot_be_converted() -> None:
    X, y = rows(None, 50), np.arange(50.0)
    filled = np.nan_to_num(X)
    several = tree.DecisionTreeRegressor().fit(X, np.column_stack([y, y]))
    started = ensemble.GradientBoostingRegressor(init=LinearRegression(), n_estimators=2)
    colors = np.column_stack([X[:, 0], np.arange(50) % 3])
    categories = ensemble.HistGradientBoostingRegressor(max_iter=2, categorical_features=[1])
    for model, words in (
        (LinearRegression().fit(filled, y), "a LinearRegression"),
        (several, "2 outputs"),
        (started.fit(filled, y), "whose init is a LinearRegression"),
        (tree.DecisionTreeRegressor(criterion="absolute_error").fit(X, y), "absolute_error"),
        (categories.fit(colors, y), "categorical columns"),
    ):
        with pytest.raises(UsageError, match=words) as caught:
            tw.from_sklearn(model)
        assert caught.value.slug == "interchange.unsupported"
