"""The conditions that a row must meet to reach a node, in words.

Several tests of one column become one condition: ``age > 45``, not ``age > 30 and age > 45``. They are read from the
node table; nothing here decides where a row goes.

Glossary: *low* and *high* bound a number, ``low < x <= high``; *levels* are the categories that may pass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._input.short_numbers import knows_digits, write_cut
from treewright._render.page_format import NAME, PageFormat
from treewright.schema import Column, Level, label
from treewright.tree import Branch, Tree

__all__ = [
    "Condition",
    "branch_forms",
    "branch_levels",
    "branch_text",
    "condition_text",
    "conditions_of",
    "conditions_of_leaves",
    "path_to",
    "plain_value",
    "shorten_number",
    "tested_column",
    "write_levels",
    "write_test",
    "write_test_end",
]

# Categories listed in one condition; if there are more, the others are counted.
MAX_LEVELS = 3


@dataclass(frozen=True, slots=True)
class Condition:
    """What the value of one column must be; ``about`` describes the column, where it is known."""

    column: str
    low: float | None = None
    high: float | None = None
    levels: tuple[Level, ...] | None = None
    missing: bool = False
    about: Column | None = field(default=None, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as plain values."""
        record: dict[str, Any] = {"column": self.column}
        if self.low is not None:
            record["above"] = self.low
        if self.high is not None:
            record["at_most"] = self.high
        if self.levels is not None:
            record["in"] = [plain_value(v) for v in self.levels]
        return record | {"missing": self.missing}


def plain_value(value: Level) -> Level:
    """Return a level as JSON can hold it, which has no word for what is not a number; a zero has no sign."""
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else label(value)
    return value


def path_to(tree: Tree, node: int, top: int = 0) -> list[int]:
    """Return the nodes from ``top`` down to ``node``."""
    path, parents = [node], tree.parents
    while node != top and node:
        node = int(parents[node])
        path.append(node)
    return path[::-1]


def conditions_of(tree: Tree, node: int) -> list[Condition]:
    """Return the conditions between the root and a node, one per column, in the order of the tests."""
    narrowed: Narrowed = {}
    for above, below in pairwise(path_to(tree, node)):
        child = below - int(tree.first_child[above])
        narrowed = _narrow(tree, narrowed, _test(tree, above), child)
    return _conditions(tree, narrowed)


def conditions_of_leaves(tree: Tree) -> dict[int, list[Condition]]:
    """Return the conditions of every leaf in one walk over the tree; the cost is linear also for a chain of tests."""
    columns = (tree.feature, tree.threshold, tree.missing, tree.route_start)
    tests = zip(*(column.tolist() for column in columns), strict=True)
    children_of = zip(tree.first_child.tolist(), tree.n_children.tolist(), strict=True)
    pending: dict[int, Narrowed] = {0: {}}
    result = {}
    for node, (test, (first, children)) in enumerate(zip(tests, children_of, strict=True)):
        narrowed = pending.pop(node)  # children stand after their parent
        if not children:
            result[node] = _conditions(tree, narrowed)
        for child in range(children):
            pending[first + child] = _narrow(tree, narrowed, test, child)
    return result


Test = tuple[
    int, float, int, int
]  # column, threshold, child of a missing value, start of the route


def _test(tree: Tree, node: int) -> Test:
    return (
        int(tree.feature[node]),
        float(tree.threshold[node]),
        int(tree.missing[node]),
        int(tree.route_start[node]),
    )


class _Passing(NamedTuple):
    """Which values of a column pass all tests so far: numbers between two bounds, or some of its levels."""

    low: float = -math.inf
    high: float = math.inf
    missing: bool = True  # whether a missing value passes
    known: bool = True  # whether a known one does
    levels: NDArray[np.bool_] | None = None


Narrowed = dict[int, _Passing]  # by column, in the order of the tests
EVERYTHING = _Passing()


def _narrow(tree: Tree, narrowed: Narrowed, test: Test, child: int) -> Narrowed:
    """Return what passes after one more test, for the rows of one of its children."""
    feature, cut, missing_child, start = test
    low, high, missing, known, levels = narrowed.get(feature, EVERYTHING)
    missing = missing and missing_child == child
    column = tree.schema.columns[feature]
    if column.kind == "categorical":
        passing: NDArray[np.bool_] = tree.route[start : start + len(column.levels)] == child
        levels = passing if levels is None else levels & passing
    elif child == 0:
        high = min(high, cut)
    elif child == 2 or cut == math.inf:  # only missing values go there
        known = False
    else:
        low = max(low, cut)
    return {**narrowed, feature: _Passing(low, high, missing, known, levels)}


def _conditions(tree: Tree, narrowed: Narrowed) -> list[Condition]:
    return [_condition(tree.schema.columns[i], passing) for i, passing in narrowed.items()]


def _condition(column: Column, passing: _Passing) -> Condition:
    if column.kind == "numeric":
        if not passing.known:
            return Condition(column.name, levels=(), missing=True, about=column)
        low = None if passing.low == -math.inf else passing.low + 0.0  # a zero without a sign
        high = None if passing.high == math.inf else passing.high + 0.0
        return Condition(column.name, low=low, high=high, missing=passing.missing, about=column)
    assert passing.levels is not None
    levels = tuple(column.levels[i] for i in np.flatnonzero(passing.levels))
    return Condition(column.name, levels=levels, missing=passing.missing, about=column)


def condition_text(condition: Condition, page: PageFormat, room: int = NAME) -> str:
    """Write a condition: ``Outlook = Sunny``, ``30 < age ≤ 45``, ``size in {S, M}``."""
    name, about = page.name(condition.column, room), condition.about
    also = _also(condition.missing, about)
    if condition.levels is not None:
        if not condition.levels and condition.missing:
            return f"{name} is missing"
        return f"{name} {write_levels(condition.levels, page, room)}{also}"
    low, high = (
        None if bound is None else label(bound) if about is None else write_cut(bound, about)
        for bound in (condition.low, condition.high)
    )
    if low is None and high is None:
        return f"{name} is known"
    if high is None:
        return f"{name} > {low}{also}"
    bounds = f"{name} {page.glyphs.at_most} {high}{also}"
    return bounds if low is None else f"{low} < {bounds}"


def _also(missing: bool, column: Column | None) -> str:
    # If training had no missing value, it does not matter where one would go.
    return " or missing" if missing and (column is None or column.missing) else ""


def write_levels(
    levels: tuple[Level, ...], page: PageFormat, room: int, limit: int = MAX_LEVELS
) -> str:
    """Write the categories that pass: ``= Sunny``, ``in {A, B, C, +14}``."""
    if len(levels) == 1:
        return f"= {page.level(levels[0], room)}"
    # A count in place of a single category would not be shorter.
    some = levels if len(levels) <= limit + (limit == MAX_LEVELS) else levels[:limit]
    listed = [page.level(level, room) for level in some]
    if len(levels) > len(some):
        listed.append(f"+{len(levels) - len(some):,}")
    return f"in {{{', '.join(listed)}}}"


def write_test(
    column: Column, threshold: float, page: PageFormat, digits: int | None = None, room: int = NAME
) -> str:
    """Write the test of a node: ``Outlook?`` or ``petal width ≤ 0.8?``; a threshold of more digits ends in dots."""
    return page.name(column.name, room) + write_test_end(column, threshold, page, digits)


def write_test_end(
    column: Column, threshold: float, page: PageFormat, digits: int | None = None
) -> str:
    """Write what follows the column in a test: ``?``, `` ≤ 0.8?`` or `` known?``."""
    if threshold == np.inf:
        return " known?"
    if column.kind != "numeric":
        return "?"
    if digits is None or knows_digits(column):
        return f" {page.glyphs.at_most} {write_cut(threshold, column)}?"
    return f" {page.glyphs.at_most} {shorten_number(threshold, digits, page)}?"


def shorten_number(number: float, digits: int, page: PageFormat) -> str:
    """Write the first digits of a number; dots say that more follow.

    Examples
    --------
    >>> [shorten_number(x, 6, PageFormat()) for x in (2.45, -0.4179238184053087, 1234567.5, 1e-9)]
    ['2.45', '-0.417923…', '1234567.5', '1e-09']
    """
    text = label(number)
    point = text.find(".")
    if "e" in text or point < 0 or len(text) - point - 1 <= digits:
        return text
    return text[: point + digits + 1] + page.glyphs.dots


def branch_text(branch: Branch, page: PageFormat, tree: Tree | None = None) -> str:
    """Write a branch without the column that it tests: ``Sunny``, ``yes``, ``in {A, B}``, ``missing``.

    The tree tells which categories can come here, and whether training had missing values.
    """
    return branch_forms(branch, page, tree)[0]


def branch_forms(
    branch: Branch, page: PageFormat, tree: Tree | None = None, room: int = NAME
) -> list[str]:
    """Write a branch in shorter and shorter forms, the full one first."""
    if branch.op in ("known", "missing"):
        return [branch.op]
    also = _also(branch.missing, None if tree is None else tested_column(tree, branch))
    if branch.op in ("<=", ">"):
        forms = ["yes" if branch.op == "<=" else "no"]
    else:
        levels = branch_levels(branch, tree)
        texts = (write_levels(levels, page, room, limit) for limit in range(MAX_LEVELS, 0, -1))
        forms = [text.removeprefix("= ") for text in texts]
        # A category of that name is not the absence of a value.
        forms = [f'"{text}"' if text == "missing" else text for text in forms]
    return list(dict.fromkeys([*(text + also for text in forms), *forms]))


def tested_column(tree: Tree, branch: Branch) -> Column:
    """Return the column that a branch tests."""
    feature = int(tree.feature[tree.parents[branch.child]])
    return tree.schema.columns[feature]


def branch_levels(branch: Branch, tree: Tree | None = None) -> tuple[Level, ...]:
    """Return the categories that take a branch: of a tree, only those that no test above sends elsewhere."""
    value: Any = branch.value
    levels: tuple[Level, ...] = value if isinstance(value, tuple) else (value,)
    if tree is None or len(levels) == 1:
        return levels
    node = int(tree.parents[branch.child])
    feature, known = tree.feature[node], tested_column(tree, branch).levels
    comes = np.ones(len(known), dtype=bool)
    while node:
        above = int(tree.parents[node])
        if tree.feature[above] == feature:
            start = int(tree.route_start[above])
            comes &= tree.route[start : start + len(known)] == node - int(tree.first_child[above])
        node = above
    if comes.all():
        return levels
    left = {(isinstance(x, str), x) for x, may in zip(known, comes.tolist(), strict=True) if may}
    return tuple(x for x in levels if (isinstance(x, str), x) in left) or levels
