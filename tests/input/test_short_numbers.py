"""Numbers as people read them, and what a fit notes of its columns for their sake."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from treewright import (
    BaggingClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    Schema,
    datasets,
    explain,
    rank_columns,
    show,
)
from treewright._estimator.metadata import canonical
from treewright._input.column_notes import note_values
from treewright._input.containers import as_table
from treewright._input.short_numbers import write_beside, write_between, write_cut, write_value
from treewright.files import from_bytes, to_bytes
from treewright.schema import Column
from treewright.table import Matrix, Series, Table


def noted(values: Any) -> Column:
    table = as_table({"x": values})
    return note_values(Schema(table.described), table).columns[0]


@pytest.mark.parametrize(
    ("values", "decimals", "single"),
    [
        ([1, 2, 30], 0, False),
        ([79.8, 79.9], 1, False),
        ([0.25, 3, -1.5], 2, False),
        ([0.000001, 5.0], 6, False),
        ([0.1 + 0.2, 5.0], None, False),
        ([1 / 3, 0.5], None, False),
        ([1e12, 2e15], 0, False),
        ([1e12, 0.5], None, False),
        (np.array([79.8, 79.9], np.float32), 1, True),
        (np.array([1 / 3, 0.5], np.float32), None, True),
        (np.array([1.0, 7.0], np.float32), 0, False),
        (["a", "b"], None, False),
    ],
)
def test_the_digits_of_a_column(values: Any, decimals: int | None, single: bool) -> None:
    column = noted(values)
    assert (column.decimals, column.single, column.missing) == (decimals, single, False)


def test_notes_do_not_depend_on_the_order_of_rows_nor_on_the_container() -> None:
    for values in permutations([0.5, 3.25, 1e9, 12345.125]):
        assert noted(list(values)).decimals == 3
    many = np.concatenate([np.arange(40_000.0), [0.125]])
    assert noted(many).decimals == noted(many[::-1]).decimals == 3
    matrix = as_table(np.column_stack([many, many + 0.5]))
    found = note_values(Schema(matrix.described), matrix).columns
    assert [column.decimals for column in found] == [3, 3]


def test_missing_values_are_noted() -> None:
    assert noted([1.5, None, 2.0]).missing
    assert noted([1.5, None, 2.0]).decimals == 1
    assert noted(["a", None]).missing


@pytest.mark.parametrize(
    ("cut", "column", "text"),
    [
        (99.44999999999999, Column("x", "numeric", decimals=1), "99.45"),
        (117.80000000000001, Column("x", "numeric", decimals=1), "117.8"),
        (2.5, Column("x", "numeric", decimals=0), "2.5"),
        (3.0, Column("x", "numeric", decimals=0), "3"),
        (-0.0, Column("x", "numeric", decimals=0), "0"),
        # A value 0.1358 may be in the table, and is above the cut.
        (0.13579999999999998, Column("x", "numeric", decimals=4), "0.13579"),
        (0.13579999999999998, Column("x", "numeric", decimals=4, cut_decimals=5), "0.1358"),
        (79.85000228881836, Column("x", "numeric", decimals=1, single=True), "79.85"),
        (float(np.float32(79.8)), Column("x", "numeric", decimals=1, single=True), "79.8"),
        (0.33333334, Column("x", "numeric", single=True), "0.33333334"),
        (float(np.float32(1 / 3)), Column("x", "numeric", single=True), "0.33333334"),
        (-0.0037611760063045703, Column("x", "numeric", cut_decimals=5), "-0.00376"),
        (0.1 + 0.2, Column("x", "numeric"), "0.30000000000000004"),
        (1e300, Column("x", "numeric", decimals=0), "1e+300"),
        (np.inf, Column("x", "numeric", decimals=0), "inf"),
    ],
)
def test_cuts_are_as_short_as_they_divide_alike(cut: float, column: Column, text: str) -> None:
    assert write_cut(cut, column) == text


def test_values_and_other_cuts() -> None:
    one = Column("x", "numeric", decimals=1)
    assert write_value(79.80000305175781, one) == "79.8"  # C4.5 compares in single precision
    assert write_value(79.80000305175781) == "79.8"
    assert write_value(79.8, one) == "79.8"
    assert write_value(0.1 + 0.2, one) == "0.30000000000000004"
    assert write_value("a") == "a"
    assert write_between(79.85000228881836, 79.9000015258789, one) == "79.85"
    assert write_between(0.123456789, 0.2, Column("x", "numeric")) == "0.13"
    few = Column("x", "numeric", cut_decimals=2)
    assert write_beside(0.123456789, 0.5, few) == "0.123"
    assert write_beside(0.5199, 0.517, few) == "0.5199"  # 0.52 is the cut as it is written
    assert write_beside(0.12345, 0.5, Column("x", "numeric")) == "0.12345"


def test_single_precision_reads_like_the_file() -> None:
    data = np.array([[79.8], [79.9], [81.2], [60.5]], dtype=np.float32)
    view = str(show(CARTClassifier().fit(data, list("aabb"))))
    assert "x0 ≤ 80.55?" in view
    assert "x0 ≤ 70.15?" in view


def test_a_tree_of_arbitrary_numbers_shows_few_digits_and_the_same_rows() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 3))
    y = X[:, 0] + X[:, 1] ** 2
    for learner in (CARTRegressor(max_depth=5), C45Classifier()):
        target = y if isinstance(learner, CARTRegressor) else (y > 1).astype(int)
        tree = learner.fit(X, target).tree_
        asked = [i for i in range(tree.n_nodes) if tree.n_children[i]]
        assert asked
        for node in asked:
            feature, cut = int(tree.feature[node]), float(tree.threshold[node])
            text = write_cut(cut, tree.schema.columns[feature])
            assert len(text) < 10
            np.testing.assert_array_equal(X[:, feature] <= float(text), X[:, feature] <= cut)


def test_a_file_keeps_the_notes_and_an_old_one_has_none() -> None:
    X = {"t": [117.7, 117.9, 98.0, 97.5], "c": ["a", "b", None, "a"]}
    model = CARTClassifier().fit(X, list("pqpq"))
    again = from_bytes(to_bytes(model))
    assert [c.to_dict() for c in again.schema_.columns] == [
        c.to_dict() for c in model.tree_.schema.columns
    ]
    assert str(show(again)) == str(show(model))
    # A file of an earlier version: what is not known is written in full.
    document = json.loads(model._document())
    for column in document["schema"]["columns"]:
        for note in ("missing", "decimals", "single", "cut_decimals"):
            column.pop(note, None)
    old = from_bytes(model._forest.to_bytes(canonical(document)))
    assert old.schema_ == model.schema_
    assert "t ≤ 117.8?" in str(show(model))
    assert "t ≤ 117.8?" not in str(show(old))
    assert " or missing" in str(show(old))
    np.testing.assert_array_equal(old.predict(X), model.predict(X))


@pytest.mark.parametrize(
    "note",
    [{"missing": 1}, {"decimals": -1}, {"decimals": 1.5}, {"single": None}, {"cut_decimals": True}],
)
def test_odd_notes_of_a_file_are_refused(note: dict[str, Any]) -> None:
    document = {"columns": [{"name": "t", "kind": "numeric", **note}], "target": None}
    with pytest.raises(ValueError, match="a column cannot have"):
        Schema.from_dict(document)


def test_going_on_with_other_rows_keeps_the_notes_of_both() -> None:
    first, second = {"x": [1.5, 2.5, 3.5, 4.5]}, {"x": [1.25, None, 3.0, 4.0]}
    model = BaggingClassifier(n_estimators=2, warm_start=True).fit(first, list("aabb"))
    assert model.schema_.columns[0].decimals == 1
    model.set_params(n_estimators=4).fit(second, list("aabb"))
    column = model.schema_.columns[0]
    assert (column.decimals, column.missing) == (2, True)
    model.set_params(n_estimators=6).fit(first, list("aabb"))
    assert (model.schema_.columns[0].decimals, model.schema_.columns[0].missing) == (2, True)


def test_where_training_had_no_missing_value_none_is_spoken_of() -> None:
    X, y = [[1.0, 5.0], [2.0, 6.0], [3.0, 5.0], [4.0, 6.0]], list("aabb")
    model = CARTClassifier().fit(X, y)
    views = [str(show(model, style=style)) for style in ("tree", "plain", "rules", "summary")]
    views += [show(model).to_svg(), show(model).to_dot(), show(model).to_html()]
    assert not any("missing" in view for view in views)
    gaps = CARTClassifier().fit([*X, [None, 5.0]], [*y, "b"])
    assert "or missing" in str(show(gaps))
    # Programs are told in any case where a missing value goes.
    assert show(model).to_dict()["drawn"][1]["branch"]["missing"] in (True, False)


def test_only_categories_that_can_come_are_named() -> None:
    X = {"c": list("uvwxyz") * 4, "n": list(range(24))}
    y = ["p" if c in "uv" else "q" if c in "wx" else "r" for c in X["c"]]
    lines = str(show(CARTClassifier().fit({"c": X["c"]}, y), width=100)).splitlines()
    below = [line for line in lines if line.startswith(("│  ", "   ├", "   └"))]
    named = sorted("".join(filter(str.isalpha, line.split("{")[1].split("}")[0])) for line in below)
    assert len(named) == 2
    assert not set(named[0]) & set(named[1])
    assert len(set("".join(named))) == 4  # of six: two went the other way above


def test_explanations_write_numbers_as_drawings_do() -> None:
    X = np.array([[99.4], [99.5], [97.3], [97.4]])
    told = str(explain(CARTClassifier().fit(X, list("abab")), np.float32([99.4]).astype(float)))
    assert "x0 = 99.4 ≤ 99.45" in told
    assert "more than 99.45" in told


def test_ranking_writes_cuts_that_divide_as_they_say() -> None:
    X = {"g": [79.75, 79.8, 79.85, 79.9]}
    assert "79.825" in str(rank_columns(X, list("aabb")))


def test_categories_have_no_digits() -> None:
    model = ID3Classifier().fit(*datasets.play_tennis())
    assert [c.to_dict().keys() for c in model.tree_.schema.columns] == [
        {"name", "kind", "levels", "missing"}
    ] * 4


def test_what_is_noted_is_exact() -> None:
    # One third of a cent is no decimal number, however close it comes.
    assert noted([0.01, float(Fraction(1, 300))]).decimals is None


def test_single_precision_that_is_coarser_than_its_decimals_is_no_grid() -> None:
    values = np.array([-186.43234, 1317.4703, -2909.0369], np.float32)
    assert (noted(values).decimals, noted(values).single) == (None, True)


def test_a_cut_between_a_value_of_single_precision_and_its_decimal() -> None:
    column = Column("x", "numeric", decimals=1, single=True)
    cut = 0.30000000447034836  # 0.3 is 0.30000001192 in single precision: above the cut
    assert write_cut(cut, column) == "0.29"


def test_large_tables_are_noted_alike_in_every_container() -> None:
    rows = (1 << 21) // 3 + 1
    rng = np.random.default_rng(0)
    array = np.column_stack(
        [rng.integers(0, 9, rows), rng.integers(0, 99, rows) / 4, rng.integers(0, 99, rows) / 10]
    )
    names = ("whole", "quarters", "tenths")
    matrix = Table.of_matrix(Matrix.of(array), names)  # type: ignore[arg-type]
    columns = Table([Series.of(name, array[:, i]) for i, name in enumerate(names)])
    found = [note_values(Schema(table.described), table).columns for table in (matrix, columns)]
    for of_matrix, of_columns in zip(*found, strict=True):
        assert of_matrix.to_dict() == of_columns.to_dict()
    assert [(c.decimals, c.single) for c in found[0]] == [(0, False), (None, True), (None, False)]
