"""Any container becomes the same table, or one clear sentence says why not.

``_frame`` for containers, ``_dataframe`` for data frames, ``_values`` for single columns.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treewright import DataError, ID3Classifier, OneRClassifier, Table
from treewright._input.containers import as_table
from treewright.files import to_bytes
from treewright.table import Series

COLUMNS: dict[str, list[Any]] = {
    "sky": ["grey", None, "blue", "blue", "grey", "grün"],
    "warm": [True, False, None, True, True, False],
    "age": [3, 1, None, 3, 2, 1],
    "size": [0.5, None, -1.5, 0.0, 2.25, 0.5],
}
LABELS = ["no", "yes", "no", "yes", "no", "yes"]
SIZES = ["S", "M", "L", "XL"]
CLOTHES = ["M", "L", None, "M", "S", "M"]


def rows() -> list[tuple[Any, ...]]:
    return list(zip(*COLUMNS.values(), strict=True))


def frames() -> dict[str, Any]:
    frame = pd.DataFrame(COLUMNS)
    arrow = pa.table(COLUMNS)
    return {
        "dict of lists": COLUMNS,
        "dict of tuples": {name: tuple(values) for name, values in COLUMNS.items()},
        "dict of arrays": {n: np.array(v, dtype=object) for n, v in COLUMNS.items()},
        "dict of series": {n: pd.Series(v) for n, v in COLUMNS.items()},
        "dict of polars": {n: pl.Series(v, strict=False) for n, v in COLUMNS.items()},
        "dict of arrow": {n: pa.array(v) for n, v in COLUMNS.items()},
        "list of dicts": [dict(zip(COLUMNS, row, strict=True)) for row in rows()],
        "pandas": frame,
        "pandas object": pd.DataFrame(COLUMNS, dtype=object),
        "pandas nullable": frame.convert_dtypes(),
        "pandas arrow": frame.convert_dtypes(dtype_backend="pyarrow"),
        "pandas odd index": frame.set_index(pd.Index([7, 7, -1, 0, 3, 2])),
        "polars": pl.DataFrame(COLUMNS),
        "polars categorical": pl.DataFrame(COLUMNS).with_columns(
            pl.col("sky").cast(pl.Categorical)
        ),
        "polars small": pl.DataFrame(
            COLUMNS, schema_overrides={"age": pl.UInt8, "size": pl.Float32}
        ),
        "arrow": arrow,
        "arrow in chunks": pa.concat_tables([arrow.slice(0, 2), arrow.slice(2)]),
        "arrow batch": arrow.to_batches()[0],
        "arrow dictionary": arrow.set_column(0, "sky", arrow["sky"].dictionary_encode()),
        "arrow large": arrow.set_column(0, "sky", arrow["sky"].cast(pa.large_string())),
    }


def arrays() -> dict[str, Any]:
    cells = np.array(rows(), dtype=object)
    wide = np.repeat(cells, 2, axis=0)
    hidden = np.ma.MaskedArray(cells, mask=cells == None)  # noqa: E711
    return {
        "object array": cells,
        "columns first": np.asfortranarray(cells),
        "every other row": wide[::2],
        "backwards twice": cells[::-1][::-1],
        "list of lists": [list(row) for row in rows()],
        "list of tuples": rows(),
        "tuple of lists": tuple(list(row) for row in rows()),
        "masked": hidden,
    }


@pytest.mark.parametrize("learner", [ID3Classifier, OneRClassifier])
@pytest.mark.parametrize("held", [frames, arrays])
def test_the_same_data_gives_the_same_bytes_whatever_held_it(held: Any, learner: Any) -> None:
    found = {name: to_bytes(learner().fit(X, LABELS)) for name, X in held().items()}
    different = [name for name, data in found.items() if data != next(iter(found.values()))]
    assert different == []


def test_the_same_data_gives_the_same_answers_whatever_held_it() -> None:
    for held in (frames, arrays):
        clf = ID3Classifier().fit(next(iter(held().values())), LABELS)
        answers = [clf.predict(X).tolist() for X in held().values()]
        assert answers == [LABELS] * len(answers)


def test_what_the_columns_become() -> None:
    table = as_table(COLUMNS)
    assert [(s.kind, s.levels, s.declared) for s in table.series] == [
        ("categorical", ("blue", "grey", "grün"), False),
        ("categorical", (False, True), False),
        ("numeric", (), False),
        ("numeric", (), False),
    ]
    assert table.to_dict() == COLUMNS


# ---- declared categories


def declared() -> dict[str, Any]:
    ordered = pa.DictionaryArray.from_arrays(
        pa.array([1, 2, None, 1, 0, 1], pa.int8()), SIZES, ordered=True
    )
    chunked = pa.chunked_array([ordered.slice(0, 3), ordered.slice(3)])
    return {
        "ours": Table([Series.of("size", CLOTHES, levels=SIZES)]),
        "pandas": pd.DataFrame({"size": pd.Categorical(CLOTHES, SIZES)}),
        "pandas ordered": pd.DataFrame({"size": pd.Categorical(CLOTHES, SIZES, ordered=True)}),
        "pandas bare": {"size": pd.Categorical(CLOTHES, SIZES)},
        "polars": pl.DataFrame({"size": pl.Series(CLOTHES, dtype=pl.Enum(SIZES))}),
        "polars column": {"size": pl.Series(CLOTHES, dtype=pl.Enum(SIZES))},
        "polars to arrow": pl.DataFrame(
            {"size": pl.Series(CLOTHES, dtype=pl.Enum(SIZES))}
        ).to_arrow(),
        "arrow ordered": pa.table({"size": chunked}),
        "arrow column": {"size": ordered},
    }


@pytest.mark.parametrize("container", list(declared()))
def test_declared_levels_keep_their_order_and_those_without_rows(container: str) -> None:
    series = as_table(declared()[container]).column("size")
    assert series.levels == tuple(SIZES)
    assert series.declared
    assert series.values() == CLOTHES
    clf = ID3Classifier().fit(declared()[container], LABELS)
    assert to_bytes(clf) == to_bytes(ID3Classifier().fit(declared()["ours"], LABELS))


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(CLOTHES, dtype=pl.Categorical),
        pa.array(CLOTHES).dictionary_encode(),
        pa.chunked_array([pa.array(CLOTHES).dictionary_encode()]),
    ],
    ids=["polars", "arrow array", "arrow chunks"],
)
def test_a_dictionary_that_is_only_a_way_to_store_text_declares_nothing(column: Any) -> None:
    series = as_table({"size": column}).column("size")
    assert series.levels == ("L", "M", "S")
    assert not series.declared
    assert series.values() == CLOTHES


def test_categories_may_be_numbers_or_booleans() -> None:
    table = as_table(
        pd.DataFrame(
            {"n": pd.Categorical([2, 1, None], [2, 1, 5]), "b": [True, False, True]}
        ).astype({"b": "category"})
    )
    assert table.column("n").levels == (2, 1, 5)
    assert table.column("n").values() == [2, 1, None]
    assert table.column("b").levels == (False, True)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        (["S", "S", "M", "L"], "declares the level 'S' twice"),
        (["S", "M"], r'"size", row 1 holds \'L\', which is not among its declared levels'),
        (["S", "M", "L", None], "declares the level None, which is neither text"),
        (["S", "M", "L", math.nan], "declares the level nan, which is neither text"),
        ([(1, 2)], r"declares the level \(1, 2\), which is neither text"),
    ],
)
def test_impossible_levels(levels: list[Any], message: str) -> None:
    with pytest.raises(DataError, match=message) as error:
        Series.of("size", CLOTHES, levels=levels)
    assert error.value.slug == "data.levels"


def test_intervals_are_refused_with_what_to_type() -> None:
    binned = pd.DataFrame({"age": pd.cut([1, 5, 9], 3)})
    with pytest.raises(DataError, match="by renaming the categories"):
        as_table(binned)
    binned["age"] = binned["age"].cat.rename_categories(str)
    assert as_table(binned).column("age").declared


# ---- arrays of every type


@pytest.mark.parametrize("code", [*"bBhHiIlLqQefd", "g", ">f8", ">i4", "<f4", ">u2"])
def test_numbers_of_every_type_are_the_same_column(code: str) -> None:
    X = np.array([[1, 0], [2, 1], [1, 0]], dtype=code)
    expected = to_bytes(ID3Classifier().fit([[1, 0], [2, 1], [1, 0]], [0, 1, 0]))
    strided = np.zeros((6, 6), dtype=code)
    strided[::2, ::3] = X
    frozen = X.copy()
    frozen.setflags(write=False)
    for same in (X, np.asfortranarray(X), strided[::2, ::3], frozen, X[::-1][::-1]):
        before = same.copy()
        assert to_bytes(ID3Classifier().fit(same, [0, 1, 0])) == expected
        assert (same == before).all()


@pytest.mark.parametrize("code", ["U3", ">U3", "O", "T"])
def test_text_of_every_type_is_the_same_column(code: str) -> None:
    if code == "T" and not hasattr(np.dtypes, "StringDType"):
        pytest.skip("this numpy has no variable-width strings")
    dtype = np.dtypes.StringDType() if code == "T" else code
    X = np.array([["a", "b"], ["c", "b"]], dtype=dtype)
    expected = to_bytes(ID3Classifier().fit([["a", "b"], ["c", "b"]], [0, 1]))
    for same in (X, np.asfortranarray(X)):
        assert to_bytes(ID3Classifier().fit(same, [0, 1])) == expected


def test_booleans_are_categories_and_not_numbers() -> None:
    X = np.array([[True, True], [False, True]])
    table = as_table(X)
    assert [s.levels for s in table.series] == [(False, True), (True,)]
    assert table.to_dict() == {"x0": [True, False], "x1": [True, True]}


def test_text_and_numbers_in_one_list_of_rows_stay_what_they_are() -> None:
    """numpy on its own makes text of everything."""
    table = as_table([["a", 1], ["b", 2.5]])
    assert [s.kind for s in table.series] == ["categorical", "numeric"]


def test_negative_zero_is_zero() -> None:
    zeros = as_table(np.array([[-0.0], [0.0]]))
    assert np.signbit(zeros.series[0].data).tolist() == [False, False]
    assert ID3Classifier().fit(zeros, [0, 1]).schema_.columns[0].levels == (0.0,)


def test_everything_that_means_missing() -> None:
    absent = [None, math.nan, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT", "D")]
    assert Series.of("a", [*absent, "x"]).values() == [None] * 6 + ["x"]
    assert Series.of("a", [*absent, 1]).values() == [None] * 6 + [1.0]
    assert Series.of("a", ["", "NA", "nan", "None", "?"]).missing().sum() == 0
    hidden = np.ma.MaskedArray([1, 2, 3], mask=[0, 1, 0])
    assert Series.of("a", hidden).values() == [1.0, None, 3.0]


def test_plain_values_in_other_clothes() -> None:
    class Sky(str, enum.Enum):  # noqa: UP042
        BLUE = "blue"

    class Count(enum.IntEnum):
        ONE = 1

    assert Series.of("a", [Sky.BLUE, np.str_("grey")]).levels == ("blue", "grey")
    assert Series.of("a", [Count.ONE, np.int8(2), np.float16(0.5)]).values() == [1, 2, 0.5]
    assert Series.of("a", [decimal.Decimal("1.5"), fractions.Fraction(1, 4)]).values() == [
        1.5,
        0.25,
    ]
    assert Series.of("a", [np.True_, False]).levels == (False, True)
    assert Series.of("a", (x for x in "ab")).values() == ["a", "b"]
    assert Series.of("b", Series.of("a", ["x"], levels=["y", "x"])).column.levels == ("y", "x")


def test_hostile_text_is_ordinary_text() -> None:
    words = ["", " ", "\0", "a\0", "\n", "\ud800", "\u202e", "<script>", "'\"", "x" * 100_000]
    assert set(Series.of("a", words).levels) == set(words)
    assert as_table({name: [1] for name in words}).columns == words


# ---- frames and rows that are no tables


@pytest.mark.parametrize(
    ("X", "slug", "message"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "data.duplicate-column", 'called "a"'),
        (pd.DataFrame([[1, 2]], columns=[1, 1]), "data.duplicate-column", 'called "1"'),
        (pa.table([[1], [2]], names=["a", "a"]), "data.duplicate-column", 'called "a"'),
        ({1: [1], "1": [2]}, "data.duplicate-column", 'two columns are called "1"'),
        ({"a": [1, 2], "b": [1]}, "data.lengths", r"differ in length \(a: 2, b: 1\)"),
        (pl.LazyFrame({"a": [1]}), "data.not-a-table", "collect it first"),
        ({"a": 1}, "data.not-a-column", 'column "a" is 1, not a list of values'),
        ({"a": "xyz"}, "data.not-a-column", "column \"a\" is 'xyz', not a list"),
        ({"a": np.zeros((2, 2))}, "data.not-a-column", "has 2 dimensions, not 1"),
        ([[1, 2], [3]], "data.ragged-row", "row 1 has 1 values, row 0 has 2"),
    ],
)
def test_frames_that_are_no_tables(X: Any, slug: str, message: str) -> None:
    for read in (as_table, lambda X: ID3Classifier().fit(X, [0])):
        with pytest.raises(DataError, match=message) as error:
            read(X)
        assert error.value.slug == slug
        assert "\n" not in error.value.message


@pytest.mark.parametrize(
    ("values", "slug", "message"),
    [
        (["a", 1], "data.mixed-column", r"mixes text and numbers \(row 0: 'a'; row 1: 1\)"),
        ([None, 1, True], "data.mixed-column", "mixes numbers and booleans"),
        ([True, "True"], "data.mixed-column", "mixes booleans and text"),
        ([datetime.date(2020, 1, 1), "x"], "data.date-column", "mixes dates with other values"),
        ([1, datetime.date(2020, 1, 1)], "data.date-column", "mixes dates with other values"),
        ([2**53 + 1], "data.large-integers", "beyond 2\\^53"),
        ([-(2**60), 0.5], "data.large-integers", "beyond 2\\^53"),
        ([10**400], "data.large-integers", "beyond 2\\^53"),
        (np.array([2**60]), "data.large-integers", "beyond 2\\^53"),
        (np.array([2**64 - 1], np.uint64), "data.large-integers", "beyond 2\\^53"),
        (pd.Series([2**60, None], dtype="Int64"), "data.large-integers", "beyond 2\\^53"),
        (pl.Series([None, -(2**60)]), "data.large-integers", "beyond 2\\^53"),
        (pa.array([2**60, None]), "data.large-integers", "beyond 2\\^53"),
        ([1.0, math.inf], "data.infinity", 'infinity: column "a", row 1 holds inf'),
        (np.array([-math.inf]), "data.infinity", 'infinity: column "a", row 0 holds -inf'),
        (pl.Series([math.inf]), "data.infinity", "infinity"),
        ([b"a"], "data.bytes", r"the bytes b'a', not text"),
        (np.array([b"a"]), "data.bytes", r"the bytes b'a', not text"),
    ],
)
def test_values_that_are_no_column(values: Any, slug: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as error:
        Series.of("a", values)
    assert error.value.slug == slug
    assert "\n" not in error.value.message


@pytest.mark.parametrize("value", [[1], {"a": 1}, {1}, (1, 2), object(), np.array([1]), print])
def test_values_that_are_no_values(value: object) -> None:
    kind = type(value).__name__
    with pytest.raises(TypeError, match=f'"a", row 1 holds a {kind}: each argument must be'):
        Series.of("a", ["x", value])


def test_complex_numbers() -> None:
    for values in ([1j], np.array([1j]), [1, 2 + 1j]):
        with pytest.raises(ValueError, match='Complex data not supported: column "a"'):
            Series.of("a", values)
    with pytest.raises(ValueError, match="Complex data not supported"):
        ID3Classifier().fit(np.array([[1j]]), [0])


def test_nested_columns_of_frames() -> None:
    for column in (pl.Series([[1, 2]]), pl.Series([{"a": 1}]), pa.array([[1]])):
        with pytest.raises(TypeError, match="each argument must be a string or a number"):
            Series.of("a", column)


def test_large_numbers_that_are_still_exact() -> None:
    edge = [2**53, -(2**53)]
    for values in (edge, np.array(edge), pl.Series(edge), pd.Series(edge, dtype="Int64")):
        assert Series.of("a", values).values() == edge
    assert Series.of("a", [1e308, 5e-324]).values() == [1e308, 5e-324]


# ---- names


def test_names_that_are_no_text() -> None:
    assert as_table([{1: "a", 2: "b"}, {1: "c", 2: "d"}]).to_dict() == {
        "1": ["a", "c"],
        "2": ["b", "d"],
    }
    frame = pd.DataFrame([[1, 2], [3, 4]])
    assert as_table(frame).columns == ["0", "1"]
    clf = ID3Classifier().fit(frame, [0, 1])
    assert not hasattr(clf, "feature_names_in_")
    assert clf.predict(frame).tolist() == clf.predict(frame.to_numpy()).tolist() == [0, 1]


def test_names_of_an_array_and_of_some_rows() -> None:
    assert as_table([[1, 2]]).columns == ["x0", "x1"]
    assert as_table([[1, 2]], names=["a", "b"]).columns == ["a", "b"]
    assert as_table([{"a": 1}, {"b": 2}]).to_dict() == {"a": [1, None], "b": [None, 2]}


def test_tables_stay_the_same_object() -> None:
    table = as_table(COLUMNS)
    assert as_table(table) is table


# ---- sizes


def test_small_columns() -> None:
    for values in ([], np.array([]), pl.Series([], dtype=pl.String), pd.Series([], dtype=object)):
        assert len(Series.of("a", values).data) == 0
    for values in (["x"], np.array(["x"]), pl.Series(["x"]), pd.Series(["x"])):
        assert Series.of("a", values).values() == ["x"]


def test_columns_without_any_value_are_numbers() -> None:
    for values in ([None] * 3, [math.nan] * 3, pl.Series([None] * 3), pa.nulls(3), [pd.NA] * 3):
        series = Series.of("a", values)
        assert series.kind == "numeric"
        assert series.missing().all()


@pytest.mark.parametrize("dtype", ["Int64", "UInt8", "Float64", "int64[pyarrow]"])
def test_columns_of_nullable_numbers_may_be_empty_or_all_missing(dtype: str) -> None:
    frame = pd.DataFrame({"n": pd.array([1, 2, None, 4], dtype=dtype), "k": [0, 1, 2, 3]})
    model = OneRClassifier().fit(frame, list("abab"))
    assert len(model.predict(frame.iloc[[2]])) == 1
    assert len(model.predict(frame.iloc[:0])) == 0
    nothing = pd.DataFrame({"n": pd.array([None] * 4, dtype=dtype), "k": [0, 1, 2, 3]})
    assert len(model.predict(nothing)) == 4
    assert len(OneRClassifier().fit(nothing, list("abab")).predict(nothing)) == 4
    with pytest.raises(DataError):
        as_table(pd.DataFrame({"n": pd.array([2**60, None], dtype="Int64")}))
