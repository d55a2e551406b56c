"""The path of a row through a tree in SQL: nested ``CASE``, or one flat ``CASE`` for trees too deep for parsers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from treewright._export.sql.text import Dialect
from treewright._model.paths import DIVIDED, OrderedTests, ends, outline, walk_regions

__all__ = ["write_numbers", "write_path"]

MAX_NESTED = 12  # older versions of SQLite parse at most about twenty nested CASEs
MAX_NESTED_AMOUNTS = 3  # a text such as $1,542.58 is read by many nested REPLACEs

WriteNode = Callable[[int], str]


def write_path(splits: OrderedTests, sql: Dialect, write_node: WriteNode) -> str:
    """Write a text for the node where a row ends; NULL where the row is divided."""
    most = MAX_NESTED_AMOUNTS if sql.dialect == "sqlite" and sql.reads_amounts else MAX_NESTED
    write = _nested if splits.tree.depth <= most else _flat
    return write(splits, sql, write_node)


def write_numbers(splits: OrderedTests, sql: Dialect, values: NDArray[np.float64]) -> str:
    """Write the value of the node where a row ends, from the values of all nodes."""
    return write_path(splits, sql, lambda node: sql.number(values[node]))


def _nested(splits: OrderedTests, sql: Dialect, write_node: WriteNode) -> str:
    text: list[str] = []
    for step in outline(splits):
        indent = "    " * step.depth
        match step.word:
            case "open":
                text.append(f"CASE {sql.next_node(step.branches)}" if step.picks else "CASE")
            case "branch":
                [branch] = step.branches
                test = str(branch.goes) if step.picks else sql.one_of(branch.tests)
                text.append(f"\n{indent}  WHEN {test} THEN " if test else f"\n{indent}  ELSE ")
            case "end":
                text.append("NULL" if step.node == DIVIDED else write_node(step.node))
            case "close":
                text.append(f"\n{indent}END")
    return "".join(text)


def _flat(splits: OrderedTests, sql: Dialect, write_node: WriteNode) -> str:
    conditions = (_paths if splits.has_surrogates else _regions)(splits, sql)
    whens = [f"  WHEN {condition} THEN {write_node(node)}\n" for node, condition in conditions]
    return f"CASE\n{''.join(whens)}END"


def _regions(splits: OrderedTests, sql: Dialect) -> Iterator[tuple[int, str]]:
    for node, region in walk_regions(splits):
        yield node, sql.in_region(region)


def _paths(splits: OrderedTests, sql: Dialect) -> Iterator[tuple[int, str]]:
    for node, path in ends(splits):
        steps = (f"{sql.next_node(splits.of(above))} = {goes}" for above, goes in path)
        yield node, " AND ".join(steps)
