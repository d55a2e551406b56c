"""Partitions that are read apart and joined give the table that a local fit reads."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from treewright._cluster.packed_rows import TrainingRows, join_rows, pack_partition
from treewright._cluster.partitions import read_partition
from treewright._cluster.table_facts import describe_partition, merge_partitions
from treewright._input.containers import as_table
from treewright._input.target import ClassTarget, NumberTarget
from treewright.errors import DataError
from treewright.table import Table


def join(parts: list[tuple[Any, Any, Any]], classes: bool = True) -> tuple[TrainingRows, Any]:
    """Read, describe, pack and join partitions, each of which goes through a pickle."""
    read = [read_partition(number, *part, classes) for number, part in enumerate(parts)]
    read = [pickle.loads(pickle.dumps(part)) for part in read]
    facts = merge_partitions([describe_partition(part) for part in read])
    packed = [pack_partition(number, part, facts) for number, part in enumerate(read)]
    rows = join_rows([pickle.loads(pickle.dumps(part)) for part in packed], facts)
    return pickle.loads(pickle.dumps(rows)), facts


def cut(X: Any, y: Any, places: list[int], weights: Any = None) -> list[tuple[Any, Any, Any]]:
    ends = [0, *places, len(y)]
    pairs = list(itertools.pairwise(ends))
    none = [None] * len(pairs)
    parts = none if weights is None else [weights[a:b] for a, b in pairs]
    return [(X[a:b], y[a:b], w) for (a, b), w in zip(pairs, parts, strict=True)]


def assert_same(one: Table, other: Table) -> None:
    assert one.columns == other.columns
    for a, b in zip(one.series, other.series, strict=True):
        assert (a.kind, a.levels, a.declared, a.ordered) == (
            b.kind,
            b.levels,
            b.declared,
            b.ordered,
        )
        assert a.meaning == b.meaning
        np.testing.assert_array_equal(a.data, b.data)


def messy_frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "number": [1.5, np.nan, -0.0, 1e300, 3.0, 2.0, np.nan, 7.25],
            "integer": [2**40, 1, 2, 3, 4, 5, 6, 7],
            "text": ["b", None, "a", "c", "b", "", "a", "ä"],
            "truth": [True, True, True, False, True, True, True, True],
            "levels": pd.Categorical(list("xyxyxyxy"), categories=list("zyx")),
            "order": pd.Categorical(list("lmhlmhlm"), categories=list("lmh"), ordered=True),
            "gone": [np.nan] * 8,
            "late": [None, None, None, None, None, "t", "s", "t"],
            "day": pd.to_datetime(["2024-03-01"] * 5 + ["2023-01-02"] * 3),
            "decimal": pd.array([1, None, 3, 4, 5, 6, None, 8], dtype="Int64"),
        }
    )


@pytest.mark.parametrize("places", [[], [4], [0, 1, 1, 5, 8], [1, 2, 3, 4, 5, 6, 7]])
def test_a_frame_in_parts_is_the_frame(places: list[int]) -> None:
    X, y = messy_frame(), pd.Series(list("babacbab"), name="class")
    rows, facts = join(cut(X, y, places))
    assert_same(rows.table, as_table(X))
    target = ClassTarget.of(y)
    assert isinstance(rows.target, ClassTarget)
    assert rows.target.name == "class"
    assert rows.target.levels == target.levels
    assert rows.target.sorted.dtype == target.sorted.dtype
    np.testing.assert_array_equal(rows.target.codes, target.codes)
    assert facts.rows == 8
    assert facts.starts[0] == 0
    assert facts.is_named


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, object])
@pytest.mark.parametrize("gap", [False, True])
def test_an_array_in_parts_is_the_array(kind: Any, gap: bool) -> None:
    array = (np.arange(24).reshape(8, 3) % 7).astype(kind)
    if gap and kind is not np.int64:
        array[5, 1] = np.nan
    rows, facts = join(cut(array, np.linspace(0, 1, 8), [3, 3]), classes=False)
    assert_same(rows.table, as_table(array))
    assert not facts.is_named
    assert isinstance(rows.target, NumberTarget)
    assert rows.target.values.tolist() == np.linspace(0, 1, 8).tolist()


def test_rows_of_weight_0_are_left_out_with_their_categories() -> None:
    X = pd.DataFrame({"text": list("abcd"), "n": range(4)})
    weights = np.array([0.0, 2.0, 0.0, 1.0])
    rows, _ = join(cut(X, np.array(list("pqrs")), [1, 3], weights))
    assert_same(rows.table, as_table(X[weights > 0]))
    assert rows.weights is not None
    assert rows.weights.tolist() == [2, 1]
    assert rows.target.levels == ("q", "s")


def test_categories_of_partitions_are_joined_in_their_order() -> None:
    parts = [pd.DataFrame({"c": pd.Categorical(values)}) for values in (["b", "z"], ["a", "b"])]
    rows, _ = join([(part, np.array([0, 1]), None) for part in parts])
    assert rows.table.series[0].levels == ("b", "z", "a")
    assert rows.table["c"] == ["b", "z", "a", "b"]


def test_declared_classes_keep_their_order() -> None:
    y = pd.Series(pd.Categorical(list("mhlm"), categories=list("lmh")))
    rows, _ = join(cut(pd.DataFrame({"n": range(4)}), y, [2]))
    assert rows.target.levels == ("l", "m", "h")


def test_a_column_that_mixes_kinds_names_the_partitions() -> None:
    parts = [(pd.DataFrame({"c": cells}), np.zeros(2), None) for cells in ([1, 2], ["x", "y"])]
    with pytest.raises(
        DataError, match=r'"c" mixes numbers and text \(partition 0: 1.0; partition 1'
    ) as caught:
        join(parts, classes=False)
    assert caught.value.slug == "data.mixed-column"


def test_labels_that_mix_kinds_are_refused() -> None:
    X = pd.DataFrame({"n": range(4)})
    parts = [(X[:2], np.array(["a", "b"]), None), (X[2:], np.array([1, 2]), None)]
    with pytest.raises(DataError, match="partition 0: 'a'; partition 1: 1"):
        join(parts)


def test_an_error_in_a_partition_says_which() -> None:
    X = pd.DataFrame({"n": [1.0, np.inf]})
    with pytest.raises(
        DataError, match=r"in partition 3 \(counted from 0\), while reading its rows"
    ):
        read_partition(3, X, np.zeros(2), None, classes=False)


def test_partitions_of_other_columns_are_refused() -> None:
    parts = [(pd.DataFrame({name: [1, 2]}), np.zeros(2), None) for name in "ab"]
    with pytest.raises(DataError, match='partition 1 are not those of partition 0: it lacks "a"'):
        join(parts, classes=False)


def test_a_table_without_columns_is_refused() -> None:
    with pytest.raises(DataError, match=r"0 feature\(s\)"):
        read_partition(0, np.ones((5, 0)), np.ones(5), None, True)


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(DataError, match="0 sample"):
        join([(pd.DataFrame({"a": []}), np.zeros(0), None)] * 2, classes=False)
    X, y = pd.DataFrame({"a": [1.0]}), np.zeros(1)
    with pytest.raises(DataError, match="all sample weights are zero"):
        join([(X, y, np.zeros(1))] * 2, classes=False)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_facts_of_an_array_are_those_of_its_columns(kind: Any) -> None:
    rng = np.random.default_rng(0)
    # More rows than are looked at together; columns that are whole, or of single precision, up to the last row.
    X = rng.normal(size=(9000, 4)).astype(kind)
    X[:, 1] = rng.integers(-5, 5, 9000)
    X[:-1, 2] = np.rint(X[:-1, 2])
    X[:-1, 3] = X[:-1, 3].astype(np.float32)
    y = rng.integers(0, 2, 9000)
    by_column = {f"x{i}": column.astype(np.float64) for i, column in enumerate(X.T)}
    array, columns = (
        describe_partition(read_partition(0, x, y, None, True)) for x in (X, by_column)
    )
    assert array.columns == columns.columns
    assert [column.integers for column in array.columns] == [False, True, False, False]
