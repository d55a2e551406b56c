"""The column to predict: labels, numbers, weights; and one clear sentence for each that is none."""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import DataConversionWarning

from treewright import (
    DataError,
    GradientBoostingRegressor,
    ID3Classifier,
    ZeroRClassifier,
    ZeroRRegressor,
)
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright.files import to_bytes
from treewright.table import Series

WORDS = ["b", "a", "b", "c"]
X = [[1], [2], [3], [4]]


# ---- classes


@pytest.mark.parametrize(
    "y",
    [
        WORDS,
        tuple(WORDS),
        np.array(WORDS),
        np.array(WORDS, dtype=object),
        pd.Series(WORDS),
        pd.Series(WORDS, dtype=object, index=[3, 3, 1, 0]),
        pd.Series(WORDS).convert_dtypes(),
        pl.Series(WORDS),
        pl.Series(WORDS, dtype=pl.Categorical),
        pa.array(WORDS),
        pa.chunked_array([WORDS[:1], WORDS[1:]]),
        pa.array(WORDS).dictionary_encode(),
        Series.of("", WORDS),
    ],
    ids=lambda y: f"{type(y).__module__}.{type(y).__name__}",
)
def test_text_in_any_container_is_the_same_target(y: Any) -> None:
    target = ClassTarget.of(y)
    assert target.sorted.tolist() == ["a", "b", "c"]
    assert target.sorted.dtype.kind == "U"
    assert target.levels == ("a", "b", "c")
    assert target.codes.tolist() == [1, 0, 1, 2]
    assert target.codes.dtype == np.uint32
    assert target.name is None
    assert to_bytes(ID3Classifier().fit(X, y)) == to_bytes(ID3Classifier().fit(X, WORDS))


@pytest.mark.parametrize(
    "y",
    [
        [3, 1, 3, 2],
        np.array([3, 1, 3, 2]),
        np.array([3, 1, 3, 2], dtype=object),
        pd.Series([3, 1, 3, 2]),
        pd.Series([3, 1, 3, 2], dtype="Int64"),
        pd.Series([3, 1, 3, 2], dtype=object),
        pl.Series([3, 1, 3, 2]),
        pa.array([3, 1, 3, 2]),
    ],
    ids=lambda y: f"{type(y).__module__}.{getattr(y, 'dtype', '')}",
)
def test_whole_numbers_in_any_container_are_the_same_target(y: Any) -> None:
    target = ClassTarget.of(y)
    assert target.sorted.tolist() == [1, 2, 3]
    assert target.sorted.dtype == np.int64
    assert target.codes.tolist() == [2, 0, 2, 1]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.float32, np.float64, bool])
def test_answers_keep_the_type_of_the_labels(dtype: Any) -> None:
    y = np.array([1, 0, 1, 1], dtype=dtype)
    clf = ID3Classifier().fit(X, y)
    assert clf.classes_.dtype == y.dtype
    assert clf.predict(X).dtype == y.dtype
    assert (clf.predict(X) == y).all()


def test_booleans_in_any_container() -> None:
    cells = [True, False]
    for y in (cells, np.array(cells), pd.Series(cells, dtype="boolean"), pl.Series(cells)):
        target = ClassTarget.of(y)
        assert target.sorted.tolist() == [False, True]
        assert target.sorted.dtype == np.bool_


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(pd.Categorical(WORDS, ["c", "x", "b", "a"])),
        pd.Categorical(WORDS, ["c", "x", "b", "a"], ordered=True),
        pl.Series(WORDS, dtype=pl.Enum(["c", "x", "b", "a"])),
        Series.of("", WORDS, levels=["c", "x", "b", "a"]),
    ],
    ids=["pandas", "pandas bare", "polars", "ours"],
)
def test_ties_go_by_the_declared_order_and_classes_are_sorted(y: Any) -> None:
    target = ClassTarget.of(y)
    assert target.sorted.tolist() == ["a", "b", "c"]
    assert target.levels == ("c", "b", "a")
    assert target.codes.tolist() == [1, 2, 1, 0]
    assert [target.sorted[i] for i in target.order] == ["c", "b", "a"]


@pytest.mark.parametrize("levels", [("b", "a", "c"), (3, 1, 2), (True, False)])
@pytest.mark.parametrize("declared", [True, False])
def test_a_coded_column_is_the_target_that_its_labels_are(levels: Any, declared: bool) -> None:
    codes = np.array([1, 0, 1, 1, 0], dtype=np.uint32)
    series = Series("play", "categorical", codes, levels, declared)
    labels = [levels[code] for code in codes]
    order = [level for level in levels if level in labels] if declared else None
    by_codes, by_labels = ClassTarget.of(series), ClassTarget.of(np.array(labels))
    assert by_codes.sorted.dtype == by_labels.sorted.dtype
    assert by_codes.sorted.tolist() == by_labels.sorted.tolist() == sorted(set(labels))
    assert by_codes.levels == tuple(order or sorted(set(labels)))
    assert [by_codes.levels[code] for code in by_codes.codes] == labels


def test_a_coded_target_is_not_turned_into_text(monkeypatch: Any) -> None:
    series = Series.of("play", ["no", "yes", "yes"])

    def decode(self: Series) -> list[Any]:
        raise AssertionError("the labels were read")

    monkeypatch.setattr(Series, "values", decode)
    assert ClassTarget.of(series).codes.tolist() == [0, 1, 1]


def test_taking_rows_drops_classes_without_rows_and_keeps_the_order() -> None:
    target = ClassTarget.of(Series.of("", WORDS, levels=["c", "b", "a"]))
    part = target.take(np.array([False, True, True, False]))
    assert part.sorted.tolist() == ["a", "b"]
    assert part.levels == ("b", "a")
    assert part.codes.tolist() == [1, 0]
    assert len(part) == 2


def test_the_name_of_the_target() -> None:
    assert ClassTarget.of(pd.Series(WORDS, name="play")).name == "play"
    assert ClassTarget.of(pl.Series("play", WORDS)).name == "play"
    assert ClassTarget.of(Series.of("play", WORDS)).name == "play"
    assert ClassTarget.of(pd.Series(WORDS, name=3)).name is None
    assert NumberTarget.of(pd.Series([1.0], name="price")).name == "price"
    assert ID3Classifier().fit(X, pd.Series(WORDS, name="play")).schema_.target == "play"


def test_a_column_vector_is_taken_with_a_warning() -> None:
    column = np.array(WORDS)[:, None]
    for y in (column, column.tolist(), pd.DataFrame({"y": WORDS})):
        with pytest.warns(DataConversionWarning, match="1d array was expected"):
            assert ClassTarget.of(y).sorted.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("y", "slug", "message"),
    [
        (["a", None], "fit.missing-target", r"missing in 1 of 2 rows \(first: row 1\)"),
        ([None, None], "fit.missing-target", "missing in 2 of 2 rows"),
        (np.array([None, "a"], dtype=object), "fit.missing-target", "first: row 0"),
        (["a", math.nan], "fit.missing-target", "first: row 1"),
        (pd.Series(["a", pd.NA]), "fit.missing-target", "first: row 1"),
        (pd.Series(["a", None], dtype="category"), "fit.missing-target", "first: row 1"),
        (pl.Series(["a", None]), "fit.missing-target", "first: row 1"),
        (pa.array([None, "a"]), "fit.missing-target", "first: row 0"),
        (Series.of("", ["a", None]), "fit.missing-target", "first: row 1"),
        (["a", 1], "fit.labels", r"all text, .*\(row 0: 'a'; row 1: 1\)"),
        ([1, "a", 1], "fit.labels", r"Unknown label type.*\(row 0: 1; row 1: 'a'\)"),
        ([True, "a"], "fit.labels", "Unknown label type"),
        ([datetime.date(2020, 1, 1)], "fit.date-target", "holds dates or times"),
        (np.array(["2020-01-01"], "M8[D]"), "fit.date-target", "holds dates or times"),
        ([b"a", b"b"], "fit.labels", "Unknown label type"),
        ([{}, {}], "fit.labels", "Unknown label type"),
        (["a", "a\0"], "fit.labels", "ends in a NUL character"),
    ],
)
def test_labels_that_are_none(y: Any, slug: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as error:
        ClassTarget.of(y)
    assert error.value.slug == slug
    assert "\n" not in error.value.message


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0.5, 1.5], "Unknown label type: continuous"),
        ([1.0, math.nan], "Input y contains NaN"),
        (pd.Series([1, pd.NA], dtype="Int64"), "Input y contains NaN"),
        ([1.0, math.inf], "Input y contains infinity"),
        ([1j], "Complex data not supported"),
        ([[1, 2], [3, 4]], "1d array"),
    ],
)
def test_labels_that_scikit_learn_words(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ClassTarget.of(y)


def test_a_target_of_another_length() -> None:
    with pytest.raises(ValueError, match="the table has 4 rows, the target 3"):
        ID3Classifier().fit(X, [0, 1, 0])
    with pytest.raises(ValueError, match="requires y to be passed, but the target y is None"):
        ID3Classifier().fit(X, None)


# ---- numbers


@pytest.mark.parametrize(
    "y",
    [
        [1, 2.5],
        (1, 2.5),
        np.array([1, 2.5], dtype=np.float32),
        np.array([1, 2.5], dtype=object),
        pd.Series([1, 2.5], dtype="Float64"),
        pl.Series([1.0, 2.5]),
        pa.array([1, 2.5]),
        Series.of("", [1, 2.5]),
    ],
    ids=lambda y: type(y).__module__,
)
def test_numbers_in_any_container_are_the_same_target(y: Any) -> None:
    target = NumberTarget.of(y)
    assert target.values.tolist() == [1.0, 2.5]
    assert target.values.dtype == np.float64
    assert target.take(np.array([False, True])).values.tolist() == [2.5]
    assert ZeroRRegressor().fit([[0], [0]], y).predict([[0]]).tolist() == [1.75]


@pytest.mark.parametrize(
    "y", [["a", "b"], ["1", "2"], np.array(["1"]), pl.Series(["1"]), Series.of("", ["a"]), [1, "a"]]
)
def test_text_is_no_number(y: Any) -> None:
    with pytest.raises(DataError, match="the target holds text") as error:
        NumberTarget.of(y)
    assert error.value.slug == "fit.task"


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1.0, math.nan], "Input y contains NaN"),
        ([1.0, None], "Input y contains NaN"),
        ([1.0, math.inf], "Input y contains infinity"),
        (pl.Series([1.0, None]), "Input y contains NaN"),
        (Series.of("", [1.0, None]), "Input y contains NaN"),
        ([1j], "Complex data not supported"),
    ],
)
def test_numbers_that_are_none(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NumberTarget.of(y)


# ---- weights


def test_weights_in_any_container() -> None:
    for weights in (
        [1, 0, 2],
        np.array([1, 0, 2], np.uint8),
        pd.Series([1, 0, 2]),
        pl.Series([1, 0, 2]),
    ):
        assert weights_of(weights, 3).tolist() == [1.0, 0.0, 2.0]
    assert weights_of(None, 3) is None


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], r"has the shape \(2,\), expected \(3,\)"),
        ([[1], [2], [3]], r"has the shape \(3, 1\), expected \(3,\)"),
        (1.0, r"has the shape \(\), expected \(3,\)"),
        ([1, -1, 1], "the weight of row 1 is -1"),
        ([1, 1, math.nan], "the weight of row 2 is nan"),
        ([math.inf, 1, 1], "the weight of row 0 is inf"),
        ([0, 0, 0], "all sample weights are zero"),
        ([1e-300, 5e-324, 0], "the largest sample weight is 1e-300, too extreme"),
        ([1e308, 1, 0], r"the largest sample weight is 1e\+308, too extreme"),
    ],
)
def test_weights_that_are_none(weights: Any, message: str) -> None:
    with pytest.raises(DataError, match=message) as error:
        weights_of(weights, 3)
    assert error.value.slug == "data.weights"


@pytest.mark.parametrize("scale", [1e-280, 1e-3, 1e3, 1e280])
@pytest.mark.parametrize("learner", [ID3Classifier, ZeroRClassifier])
def test_only_the_ratios_of_weights_matter(learner: Any, scale: float) -> None:
    weights = np.array([3.0, 1.0, 2.0, 2.0])
    y = ["a", "b", "b", "a"]
    X = [["u", "k"], ["u", "k"], ["v", "k"], ["v", "l"]]
    plain = learner().fit(X, y, sample_weight=weights)
    scaled = learner().fit(X, y, sample_weight=weights * scale)
    assert scaled.predict_proba(X) == pytest.approx(plain.predict_proba(X), rel=1e-12)
    assert scaled.tree_.weight == pytest.approx(plain.tree_.weight * scale, rel=1e-12)
    assert scaled.tree_.cost == pytest.approx(plain.tree_.cost * scale, rel=1e-9)
    assert scaled.tree_.feature.tolist() == plain.tree_.feature.tolist()


def test_unaligned_numbers_and_weights_are_read() -> None:
    """Arrays that came over a network may lie at any address."""
    numbers = np.frombuffer(b"." + np.arange(9.0).tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert not numbers.flags.aligned
    model = GradientBoostingRegressor(n_estimators=2).fit(np.arange(9.0)[:, None], numbers, numbers)
    assert model.n_estimators_ == 2
