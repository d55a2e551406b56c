"""The rows of a node as a table for a worksheet."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._draw.conditions import path_to
from treewright._input.short_numbers import write_value
from treewright._learners.trees.training_record import Rows
from treewright._render.document import Cell, Column, Table
from treewright._render.formula import Number
from treewright._render.numbers import count, weights
from treewright._work.node_report import rows_of
from treewright._work.work_result import NAMES
from treewright.errors import TreewrightError
from treewright.schema import Column as SchemaColumn
from treewright.schema import Level
from treewright.table import MISSING
from treewright.tree import Tree

__all__ = ["data_table", "members"]

MAX_ROWS = 60  # more are not counted by hand
MAX_COLUMNS = 12


def data_table(model: Any, node: int, X: Any, y: Any, sample_weight: Any) -> Table | None:
    """Return the rows of a node, numbered from 1; None where they are not available or too many."""
    tree: Tree = model.tree_
    size = int(tree.count[node])
    if size > MAX_ROWS or len(tree.schema.columns) > MAX_COLUMNS:
        return None
    try:
        rows = rows_of(model, X, y, sample_weight)
    except TreewrightError:
        return None
    here = np.flatnonzero(members(tree, node, rows))
    if len(here) != size:  # fractional rows, or rows that were held out
        return None
    schema = tree.schema
    columns = [Column("row", tuple(Number(count(i + 1)) for i in here.tolist()))]
    for column, values in zip(schema.columns, rows.columns, strict=True):
        cells = tuple(_cell(value, column.levels, column) for value in values[here].tolist())
        columns.append(Column(NAMES.name(column.name), cells, left=column.kind != "numeric"))
    if rows.weights is not None:
        columns.append(Column("weight", tuple(map(Number, weights(rows.weights[here])))))
    target = "target" if schema.target is None else NAMES.name(schema.target)
    answers = tuple(_cell(value, schema.classes) for value in rows.target[here].tolist())
    columns.append(Column(target, answers, left=bool(schema.classes)))
    return Table(tuple(columns), "The rows of this node" if node else "The rows")


def members(tree: Tree, node: int, rows: Rows) -> NDArray[np.bool_]:
    """Return which rows reach a node undivided."""
    ends = tree._forest.apply(tree._index, rows.columns)
    below = {int(end): node in path_to(tree, int(end)) for end in np.unique(ends)}
    present = np.ones(len(ends), dtype=bool) if rows.weights is None else rows.weights > 0
    return np.asarray(present & [below[int(end)] for end in ends])


def _cell(value: Any, levels: tuple[Level, ...], column: SchemaColumn | None = None) -> Cell:
    if column is not None and column.in_words and value == value:
        return write_value(float(value), column)
    if not levels:
        return Number("?") if value != value else Number(write_value(float(value)))
    return "?" if value == MISSING else NAMES.level(levels[int(value)], 20)
