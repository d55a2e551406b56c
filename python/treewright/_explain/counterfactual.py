"""The smallest change of a row that gives it another answer: exact, over all leaves of the tree.

To reach a leaf a row must lie in the leaf's region; the columns whose values lie outside are what must change. Branches
that need more columns than allowed, or a column that may not change, are never entered.

Glossary: the *distance* of a change is Gower's: 1 for a category, and for a number its change as a share of the span of
the cuts that the tree has for the column. Of equally small changes the one whose path leaves the row's own last is the
first, then the one to the leaf with more training rows.

Only changes that lead to a leaf are considered: a row that would stop at a question, or be divided, is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._model.paths.ordered_tests import DIVIDED, OrderedTests
from treewright._model.paths.regions import Codes, Interval, Region, Values, all_values, take_values
from treewright.schema import Level
from treewright.table import MISSING
from treewright.tree import Tree

__all__ = ["Change", "To", "changes"]


@dataclass(frozen=True, slots=True)
class To:
    """What one column must become.

    Parameters
    ----------
    column : str
        The column.
    low, high : float or None
        A number above ``low`` and not above ``high``.
    levels : tuple or None
        One of these categories.
    value : level
        The nearest value that will do.
    """

    column: str
    low: float | None
    high: float | None
    levels: tuple[Level, ...] | None
    value: Level


@dataclass(frozen=True, slots=True)
class Change:
    """A change of some columns, and the leaf that it leads to."""

    to: tuple[To, ...]
    node: int
    answer: Level
    distance: float


def changes(
    splits: OrderedTests,
    row: Sequence[Any],
    accepts: Callable[[int], bool],
    *,
    fixed: frozenset[int],
    most: int,
    limit: int = 5,
) -> list[Change]:
    """Return the smallest changes of a row that lead to an accepted leaf, the smallest first.

    ``row`` holds a number or a code for each column. All returned changes are of the same, smallest, number of columns,
    and each is the smallest of its columns.
    """
    tree, spans = splits.tree, _spans(splits.tree, row)
    children: list[int] = tree.n_children.tolist()
    found: list[tuple[Any, ...]] = []
    fewest = most
    # Boxes and the columns outside of them, node by node, from a list: a tree may be deeper than any stack.
    waiting: list[tuple[int, Region, frozenset[int], int]] = [(0, {}, frozenset(), 0)]
    while waiting:
        node, region, outside, shared = waiting.pop()
        if len(outside) > fewest:
            continue
        if not children[node]:
            if outside and accepts(node):
                fewest = len(outside)
                distance = sum(_distance(row[f], region[f], spans[f]) for f in outside)
                rank = (len(outside), distance, -shared, -float(tree.weight[node]), node)
                found.append((*rank, {f: region[f] for f in sorted(outside)}))
            continue
        waiting += _ways(splits, node, region, outside, shared, row, fixed)
    best: dict[tuple[int, ...], tuple[Any, ...]] = {}
    for entry in sorted((e for e in found if e[0] == fewest), key=lambda entry: entry[:5]):
        best.setdefault(tuple(entry[-1]), entry)
    return [
        Change(
            tuple(
                _to(tree, feature, values, row[feature]) for feature, values in entry[-1].items()
            ),
            entry[4],
            tree.answer(entry[4]),
            entry[1],
        )
        for entry in list(best.values())[:limit]
    ]


def _ways(
    splits: OrderedTests,
    node: int,
    region: Region,
    outside: frozenset[int],
    shared: int,
    row: Sequence[Any],
    fixed: frozenset[int],
) -> list[tuple[int, Region, frozenset[int], int]]:
    """Return the ways on from a node; a way by a missing value is open only to a row that has none."""
    feature = splits.feature(node)
    rest = region.get(feature) or all_values(splits.tree.schema.columns[feature])
    ways = []
    for branch in splits.of(node):
        if branch.tests and branch.tests[0].feature != feature:
            break  # surrogates, and what comes after them: for values that are not known
        part, rest = take_values(branch, rest)
        if not part or branch.goes in (node, DIVIDED):
            continue
        missing = outside | {feature} if not _has(part, row[feature]) else outside
        if missing is not outside and (feature in fixed or not _any_known(part)):
            continue
        ways.append((branch.goes, region | {feature: part}, missing, shared + (missing is outside)))
    return ways


def _has(values: Values, x: Any) -> bool:
    if isinstance(values, Interval):
        return values.missing if x != x else values.low < x <= values.high
    if x == MISSING:
        return values.missing
    return values.unseen if x == _core.UNSEEN else values.has(int(x))


def _any_known(values: Values) -> bool:
    return values.low < values.high if isinstance(values, Interval) else bool(values.mask)


def _spans(tree: Tree, row: Sequence[Any]) -> list[float]:
    spans = []
    for feature, x in enumerate(row):
        asked = (tree.n_children > 0) & (tree.feature == feature) & np.isfinite(tree.threshold)
        known: NDArray[np.float64] = tree.threshold[asked]
        if isinstance(x, float) and x == x:
            known = np.append(known, x)
        spans.append(float(np.ptp(known)) if len(known) else 0.0)
    return spans


def _distance(x: Any, values: Values, span: float) -> float:
    if isinstance(values, Codes) or x != x:
        return 1.0
    bound = values.low if x <= values.low else values.high
    return abs(x - bound) / span if span else 1.0


def _to(tree: Tree, feature: int, values: Values, x: Any) -> To:
    column = tree.schema.columns[feature]
    if isinstance(values, Codes):
        levels = tuple(level for code, level in enumerate(column.levels) if values.has(code))
        return To(column.name, None, None, levels, levels[0])
    low = None if values.low == -math.inf else values.low + 0.0
    high = None if values.high == math.inf else values.high + 0.0
    # Just above the lower bound, or the upper bound itself: whichever is nearer; from nothing, what the interval has.
    above = math.nextafter(values.low, math.inf) if low is not None else None
    value = high if above is None or (high is not None and not x <= values.low) else above
    return To(column.name, low, high, None, 0.0 if value is None else value)
