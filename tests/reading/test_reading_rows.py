"""Rows for a model that exists: by name, by value, in chunks."""

from __future__ import annotations

import io
import pathlib
from typing import Any

import numpy as np
import pytest

from treewright import _core
from treewright._input.encoding import encode
from treewright._reading import RowReader, read_csv
from treewright.errors import DataError, UsageError
from treewright.schema import Column, Schema
from treewright.table import Table

MISSING, UNSEEN = _core.MISSING, _core.UNSEEN
WIND = Column("Wind", "categorical", ("Strong", "Weak"))
SCHEMA = Schema((WIND, Column("n", "numeric")))


def arrays(rows: Any) -> list[Any]:
    return [series.data for series in rows.table.series]


def columns(file: bytes, schema: Schema = SCHEMA, **options: Any) -> list[list[Any]]:
    with RowReader(file, schema, **options) as reader:
        chunks = list(reader)
    return [np.concatenate(parts).tolist() for parts in zip(*map(arrays, chunks), strict=True)]


def schema_of(table: Table) -> Schema:
    return Schema(tuple(series.column for series in table.series))


def test_order_and_other_columns_do_not_matter() -> None:
    one = columns(b"Wind,n\nWeak,1\nStrong,2\n")
    assert one == columns(b"n,x,Wind\n1,?,Weak\n2,,Strong\n") == [[1, 0], [1.0, 2.0]]


def test_missing_columns_are_named() -> None:
    with pytest.raises(DataError) as caught:
        RowReader(b"Wind,Day,Comment\nWeak,1,x\n", SCHEMA, label="new.csv")
    assert str(caught.value) == (
        "new.csv lacks 1 of the 2 columns that this model uses  [predict.missing-column]\n"
        "  missing: n      present but unused: Day, Comment\n"
        "  the model reads columns by name; their order does not matter"
    )


def test_missing_columns_are_named_before_bad_rows() -> None:
    with pytest.raises(DataError) as caught:
        RowReader(b"Wind\nWeak,1,x\n", SCHEMA)
    assert caught.value.slug == "predict.missing-column"


def test_unseen_values_are_counted() -> None:
    file = b"Wind,n\nFoggy,1\nWeak,2\nFoggy,3\n?,4\nfoggy,5\n"
    with RowReader(file, SCHEMA, rows=2) as reader:
        chunks = list(reader)
        assert reader.unseen == {"Wind": {"Foggy": 2, "foggy": 1}}
    assert [chunk.unseen for chunk in chunks] == [
        {"Wind": {"Foggy": 1}},
        {"Wind": {"Foggy": 1}},
        {"Wind": {"foggy": 1}},
    ]
    assert [chunk.first for chunk in chunks] == [0, 2, 4]
    assert [len(chunk) for chunk in chunks] == [2, 2, 1]
    codes = np.concatenate([arrays(chunk)[0] for chunk in chunks])
    assert codes.tolist() == [UNSEEN, 1, UNSEEN, MISSING, UNSEEN]


def test_unseen_values_cannot_fill_the_memory() -> None:
    file = b"Wind,n\n" + b"".join(b"w%d,1\n" % i for i in range(5000))
    with RowReader(file, SCHEMA) as reader:
        assert [len(rows.unseen["Wind"]) for rows in reader] == [5000]
        assert len(reader.unseen["Wind"]) == 1000


def test_text_in_a_numeric_column_is_an_error_with_its_line() -> None:
    with pytest.raises(DataError) as caught:
        columns(b'Wind,n\nWeak,"1"\n\nWeak,12k\n')
    assert caught.value.slug == "predict.not-a-number"
    assert 'line 4: "12k" is not a number, and "n" was numeric' in str(caught.value)
    assert columns(b"Wind,n\nWeak,12k\n", missing=["12k"])[1] == [
        pytest.approx(float("nan"), nan_ok=True)
    ]


def test_numbers_beyond_the_largest_are_refused() -> None:
    with pytest.raises(DataError, match="1e999"):
        columns(b"Wind,n\nWeak,1e999\n")


def test_a_marker_that_is_a_number_is_missing() -> None:
    assert np.isnan(columns(b"Wind,n\nWeak,-999\n", missing=["-999"])[1][0])


def test_levels_that_are_not_text() -> None:
    schema = Schema(
        (Column("k", "categorical", (1, 2.5, 10)), Column("b", "categorical", (False, True)))
    )
    file = b"k,b\n1,True\n1.0,true\n2.5,FALSE\n10,0\nx,\n"
    assert columns(file, schema) == [[0, 0, 1, 2, UNSEEN], [1, 1, 0, UNSEEN, MISSING]]


def test_levels_win_over_markers_and_blanks() -> None:
    schema = Schema((Column("x", "categorical", ("?", " a", "b")),))
    assert columns(b"x\n?\n a\n b \n\n", schema) == [[0, 1, 2]]


def test_the_cells_are_there_when_asked_for() -> None:
    file = 'n,note,Wind\n 01.50 ,"ä, b",Weak\n2,,Calm\n'.encode()
    with RowReader(file, SCHEMA, cells=True, rows=1) as reader:
        cells = [rows.cells for rows in reader]
    assert cells == [
        {"n": [" 01.50 "], "note": ["ä, b"], "Wind": ["Weak"]},
        {"n": ["2"], "note": [""], "Wind": ["Calm"]},
    ]


def test_no_rows_are_no_error() -> None:
    with RowReader(b"Wind,n\n", SCHEMA) as reader:
        assert list(reader) == []


def test_a_chunk_has_a_row() -> None:
    with pytest.raises(UsageError, match="at least one row"):
        RowReader(b"Wind,n\nWeak,1\n", SCHEMA, rows=0)


def test_ragged_rows() -> None:
    with pytest.raises(DataError, match="line 3 has 1 field"):
        columns(b"Wind,n\nWeak,1\nWeak\n")
    with RowReader(b"Wind,n\nWeak,1\nWeak\nWeak,2\n", SCHEMA, ragged="drop") as reader:
        assert sum(len(rows) for rows in reader) == 2
        assert reader.dropped == 1


def test_files_are_closed_by_whoever_opened_them(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"Wind;n\nWeak;1\n")
    with path.open("rb") as file:
        with RowReader(file, SCHEMA) as reader:
            assert reader.delimiter == ";"
        assert not file.closed
    with pytest.raises(DataError):  # pytest turns a file left open into an error
        RowReader(path, Schema((Column("nowhere", "numeric"),)))


def test_chunks_are_read_as_they_are_needed() -> None:
    class Watched(io.RawIOBase):
        given = 0

        def read(self, size: int = -1) -> bytes:
            self.given += 1
            return (b"Wind,n\n" if self.given == 1 else b"") + b"Weak,1\n" * 10_000

    endless = Watched()
    with RowReader(endless, SCHEMA, rows=1000) as reader:
        assert [len(rows) for rows, _ in zip(reader, range(50), strict=False)] == [1000] * 50
    assert endless.given <= 7


@pytest.mark.parametrize("rows", [1, 2, 7, 1 << 16])
def test_streaming_equals_reading_whole(rows: int) -> None:
    random = np.random.default_rng(0)
    lines = ["a,b,c"]
    for _ in range(500):
        a = "" if random.random() < 0.1 else f"{random.normal():.3f}"
        b = random.choice(["x", "y y", '"q, r"', '"two\nlines"', "?"])
        lines.append(f"{a},{b},{random.integers(0, 9)}")
        if random.random() < 0.1:
            lines.append("")
    file = "\r\n".join(lines).encode()
    table = read_csv(file, categorical=["c"])
    expected = [column.tolist() for column in encode(table, schema_of(table))]
    np.testing.assert_equal(columns(file, schema_of(table), rows=rows), expected)
