"""Quantiles and intervals of forests: those of the training rows in the leaves, with the coverage they promise."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from treewright import ExtraTreesRegressor, RandomForestRegressor
from treewright.errors import ModelFileError, UnseenValuesWarning, UsageError
from treewright.files import from_bytes, to_bytes

Numbers = NDArray[np.float64]
FORESTS = [RandomForestRegressor, ExtraTreesRegressor]


def make_table(rows: int, seed: int = 0) -> tuple[Numbers, Numbers]:
    """Return rows whose target spreads more where the first column is large."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 4, (rows, 3))
    return X, X[:, 0] + (0.2 + X[:, 1]) * rng.standard_normal(rows)


def quantiles_by_hand(
    model: Any, X: Numbers, y: Numbers, weights: Numbers, new: Numbers, q: float
) -> Numbers:
    """Meinshausen's definition, row by row."""
    leaves, reached = model.apply(X), model.apply(new)
    order, result = np.argsort(y, kind="stable"), []
    for row in reached:
        shares = np.zeros(len(y))
        for tree, leaf in enumerate(row):
            members = np.where(leaves[:, tree] == leaf, weights, 0.0)
            shares += members / members.sum() / len(row)
        sums = np.cumsum(shares[order])
        result.append(y[order][np.searchsorted(sums, q - 1e-9)])
    return np.array(result)


@pytest.mark.parametrize("kind", FORESTS)
def test_quantiles_are_meinshausens(kind: Any) -> None:
    X, y = make_table(150)
    weights = np.random.default_rng(1).uniform(0.5, 2, 150)
    new = make_table(30, seed=5)[0]
    for row_weights in (None, weights):
        model = kind(n_estimators=7, min_samples_leaf=4, keep_targets=True, random_state=2)
        model.fit(X, y, row_weights)
        used = np.ones(150) if row_weights is None else row_weights
        for q in (0.07, 0.51, 0.93):
            expected = quantiles_by_hand(model, X, y, used, new, q)
            assert model.predict_quantiles(new, q) == pytest.approx(expected, abs=0)


@pytest.mark.parametrize("kind", FORESTS)
def test_intervals_cover_as_many_new_rows_as_they_say(kind: Any) -> None:
    X, y = make_table(2500)
    new, truth = make_table(2500, seed=7)
    model = kind(n_estimators=40, min_samples_leaf=10, keep_targets=True).fit(X, y)
    for level in (0.5, 0.8, 0.9):
        low, high = model.predict_interval(new, level).T
        assert (low <= high).all()
        assert np.mean((low <= truth) & (truth <= high)) == pytest.approx(level, abs=0.06)
    width = np.diff(model.predict_interval(new, 0.8), axis=1)[:, 0]
    assert np.corrcoef(width, new[:, 1])[0, 1] > 0.8  # wide where the target spreads


def test_quantiles_stay_in_order_and_within_the_target() -> None:
    X, y = make_table(300)
    model = RandomForestRegressor(n_estimators=10, keep_targets=True).fit(X, y)
    found = model.predict_quantiles(X, np.linspace(0, 1, 21))
    assert found.shape == (300, 21)
    assert (np.diff(found, axis=1) >= 0).all()
    assert np.isin(found, y).all()
    assert (model.predict_quantiles(X, 0.5) == found[:, 10]).all()


def test_nothing_depends_on_threads_or_on_the_order_of_rows() -> None:
    X, y = make_table(400)
    y = y.round(1)  # equal targets, too
    weights = np.random.default_rng(3).integers(1, 4, 400).astype(float)
    order = np.random.default_rng(4).permutation(400)
    files = set()
    for jobs, rows in ((1, slice(None)), (2, slice(None)), (None, order)):
        model = RandomForestRegressor(n_estimators=9, keep_targets=True, n_jobs=jobs)
        model.fit(X[rows], y[rows], weights[rows])
        model.set_params(n_jobs=None)
        files.add(to_bytes(model))
    assert len(files) == 1


def test_unseen_categories_use_all_rows_below() -> None:
    X = {"town": ["a", "b", "c"] * 40, "x": list(range(120))}
    y = np.arange(120.0)
    model = RandomForestRegressor(
        n_estimators=5, keep_targets=True, bootstrap=False, max_features=1
    ).fit({"town": X["town"]}, y)
    unseen = {"town": ["z"]}
    with pytest.warns(UnseenValuesWarning):
        low, high = model.predict_interval(unseen, 0.98)[0]
    assert low < 5
    assert high > 115


def test_files_and_pickles_keep_the_targets() -> None:
    X, y = make_table(300)
    weights = np.random.default_rng(0).uniform(1, 2, 300)
    plain = RandomForestRegressor(n_estimators=6).fit(X, y)
    assert b"keep_targets" not in to_bytes(plain)
    for row_weights in (None, weights):
        model = RandomForestRegressor(n_estimators=6, keep_targets=True).fit(X, y, row_weights)
        expected = model.predict_quantiles(X)
        data = to_bytes(model)
        # Two bytes for each row and tree, a third more as text, and little else.
        assert (
            len(data) < len(to_bytes(plain)) + 1.34 * (2 * 300 * 6 + 16 * 300 + 2 * 6 * 600) + 999
        )
        for copy in (from_bytes(data), pickle.loads(pickle.dumps(model))):
            assert (copy.predict_quantiles(X) == expected).all()
            assert to_bytes(copy) == data


def test_targets_that_no_file_holds_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = make_table(60)
    model = RandomForestRegressor(n_estimators=2, keep_targets=True).fit(X, y)
    monkeypatch.setattr("treewright._learners.ensembles.quantile_forest.MAX_BYTES", 100)
    with pytest.raises(ModelFileError, match="a model file holds at most"):
        to_bytes(model)


def test_hostile_targets_are_refused() -> None:
    X, y = make_table(60)
    model = RandomForestRegressor(n_estimators=2, keep_targets=True).fit(X, y)
    other = RandomForestRegressor(n_estimators=3, keep_targets=True).fit(X, -y)
    document = model._document()
    mine, theirs = (m._extra_metadata()["kept"]["leaf_targets"] for m in (model, other))
    for wrong in (theirs, mine[:-4], mine[4:], "A" * len(mine), "?", ""):
        data = model._forest.to_bytes(document.replace(mine, wrong))
        with pytest.raises(ModelFileError):
            from_bytes(data)


def test_a_warm_start_continues() -> None:
    X, y = make_table(200)
    grown = RandomForestRegressor(n_estimators=3, keep_targets=True, warm_start=True).fit(X, y)
    grown.set_params(n_estimators=6).fit(X, y)
    whole = RandomForestRegressor(n_estimators=6, keep_targets=True).fit(X, y)
    assert (grown.predict_quantiles(X) == whole.predict_quantiles(X)).all()
    grown.set_params(keep_targets=False, n_estimators=7).fit(X, y)
    with pytest.raises(UsageError, match="without the targets"):
        grown.predict_quantiles(X)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda m, X: m.predict_quantiles(X, 1.5), "between 0 and 1; got 1.5"),
        (lambda m, X: m.predict_quantiles(X, "a"), "between 0 and 1; got 'a'"),
        (lambda m, X: m.predict_quantiles(X, [[0.1]]), "between 0 and 1"),
        (lambda m, X: m.predict_interval(X, 1), "level must be a number between 0 and 1"),
    ],
)
def test_wrong_quantiles_are_explained(call: Any, sentence: str) -> None:
    X, y = make_table(50)
    model = RandomForestRegressor(n_estimators=2, keep_targets=True).fit(X, y)
    with pytest.raises(UsageError, match=sentence):
        call(model, X)


def test_a_model_without_targets_says_what_to_do() -> None:
    X, y = make_table(50)
    with pytest.raises(UsageError, match="fitted without the targets") as caught:
        RandomForestRegressor(n_estimators=2).fit(X, y).predict_interval(X)
    assert "keep_targets" in str(caught.value.hints[0])
    with pytest.raises(UsageError, match="keep_targets must be True or False"):
        RandomForestRegressor(keep_targets="yes").fit(X, y)
