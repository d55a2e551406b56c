"""What a path says: exactly the rows that reach a node meet its conditions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import draw_trees
from treewright import CARTClassifier
from treewright._core import MISSING
from treewright._draw.conditions import (
    Condition,
    condition_text,
    conditions_of,
    conditions_of_leaves,
)
from treewright._render.page_format import ASCII, PageFormat


def holds(condition: Condition, value: object) -> bool:
    if value is None:
        return condition.missing
    if condition.levels is not None:
        return value in condition.levels
    low = -np.inf if condition.low is None else condition.low
    high = np.inf if condition.high is None else condition.high
    return bool(low < value <= high)  # type: ignore[operator]


@given(st.integers(0, 10_000), st.integers(0, 40))
def test_the_rows_of_a_leaf_and_only_they_meet_its_conditions(seed: int, branches: int) -> None:
    tree = draw_trees.random_tree(seed, branches)
    rng = np.random.default_rng(seed)
    numbers = [rng.integers(-6, 7, 40).astype(float) for _ in range(2)]
    for column in numbers:
        column[rng.random(40) < 0.2] = np.nan
    codes = rng.integers(0, 6, 40).astype(np.uint32)
    codes[rng.random(40) < 0.2] = MISSING
    ends = tree._forest.apply(0, [*numbers, codes])
    leaves = np.flatnonzero(tree.n_children == 0).tolist()
    conditions = {leaf: conditions_of(tree, leaf) for leaf in leaves}
    for i, end in enumerate(ends.tolist()):
        row = {
            "a": None if np.isnan(numbers[0][i]) else numbers[0][i],
            "b": None if np.isnan(numbers[1][i]) else numbers[1][i],
            "c": None if codes[i] == MISSING else "uvwxyz"[codes[i]],
        }
        met = [leaf for leaf in leaves if all(holds(c, row[c.column]) for c in conditions[leaf])]
        assert met == [end]


def test_one_condition_a_column_in_the_order_of_the_questions() -> None:
    tree = draw_trees.random_tree(3, 30)
    for node in range(tree.n_nodes):
        columns = [condition.column for condition in conditions_of(tree, node)]
        assert len(columns) == len(set(columns))


def test_words() -> None:
    paper, plain = PageFormat(), PageFormat(glyphs=ASCII)
    assert condition_text(Condition("age", low=45.0), paper) == "age > 45"
    assert condition_text(Condition("age", high=45.5), paper) == "age ≤ 45.5"
    assert condition_text(Condition("age", 30.0, 45.0), paper) == "30 < age ≤ 45"
    assert (
        condition_text(Condition("age", 30.0, 45.0, missing=True), plain)
        == "30 < age <= 45 or missing"
    )
    assert condition_text(Condition("age", high=-0.0), paper) == "age ≤ 0"
    assert condition_text(Condition("c", levels=("u",)), paper) == "c = u"
    assert condition_text(Condition("c", levels=tuple("uvwx")), paper) == "c in {u, v, w, x}"
    assert condition_text(Condition("c", levels=tuple("uvwxyz")), paper) == "c in {u, v, w, +3}"
    assert condition_text(Condition("c", levels=(), missing=True), paper) == "c is missing"
    assert condition_text(Condition("c", levels=(True, 3.0)), paper) == "c in {True, 3}"
    assert condition_text(Condition("", levels=(" ",)), paper) == '"" = " "'


@pytest.mark.parametrize("missing", ["branch", "direction", "surrogate"])
def test_all_leaves_at_once_are_asked_what_each_is(missing: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 6, (200, 3)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    table = {"a": X[:, 0], "b": X[:, 1], "c": [None if x != x else f"l{x:.0f}" for x in X[:, 2]]}
    tree = CARTClassifier(missing=missing).fit(table, rng.integers(0, 2, 200)).tree_
    found = conditions_of_leaves(tree)
    assert sorted(found) == np.flatnonzero(tree.n_children == 0).tolist()
    assert all(conditions == conditions_of(tree, leaf) for leaf, conditions in found.items())
