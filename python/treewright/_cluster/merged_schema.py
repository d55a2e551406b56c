"""The schema of a table whose rows are in several places, and the columns of a part of it, coded by that schema.

What a local fit does with all values of a column (ignore sentences, pool rare categories, number ordered ones) is done
here with the facts of the column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._cluster.column_facts import ColumnFacts
from treewright._cluster.packed_rows import PackedRows, align, join_rows
from treewright._cluster.table_facts import TableFacts
from treewright._input.encoding import encode_columns
from treewright._input.rare_levels import is_free_text
from treewright._input.source_columns import prepare_training
from treewright.schema import Schema
from treewright.table import MISSING, Series, Table

__all__ = ["MergedSchema", "encode_part", "merge_schema"]

MANY = 1_000  # rows of a category that is never rare


@dataclass(frozen=True)
class MergedSchema:
    """The schema of a table, and which of its columns are ignored."""

    schema: Schema
    ignored: tuple[bool, ...]


def merge_schema(facts: TableFacts, pool: bool) -> MergedSchema:
    """Return the schema that a local fit would make of all rows; it warns as a local fit does."""
    columns, ignored = [], []
    for column in facts.columns:
        series = _stand_in(column)
        columns.append(prepare_training(Table([series]), pool=pool).series[0].column)
        ignored.append(series.are_dates or is_free_text(series))
    target = facts.target.empty
    return MergedSchema(Schema(tuple(columns), target.name, target.levels), tuple(ignored))


def _stand_in(column: ColumnFacts) -> Series:
    """Return a short column of which a fit decides the same as of the long one."""
    if column.kind == "numeric":
        data = np.array([column.least, column.most])
        return Series(column.name, "numeric", data, meaning=column.meaning)
    counts = np.array(column.counts, dtype=np.int64)
    rare = counts < MANY
    declared = column.declared or 2 * int(counts[rare].sum()) <= int(counts.sum())
    codes = np.flatnonzero(counts) if declared else np.repeat(np.arange(len(counts)), counts)
    data = codes.astype(np.uint32) if len(codes) else np.array([MISSING], dtype=np.uint32)
    return Series(
        column.name, "categorical", data, column.levels, declared, column.ordered, column.meaning
    )


def encode_part(
    part: PackedRows, facts: TableFacts, merged: MergedSchema
) -> NDArray[Any] | list[NDArray[Any]]:
    """Return the columns of some rows as the core reads them: finite numbers as one array, else an array a column."""
    schema = merged.schema
    if isinstance(part.columns, np.ndarray) and all(c.kind == "numeric" for c in schema.columns):
        return align(part.columns)
    table = join_rows([part], facts).table
    columns = encode_columns(table, schema)
    return [
        np.zeros(len(part), dtype=np.uint32) if is_ignored else align(column)
        for column, is_ignored in zip(columns, merged.ignored, strict=True)
    ]
