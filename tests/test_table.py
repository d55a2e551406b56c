"""The table that every learner reads: columns of one length, parts of it, and ways out of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from treewright import CARTClassifier, DataError, ID3Classifier, Table
from treewright._input.checks import read_rows
from treewright._input.encoding import encode_columns
from treewright.table import MISSING, Series


@pytest.fixture
def table() -> Table:
    return Table(
        [
            Series.of("wind", ["weak", None, "strong", "weak"]),
            Series.of("size", ["S", "L", "L", None], levels=["S", "M", "L"]),
            Series.of("age", [3, 1.5, None, 2]),
        ]
    )


def test_what_is_in_it(table: Table) -> None:
    assert table.shape == (4, 3)
    assert len(table) == 4
    assert list(table) == table.columns == ["wind", "size", "age"]
    assert table["wind"] == ["weak", None, "strong", "weak"]
    assert table["age"] == [3.0, 1.5, None, 2.0]
    assert repr(table) == "<Table: 4 rows, wind, size, age>"


def test_codes_are_positions_in_the_levels(table: Table) -> None:
    wind = table.column("wind")
    assert wind.levels == ("strong", "weak")
    assert wind.data.tolist() == [1, MISSING, 0, 1]
    assert wind.data.dtype == np.uint32
    assert wind.missing().tolist() == [False, True, False, False]
    assert table.column("age").missing().tolist() == [False, False, True, False]
    assert table.column("age").data.dtype == np.float64


@pytest.mark.parametrize(
    "rows",
    [slice(1, 3), [1, 2], np.array([1, 2]), np.array([False, True, True, False]), [-3, -2]],
)
def test_parts_know_only_the_levels_of_their_rows_unless_declared(table: Table, rows) -> None:
    part = table[rows]
    assert part.to_dict() == {"wind": [None, "strong"], "size": ["L", "L"], "age": [1.5, None]}
    assert part.column("wind").levels == ("strong",)
    assert part.column("wind").data.tolist() == [MISSING, 0]
    assert part.column("size").levels == ("S", "M", "L")


def test_a_part_like_the_rows_alone() -> None:
    """What a model learns from a part must not show which table it was cut from."""
    cells = ["c", "a", None, "b", "a"]
    for rows in ([1, 4], [0, 1, 2, 3, 4], [3, 2, 0]):
        cut = Table([Series.of("x", cells)])[rows].column("x")
        alone = Series.of("x", [cells[i] for i in rows])
        assert cut.levels == alone.levels
        assert cut.values() == alone.values()


def test_rows_and_nothing_else_may_be_indexed(table: Table) -> None:
    assert table[2].to_dict() == table[[2]].to_dict() == table[np.int64(2)].to_dict()
    assert table[[0, 1], ...].shape == (2, 3)
    assert table[:0].shape == (0, 3)
    with pytest.raises(TypeError, match="indexed by rows or by a column's name"):
        table[0, 1]
    with pytest.raises(IndexError):
        table[4]


def test_nothing_changes_when_a_part_is_taken(table: Table) -> None:
    before = table.to_dict()
    table[[3, 1]].series[2].data[:] = 0
    assert table.to_dict() == before


def test_columns_by_name(table: Table) -> None:
    assert table.select(["age", "wind"]).columns == ["age", "wind"]
    assert table.drop(["size"]).columns == ["wind", "age"]
    for ask in (
        table.column,
        lambda n: table.select([n]),
        lambda n: table.drop([n]),
        table.__getitem__,
    ):
        with pytest.raises(DataError, match='no column "Wind"') as error:
            ask("Wind")
        assert error.value.slug == "data.no-such-column"
        assert error.value.hints == ("columns: wind, size, age",)


def test_columns_must_differ_in_name_and_agree_in_length() -> None:
    a, b = Series.of("a", [1, 2]), Series.of("b", [1])
    with pytest.raises(DataError, match='two columns are called "a"') as error:
        Table([b, a, a])
    assert error.value.slug == "data.duplicate-column"
    with pytest.raises(DataError, match=r"differ in length \(a: 2, b: 1\)") as error:
        Table([a, b])
    assert error.value.slug == "data.lengths"
    assert Table([]).shape == (0, 0)


def test_to_pandas_and_back(table: Table) -> None:
    frame = table.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame["size"].dtype == pd.CategoricalDtype(["S", "M", "L"])
    from treewright._input.containers import as_table

    back = as_table(frame)
    assert back.to_dict() == table.to_dict()
    assert [s.column for s in back.series] == [s.column for s in table.series]
    assert [s.declared for s in back.series] == [s.declared for s in table.series]


def test_series_are_values() -> None:
    series = Series.of("a", ["x", "y"])
    with pytest.raises(AttributeError):
        series.name = "b"  # type: ignore[misc]
    assert series.column.levels == ("x", "y")
    assert series.compact() is series
    whole = Series.of("a", ["x"], levels=["x", "y"])
    assert whole.take([0]).levels == ("x", "y")
    assert whole.compact().levels == ("x",)


def test_one_name_is_a_name() -> None:
    table = Table([Series.of("churn", [1, 2]), Series.of("c", [3, 4])])
    assert table.drop("churn").columns == table.select("c").columns == ["c"]
    with pytest.raises(DataError, match='no column "chur"'):
        table.drop("chur")


def test_a_training_table_is_coded_once() -> None:
    table = Table([Series.of("wind", ["weak", "strong"] * 4), Series.of("age", range(8))])
    model = CARTClassifier().fit(table, [0, 1] * 4)
    assert table.conforms_to(model.schema_)
    columns = encode_columns(read_rows(model, table, model.schema_), model.schema_)
    assert all(column is series.data for column, series in zip(columns, table.series, strict=True))
    # A part of it, or the same columns in another order, has to be coded.
    assert not table[:2].conforms_to(model.schema_)
    swapped = table.select(["age", "wind"])
    assert not swapped.conforms_to(model.schema_)
    assert model.predict(swapped).tolist() == model.predict(table).tolist() == [0, 1] * 4


def test_a_table_that_a_learner_changes_is_not_remembered() -> None:
    table = Table([Series.of("n", [1, 2, 3, 4]), Series.of("none", [None] * 4)])
    model = ID3Classifier().fit(table, list("aabb"))
    assert not table.conforms_to(model.schema_)
    assert model.predict(table).tolist() == list("aabb")
