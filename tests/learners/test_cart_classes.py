"""CART: sets of levels, class weights, priors and costs, and parameters that are refused."""

from __future__ import annotations

import pickle
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from treewright import CARTClassifier, CARTRegressor
from treewright.errors import UsageError
from treewright.files import from_bytes, to_bytes, to_json
from treewright.table import Series, Table

# ---- sets of levels


def gini(counts: np.ndarray) -> float:
    return float(counts.sum() - (counts**2).sum() / counts.sum())


def squared(values: np.ndarray) -> float:
    return float(((values - values.mean()) ** 2).sum())


@pytest.mark.parametrize("seed", range(5))
def test_the_best_two_sets_of_many_levels_are_found(seed: int) -> None:
    """Two classes, and numbers, by trying all 2047 divisions of 12 levels."""
    random = np.random.default_rng(seed)
    codes, labels = random.integers(0, 12, 80), random.integers(0, 2, 80)
    numbers = random.normal(size=80)
    counts = np.array([[np.sum((codes == k) & (labels == c)) for c in (0, 1)] for k in range(12)])
    present = [k for k in range(12) if counts[k].sum()]
    halves = [
        list(side)
        for n in range(1, len(present))
        for side in combinations(present, n)
        if present[0] in side
    ]
    rest = [[k for k in present if k not in side] for side in halves]
    pairs = list(zip(halves, rest, strict=True))
    X = {"k": [f"{k:02}" for k in codes]}
    tree = CARTClassifier(max_depth=1).fit(X, labels).tree_
    least = min(gini(counts[a].sum(axis=0)) + gini(counts[b].sum(axis=0)) for a, b in pairs)
    assert tree.cost[1] + tree.cost[2] == pytest.approx(least, rel=1e-12)
    tree = CARTRegressor(max_depth=1).fit(X, numbers).tree_
    least = min(
        squared(numbers[np.isin(codes, a)]) + squared(numbers[np.isin(codes, b)]) for a, b in pairs
    )
    assert tree.cost[1] + tree.cost[2] == pytest.approx(least, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_many_levels_and_classes_are_ordered_by_the_first_component(seed: int) -> None:
    random = np.random.default_rng(seed)
    codes, labels = random.integers(0, 15, 300), random.integers(0, 4, 300)
    counts = np.array([[np.sum((codes == k) & (labels == c)) for c in range(4)] for k in range(15)])
    weights = counts.sum(axis=1)
    shares = counts / weights[:, None]
    shares = shares - (weights[:, None] * shares).sum(axis=0) / weights.sum()
    spread = (weights[:, None, None] * shares[:, :, None] * shares[:, None, :]).sum(axis=0)
    order = np.argsort(shares @ np.linalg.eigh(spread)[1][:, -1])
    costs = [
        gini(counts[order[:i]].sum(axis=0)) + gini(counts[order[i:]].sum(axis=0))
        for i in range(1, 15)
    ]
    tree = CARTClassifier(max_depth=1).fit({"k": [f"{k:02}" for k in codes]}, labels).tree_
    assert tree.cost[1] + tree.cost[2] == pytest.approx(min(costs), rel=1e-9)


def test_levels_that_a_node_never_saw_go_with_the_heavier_child() -> None:
    X = {"a": [0, 0, 0, 0, 1, 1, 1], "k": list("uvvuwww")}
    clf = CARTClassifier().fit(X, list("nyynyyy"))
    heavier = clf.predict_proba({"a": [0], "k": ["w"]})
    assert heavier.tolist() == clf.predict_proba({"a": [0], "k": ["v"]}).tolist()


def test_a_column_may_have_more_levels_than_a_node_may_have_branches() -> None:
    levels = [f"v{i}" for i in range(66_000)]
    clf = CARTClassifier().fit(
        Table([Series.of("k", levels, levels)]), [i % 2 for i in range(66_000)]
    )
    assert clf.tree_.n_nodes == 3
    assert clf.predict({"k": ["v7", "v8", "v65998"]}).tolist() == [1, 0, 0]


# ---- class weights, priors and costs


X4 = {"x": [1, 2, 3, 4, 5, 6, 7, 8], "k": list("abababab")}
Y4 = ["no", "no", "no", "yes", "no", "yes", "no", "no"]


def test_a_class_weight_is_a_sample_weight() -> None:
    by_class = CARTClassifier(class_weight={"yes": 3}, max_depth=2).fit(X4, Y4)
    by_row = CARTClassifier(max_depth=2).fit(X4, Y4, [3 if y == "yes" else 1 for y in Y4])
    assert by_class.tree_.nested() == by_row.tree_.nested()
    listed = CARTClassifier(class_weight=[1, 3], max_depth=2).fit(X4, Y4)
    assert listed.tree_.nested() == by_row.tree_.nested()
    balanced = CARTClassifier(class_weight="balanced").fit(X4, Y4).tree_
    assert balanced.class_weights(0).tolist() == [4, 4]
    assert balanced.answer(0) == "no"  # a tie, and ties go to the first


def test_a_class_weight_in_the_declared_order_of_the_classes() -> None:
    pd = pytest.importorskip("pandas")
    declared = pd.Categorical(Y4, categories=["yes", "no"])
    clf = CARTClassifier(class_weight=[1, 3], max_depth=2).fit(X4, declared)
    assert clf.classes_.tolist() == ["no", "yes"]
    assert clf.tree_.class_weights(0).tolist() == [6, 6]  # of yes and no


def test_priors_are_the_shares_where_the_tree_is_used() -> None:
    clf = CARTClassifier(priors={"no": 0.9, "yes": 0.1}, max_depth=1).fit(X4, Y4)
    assert clf.tree_.value[0].tolist() == pytest.approx([0.9, 0.1])
    assert clf.tree_.weight[0] == pytest.approx(8)
    parts = clf.tree_.class_weights(1) + clf.tree_.class_weights(2)
    assert parts.tolist() == pytest.approx([7.2, 0.8])
    own = CARTClassifier(priors=[0.75, 0.25]).fit(X4, Y4)
    assert own.tree_.nested() == CARTClassifier().fit(X4, Y4).tree_.nested()


def test_an_answer_is_the_one_that_costs_least() -> None:
    plain = CARTClassifier(min_samples_split=99).fit(X4, Y4)
    costly = CARTClassifier(min_samples_split=99, costs={"yes": {"no": 4}}).fit(X4, Y4)
    assert plain.predict(X4)[0] == "no"
    assert costly.predict(X4)[0] == "yes"
    assert (plain.predict_proba(X4) == costly.predict_proba(X4)).all()
    assert costly.tree_.answer(0) == "yes"
    assert costly.tree_.errors(0) == 6
    tied = CARTClassifier(min_samples_split=99, costs=[[0, 1], [3, 0]]).fit(X4, Y4)
    assert tied.tree_.tied(0)
    assert tied.predict(X4)[0] == "no"


def test_costs_survive_files_and_pickles() -> None:
    clf = CARTClassifier(costs={"yes": {"no": 4}}, class_weight={"no": 2}, max_depth=1).fit(X4, Y4)
    for again in (from_bytes(to_bytes(clf)), pickle.loads(pickle.dumps(clf))):
        assert again.predict(X4).tolist() == clf.predict(X4).tolist()
        assert again.get_params() == clf.get_params()
        assert to_bytes(again) == to_bytes(clf)
    assert to_json(clf)["schema"]["costs"] == [[0, 1], [4, 0]]


def test_whole_labels_as_keys_come_back_whole() -> None:
    clf = CARTClassifier(class_weight={0: 1, 1: 2}).fit([[0], [1]], [0, 1])
    assert from_bytes(to_bytes(clf)).class_weight == {0: 1, 1: 2}


# ---- what is refused


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"variant": "r"}, "variant must be one of 'cart', 'rpart'"),
        ({"missing": "drop"}, "missing must be one of"),
        ({"criterion": "squared_error"}, "criterion must be one of 'gini', 'entropy'"),
        ({"variant": "rpart", "missing": "branch"}, "exclude each other"),
        ({"variant": "rpart", "max_leaf_nodes": 3}, "exclude each other"),
        ({"variant": "rpart", "min_weight_fraction_leaf": 0.1}, "exclude each other"),
        ({"complexity": 0.1}, "exclude each other"),
        ({"missing": "surrogate", "undecided": "stay"}, "exclude each other"),
        ({"monotonic_cst": [1, 0], "missing": "surrogate"}, "exclude each other"),
        ({"monotonic_cst": [1]}, "for each of the 2 columns"),
        ({"monotonic_cst": [2, 0]}, "-1, 0 or 1"),
        ({"monotonic_cst": {"y": 1}}, "names the column 'y'"),
        ({"monotonic_cst": {"k": 1}}, '"k" holds categories'),
        ({"class_weight": "even"}, 'None, "balanced" or a weight'),
        ({"class_weight": {"maybe": 2}}, "names the class 'maybe'"),
        ({"class_weight": [1, 2, 3]}, "2 number"),
        ({"class_weight": {"yes": 0}}, "finite numbers above 0"),
        ({"priors": [0.5, 0.4]}, "add up to 1"),
        ({"priors": {"yes": 1.0}}, "a number for each class"),
        ({"costs": [[0, 1]]}, "2 x 2 number"),
        ({"costs": [[1, 1], [1, 0]]}, "0 for the correct class"),
        ({"costs": [[0, 0], [1, 0]]}, "above 0 for one of them"),
        ({"costs": {"yes": 3}}, "a dictionary of dictionaries"),
        ({"costs": {"yes": {"perhaps": 3}}}, "names the class 'perhaps'"),
        ({"max_surrogates": -1, "missing": "surrogate"}, "max_surrogates must be"),
        ({"min_weight_fraction_leaf": 0.7}, "between 0 and 0.5"),
    ],
)
def test_wrong_parameters_are_refused_with_a_sentence(params: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError) as refused:
        CARTClassifier(**params).fit(X4, Y4)
    assert says in str(refused.value)


def test_constraints_are_about_two_classes() -> None:
    with pytest.raises(UsageError, match="more than two classes"):
        CARTClassifier(monotonic_cst=[1]).fit([[1], [2], [3]], list("abc"))


def test_a_constraint_is_about_the_second_of_the_sorted_classes() -> None:
    pd = pytest.importorskip("pandas")
    X, y = [[1], [2], [3], [4]], list("aabb")
    declared = pd.Categorical(y, categories=["b", "a"])
    for labels in (y, declared):
        assert CARTClassifier(monotonic_cst=[1]).fit(X, labels).tree_.n_nodes == 3
        assert CARTClassifier(monotonic_cst=[-1]).fit(X, labels).tree_.n_nodes == 1
