"""Interaction constraints of boosting: which columns may meet on one path of a tree, as numbers of columns."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np

from treewright._utils.suggestions import find_closest
from treewright._utils.validation import check_choice
from treewright.errors import Hint, UsageError
from treewright.schema import Schema

__all__ = ["as_lists", "interaction_groups"]


def interaction_groups(constraints: Any, schema: Schema) -> list[list[int]]:
    """Return groups of columns: all splits on a path use columns of one group; empty if there is no constraint.

    Columns that are in no group form one of their own.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> schema = Schema(tuple(Column(name, "numeric") for name in "abcd"))
    >>> interaction_groups([["a", "b"], [1, 2]], schema)
    [[0, 1], [1, 2], [3]]
    >>> interaction_groups("no_interactions", schema)
    [[0], [1], [2], [3]]
    """
    if constraints is None:
        return []
    columns = range(len(schema.columns))
    if isinstance(constraints, str):
        word = check_choice("interaction_constraints", constraints, ("pairwise", "no_interactions"))
        pairs = word == "pairwise" and len(columns) > 1
        return [list(group) for group in combinations(columns, 2 if pairs else 1)]
    if not _is_group(constraints) or not all(map(_is_group, constraints)):
        raise UsageError(
            f"interaction_constraints must be groups of columns; got {constraints!r}",
            slug="usage.parameter",
            hints=[Hint(option="interaction_constraints", value=[["age", "income"], ["city"]])],
        )
    groups = [sorted({_column(column, schema) for column in group}) for group in constraints]
    listed = {column for group in groups for column in group}
    rest = [column for column in columns if column not in listed]
    groups = [group for group in groups if group]
    return [*groups, rest] if rest else groups


def as_lists(constraints: Any) -> Any:
    """Return groups as a model file holds them: lists, those of a set in one order.

    Examples
    --------
    >>> as_lists([{"b", "a"}, (1, 0)])
    [['a', 'b'], [1, 0]]
    """
    if constraints is None or isinstance(constraints, str):
        return constraints
    return [
        sorted(group, key=lambda column: (isinstance(column, str), column))
        if isinstance(group, (set, frozenset))
        else list(group)
        for group in constraints
    ]


def _is_group(columns: Any) -> bool:
    return isinstance(columns, Iterable) and not isinstance(columns, (str, bytes, dict))


def _column(column: Any, schema: Schema) -> int:
    """Return the number of a column that is given by name or number."""
    if isinstance(column, str):
        if column in schema.names:
            return schema.names.index(column)
        near = find_closest(column, schema.names)
        raise UsageError(
            f"interaction_constraints names the column {column!r}, which the table does not have",
            slug="usage.parameter",
            hints=[f"did you mean {near!r}?"]
            if near
            else [f"columns: {', '.join(schema.names[:8])}"],
        )
    is_number = isinstance(column, (int, np.integer)) and not isinstance(column, bool)
    if not is_number or not 0 <= column < len(schema.columns):
        raise UsageError(
            f"interaction_constraints must name columns or number them from 0 to {len(schema.columns) - 1}; "
            f"got {column!r}",
            slug="usage.parameter",
        )
    return int(column)
