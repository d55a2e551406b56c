"""ID3 by hand: the textbook's trees, its stopping rules, and what it does where the book is silent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from treewright import DataError, ID3Classifier, Table, UsageError, datasets
from treewright.files import to_bytes
from treewright.table import Series

XOR = [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"]]
ODD = [0, 1, 1, 0]


def leaf(answer: Any, cases: float, errors: float = 0) -> dict[str, Any]:
    return {"class": answer, "cases": cases, "errors": errors}


# ---- what it asks


def test_the_gains_of_the_textbook() -> None:
    tree = ID3Classifier().fit(*datasets.play_tennis()).tree_
    gains = tree.gain / np.maximum(tree.weight, 1)
    assert gains[0] == pytest.approx(0.247, abs=5e-4)
    assert gains[1] == pytest.approx(0.971, abs=5e-4)  # humidity where it is sunny
    assert tree.cost[0] / 14 == pytest.approx(0.940, abs=5e-4)


def test_a_day_number_has_the_largest_gain_and_is_worthless() -> None:
    X = datasets.load("play-tennis").table.drop(["PlayTennis"])
    clf = ID3Classifier().fit(X, datasets.play_tennis()[1])
    assert clf.tree_.nested()["attribute"] == "Day"
    assert clf.tree_.gain[0] / 14 == pytest.approx(0.940, abs=5e-4)
    assert clf.tree_.n_leaves == 14


def test_the_near_cool_table() -> None:
    table = datasets.load("near-cool")
    clf = ID3Classifier().fit(table.features, table.labels)
    assert clf.score(table.features, table.labels) == 1


def test_exclusive_or_is_solved_though_its_first_gain_is_0() -> None:
    clf = ID3Classifier().fit(XOR, ODD)
    assert clf.predict(XOR).tolist() == ODD
    assert clf.tree_.gain[0] == 0
    assert clf.tree_.depth == 2
    assert clf.tree_.nested()["attribute"] == "x0"  # both are as good: the first


def test_with_a_threshold_a_gain_must_be_above_it() -> None:
    assert ID3Classifier(min_gain=0).fit(XOR, ODD).tree_.nested() == leaf(0, 4, 2)
    X, y = datasets.play_tennis()
    assert ID3Classifier(min_gain=0.25).fit(X, y).tree_.n_nodes == 1
    assert ID3Classifier(min_gain=0.24).fit(X, y).tree_.n_nodes == 8
    exact = ID3Classifier().fit(X, y).tree_.gain[0] / 14
    assert ID3Classifier(min_gain=exact).fit(X, y).tree_.n_nodes == 1


def test_a_column_is_asked_once_on_a_path() -> None:
    X = [["a", "u"], ["a", "u"], ["b", "u"], ["b", "v"]]
    tree = ID3Classifier().fit(X, [0, 1, 0, 1]).tree_
    for node in range(tree.n_nodes):
        asked, at = [], node
        while at > 0:
            at = tree.parents[at]
            asked.append(tree.feature[at])
        assert len(set(asked)) == len(asked)


def test_it_stops_where_no_column_is_left_and_records_the_tie() -> None:
    tree = ID3Classifier().fit([["a"], ["a"], ["b"], ["b"], ["b"]], ["n", "y", "y", "y", "n"]).tree_
    assert tree.nested() == {
        "attribute": "x0",
        "branches": [[{"=": "a"}, leaf("n", 2, 1)], [{"=": "b"}, leaf("y", 3, 1)]],
    }
    assert [tree.tied(i) for i in range(3)] == [False, True, False]


def test_equal_gains_go_to_the_first_column() -> None:
    X = {"b": ["u", "v", "u"], "a": ["u", "v", "u"]}
    assert ID3Classifier().fit(X, [0, 1, 0]).tree_.nested()["attribute"] == "b"
    assert (
        ID3Classifier().fit({"a": X["a"], "b": X["b"]}, [0, 1, 0]).tree_.nested()["attribute"]
        == "a"
    )


def test_rounding_never_decides_between_columns_that_divide_alike() -> None:
    """The same piles under other names add up in another order; their gains may differ in the last bit."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        piles = rng.integers(0, 6, 50)
        twin = rng.permutation(6)[piles]
        y = rng.integers(0, 3, 50)
        for X in (np.column_stack([piles, twin]), np.column_stack([twin, piles])):
            assert ID3Classifier().fit(X, y).tree_.feature[0] == 0


# ---- values


def test_every_possible_value_has_a_branch_and_an_empty_one_answers_like_its_parent() -> None:
    X = Table([Series.of("size", ["S", "L", "L"], levels=["S", "M", "L"])])
    clf = ID3Classifier().fit(X, ["no", "yes", "yes"])
    tests = [test for test, _ in clf.tree_.nested()["branches"]]
    assert tests == [{"=": "S"}, {"=": "M"}, {"=": "L"}]
    assert clf.tree_.nested()["branches"][1][1] == leaf("yes", 0)
    assert clf.predict({"size": ["M"]}).tolist() == ["yes"]
    assert clf.tree_.count.tolist() == [3, 1, 0, 2]


def test_values_of_the_whole_table_are_possible_in_every_node() -> None:
    """One branch for each possible value, also where a branch of the tree has seen only some."""
    X = [["a", "u"], ["a", "v"], ["b", "u"], ["b", "w"]]
    nested = ID3Classifier().fit(X, [0, 1, 1, 1]).tree_.nested()
    assert nested["attribute"] == "x0"
    inner = dict(nested["branches"][0][1])
    assert [test for test, _ in inner["branches"]] == [{"=": "u"}, {"=": "v"}, {"=": "w"}]
    assert inner["branches"][2][1] == leaf(0, 0)  # the parent's tie, to its first class


def test_unseen_values_stop_and_are_counted() -> None:
    X, y = datasets.play_tennis()
    clf = ID3Classifier().fit(X, y)
    new = [
        {"Outlook": "Fog", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"},
        {"Outlook": "Rain", "Temperature": "Icy", "Humidity": "High", "Wind": "Storm"},
        {"Outlook": "Fog", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"},
    ]
    assert clf.apply(new).tolist() == [0, 3, 0]
    assert clf.predict(new).tolist() == ["Yes", "Yes", "Yes"]
    assert clf.count_unseen(new) == {
        "Outlook": {"Fog": 2},
        "Temperature": {"Icy": 1},
        "Wind": {"Storm": 1},
    }
    assert clf.count_unseen(X) == {}


def test_missing_is_a_value_where_it_occurs_in_training() -> None:
    X = {"a": ["x", None, "y", None], "b": ["u", "u", "v", "v"]}
    y = [0, 1, 0, 1]
    clf = ID3Classifier().fit(X, y)
    assert clf.tree_.nested() == {
        "attribute": "a",
        "branches": [
            [{"=": "x"}, leaf(0, 1)],
            [{"=": "y"}, leaf(0, 1)],
            [{"missing": True}, leaf(1, 2)],
        ],
    }
    assert clf.predict(X).tolist() == y


def test_missing_where_training_had_none_stops_at_the_node() -> None:
    clf = ID3Classifier().fit({"a": ["x", "y", "y"]}, [0, 1, 1])
    assert clf.apply({"a": [None]}).tolist() == [0]
    assert clf.predict({"a": [None]}).tolist() == [1]
    assert clf.count_unseen({"a": [None]}) == {}


def test_a_column_of_missing_values_or_of_one_value_is_never_asked() -> None:
    X = {"none": [None] * 4, "one": ["x"] * 4, "two": ["u", "u", "v", "v"]}
    tree = ID3Classifier().fit(X, [0, 1, 1, 1]).tree_
    assert tree.nested()["attribute"] == "two"
    assert tree.depth == 1
    alone = ID3Classifier().fit({"none": [None, None]}, [1, 0])
    assert alone.tree_.nested() == leaf(0, 2, 1)
    assert alone.predict({"none": [1]}).tolist() == [0]


def test_one_value_and_missing_are_two_possible_values() -> None:
    clf = ID3Classifier().fit({"a": ["x", None, "x"]}, [0, 1, 0])
    assert clf.tree_.n_leaves == 2
    assert clf.predict({"a": [None, "x", "new"]}).tolist() == [1, 0, 0]


def test_each_different_number_is_a_value() -> None:
    clf = ID3Classifier().fit([[1], [2.5], [1], [-0.0], [0]], [0, 1, 0, 2, 2])
    assert clf.schema_.columns[0].levels == (0.0, 1.0, 2.5)
    assert clf.predict([[1.0], [2.5], [0]]).tolist() == [0, 1, 2]
    assert clf.count_unseen([[1], [7]]) == {"x0": {7.0: 1}}


def test_text_that_looks_like_a_number_is_another_value() -> None:
    clf = ID3Classifier().fit([["1"], ["2"]], [0, 1])
    assert clf.count_unseen(np.array([[1], [2]])) == {"x0": {1.0: 1, 2.0: 1}}
    assert clf.count_unseen([["1"], ["2"]]) == {}


# ---- limits


def test_limits() -> None:
    X, y = datasets.play_tennis()
    assert ID3Classifier(max_depth=1).fit(X, y).tree_.depth == 1
    assert ID3Classifier(max_depth=1).fit(X, y).tree_.n_nodes == 4
    assert ID3Classifier(min_samples_split=14).fit(X, y).tree_.n_nodes == 4
    assert ID3Classifier(min_samples_split=15).fit(X, y).tree_.n_nodes == 1
    assert ID3Classifier(min_samples_split=5).fit(X, y).tree_.n_nodes == 8
    assert ID3Classifier(min_samples_split=6).fit(X, y).tree_.n_nodes == 4


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"max_depth": 0}, "max_depth must be None or a whole number of at least 1; got 0"),
        ({"max_depth": 1.5}, "max_depth must be None or a whole number of at least 1; got 1.5"),
        ({"max_depth": True}, "max_depth must be None or a whole number"),
        ({"max_depth": "3"}, "max_depth must be None or a whole number of at least 1; got '3'"),
        ({"min_gain": -0.1}, "min_gain must be None or a number of at least 0; got -0.1"),
        ({"min_gain": math.nan}, "min_gain must be None or a number of at least 0; got nan"),
        ({"min_gain": "0"}, "min_gain must be None or a number"),
        ({"min_samples_split": 1}, "min_samples_split must be a whole number of at least 2; got 1"),
        ({"min_samples_split": None}, "min_samples_split must be a whole number"),
        ({"min_samples_split": 2.0}, "min_samples_split must be a whole number"),
    ],
)
def test_parameters_are_checked_in_fit_and_nothing_is_left_behind(
    params: dict[str, Any], message: str
) -> None:
    clf = ID3Classifier(**params)
    before = dict(vars(clf))
    with pytest.raises(UsageError, match=message) as error:
        clf.fit(XOR, ODD)
    assert error.value.slug == "usage.parameter"
    assert vars(clf) == before


def test_numpy_numbers_are_numbers() -> None:
    clf = ID3Classifier(
        max_depth=np.int64(2), min_gain=np.float32(0.25), min_samples_split=np.uint8(2)
    )
    plain = ID3Classifier(max_depth=2, min_gain=0.25, min_samples_split=2)
    assert to_bytes(clf.fit(XOR, ODD)) == to_bytes(plain.fit(XOR, ODD))


# ---- sizes


def test_one_row_one_class_one_column() -> None:
    one = ID3Classifier().fit([["a", 1]], ["x"])
    assert one.tree_.nested() == leaf("x", 1)
    assert one.predict([["b", 2], [None, None]]).tolist() == ["x", "x"]
    assert one.predict_proba([["a", 1]]).tolist() == [[1.0]]
    same = ID3Classifier().fit([["a"], ["b"]], ["x", "x"])
    assert same.tree_.nested() == leaf("x", 2)


def test_no_rows_and_no_columns() -> None:
    for X in ({"a": []}, np.empty((0, 1)), [], Table([Series.of("a", [])])):
        with pytest.raises(ValueError, match=r"0 sample\(s\)|minimum of 1|Expected 2D"):
            ID3Classifier().fit(X, [])
    for X in ({}, Table([]), np.empty((2, 0))):
        with pytest.raises(ValueError, match=r"0 (sample|feature)\(s\)"):
            ID3Classifier().fit(X, [0, 1])
    clf = ID3Classifier().fit({"a": ["x", "y"]}, [0, 1])
    assert clf.predict({"a": []}).tolist() == []
    assert clf.predict_proba({"a": []}).shape == (0, 2)
    assert clf.apply({"a": []}).tolist() == []


@pytest.mark.slow
def test_many_columns_and_many_classes() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (20, 2000))
    y = np.arange(20) // 2
    assert ID3Classifier().fit(X, y).score(X, y) == 1
    y = np.arange(10_000) // 2
    X = y[:, None] * 0.5
    assert ID3Classifier().fit(X, y).score(X, y) == 1


def test_a_leaf_for_every_row() -> None:
    n = 300
    X, y = np.triu(np.ones((n, n), dtype=int)), np.arange(n) % 2
    clf = ID3Classifier().fit(X, y)
    assert clf.tree_.n_leaves == n
    assert clf.score(X, y) == 1


def test_too_many_values_are_named() -> None:
    many = [f"id{i}" for i in range(65_521)]
    with pytest.raises(
        DataError, match='column "id" has 65,521 different values; at most'
    ) as error:
        ID3Classifier().fit({"id": many, "b": many}, np.zeros(len(many), int))
    assert error.value.slug == "data.too-many-levels"
