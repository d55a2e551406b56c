"""Laws of reading: any bytes give a table or a sentence; what was written is read back; pieces do not matter."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from treewright._reading import RowReader, inspect, read_csv
from treewright.errors import TreewrightError
from treewright.schema import Schema

# Words for a missing value; among numbers in any case.
WORDS = ("na", "n/a", "nan", "null", "none", "#n/a", "<na>", "-", "--", "–", "—")
# Text that a file can hold and reading keeps: no control of lines inside, nothing that is missing or blank around.
WORD = (
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)
    .filter(lambda text: text == text.strip(" \t") and text != "?" and not _is_number(text))
    .filter(lambda text: text.lower() not in WORDS)
)
CELL = st.one_of(
    st.sampled_from(
        [b"", b"?", b"NA", b"1", b"1.5", b"007", b"1e999", b'"', b'""', b'"a,b"', b'"a\nb"', b"a b"]
    ),
    st.binary(max_size=6),
)
RUBBISH = st.one_of(
    st.binary(max_size=200),
    st.lists(st.lists(CELL, min_size=1, max_size=4).map(b",".join), max_size=8).map(b"\n".join),
    st.text(max_size=60).map(lambda text: text.encode("utf-16")),
)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


class Pieces:
    """A file that gives its bytes in pieces of a given size."""

    def __init__(self, content: bytes, size: int) -> None:
        self.file, self.size = io.BytesIO(content), size

    def read(self, size: int) -> bytes:
        return self.file.read(self.size)


def outcome(source: Any, **options: Any) -> Any:
    """The table, or what was said instead."""
    try:
        found = inspect(source, label="t.csv", **options)
    except TreewrightError as error:
        return str(error)
    return (
        [(s.name, s.kind, s.levels, s.values()) for s in found.table.series],
        found.notes,
        str(found),
    )


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(RUBBISH, st.integers(1, 50), st.sampled_from(["error", "drop"]))
@example(b'a,b\n1,"\n', 1, "error")
@example(b"\xff\xfe", 1, "error")
@example(b'"', 1, "error")
def test_any_bytes_give_a_table_or_a_sentence_whatever_the_pieces(
    content: bytes, size: int, ragged: str
) -> None:
    whole = outcome(content, ragged=ragged)
    assert outcome(Pieces(content, size), ragged=ragged) == whole


@settings(max_examples=100, deadline=None)
@given(RUBBISH, st.sampled_from(["utf-16", "cp1252", "latin-1", "ascii", "utf-7", "shift_jis"]))
def test_any_bytes_in_any_encoding(content: bytes, encoding: str) -> None:
    whole, pieces = (outcome(s, encoding=encoding) for s in (content, Pieces(content, 3)))
    # Of two things that are wrong, the pieces decide which is met first.
    assert whole == pieces or (isinstance(whole, str) and isinstance(pieces, str))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from([",", ";", "\t", "|"]), st.sampled_from(["\n", "\r\n", "\r"]))
def test_what_was_written_is_read(data: st.DataObject, delimiter: str, end: str) -> None:
    names = data.draw(st.lists(WORD, min_size=1, max_size=5, unique=True))
    rows = data.draw(st.integers(1, 12))
    columns: list[list[Any]] = []
    for _ in names:
        number = st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0)
        values = data.draw(st.sampled_from([WORD, number]))
        cells = st.lists(st.none() | values, min_size=rows, max_size=rows)
        columns.append(data.draw(cells))
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerow(names)
    writer.writerows(["" if v is None else v for v in row] for row in zip(*columns, strict=True))
    table = read_csv(
        file.getvalue().encode(), delimiter=delimiter, categorical=_texts(names, columns)
    )
    for name, column in zip(names, columns, strict=True):
        assert table[name] == column


def _texts(names: list[str], columns: list[list[Any]]) -> list[str]:
    return [
        name
        for name, column in zip(names, columns, strict=True)
        if any(isinstance(v, str) for v in column)
    ]


@settings(max_examples=150, deadline=None)
@given(st.text("0123456789+-.eE_xnaif, /:", min_size=1, max_size=24))
def test_numbers_are_pythons_numbers_or_text(text: str) -> None:
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows([["x"], [text], ["0.5"], ["0.25"]])
    told = outcome(file.getvalue().encode())
    if isinstance(told, str):
        assert "[data.mixed-column]" in told or "[data.number-too-large]" in told
        assert not _is_number(text) or math.isinf(float(text)) or "_" in text or "nan" in text
        return
    [(_, kind, levels, values)] = told[0]
    if kind == "categorical":  # a leading zero or a telephone number
        assert text.strip(" ") in levels
        assert _is_number(text)
    elif text.strip(" ").lower() in ("", *WORDS):
        assert values[0] is None
    else:
        assert values[0] == float(text)


@settings(max_examples=100, deadline=None)
@given(RUBBISH, st.integers(1, 5))
def test_rows_in_chunks_are_the_rows_of_the_whole(content: bytes, rows: int) -> None:
    try:
        table = read_csv(content)
    except TreewrightError:
        return
    schema = Schema(tuple(series.column for series in table.series))
    with RowReader(content, schema, rows=rows) as reader:
        chunks = list(reader)
    assert reader.unseen == {}
    for i, series in enumerate(table.series):
        parts = [chunk.table.series[i].data for chunk in chunks]
        np.testing.assert_array_equal(np.concatenate(parts), series.data)
