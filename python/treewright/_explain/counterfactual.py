"""Counterfactuals: the smallest change of a row that gives it another prediction, exact over all leaves of the tree.

To reach a leaf a row must lie in the leaf's region; the columns whose values lie outside must change. Branches that
need more columns than allowed, or a fixed column, are never entered.

Glossary: the *distance* of a change is Gower's: 1 for a category, and for a number its change as a fraction of the
range of the tree's thresholds for the column. Of equally small changes the one that shares most of the row's own path
comes first, then the one to the leaf with more training rows.

Only changes that lead to a leaf are considered, none after which the row would stop at a branch or be split
fractionally.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._model.paths.ordered_tests import DIVIDED, OrderedTests
from treewright._model.paths.regions import (
    Codes,
    Interval,
    Region,
    Values,
    all_values,
    take_values,
)
from treewright.errors import Hint, UsageError
from treewright.schema import Level, label
from treewright.table import MISSING
from treewright.tree import Tree

__all__ = ["BOUND", "Change", "To", "find_changes", "wanted_leaves"]

COMPARISONS = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
BOUND = re.compile(r"\s*(>=|<=|>|<)\s*(\S+)\s*")
MAX_CHANGES = 5


@dataclass(frozen=True, slots=True)
class To:
    """The change of one column.

    Parameters
    ----------
    column : str
        The column.
    low, high : float or None
        It must become a number above ``low`` and at most ``high``.
    levels : tuple or None
        It must become one of these categories.
    value : level
        The nearest such value.
    """

    column: str
    low: float | None
    high: float | None
    levels: tuple[Level, ...] | None
    value: Level


@dataclass(frozen=True, slots=True)
class Change:
    """A change of some columns, with the leaf and the prediction that it leads to."""

    to: tuple[To, ...]
    node: int
    answer: Level
    distance: float


class _Route(NamedTuple):
    """A path under construction: its region, the columns that must change, and the tests that the row passes."""

    node: int
    region: Region
    outside: frozenset[int]
    shared: int


def find_changes(
    splits: OrderedTests,
    row: Sequence[Any],
    accepts: Callable[[int], bool],
    *,
    fixed: frozenset[int],
    most: int,
) -> list[Change]:
    """Return the smallest changes of a row that lead to an accepted leaf, the smallest first.

    ``row`` holds a number or a code for each column. All changes have the same, smallest, number of columns, and each
    is the smallest change of its columns.
    """
    tree, ranges = splits.tree, _threshold_ranges(splits.tree, row)

    def rank(route: _Route) -> tuple[float, int, float, int]:
        distance = sum(_distance(row[f], route.region[f], ranges[f]) for f in route.outside)
        return (distance, -route.shared, -float(tree.weight[route.node]), route.node)

    best: dict[tuple[int, ...], tuple[Any, _Route]] = {}
    for key, route in sorted(
        (rank(r), r) for r in _shortest_routes(splits, row, accepts, fixed, most)
    ):
        best.setdefault(tuple(sorted(route.outside)), (key, route))
    return [
        Change(
            tuple(_to(tree, f, route.region[f], row[f]) for f in columns),
            route.node,
            tree.answer(route.node),
            key[0],
        )
        for columns, (key, route) in list(best.items())[:MAX_CHANGES]
    ]


def _shortest_routes(
    splits: OrderedTests,
    row: Sequence[Any],
    accepts: Callable[[int], bool],
    fixed: frozenset[int],
    most: int,
) -> list[_Route]:
    """Return the routes to accepted leaves that change the fewest columns, at most ``most``."""
    children: list[int] = splits.tree.n_children.tolist()
    routes: list[_Route] = []
    fewest = most
    # A list in place of recursion: a tree may be deeper than any stack.
    waiting = [_Route(0, {}, frozenset(), 0)]
    while waiting:
        route = waiting.pop()
        if len(route.outside) > fewest:
            continue
        if children[route.node]:
            waiting += _continue(splits, route, row, fixed)
        elif route.outside and accepts(route.node):
            fewest = len(route.outside)
            routes.append(route)
    return [route for route in routes if len(route.outside) == fewest]


def _continue(
    splits: OrderedTests, route: _Route, row: Sequence[Any], fixed: frozenset[int]
) -> Iterator[_Route]:
    """Follow every branch of a node; a branch for missing values is open only to a row that has none."""
    node, region, outside, shared = route
    feature = splits.feature(node)
    rest = region.get(feature) or all_values(splits.tree.schema.columns[feature])
    for branch in splits.of(node):
        if branch.tests and branch.tests[0].feature != feature:
            break  # surrogate splits and what comes after them: only for missing values
        part, rest = take_values(branch, rest)
        if not part or branch.goes in (node, DIVIDED):
            continue
        inside = _has(part, row[feature])
        if not inside and (feature in fixed or not _any_known(part)):
            continue
        changed = outside if inside else outside | {feature}
        yield _Route(branch.goes, region | {feature: part}, changed, shared + (changed is outside))


def _has(values: Values, x: Any) -> bool:
    if isinstance(values, Interval):
        return values.missing if x != x else values.low < x <= values.high
    if x == MISSING:
        return values.missing
    return values.unseen if x == _core.UNSEEN else values.has(int(x))


def _any_known(values: Values) -> bool:
    return values.low < values.high if isinstance(values, Interval) else bool(values.mask)


def _threshold_ranges(tree: Tree, row: Sequence[Any]) -> list[float]:
    """Return the range of each column's thresholds, the value of the row included."""
    ranges = []
    for feature, x in enumerate(row):
        tests = (tree.n_children > 0) & (tree.feature == feature) & np.isfinite(tree.threshold)
        known: NDArray[np.float64] = tree.threshold[tests]
        if isinstance(x, float) and x == x:
            known = np.append(known, x)
        ranges.append(float(np.ptp(known)) if len(known) else 0.0)
    return ranges


def _distance(x: Any, values: Values, scale: float) -> float:
    if isinstance(values, Codes) or x != x:
        return 1.0
    bound = values.low if x <= values.low else values.high
    return abs(x - bound) / scale if scale else 1.0


def _to(tree: Tree, feature: int, values: Values, x: Any) -> To:
    column = tree.schema.columns[feature]
    if isinstance(values, Codes):
        levels = tuple(level for code, level in enumerate(column.levels) if values.has(code))
        return To(column.name, None, None, levels, levels[0])
    low = None if values.low == -math.inf else values.low + 0.0
    high = None if values.high == math.inf else values.high + 0.0
    # Just above the lower bound or the upper bound itself, whichever is nearer; for a missing value what exists.
    above = math.nextafter(values.low, math.inf) if low is not None else None
    value = high if above is None or (high is not None and not x <= values.low) else above
    return To(column.name, low, high, None, 0.0 if value is None else value)


def wanted_leaves(tree: Tree, want: Any, prediction: Any) -> Callable[[int], bool] | None:
    """Return a test for the leaves with a wanted prediction; None for a number without a wanted bound."""
    classes = tree.schema.classes
    if not classes:
        return None if want is None else _leaves_within(tree, str(want))
    if want is None:
        return lambda node: tree.answer(node) != prediction
    matches = [c for c in classes if c == want or label(c) == str(want)]
    if not matches:
        names = ", ".join(label(c) for c in classes[:20])
        raise UsageError(
            f'the model has no class "{want}"', slug="explain.want", hints=[f"classes: {names}"]
        )
    return lambda node: tree.answer(node) == matches[0]


def _leaves_within(tree: Tree, want: str) -> Callable[[int], bool]:
    match = BOUND.fullmatch(want)
    try:
        sign, bound = (match[1], float(match[2])) if match else ("", 0.0)
    except ValueError:
        sign = ""
    if not sign:
        raise UsageError(
            f'"{want}" is not a bound of a number',
            slug="explain.want",
            hints=[Hint(option="want", value=">= 200")],
        )
    compare = COMPARISONS[sign]
    return lambda node: bool(compare(tree.value[node, 0], bound))
