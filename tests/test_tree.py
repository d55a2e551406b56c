"""A fitted tree as named, read-only columns, and the ways to read it."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright import (
    DataError,
    ID3Classifier,
    OneRClassifier,
    Table,
    ZeroRClassifier,
    ZeroRRegressor,
    datasets,
)
from treewright.table import Series
from treewright.tree import COLUMNS, Branch, Tree


@pytest.fixture(scope="module")
def tennis() -> tuple[Table, np.ndarray]:
    return datasets.play_tennis()


@pytest.fixture(scope="module")
def tree(tennis) -> Tree:
    return ID3Classifier().fit(*tennis).tree_


@pytest.fixture(scope="module")
def cuts() -> Tree:
    """A numeric column with two cuts and missing values."""
    X = [[x] for x in [*range(12), None, None]]
    y = ["a"] * 4 + ["b"] * 4 + ["a"] * 4 + ["b", "b"]
    return OneRClassifier(min_bucket=2).fit(X, y).tree_


def test_sizes(tree: Tree) -> None:
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (8, 5, 2)
    assert repr(tree) == "<Tree: 8 nodes, 5 leaves, depth 2>"


def test_columns_are_the_cores_memory_and_cannot_be_written(tree: Tree) -> None:
    assert set(COLUMNS) <= set(dir(tree))
    for name in COLUMNS:
        column = getattr(tree, name)
        assert not column.flags.writeable
        assert not column.flags.owndata
        again = getattr(tree, name)
        assert column.__array_interface__["data"] == again.__array_interface__["data"]
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            column.flags.writeable = True
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = tree.colour
    assert tree.value.shape == (8, 2)


def test_columns_outlive_the_tree_and_the_model(tennis) -> None:
    gain = ID3Classifier().fit(*tennis).tree_.gain
    assert gain[0] == pytest.approx(0.2467498 * 14, abs=1e-6)


def test_parents_and_depths(tree: Tree) -> None:
    assert tree.parents.tolist() == [-1, 0, 0, 0, 1, 1, 3, 3]
    assert tree.depths.tolist() == [0, 1, 1, 1, 2, 2, 2, 2]


def test_the_root_as_plain_values(tree: Tree) -> None:
    root = tree.node(0)
    assert (root.id, root.parent, root.depth, root.count, root.weight) == (0, None, 0, 14, 14.0)
    assert root.answer == "Yes"
    assert root.errors == 5
    assert not root.tied
    assert dict(zip(tree.schema.classes, root.value, strict=True)) == pytest.approx(
        {"Yes": 9 / 14, "No": 5 / 14}
    )
    assert root.cost == pytest.approx(14 * 0.940286, abs=1e-5)
    assert [str(b) for b in root.branches] == [
        "Outlook = Sunny",
        "Outlook = Overcast",
        "Outlook = Rain",
    ]
    assert [b.child for b in root.branches] == [1, 2, 3]


def test_nodes_come_in_the_order_of_the_table(tree: Tree) -> None:
    nodes = list(tree.nodes())
    assert [node.id for node in nodes] == list(range(8))
    assert [node.parent for node in nodes] == [None, 0, 0, 0, 1, 1, 3, 3]
    assert [node.answer for node in nodes if not node.branches] == ["Yes", "No", "Yes", "Yes", "No"]


def test_nested(tree: Tree) -> None:
    assert tree.nested() == {
        "attribute": "Outlook",
        "branches": [
            [
                {"=": "Sunny"},
                {
                    "attribute": "Humidity",
                    "branches": [
                        [{"=": "High"}, {"class": "No", "cases": 3, "errors": 0}],
                        [{"=": "Normal"}, {"class": "Yes", "cases": 2, "errors": 0}],
                    ],
                },
            ],
            [{"=": "Overcast"}, {"class": "Yes", "cases": 4, "errors": 0}],
            [
                {"=": "Rain"},
                {
                    "attribute": "Wind",
                    "branches": [
                        [{"=": "Weak"}, {"class": "Yes", "cases": 3, "errors": 0}],
                        [{"=": "Strong"}, {"class": "No", "cases": 2, "errors": 0}],
                    ],
                },
            ],
        ],
    }


def test_numbers_and_missing_values_nested(cuts: Tree) -> None:
    assert cuts.nested() == {
        "attribute": "x0",
        "branches": [
            [{"<=": 3.5}, {"class": "a", "cases": 4, "errors": 0}],
            [
                {">": 3.5},
                {
                    "attribute": "x0",
                    "branches": [
                        [{"<=": 7.5}, {"class": "b", "cases": 4, "errors": 0}],
                        [{">": 7.5}, {"class": "a", "cases": 4, "errors": 0}],
                    ],
                },
            ],
            [{"missing": True}, {"class": "b", "cases": 2, "errors": 0}],
        ],
    }
    assert [str(b) for b in cuts.branches(0)] == ["x0 <= 3.5", "x0 > 3.5", "x0 is missing"]
    assert [b.missing for b in cuts.branches(0)] == [False, False, True]
    assert cuts.branches(1) == ()


def test_leaves_of_numbers_say_their_mean() -> None:
    tree = ZeroRRegressor().fit([[0], [0]], [1.0, 4.0]).tree_
    assert tree.nested() == {"mean": 2.5, "cases": 2, "errors": 4.5}
    assert tree.answer(0) == 2.5
    assert tree.errors(0) == 4.5
    assert not tree.tied(0)


def test_ties_and_class_weights() -> None:
    tree = (
        ZeroRClassifier()
        .fit([[0]] * 4, ["b", "a", "c", "a"], sample_weight=[1, 0.25, 1, 0.5])
        .tree_
    )
    assert tree.answer(0) == "b"
    assert tree.tied(0)
    assert tree.class_weights(0) == pytest.approx([0.75, 1, 1])
    assert tree.errors(0) == pytest.approx(1.75)


def test_whole_weights_come_back_whole() -> None:
    y = [0] * 7 + [1] * 3 + [2] * 39
    tree = ZeroRClassifier().fit([[0]] * 49, y).tree_
    assert tree.class_weights(0).tolist() == [7, 3, 39]
    assert tree.errors(0) == 10


@pytest.mark.parametrize("row", range(14))
def test_paths_end_where_apply_says(tree: Tree, tennis, row: int) -> None:
    X = tennis[0]
    path = tree.path(X[row])
    clf = ID3Classifier().fit(*tennis)
    assert path[0] == 0
    assert path[-1] == clf.apply(X)[row]
    assert [tree.parents[node] for node in path[1:]] == path[:-1]


def test_any_kind_of_row_has_a_path(tree: Tree, tennis) -> None:
    cells = {"Outlook": "Rain", "Temperature": "Hot", "Humidity": "High", "Wind": "Strong"}
    values = list(cells.values())
    rows = [
        cells,
        {"Outlook": "Rain", "Wind": "Strong"},
        values,
        tuple(values),
        np.array(values),
        np.array(values, dtype=object),
        [values],
        np.array([values]),
        [cells],
        {name: [value] for name, value in cells.items()},
        pd.DataFrame([cells]),
        pl.DataFrame([cells]),
        Table([Series.of(name, [value]) for name, value in cells.items()]),
    ]
    assert [tree.path(row) for row in rows] == [[0, 3, 7]] * len(rows)


def test_missing_and_unseen_values_stop_at_the_node_that_asks(tree: Tree) -> None:
    assert tree.path({}) == [0]
    assert tree.path({"Outlook": "Rain"}) == [0, 3]
    assert tree.path({"Outlook": "Rain", "Wind": "Storm"}) == [0, 3]
    assert tree.path({"Outlook": None}) == [0]


@pytest.mark.parametrize(
    ("row", "slug", "message"),
    [
        ({"outlook": "Rain"}, "data.no-such-column", 'the model has no column "outlook"'),
        (["Rain", "Hot"], "data.one-row", "the row has 2 values, the model reads 4"),
        ([["a"] * 4, ["b"] * 4], "data.one-row", "expected one row, got 2"),
        (np.empty((0, 4)), "data.one-row", "expected one row, got 0"),
    ],
)
def test_rows_that_are_none(tree: Tree, row: object, slug: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as error:
        tree.path(row)
    assert error.value.slug == slug


def test_to_frame(tree: Tree, cuts: Tree) -> None:
    frame = tree.to_frame()
    assert frame["node"].tolist() == list(range(8))
    assert frame["column"].tolist()[:2] == ["Outlook", "Humidity"]
    assert frame["parent"].tolist()[0] is pd.NA
    assert frame["parent"].tolist()[1:] == [0, 0, 0, 1, 1, 3, 3]
    assert frame["answer"].tolist()[0] == "Yes"
    assert frame["threshold"].isna().all()
    assert cuts.to_frame()["threshold"].tolist()[0] == 3.5


def test_branches_in_words() -> None:
    assert str(Branch("a", "in", ("x", 2.0), 1)) == "a in {x, 2}"
    assert str(Branch("a", "=", True, 1)) == "a = True"
    assert str(Branch("a", ">", 1e-7, 1)) == "a > 1e-07"


def test_trees_of_a_pickled_model_are_the_same(tennis) -> None:
    clf = ID3Classifier().fit(*tennis)
    again = pickle.loads(pickle.dumps(clf)).tree_
    for name in COLUMNS:
        assert np.array_equal(
            getattr(clf.tree_, name), getattr(again, name), equal_nan=name == "threshold"
        )
    assert math.isnan(again.threshold[0])
