"""Names, kinds, levels and classes as plain values."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import Schema
from treewright.schema import Column, label


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("sunny", "sunny"),
        ("", ""),
        (3, "3"),
        (3.0, "3"),
        (-0.5, "-0.5"),
        (True, "True"),
        (False, "False"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
        (1e300, "1e+300"),
        (0.1 + 0.2, "0.30000000000000004"),
    ],
)
def test_labels_are_written_in_full_and_in_one_way(value, text: str) -> None:
    assert label(value) == text


levels = st.lists(
    st.text()
    | st.booleans()
    | st.integers(-(2**64) + 1, 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False),
    max_size=5,
).map(tuple)
columns = st.builds(lambda n: Column(n, "numeric"), st.text()) | st.builds(
    lambda n, v: Column(n, "categorical", v), st.text(), levels
)
schemas = st.builds(Schema, st.lists(columns, max_size=4).map(tuple), st.none() | st.text(), levels)


@given(schemas)
def test_a_schema_comes_back_from_plain_values_and_from_json(schema: Schema) -> None:
    document = schema.to_dict()
    assert Schema.from_dict(document) == schema
    # 1, 1.0 and True are equal in Python, but not the same level.
    assert repr(Schema.from_dict(json.loads(json.dumps(document)))) == repr(schema)


def test_only_categories_have_levels_in_a_document() -> None:
    schema = Schema((Column("a", "numeric"), Column("b", "categorical")), "y", (True, False))
    assert schema.to_dict() == {
        "columns": [
            {"name": "a", "kind": "numeric"},
            {"name": "b", "kind": "categorical", "levels": []},
        ],
        "target": "y",
        "classes": [True, False],
    }
    assert schema.names == ("a", "b")
