"""Prediction intervals of boosting: two more models behind one method."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression

from treewright import GradientBoostingRegressor
from treewright.errors import UsageError
from treewright.files import from_bytes, to_bytes

Numbers = NDArray[np.float64]


def make_table(rows: int, seed: int = 0) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 4, (rows, 3))
    return X, X[:, 0] + (0.2 + X[:, 1]) * rng.standard_normal(rows)


def test_the_ends_are_those_of_two_quantile_models() -> None:
    X, y = make_table(600)
    options = {"n_estimators": 12, "max_leaf_nodes": 5}
    model = GradientBoostingRegressor(interval=0.8, **options).fit(X, y)
    plain = GradientBoostingRegressor(**options).fit(X, y)
    assert (model.predict(X) == plain.predict(X)).all()
    ends = [
        GradientBoostingRegressor(loss="quantile", quantile=q, **options).fit(X, y).predict(X)
        for q in ((1 - 0.8) / 2, (1 + 0.8) / 2)
    ]
    assert (model.predict_interval(X) == np.sort(np.transpose(ends), axis=1)).all()


def test_intervals_cover_new_rows() -> None:
    X, y = make_table(3000)
    new, truth = make_table(3000, seed=7)
    model = GradientBoostingRegressor(
        interval=0.8, max_leaf_nodes=6, n_estimators=60, min_samples_leaf=40
    ).fit(X, y)
    low, high = model.predict_interval(new).T
    assert (low <= high).all()
    assert np.mean((low <= truth) & (truth <= high)) == pytest.approx(0.8, abs=0.05)
    assert np.corrcoef(high - low, new[:, 1])[0, 1] > 0.8


def test_files_pickles_and_an_init_keep_the_ends() -> None:
    X, y = make_table(300)
    model = GradientBoostingRegressor(interval=0.9, n_estimators=5).fit(X, y)
    expected = model.predict_interval(X)
    for copy in (from_bytes(to_bytes(model)), pickle.loads(pickle.dumps(model))):
        assert (copy.predict_interval(X) == expected).all()
        assert to_bytes(copy) == to_bytes(model)
    external = GradientBoostingRegressor(interval=0.9, n_estimators=5, init=LinearRegression())
    external.fit(X, y)
    assert (external.predict_interval(X) == expected).all()
    assert (pickle.loads(pickle.dumps(external)).predict_interval(X) == expected).all()


def test_early_stopping_watches_the_same_rows() -> None:
    X, y = make_table(900)
    model = GradientBoostingRegressor(
        interval=0.9, n_estimators=200, learning_rate=0.3, early_stopping=True, n_iter_no_change=3
    ).fit(X[:600], y[:600], eval_set=(X[600:], y[600:]), callback=lambda r: r.number == 99)
    assert all(forest.n_trees < 100 for forest in model._interval_ends)
    assert model.predict_interval(X).shape == (900, 2)


def test_without_an_interval_the_error_says_what_to_do() -> None:
    X, y = make_table(100)
    model = GradientBoostingRegressor(n_estimators=2).fit(X, y)
    with pytest.raises(UsageError, match="fitted without models for the ends") as caught:
        model.predict_interval(X)
    assert "interval" in str(caught.value.hints[0])
    with pytest.raises(UsageError, match="level must be"):
        GradientBoostingRegressor(interval=1.5).fit(X, y)
    model.set_params(interval=0.9).fit(X, y).predict_interval(X)
    model.set_params(interval=None).fit(X, y)
    with pytest.raises(UsageError, match="fitted without"):
        model.predict_interval(X)
