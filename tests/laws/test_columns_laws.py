"""Rows held as columns of codes grow the trees of rows held as entries, bit for bit, whoever helps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from treewright import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    Table,
    _core,
)
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.trees.cart_recipe import cart_recipe
from treewright.schema import Column, Schema
from treewright.table import Series

NODE_COLUMNS = (
    "first_child",
    "n_children",
    "feature",
    "threshold",
    "missing",
    "value",
    "weight",
    "count",
    "cost",
    "gain",
    "route",
)


def grow(X: Any, y: NDArray[Any], criterion: str, how: Any = (), **params: Any) -> dict[str, bytes]:
    """Grow a tree of parameters, with other words of the recipe where given, and return its columns."""
    width = X.shape[1] if isinstance(X, np.ndarray) else len(X)
    schema = Schema(tuple(Column(f"x{i}", "numeric") for i in range(width)))
    target: Any
    if criterion == "squared_error":
        target, classes = NumberTarget.of(y.astype(np.float64)), None
        values = target.values
    else:
        target = ClassTarget.of(y)
        values, classes = target.codes, len(target.levels)
    recipe = cart_recipe({"criterion": criterion} | params, schema, target, None) | dict(how)
    columns = _core.Matrix(X) if isinstance(X, np.ndarray) else X
    return nodes(_core.grow(recipe, [None] * width, columns, values, classes, None).tree(0))


def nodes(tree: Any) -> dict[str, bytes]:
    """Return the columns of a tree."""
    return {name: getattr(tree, name).tobytes() for name in NODE_COLUMNS}


class ClearForest(RandomForestClassifier):
    """A forest whose rows are held as entries."""

    def _recipe(self, *given: Any) -> Any:
        return super()._recipe(*given) | {"engine": "list"}


class ClearNumbers(RandomForestRegressor):
    """The same for numbers."""

    def _recipe(self, *given: Any) -> Any:
        return super()._recipe(*given) | {"engine": "list"}


class ClearExtraTrees(ExtraTreesClassifier):
    """The same for random cuts."""

    def _recipe(self, *given: Any) -> Any:
        return super()._recipe(*given) | {"engine": "list"}


class ClearExtraNumbers(ExtraTreesRegressor):
    """The same for random cuts of numbers."""

    def _recipe(self, *given: Any) -> Any:
        return super()._recipe(*given) | {"engine": "list"}


def trees_of(forest: Any) -> list[dict[str, bytes]]:
    """Return the columns of all trees."""
    return [nodes(forest._forest.tree(i)) for i in range(forest._forest.n_trees)]


CRITERIA = ("gini", "entropy", "squared_error")
KINDS = ("noise", "few", "two", "tenths", "clusters", "tails", "constant", "whole")


def column(kind: str, rows: int, rng: np.random.Generator) -> NDArray[np.float64]:
    x = rng.random(rows)
    made = {
        "noise": x,
        "few": np.floor(x * 5),
        "two": np.floor(x * 2) * 3 - 1,
        "tenths": np.floor(x * 40) / 10,
        "clusters": np.floor(x * 3) * 1e6 + rng.integers(0, 4, rows) * 1e-9,
        "tails": (x - 0.5) ** 15 * 1e30,
        "constant": np.full(rows, 2.5),
        "whole": np.floor(x * 200_000) - 1e5,
    }
    return made[kind]


@st.composite
def tables(draw: Any, most: int = 90) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    rows = draw(st.integers(2, most))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    X = np.column_stack([column(kind, rows, rng) for kind in kinds])
    classes = draw(st.integers(2, 5))
    y = (X[:, 0] > np.median(X[:, 0])) + rng.integers(0, classes, rows)
    return X, y % classes


@settings(max_examples=150, deadline=None)
@given(tables(), st.sampled_from(CRITERIA), st.integers(1, 6), st.booleans())
def test_columns_grow_the_trees_of_entries(
    table: Any, criterion: str, leaf: int, few: bool
) -> None:
    X, y = table
    limits: dict[str, Any] = {"min_samples_leaf": leaf, "max_leaf_nodes": 7 if few else None}
    columns = [np.ascontiguousarray(c) for c in X.T]
    slow = grow(columns, y, criterion, {"engine": "list"}, **limits)
    assert grow(X, y, criterion, **limits) == slow
    assert grow(X, y, criterion, {"plain": True}, **limits) == slow


WEIGHTS = st.sampled_from(["balanced", {0: 0.3, 1: 2.0}, {0: 8.0, 1: 1.0, 2: 0.7, 3: 1.1}])


@settings(max_examples=80, deadline=None)
@given(tables(), st.sampled_from(["gini", "entropy"]), WEIGHTS, st.integers(1, 4))
def test_classes_that_count_unlike(table: Any, criterion: str, weight: Any, leaf: int) -> None:
    X, y = table
    if isinstance(weight, dict):
        weight = {label: weight.get(label, 1.0) for label in np.unique(y).tolist()}
    given: dict[str, Any] = {"min_samples_leaf": leaf, "class_weight": weight}
    slow = grow(X, y, criterion, {"engine": "list"}, **given)
    assert grow(X, y, criterion, **given) == slow
    assert grow(X, y, criterion, {"plain": True}, **given) == slow


@pytest.mark.parametrize("weight", ["balanced", "balanced_subsample", {0: 3.0, 1: 0.1, 2: 1.0}])
@pytest.mark.parametrize("bootstrap", [True, False, "balanced"])
def test_forests_of_classes_that_count_unlike(weight: Any, bootstrap: Any) -> None:
    rng = np.random.default_rng(3)
    X = np.column_stack([column(kind, 700, rng) for kind in KINDS])
    y = np.searchsorted([0.1, 0.8], X[:, 0] + 0.2 * rng.normal(size=700))
    how: dict[str, Any] = {"class_weight": weight, "bootstrap": bootstrap, "random_state": 1}
    slow = trees_of(ClearForest(4, **how).fit(X, y))
    for threads in (1, 3):
        assert trees_of(RandomForestClassifier(4, n_jobs=threads, **how).fit(X, y)) == slow


@st.composite
def mixed_tables(draw: Any, most: int = 120) -> tuple[Table, NDArray[np.int64]]:
    """Draw numbers with gaps and categories, some of which tell something about the classes."""
    X, y = draw(tables(most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rates = draw(st.lists(st.sampled_from([0.0, 0.05, 0.4, 1.0]), min_size=1, max_size=5))
    for i, rate in zip(range(X.shape[1]), rates, strict=False):
        X[rng.random(len(y)) < rate * (0.5 + 0.5 * (y > 0)), i] = np.nan
    series = [Series.of(f"x{i}", column) for i, column in enumerate(X.T)]
    for i, levels in enumerate(draw(st.lists(st.sampled_from([1, 2, 5, 30]), max_size=3))):
        codes = np.where(rng.random(len(y)) < 0.5, y, rng.integers(0, levels, len(y))) % levels
        gone = rng.random(len(y)) < draw(st.sampled_from([0.0, 0.2]))
        words = [None if g else f"v{code}" for code, g in zip(codes, gone, strict=True)]
        made = Series.of(f"c{i}", words, levels=[f"v{code}" for code in range(levels)])
        series.insert(draw(st.integers(0, len(series))), made)
    return Table(series), y


@settings(max_examples=60, deadline=None)
@given(mixed_tables(), st.sampled_from([None, "balanced_subsample"]), st.integers(1, 3))
def test_gaps_and_categories(table: Any, weight: Any, leaf: int) -> None:
    X, y = table
    how: dict[str, Any] = {"random_state": 2, "min_samples_leaf": leaf, "max_features": 2}
    slow = trees_of(ClearForest(3, class_weight=weight, **how).fit(X, y))
    fast = RandomForestClassifier(3, class_weight=weight, n_jobs=2, **how).fit(X, y)
    assert trees_of(fast) == slow
    target = y + np.arange(len(y)) % 7 / 4
    numbers = RandomForestRegressor(3, n_jobs=1, **how).fit(X, target)
    assert trees_of(numbers) == trees_of(ClearNumbers(3, **how).fit(X, target))


@settings(max_examples=60, deadline=None)
@given(
    tables(200),
    st.sampled_from(["gini", "entropy"]),
    st.sampled_from([None, "balanced"]),
    st.booleans(),
    st.sampled_from([{}, {"min_samples_leaf": 3}, {"max_depth": 4}, {"max_leaf_nodes": 9}]),
)
def test_cuts_that_are_drawn(
    table: Any, criterion: str, weight: Any, bootstrap: bool, limits: dict[str, Any]
) -> None:
    X, y = table
    how: dict[str, Any] = {"random_state": 6, "bootstrap": bootstrap, "max_features": 2} | limits
    slow = trees_of(ClearExtraTrees(2, criterion=criterion, class_weight=weight, **how).fit(X, y))
    fast = ExtraTreesClassifier(2, criterion=criterion, class_weight=weight, **how).fit(X, y)
    assert trees_of(fast) == slow
    target = y + np.arange(len(y)) % 7 / 4
    numbers = ExtraTreesRegressor(2, **how).fit(X, target)
    assert trees_of(numbers) == trees_of(ClearExtraNumbers(2, **how).fit(X, target))


@settings(max_examples=50, deadline=None)
@given(
    mixed_tables(),
    st.sampled_from([None, "balanced", "balanced_subsample"]),
    st.sampled_from(["gini", "entropy"]),
    st.sampled_from([0.5, 1.0, 2.3]),
)
def test_weights_of_their_own(table: Any, weight: Any, criterion: str, power: float) -> None:
    X, y = table
    weights = np.random.default_rng(len(y)).random(len(y)) ** power
    if power == 1.0:
        weights = np.floor(weights * 5)  # whole: how often a row is there
        weights[:2] = 1
    how: dict[str, Any] = {"criterion": criterion, "class_weight": weight, "random_state": 3}
    for bootstrap in (True, False):
        slow = ClearForest(2, bootstrap=bootstrap, **how).fit(X, y, sample_weight=weights)
        fast = RandomForestClassifier(2, bootstrap=bootstrap, **how)
        assert trees_of(fast.fit(X, y, sample_weight=weights)) == trees_of(slow)


@settings(max_examples=40, deadline=None)
@given(mixed_tables(), st.integers(0, 80), st.integers(1, 3))
def test_answers_that_rise_or_fall(table: Any, signs: int, leaf: int) -> None:
    X, y = table
    names = [name for name in X.columns if name.startswith("x")]
    given = {name: signs // 3**i % 3 - 1 for i, name in enumerate(names)}
    how: dict[str, Any] = {"monotonic_cst": given, "min_samples_leaf": leaf, "random_state": 4}
    classes = (y > 0).astype(np.int64)
    if len(np.unique(classes)) == 2:
        slow = trees_of(ClearForest(2, **how).fit(X, classes))
        assert trees_of(RandomForestClassifier(2, **how).fit(X, classes)) == slow
    target = y + np.arange(len(y)) % 5 / 8
    slow = trees_of(ClearNumbers(2, **how).fit(X, target))
    assert trees_of(RandomForestRegressor(2, **how).fit(X, target)) == slow


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(["gini", "squared_error"]))
def test_it_does_not_matter_how_numbers_lie_in_memory(table: Any, criterion: str) -> None:
    X, y = table
    X = X.astype(np.float32).astype(np.float64)
    expected = grow(X, y, criterion)
    wide = np.repeat(np.repeat(X, 3, axis=0), 2, axis=1)
    forms = [
        np.asfortranarray(X),
        X.astype(np.float32),
        np.asfortranarray(X.astype(np.float32)),
        wide[::3, ::2],
        np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
        [np.ascontiguousarray(c) for c in X.T],
    ]
    for form in forms:
        assert grow(form, y, criterion) == expected


@settings(max_examples=60, deadline=None)
@given(tables(), st.randoms())
def test_the_order_of_rows_does_not_matter(table: Any, random: Any) -> None:
    X, y = table
    order = np.array(random.sample(range(len(y)), len(y)))
    for criterion in CRITERIA:
        assert grow(X, y, criterion) == grow(X[order], y[order], criterion)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_numbers_that_are_missing(criterion: str) -> None:
    rng = np.random.default_rng(8)
    rows = 30_000
    X = np.column_stack([column(kind, rows, rng) for kind in (*KINDS, "noise")])
    signal = X[:, 0] * 3 + np.sin(9 * X[:, -1]) + rng.normal(size=rows)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[rng.random(rows) < 0.2 + 0.2 * (signal > 2), 0] = np.nan
    y = np.searchsorted(np.quantile(signal, [0.3, 0.8]), signal)
    target = np.round(signal, 3) if criterion == "squared_error" else y
    limits: dict[str, Any] = {"min_samples_leaf": 2, "max_depth": 11}
    expected = grow(X, target, criterion, {"engine": "list"}, **limits)
    for how in ({"threads": 1}, {"threads": 3}, {"threads": 2, "plain": True}):
        assert grow(X, target, criterion, how, **limits) == expected


@pytest.mark.slow
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("kinds", [("noise", "tails", "whole"), KINDS])
def test_the_number_of_threads_does_not_matter(criterion: str, kinds: tuple[str, ...]) -> None:
    rng = np.random.default_rng(7)
    rows = 60_000  # enough for several threads and for nodes of all sizes
    X = np.column_stack([column(kind, rows, rng) for kind in (*kinds, "noise", "noise")])
    signal = X[:, 0] * 3 + np.sin(9 * X[:, -1]) + rng.normal(size=rows)
    y = np.searchsorted(np.quantile(signal, [0.3, 0.8]), signal)
    target = np.round(signal, 3) if criterion == "squared_error" else y
    expected = grow(X, target, criterion, {"threads": 1}, min_samples_leaf=3)
    assert len(expected["count"]) > 4 * 5000
    for how in ({"threads": 2}, {"threads": 3}, {"threads": 8}, {"threads": 2, "plain": True}):
        assert grow(X, target, criterion, how, min_samples_leaf=3) == expected
