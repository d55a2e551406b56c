"""Laws of optimal trees: what must hold whatever the table."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from helpers.exhaustive_trees import least_cost
from treewright import CARTClassifier, OptimalTreeClassifier, OptimalTreeRegressor, optimality_gap


@st.composite
def bit_tables(draw: Any) -> tuple[Any, Any]:
    rows, width = draw(st.integers(2, 40)), draw(st.integers(1, 6))
    seed, classes = draw(st.integers(0, 2**16)), draw(st.integers(2, 4))
    rng = np.random.default_rng(seed)
    X = (rng.random((rows, width)) < rng.random(width)).astype(float)
    y = rng.integers(0, classes, rows)
    noise = rng.random(rows) < draw(st.sampled_from([0.0, 0.3, 1.0]))
    return X, np.where(noise, y, X[:, 0].astype(int) ^ X[:, -1].astype(int))


def errors(X: Any, y: Any, depth: int, weights: Any = None, **params: Any) -> float:
    clf = OptimalTreeClassifier(depth, **params).fit(X, y, weights)
    assert clf.proven_
    assert clf.lower_bound_ == clf.objective_
    return float(clf.objective_)


@given(bit_tables(), st.integers(1, 3))
def test_more_depth_is_never_worse_and_greedy_never_better(table: Any, depth: int) -> None:
    X, y = table
    best = errors(X, y, depth)
    assert errors(X, y, depth + 1) <= best
    greedy = CARTClassifier(max_depth=depth).fit(X, y)
    assert best <= (greedy.predict(X) != y).sum()
    assert optimality_gap(greedy, X, y, max_depth=depth).gap >= 0


@given(bit_tables(), st.integers(1, 3), st.sampled_from([0.0, 0.02, 0.15]), st.integers(1, 6))
def test_the_cost_is_that_of_the_definition(
    table: Any, depth: int, leaf_cost: float, min_leaf: int
) -> None:
    X, y = table
    ours = errors(X, y, depth, leaf_cost=leaf_cost, min_samples_leaf=min_leaf)
    by_definition = least_cost(X, y, depth=depth, leaf_cost=leaf_cost * len(y), min_leaf=min_leaf)
    assert abs(ours - by_definition) <= 1e-9 + 0.001 * 2**depth * (leaf_cost > 0)


@given(bit_tables(), st.integers(1, 3))
def test_a_row_twice_is_a_weight_of_two(table: Any, depth: int) -> None:
    X, y = table
    weights = np.arange(len(y)) % 2 + 1
    twice = np.repeat(np.arange(len(y)), weights)
    assert errors(X, y, depth, weights) == errors(X[twice], y[twice], depth)


@given(bit_tables(), st.integers(1, 3))
def test_the_order_and_the_complement_of_columns_change_nothing(table: Any, depth: int) -> None:
    X, y = table
    other = 1 - X[:, ::-1]
    assert errors(X, y, depth) == errors(other, y, depth)
    order = np.argsort(np.arange(len(y)) * 7 % 11, kind="stable")
    assert errors(X, y, depth) == errors(X[order], y[order], depth)


@given(bit_tables(), st.integers(1, 2))
def test_a_tree_of_numbers_is_never_better_than_the_least(table: Any, depth: int) -> None:
    X, y = table
    target = y + X[:, 0] / 3
    reg = OptimalTreeRegressor(depth).fit(X, target)
    least = least_cost(X, target, depth=depth, by_class=False)
    assert abs(reg.errors_ - least) <= 1e-9 * (1 + least)


@given(bit_tables(), st.integers(1, 5), st.sampled_from([0.0, 0.05]), st.integers(1, 3))
def test_progress_never_contradicts_the_best_tree(
    table: Any, depth: int, leaf_cost: float, min_leaf: int
) -> None:
    X, y = table
    clf = OptimalTreeClassifier(depth, leaf_cost=leaf_cost, min_samples_leaf=min_leaf).fit(X, y)
    seconds, best, bounds = zip(*clf.progress_, strict=True)
    assert list(seconds) == sorted(seconds)
    assert list(best) == sorted(best, reverse=True)
    assert list(bounds) == sorted(bounds)
    # The search rounds the cost of a leaf to 1/1024 of an error.
    assert bounds[-1] <= clf.objective_ + 2**depth / 1024
    assert best[-1] >= clf.objective_ - 2**depth / 1024


@given(bit_tables(), st.integers(1, 5))
def test_rows_that_contradict_each_other_are_in_the_first_bound(table: Any, depth: int) -> None:
    X, y = table
    y = (y > 0).astype(int)
    clf = OptimalTreeClassifier(depth).fit(X, y)
    _, groups = np.unique(X, axis=0, return_inverse=True)
    counts = np.zeros((len(y), 2))
    np.add.at(counts, (groups, y), 1)
    assert clf.progress_[0][2] >= counts.min(axis=1).sum()
