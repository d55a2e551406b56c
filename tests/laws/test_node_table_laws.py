"""What is true of every node table: its shape, and that statistics add up."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from helpers.random_tables import Sample, few, samples
from treewright import ID3Classifier, OneRClassifier, ZeroRClassifier, ZeroRRegressor
from treewright._core import STOP
from treewright.measures import entropy
from treewright.tree import Tree

LEARNERS = [
    ID3Classifier(),
    ID3Classifier(min_gain=0),
    OneRClassifier(min_bucket=2),
    ZeroRClassifier(),
]
any_learner = st.sampled_from(LEARNERS)
any_weights = st.sampled_from(["none", "whole", "fractions"])


def fitted(learner: Any, sample: Sample, kind: str, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    w = {
        "none": None,
        "whole": rng.integers(1, 5, len(sample)),
        "fractions": rng.random(len(sample)),
    }
    return clone(learner).fit(sample.X, sample.y, sample_weight=w[kind])


@few
@given(samples(numbers=True), any_learner, any_weights)
def test_children_are_consecutive_and_stand_after_their_parent(
    sample: Sample, learner: Any, kind: str
) -> None:
    tree: Tree = fitted(learner, sample, kind).tree_
    children: list[int] = []
    for node in range(tree.n_nodes):
        n, first = int(tree.n_children[node]), int(tree.first_child[node])
        assert n != 1
        assert first > node if n else first == 0
        children.extend(range(first, first + n))
        assert [b.child for b in tree.branches(node)] == list(range(first, first + n))
    assert sorted(children) == list(range(1, tree.n_nodes))


@few
@given(samples(numbers=True), any_learner, any_weights)
def test_rows_weights_and_shares_add_up(sample: Sample, learner: Any, kind: str) -> None:
    tree: Tree = fitted(learner, sample, kind).tree_
    held = tree.value * tree.weight[:, None]
    assert (tree.value >= 0).all()
    assert tree.value.sum(axis=1) == pytest.approx(1)
    for node in np.flatnonzero(tree.n_children):
        part = slice(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        assert tree.count[node] == tree.count[part].sum()
        assert tree.weight[node] == pytest.approx(tree.weight[part].sum(), rel=1e-12)
        assert held[node] == pytest.approx(held[part].sum(axis=0), rel=1e-9, abs=1e-12)
    assert tree.count[0] == len(sample)


@few
@given(samples(numbers=True), any_learner, any_weights)
def test_gain_is_the_cost_that_a_question_saves(sample: Sample, learner: Any, kind: str) -> None:
    tree: Tree = fitted(learner, sample, kind).tree_
    assert (tree.cost >= 0).all()
    assert (tree.gain >= 0).all()
    leaves = tree.n_children == 0
    assert (tree.gain[leaves] == 0).all()
    for node in np.flatnonzero(~leaves):
        part = slice(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        saved = tree.cost[node] - tree.cost[part].sum()
        assert tree.gain[node] == pytest.approx(saved, abs=1e-9 * tree.weight[0])
    assert tree.cost[0] - tree.gain.sum() == pytest.approx(
        tree.cost[leaves].sum(), abs=1e-8 * tree.weight[0]
    )


@few
@given(samples(numbers=True), any_weights)
def test_cost_is_the_criterion_times_the_weight(sample: Sample, kind: str) -> None:
    tree: Tree = fitted(ID3Classifier(), sample, kind).tree_
    for node in range(tree.n_nodes):
        expected = entropy(tree.value[node]) * tree.weight[node]
        assert tree.cost[node] == pytest.approx(expected, abs=1e-9 * tree.weight[0])
        if np.count_nonzero(tree.value[node]) == 1:
            assert tree.cost[node] == 0
    for learner in (OneRClassifier(min_bucket=2), ZeroRClassifier()):
        tree = fitted(learner, sample, kind).tree_
        for node in range(tree.n_nodes):
            expected = (1 - tree.value[node].max()) * tree.weight[node]
            assert tree.cost[node] == pytest.approx(expected, abs=1e-9 * tree.weight[0])


@few
@given(samples(numbers=True), any_learner)
def test_a_branch_without_rows_says_what_its_parent_says(sample: Sample, learner: Any) -> None:
    tree: Tree = fitted(learner, sample, "none").tree_
    for node in np.flatnonzero(tree.count == 0):
        assert tree.n_children[node] == 0
        assert tree.weight[node] == tree.cost[node] == 0
        assert tree.value[node].tolist() == tree.value[tree.parents[node]].tolist()


@few
@given(samples(numbers=True))
def test_id3_has_a_branch_for_each_possible_value(sample: Sample) -> None:
    clf = fitted(ID3Classifier(), sample, "none")
    tree, starts = clf.tree_, []
    for node in np.flatnonzero(tree.n_children):
        column = clf.schema_.columns[tree.feature[node]]
        has_missing = None in sample.columns[column.name]
        n = len(column.levels)
        assert tree.n_children[node] == n + has_missing
        assert tree.missing[node] == (n if has_missing else STOP)
        start = tree.route_start[node]
        assert tree.route[start : start + n].tolist() == list(range(n))
        assert np.isnan(tree.threshold[node])
        starts.extend(range(start, start + n))
    assert sorted(starts) == list(range(len(tree.route)))


@few
@given(samples(numbers=True), any_learner, any_weights)
def test_training_rows_end_in_leaves_and_are_counted_there(
    sample: Sample, learner: Any, kind: str
) -> None:
    clf = fitted(learner, sample, kind)
    tree: Tree = clf.tree_
    ends = clf.apply(sample.X)
    assert (tree.n_children[ends] == 0).all()
    leaves = np.flatnonzero(tree.n_children == 0)
    assert np.bincount(ends, minlength=tree.n_nodes)[leaves].tolist() == tree.count[leaves].tolist()


@few
@given(samples(numbers=True), any_learner)
def test_paths_answers_and_shares_tell_one_story(sample: Sample, learner: Any) -> None:
    clf = fitted(learner, sample, "none")
    tree: Tree = clf.tree_
    ends, answers, shares = clf.apply(sample.X), clf.predict(sample.X), clf.predict_proba(sample.X)
    order = [clf.classes_.tolist().index(c) for c in clf.schema_.classes]
    for row in range(len(sample)):
        path = tree.path(sample.X[row])
        assert path[0] == 0
        assert path[-1] == ends[row]
        assert [tree.parents[node] for node in path[1:]] == path[:-1]
        assert answers[row] == tree.answer(path[-1])
        assert shares[row][order].tolist() == tree.value[path[-1]].tolist()
        for above, below in pairwise(path):
            (way,) = [b for b in tree.branches(above) if b.child == below]
            value = sample.columns[way.column][row]
            assert meets(value, way.op, way.value) or (value is None and way.missing)


def meets(value: Any, op: str, other: Any) -> bool:
    if value is None:
        return op == "missing"
    return {
        "=": value == other,
        "<=": op == "<=" and value <= other,
        ">": op == ">" and value > other,
    }[op]


@few
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_a_leaf_of_numbers_costs_its_squared_error(values: list[float]) -> None:
    tree = ZeroRRegressor().fit([[0]] * len(values), values).tree_
    assert tree.value[0, 0] == pytest.approx(np.mean(values), abs=1e-6)
    assert tree.cost[0] == pytest.approx(np.var(values) * len(values), rel=1e-6, abs=1e-6)
    assert tree.cost[0] >= 0
