"""The way of one row as steps: what each question asked, what the row holds, and why it went on as it did.

The core decides the way; here it is put into words, by the first test of each node that holds. Should the two ever
differ, that is a defect, and it is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from treewright import _core
from treewright._model.paths.ordered_tests import (
    DIVIDED,
    Above,
    Among,
    AtMost,
    Missing,
    OrderedTests,
    Test,
)
from treewright.errors import InternalError
from treewright.schema import Level
from treewright.table import MISSING
from treewright.tree import Branch

__all__ = ["Step", "steps"]

State = Literal["known", "missing", "unseen"]


@dataclass(frozen=True, slots=True)
class Step:
    """One question on the way of a row.

    Parameters
    ----------
    node : int
        The node that asks.
    column : str
        What it asks about.
    value : level or None
        What the row holds; None where it is missing.
    state : {"known", "missing", "unseen"}
        Whether the value is there, is not, or was never seen in training.
    branch : Branch or None
        The way on, by what the value met; None where the row stops or is divided.
    stand_in : Branch or None
        The surrogate that decided, where the value did not.
    ends : {"", "stop", "divided"}
        Whether the way ends here, and how.
    """

    node: int
    column: str
    value: Level | None
    state: State
    branch: Branch | None = None
    stand_in: Branch | None = None
    ends: str = ""


def steps(
    splits: OrderedTests, path: Sequence[int], row: Sequence[Any], values: Sequence[Any]
) -> list[Step]:
    """Return the steps of a path.

    Parameters
    ----------
    splits : OrderedTests
        The tree.
    path : sequence of int
        The nodes that the core passes, the end included.
    row : sequence
        A number or a code for each column.
    values : sequence
        What the columns hold, None where missing.
    """
    tree = splits.tree
    told = []
    asking = [node for node in path if tree.n_children[node]]
    for node, following in zip(asking, [*path[1:], None], strict=False):
        goes, test = _decided(splits, node, row)
        if (goes if goes not in (node, DIVIDED) else None) != following:
            raise InternalError(f"the way of a row from node {node} cannot be explained")
        feature = splits.feature(node)
        column = tree.schema.columns[feature]
        stands_in = test is not None and test.feature != feature
        if following is None:
            branch = None
        elif test is None or stands_in or isinstance(test, Missing):
            branch = next(b for b in tree.branches(node) if b.child == following)
        else:
            branch = _branch(splits, test, goes)
        told.append(
            Step(
                node,
                column.name,
                values[feature],
                _state(row[feature]),
                branch,
                _branch(splits, test, goes) if stands_in and test is not None else None,
                "" if following is not None else "divided" if goes == DIVIDED else "stop",
            )
        )
    return told


def _decided(splits: OrderedTests, node: int, row: Sequence[Any]) -> tuple[int, Test | None]:
    for branch in splits.of(node):
        for test in branch.tests:
            if _holds(test, row[test.feature]):
                return branch.goes, test
    return branch.goes, None


def _holds(test: Test, x: Any) -> bool:
    match test:
        case AtMost(threshold=threshold):
            return bool(x <= threshold)
        case Above(threshold=threshold):
            return bool(x > threshold)
        case Among(codes=codes):
            return int(x) in codes
        case _:
            return _state(x) == "missing"


def _state(x: Any) -> State:
    if x != x or x == MISSING:
        return "missing"
    return "unseen" if x == _core.UNSEEN else "known"


def _branch(splits: OrderedTests, test: Test, goes: int) -> Branch:
    column = splits.tree.schema.columns[test.feature]
    match test:
        case AtMost(threshold=threshold):
            return Branch(column.name, "<=", threshold, goes)
        case Above(threshold=threshold):
            return Branch(column.name, ">", threshold, goes)
        case Among(codes=(code,)):
            return Branch(column.name, "=", column.levels[code], goes)
        case Among(codes=codes):
            return Branch(column.name, "in", tuple(column.levels[c] for c in codes), goes)
        case _:
            return Branch(column.name, "missing", None, goes)
