"""The decision path of one row: the test of each node, the value of the row, and the branch that it takes.

The core decides the path. Here each step gets the test that explains it: the first test of the node that holds. If the
two ever differ, that is a defect and raises an error.
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
    """One test on the path of a row.

    Parameters
    ----------
    node : int
        The node that tests.
    column : str
        The column that it tests.
    value : level or None
        The value of the row; None if it is missing.
    state : {"known", "missing", "unseen"}
        Whether the value is known, missing, or a category that was not seen in training.
    branch : Branch or None
        The branch that the row takes; None if the row stops here or is split fractionally.
    stand_in : Branch or None
        The surrogate split that decided, if the value itself did not.
    ends : {"", "stop", "divided"}
        Whether the path ends here, and how.
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
        The tests of the tree.
    path : sequence of int
        The nodes that the core passes, the last one included.
    row : sequence
        A number or a code for each column.
    values : sequence
        The values of the columns, None if missing.
    """
    tree = splits.tree
    result = []
    branching = [node for node in path if tree.n_children[node]]
    for node, following in zip(branching, [*path[1:], None], strict=False):
        goes, test = _first_match(splits, node, row)
        if (goes if goes not in (node, DIVIDED) else None) != following:
            raise InternalError(f"the path of a row from node {node} cannot be explained")
        feature = splits.feature(node)
        column = tree.schema.columns[feature]
        surrogate = test is not None and test.feature != feature
        if following is None:
            branch = None
        elif test is None or surrogate or isinstance(test, Missing):
            branch = next(b for b in tree.branches(node) if b.child == following)
        else:
            branch = _branch(splits, test, goes)
        result.append(
            Step(
                node,
                column.name,
                values[feature],
                _state(row[feature]),
                branch,
                _branch(splits, test, goes) if surrogate and test is not None else None,
                "" if following is not None else "divided" if goes == DIVIDED else "stop",
            )
        )
    return result


def _first_match(splits: OrderedTests, node: int, row: Sequence[Any]) -> tuple[int, Test | None]:
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
