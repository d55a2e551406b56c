"""Optimal trees: against every tree, with categories, missing values, weights, penalties; views and files of them."""

from __future__ import annotations

import pickle
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.exhaustive_trees import least_cost
from treewright import (
    CARTClassifier,
    CARTRegressor,
    DataError,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    UsageError,
    datasets,
    explain,
    export,
    load,
    save,
    show,
    to_rules,
)
from treewright._learners.optimal import candidate_splits


def random_problem(seed: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    rows, width = int(rng.integers(8, 30)), int(rng.integers(2, 5))
    X = rng.integers(0, int(rng.integers(2, 5)), size=(rows, width)).astype(float)
    y = np.where(rng.random(rows) < 0.2, rng.integers(0, 3, rows), X.sum(axis=1) % 3).astype(int)
    return X, y, rng.integers(1, 4, rows).astype(float)


@pytest.mark.parametrize("seed", range(12))
def test_no_tree_makes_fewer_errors(seed: int) -> None:
    X, y, weights = random_problem(seed)
    depth, min_leaf, penalty = 1 + seed % 3, (1, 2, 4)[seed % 3], (0.0, 0.01, 0.1)[seed // 4]
    clf = OptimalTreeClassifier(depth, min_samples_leaf=min_leaf, leaf_cost=penalty)
    clf.fit(X, y, weights)
    best = least_cost(
        X,
        y,
        depth=depth,
        weights=weights,
        leaf_cost=penalty * weights.sum(),
        min_leaf=min_leaf,
    )
    assert clf.objective_ == pytest.approx(best)
    assert clf.proven_
    assert clf.gap_ == 0
    assert weights[clf.predict(X) != y].sum() == clf.errors_
    leaves = clf.tree_.n_children == 0
    assert clf.tree_.count[leaves].min() >= min_leaf


@pytest.mark.parametrize("seed", range(6))
def test_no_tree_has_a_smaller_squared_error(seed: int) -> None:
    X, y, weights = random_problem(seed)
    target = y + X[:, 0] / 7
    depth, penalty = 1 + seed % 2, (0.0, 0.02)[seed // 3]
    reg = OptimalTreeRegressor(depth, leaf_cost=penalty).fit(X, target, weights)
    mean = np.average(target, weights=weights)
    total = float((weights * (target - mean) ** 2).sum())
    best = least_cost(
        X, target, depth=depth, weights=weights, leaf_cost=penalty * total, by_class=False
    )
    assert reg.objective_ == pytest.approx(best)
    assert float((weights * (reg.predict(X) - target) ** 2).sum()) == pytest.approx(reg.errors_)


def test_values_and_columns_of_zeros_and_ones_give_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 3)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = (np.nan_to_num(X[:, 0]) * X[:, 1] > 0).astype(int)
    by_bits = OptimalTreeClassifier(2).fit(X, y)
    monkeypatch.setattr(candidate_splits, "MAX_BITS", 0)
    by_value = OptimalTreeClassifier(2).fit(X, y)
    assert by_bits.errors_ == by_value.errors_
    assert by_bits.is_complete_
    assert by_value.is_complete_


# ---- categories and missing values


def test_sets_of_few_categories() -> None:
    X = {"size": ["S", "M", "L", "XL"] * 3}
    y = ["n", "y", "n", "y"] * 3
    clf = OptimalTreeClassifier(1).fit(X, y)
    assert clf.errors_ == 0
    assert clf.is_complete_
    assert sorted(clf.tree_.nested()["branches"][0][0]["in"]) in (["L", "S"], ["M", "XL"])


def test_one_of_many_categories_and_the_sets_of_cart() -> None:
    names = [f"c{i}" for i in range(12)]
    X = {"c": names * 4}
    y = [int(name[1:]) % 3 == 0 for name in names] * 4
    clf = OptimalTreeClassifier(1).fit(X, y)
    assert not clf.is_complete_
    assert clf.errors_ == 0  # one set of CART separates the classes
    assert clf.errors_ <= (CARTClassifier(max_depth=1).fit(X, y).predict(X) != y).sum()


def test_a_missing_value_goes_where_it_makes_fewer_errors() -> None:
    X = {"a": [1.0, 2.0, None, 4.0, None, 6.0], "b": ["p", None, "q", "p", "q", None]}
    y = ["n", "n", "y", "n", "y", "y"]
    clf = OptimalTreeClassifier(2).fit(X, y)
    assert clf.errors_ == 0
    assert clf.predict(X).tolist() == y
    known = OptimalTreeClassifier(1).fit({"a": [1.0, None, 3.0, None]}, ["n", "y", "n", "y"])
    assert known.errors_ == 0
    assert known.tree_.nested()["branches"][1] == [
        {"missing": True},
        {"class": "y", "cases": 2.0, "errors": 0.0},
    ]


@pytest.mark.parametrize("seed", range(4))
def test_missing_values_are_searched_on_both_sides(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(14, 2)).astype(float)
    X[rng.random(X.shape) < 0.25] = np.nan
    y = rng.integers(0, 2, 14)
    # Each column twice, with missing values below and above all others: every side of every split.
    low, high = np.where(np.isnan(X), -1, X), np.where(np.isnan(X), 9, X)
    best = least_cost(np.hstack([low, high]), y, depth=2)
    clf = OptimalTreeClassifier(2).fit(X, y)
    assert clf.errors_ == best
    assert (clf.predict(X) != y).sum() == best


# ---- thresholds


def test_quantiles_and_the_thresholds_of_cart() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + X[:, 1] ** 2 > 0.7).astype(int)
    some = OptimalTreeClassifier(2, binarize="quantiles").fit(X, y)
    every = OptimalTreeClassifier(2, binarize="all").fit(X, y)
    greedy = CARTClassifier(max_depth=2).fit(X, y)
    assert every.errors_ <= some.errors_ <= (greedy.predict(X) != y).sum()
    assert every.is_complete_
    assert not some.is_complete_


def test_a_threshold_is_in_the_middle_of_the_rows_of_its_node() -> None:
    clf = OptimalTreeClassifier(1).fit([[0.0], [1.0], [5.0], [9.0]], [0, 0, 1, 1])
    assert clf.tree_.threshold[0] == 3.0


# ---- weights and limits


def test_fractional_weights_keep_their_proportions() -> None:
    X, y, weights = random_problem(3)
    whole = OptimalTreeClassifier(2).fit(X, y, weights)
    scaled = OptimalTreeClassifier(2).fit(X, y, weights / 7)
    assert scaled.errors_ == pytest.approx(whole.errors_ / 7)
    assert (scaled.predict(X) == whole.predict(X)).all()


def test_class_weights() -> None:
    X, y = [[0.0], [0.0], [0.0], [1.0]], ["a", "a", "b", "a"]
    assert OptimalTreeClassifier(1).fit(X, y).predict([[0.0]]) == ["a"]
    heavy = OptimalTreeClassifier(1, class_weight={"b": 5}).fit(X, y)
    assert heavy.predict([[0.0]]) == ["b"]
    assert heavy.errors_ == 2


def test_a_limit_of_time_keeps_the_best_tree() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(400, 60)).astype(float)
    y = rng.integers(0, 2, 400)
    clf = OptimalTreeClassifier(6, time_limit=0.2).fit(X, y)
    assert not clf.proven_
    assert 0 <= clf.lower_bound_ < clf.objective_ == clf.errors_ == (clf.predict(X) != y).sum()
    assert clf.gap_ > 0
    assert clf.seconds_ < 2
    best = [step[1] for step in clf.progress_]
    assert best == sorted(best, reverse=True)


def test_a_callback_hears_of_progress() -> None:
    X, y, _ = random_problem(0)
    steps: list[tuple[float, float, float]] = []
    clf = OptimalTreeClassifier(2).fit(X, y, callback=lambda *step: steps.append(step))
    assert steps[-1][1:] == (clf.errors_, clf.errors_)
    assert "_progress" not in clf.__dict__


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_depth": 0},
        {"max_depth": 31},
        {"max_depth": None},
        {"leaf_cost": -1},
        {"leaf_cost": np.inf},
        {"min_samples_leaf": 0},
        {"time_limit": -1},
        {"time_limit": np.nan},
        {"binarize": "some"},
        {"n_jobs": 0},
    ],
)
def test_wrong_parameters(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        OptimalTreeClassifier(**wrong).fit([[0.0], [1.0]], [0, 1])


def test_what_is_no_callback_is_refused() -> None:
    with pytest.raises(UsageError, match="callback must be a function; got 3"):
        OptimalTreeClassifier(1).fit([[0.0], [1.0]], [0, 1], callback=3)  # type: ignore[arg-type]


def test_an_enormous_leaf_cost_stays_a_float() -> None:
    clf = OptimalTreeClassifier(1, leaf_cost=1e300).fit([[0.0], [1.0]], [0, 1])
    assert str(clf.objective_) == str(clf.lower_bound_) == "2e+300"
    assert clf.get_n_leaves() == 1


@pytest.mark.parametrize("limit", [np.inf, 1e300])
def test_an_endless_limit_is_none(limit: float) -> None:
    clf = OptimalTreeClassifier(1, time_limit=limit).fit([[0.0], [1.0]], [0, 1])
    assert (clf.errors_, clf.proven_) == (0, True)


@pytest.mark.parametrize("leaf_cost", [0.0, 0.1])
def test_numbers_whose_squares_are_too_large_are_refused(leaf_cost: float) -> None:
    y = [1e200, -1e200, 1.7e308]
    with pytest.raises(DataError, match="too large to add up") as caught:
        OptimalTreeRegressor(1, leaf_cost=leaf_cost).fit([[0.0], [1.0], [2.0]], y)
    assert caught.value.slug == "data.large-numbers"


def test_more_splits_than_memory_for_their_pairs_are_refused() -> None:
    X = np.random.default_rng(0).random((9000, 1))
    with pytest.raises(DataError, match="different splits are too many") as caught:
        OptimalTreeRegressor(2, binarize="all").fit(X, X[:, 0])
    assert caught.value.slug == "optimal.too-large"
    assert any("quantiles" in str(hint) for hint in caught.value.hints)


# ---- like every tree here


def test_files_and_pickles(tmp_path: Path) -> None:
    for model, y in (
        (OptimalTreeClassifier(2), datasets.vote()[1]),
        (OptimalTreeRegressor(1), np.arange(435.0)),
    ):
        X = datasets.vote()[0]
        fitted: Any = model.fit(X, y)
        save(fitted, tmp_path / "m.tree")
        for again in (load(tmp_path / "m.tree"), pickle.loads(pickle.dumps(fitted))):
            assert (again.predict(X) == fitted.predict(X)).all()
            for name in (
                "errors_",
                "objective_",
                "lower_bound_",
                "gap_",
                "proven_",
                "is_complete_",
            ):
                assert getattr(again, name) == getattr(fitted, name)
            save(again, tmp_path / "again.tree")
            assert (tmp_path / "again.tree").read_bytes() == (tmp_path / "m.tree").read_bytes()


def test_views_and_exports() -> None:
    X, y = datasets.golf()
    clf = OptimalTreeClassifier(2).fit(X, y)
    assert "optimal tree (fewest errors)" in str(show(clf))
    assert len(to_rules(clf)) == clf.get_n_leaves()
    assert "because" in str(explain(clf, X[:1]))
    assert "CASE" in export(clf, "sql")
    assert clf.get_depth() <= 2
    assert clf.feature_importances_.sum() == pytest.approx(1)


def test_a_regressor_like_cart_where_cart_is_best() -> None:
    X = [[0.0], [1.0], [10.0], [11.0]]
    y = [1.0, 2.0, 7.0, 8.0]
    assert (
        OptimalTreeRegressor(1).fit(X, y).predict(X).tolist()
        == CARTRegressor(max_depth=1).fit(X, y).predict(X).tolist()
    )


def test_hostile_tables() -> None:
    for X, y in (
        ([[1.0]], [0]),
        ([[1.0], [1.0]], [0, 1]),
        ([[np.nan], [np.nan]], [0, 1]),
        (np.zeros((5, 3)), [0, 1, 0, 1, 0]),
        (np.array(list(product([0, 1], repeat=2))), [0, 1, 1, 0]),
        (np.ones((3, 2000)), [0, 1, 1]),
    ):
        clf = OptimalTreeClassifier(2).fit(X, y)
        assert clf.proven_
        assert (clf.predict(X) != y).sum() == clf.errors_


def test_a_weight_that_makes_no_difference_makes_no_split() -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "a"]
    light = OptimalTreeClassifier(3, class_weight={"a": 1000, "b": 1e-4}).fit(X, y)
    assert light.get_n_leaves() == 1
    assert light.errors_ == pytest.approx(1e-4)
