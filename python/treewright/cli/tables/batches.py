"""The rows of a source for a model that exists, a batch at a time: a file larger than memory can be answered.

Glossary: *cells* are the texts of all columns as they stand in the file; a value is *unseen* when the model never
met it in training.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._reading import refuse_lacking
from treewright._reading.quoting import clip_text
from treewright._render.numbers import plural
from treewright.cli.app.console import Console
from treewright.cli.tables.source import Source
from treewright.schema import Schema, label
from treewright.table import MISSING, Series, Table

__all__ = ["Batch", "batches"]


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows: the model's columns, and the cells of all."""

    table: Table
    cells: dict[str, list[str]]
    unseen: dict[str, NDArray[np.bool_]]
    first: int

    def __len__(self) -> int:
        return len(self.table)


def batches(
    source: Source, schema: Schema, console: Console, used: Collection[str] | None = None
) -> Iterator[Batch]:
    """Give the rows of a source in the order of the file: at least one batch, if an empty one.

    ``used`` names the columns that the source must have; without it all columns of the schema are needed.
    """
    used = schema.names if used is None else used
    if not source.is_text:
        yield _whole(source, schema, used)
        return
    with source.rows(schema, cells=True, used=used) as reader:
        empty = True
        for rows in reader:
            empty = False
            yield Batch(rows.table, rows.cells, _beyond(rows.table), rows.first)
        if empty:
            kinds = {"numeric": np.float64, "categorical": np.uint32}
            columns = [np.empty(0, dtype=kinds[c.kind]) for c in schema.columns]
            cells: dict[str, list[str]] = {name: [] for name in reader.header}
            yield Batch(Table.of_codes(columns, schema), cells, {}, 0)
        if reader.dropped:
            console.note(f"{plural(reader.dropped, 'ragged row')} left out.")


def _beyond(table: Table) -> dict[str, NDArray[np.bool_]]:
    """Return which rows hold a value that is no level, for each column that has some."""
    found = {}
    for s in table.series:
        if s.kind == "categorical":
            rows = (s.data >= len(s.levels)) & (s.data != MISSING)
            if rows.any():
                found[s.name] = rows
    return found


def _whole(source: Source, schema: Schema, used: Collection[str]) -> Batch:
    table = source.content
    refuse_lacking(table.columns, used, source.label, clip_text)
    cells = {
        s.name: ["" if value is None else label(value) for value in s.values()]
        for s in table.series
    }
    unseen = {}
    nothing = np.full(len(table), np.nan)
    lacking = [c.name for c in schema.columns if c.name not in cells]
    table = Table([*table.series, *(Series(name, "numeric", nothing) for name in lacking)])
    for column in schema.columns:
        if column.kind == "categorical":
            known = set(column.levels)
            rows = np.array(
                [v is not None and v not in known for v in table[column.name]], dtype=bool
            )
            if rows.any():
                unseen[column.name] = rows
    return Batch(table.select(schema.names), cells, unseen, 0)
