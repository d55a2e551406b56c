"""CART with missing values: a direction, a branch, surrogates; rpart's rules by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from treewright import CARTClassifier, CARTRegressor, show
from treewright.errors import DataError
from treewright.files import to_json

NAN = math.nan
rpart = {"variant": "rpart", "min_samples_split": 2, "min_samples_leaf": 1}


# ---- missing values


def test_a_direction_is_learnt() -> None:
    X = {"x": [1, 2, 3, 4, NAN, NAN]}
    low = CARTClassifier().fit(X, list("aabbaa"))
    assert low.tree_.missing[0] == 0
    assert low.predict({"x": [NAN]}) == ["a"]
    high = CARTClassifier().fit(X, list("aabbbb"))
    assert high.tree_.missing[0] == 1
    apart = CARTClassifier().fit(X, list("aaaabb"))
    assert [str(b) for b in apart.tree_.branches(0)] == ["x is known", "x is missing"]
    assert apart.predict({"x": [1e300, NAN]}).tolist() == ["a", "b"]
    assert apart.tree_.nested()["branches"][0][0] == {"missing": False}
    assert to_json(apart)["trees"][0]["threshold"] == [None] * 3


def test_missing_values_have_a_branch_of_their_own() -> None:
    X = {"x": [1, 2, 3, 4, NAN, NAN], "k": ["a", "a", "b", "b", None, None]}
    for name in X:
        clf = CARTClassifier(missing="branch").fit({name: X[name]}, list("nnyyno"))
        tree = clf.tree_
        assert tree.n_children[0] == 3
        assert [b.op for b in tree.branches(0)][-1] == "missing"
        assert tree.count[tree.first_child[0] + 2] == 2
        assert clf.predict_proba({name: [None]}).tolist() == [[0.5, 0.5, 0]]
    small = CARTClassifier(missing="branch", min_samples_leaf=2).fit(
        {"x": [1, 2, 3, 4, NAN]}, list("nnyyn")
    )
    assert small.tree_.n_children[0] == 2  # one row is too few for a branch


def test_a_value_that_was_never_missing_goes_with_the_heavier_child() -> None:
    for missing in ("direction", "branch", "surrogate"):
        clf = CARTClassifier(missing=missing).fit({"x": [1, 2, 3, 9]}, list("nnny"))
        assert clf.predict({"x": [NAN]}) == ["n"]
        even = CARTClassifier(missing=missing).fit({"x": [1, 2, 8, 9]}, list("nnyy"))
        assert even.predict({"x": [NAN]}) == ["y"]


def test_views_write_questions_about_missing_values() -> None:
    X = {"x": [1, 2, 3, 4, NAN, NAN]}
    apart = str(show(CARTClassifier().fit(X, list("aaaabb"))))
    assert "x known?" in apart
    assert "known" in apart.split("x known?")[1]
    assert "missing" in apart
    rules = str(show(CARTClassifier().fit(X, list("aaaabb")), style="rules"))
    assert "x is known" in rules
    assert "x is missing" in rules
    three = str(show(CARTClassifier(missing="branch").fit(X, list("aabbcc")), style="rules"))
    assert "x is missing" in three


# ---- surrogates


TWELVE = {
    "x": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, NAN, NAN],
    "z": [1, 1, 2, 2, 4, 3, 4, 4, 5, 5, NAN, 5],
    "k": list("aaabbbccccad"),
}
LABELS = list("111112222212")


def test_a_node_by_hand_with_rparts_rules() -> None:
    clf = CARTClassifier(**rpart, complexity=0.01).fit(TWELVE, LABELS)
    tree = clf.tree_
    assert tree.count.tolist() == [12, 5, 6]  # row 11 stays: it knows neither x nor z
    assert tree.threshold[0] == 5.5
    assert tree.gain[0] == pytest.approx(5)
    k, z = tree.competitors(0)
    assert [str(b) for b in k.branches] == ["k in {a, b}", "k in {c, d}"]
    assert (k.gain, k.count) == (pytest.approx(4.285714286), 12)
    assert (z.gain, z.count) == (pytest.approx(3.740259740), 11)
    (only,) = tree.surrogates(0)
    assert [str(b) for b in only.branches] == ["z <= 2.5", "z > 2.5"]
    assert [b.child for b in only.branches] == [1, 2]
    assert (only.agreement, only.adjusted, only.count) == (0.9, pytest.approx(0.8), 1)
    alone = CARTClassifier(**rpart, max_surrogates=0).fit(TWELVE, LABELS).tree_
    assert alone.count.tolist() == [12, 5, 5]
    stay = CARTClassifier(**rpart, undecided="stay").fit(TWELVE, LABELS)
    assert stay.apply({"x": [NAN], "z": [NAN], "k": ["a"]}).tolist() == [0]
    assert clf.apply({"x": [NAN], "z": [NAN], "k": ["a"]}).tolist() == [2]


def test_prediction_follows_surrogates() -> None:
    clf = CARTClassifier(missing="surrogate").fit(TWELVE, LABELS)
    asked = {"x": [NAN, NAN, 1, NAN], "z": [1, 5, 5, NAN], "k": ["c", "a", "d", None]}
    sent = clf.apply(asked)
    assert (sent[0], sent[1]) == (1, 2)
    assert sent[2] == 1  # who knows the answer is not asked twice
    assert sent[3] == 2  # nothing decides: the second of two that weigh the same


def test_surrogates_stay_with_their_node_where_chance_stops_others() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = X[:, 0] + 0.5 * X[:, 1] * X[:, 2] + rng.normal(size=300) > 0
    X[rng.random(X.shape) < 0.1] = NAN
    tree = CARTClassifier(missing="surrogate", max_p_value=0.05).fit(X, y).tree_
    asking = np.flatnonzero(tree.n_children)
    assert 1 < len(asking) < len(CARTClassifier(missing="surrogate").fit(X, y).tree_.n_children) / 2
    for node in asking.tolist():
        alternatives = [*tree.surrogates(node), *tree.competitors(node)]
        own = f"x{tree.feature[node]}"
        assert own not in [alternative.branches[0].column for alternative in alternatives]


def test_levels_that_a_node_never_saw_ask_the_surrogates() -> None:
    X = {"k": list("aaabbb"), "z": [1, 1, 2, 8, 9, 9]}
    clf = CARTClassifier(missing="surrogate").fit(X, list("nnnyyy"))
    assert [str(b) for b in clf.tree_.branches(0)] == ["k = a", "k = b"]
    assert clf.predict({"k": ["new", "new"], "z": [1, 9]}).tolist() == ["n", "y"]


def test_three_classes_and_a_regression_by_hand() -> None:
    tree = (
        CARTClassifier(**rpart, complexity=0)
        .fit({"k": list("aabbccddda")}, list("1122331233"))
        .tree_
    )
    assert tree.gain[tree.n_children > 0].tolist() == pytest.approx([1.85, 1.083333333])
    assert tree.nested()["branches"][1][0] == {"=": "b"}
    X = {"x": [1, 2, 3, 4, 5, 6, NAN], "k": list("uvuvwww")}
    tree = CARTRegressor(**rpart).fit(X, [1, 2, 3, 10, 11, 12, 30]).tree_
    improve = tree.gain / np.where(tree.n_children > 0, tree.cost, 1)
    assert improve[0] == pytest.approx(0.534669211196)
    assert tree.competitors(0)[0].gain / tree.cost[0] == pytest.approx(0.202886450382)
    surrogate = tree.surrogates(0)[0]
    assert (surrogate.agreement, surrogate.adjusted) == pytest.approx((0.8571428571, 0.6666666667))
    assert improve[2] == pytest.approx(0.002186588921)
    assert tree.count[[b.child for b in tree.branches(2)]].tolist() == [1, 1]


def test_rows_without_a_single_value_are_not_there_for_rpart() -> None:
    X = {"x": [1, 2, 3, 4, NAN], "k": [*"aabb", None]}
    assert CARTClassifier(**rpart).fit(X, list("nnyyy")).tree_.count[0] == 4
    assert CARTClassifier().fit(X, list("nnyyy")).tree_.count[0] == 5
    with pytest.raises(DataError, match="no row has a single value"):
        CARTClassifier(variant="rpart").fit({"x": [NAN, NAN]}, list("ny"))


def test_spares_are_in_the_readable_form() -> None:
    form = to_json(CARTClassifier(**rpart).fit(TWELVE, LABELS))["trees"][0]
    assert form["spare_start"] == [0, 3, 3]
    assert form["spare_role"] == [0, 0, 1]
    assert form["spare_threshold"] == [None, 2.5, 2.5]
    assert "spare_start" not in to_json(CARTClassifier().fit(TWELVE, LABELS))["trees"][0]
