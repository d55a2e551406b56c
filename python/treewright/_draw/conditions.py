"""What a row must meet to reach a node, in words.

Several questions about one column become one condition: ``age > 45``, not ``age > 30 and age > 45``. The words are
those of the node table; nothing here decides where a row goes.

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
    "among",
    "asked",
    "asked_column",
    "asked_of_leaves",
    "branch_forms",
    "branch_words",
    "levels_in",
    "path_to",
    "plain_value",
    "question",
    "question_end",
    "shortened",
    "words",
]

# Categories named in one condition where there are more; the others are counted.
NAMED = 3


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


def asked(tree: Tree, node: int) -> list[Condition]:
    """Return the conditions between the root and a node, one a column, in the order of the questions."""
    narrowed: Narrowed = {}
    for above, below in pairwise(path_to(tree, node)):
        child = below - int(tree.first_child[above])
        narrowed = _narrow(tree, narrowed, _question(tree, above), child)
    return _conditions(tree, narrowed)


def asked_of_leaves(tree: Tree) -> dict[int, list[Condition]]:
    """Return what :func:`asked` says of each leaf, in one walk over the tree: a chain of questions costs no square."""
    columns = (tree.feature, tree.threshold, tree.missing, tree.route_start)
    questions = zip(*(column.tolist() for column in columns), strict=True)
    ways = zip(tree.first_child.tolist(), tree.n_children.tolist(), strict=True)
    pending: dict[int, Narrowed] = {0: {}}
    found = {}
    for node, (question, (first, children)) in enumerate(zip(questions, ways, strict=True)):
        narrowed = pending.pop(node)  # children stand after their parent
        if not children:
            found[node] = _conditions(tree, narrowed)
        for child in range(children):
            pending[first + child] = _narrow(tree, narrowed, question, child)
    return found


Question = tuple[int, float, int, int]  # column, cut, child of a missing value, start of the route


def _question(tree: Tree, node: int) -> Question:
    return (
        int(tree.feature[node]),
        float(tree.threshold[node]),
        int(tree.missing[node]),
        int(tree.route_start[node]),
    )


class _Passing(NamedTuple):
    """Which values of a column pass all questions so far: numbers between two bounds, or some of its levels."""

    low: float = -math.inf
    high: float = math.inf
    missing: bool = True  # whether a missing value passes
    known: bool = True  # whether a known one does
    levels: NDArray[np.bool_] | None = None


Narrowed = dict[int, _Passing]  # by column, in the order of the questions
EVERYTHING = _Passing()


def _narrow(tree: Tree, narrowed: Narrowed, question: Question, child: int) -> Narrowed:
    """Return what passes where a row has also gone from a question to one of its children."""
    feature, cut, missing_child, start = question
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


def words(condition: Condition, paper: PageFormat, room: int = NAME) -> str:
    """Write a condition: ``Outlook = Sunny``, ``30 < age ≤ 45``, ``size in {S, M}``."""
    name, about = paper.name(condition.column, room), condition.about
    also = _also(condition.missing, about)
    if condition.levels is not None:
        if not condition.levels and condition.missing:
            return f"{name} is missing"
        return f"{name} {among(condition.levels, paper, room)}{also}"
    low, high = (
        None if bound is None else label(bound) if about is None else write_cut(bound, about)
        for bound in (condition.low, condition.high)
    )
    if low is None and high is None:
        return f"{name} is known"
    if high is None:
        return f"{name} > {low}{also}"
    bounds = f"{name} {paper.glyphs.at_most} {high}{also}"
    return bounds if low is None else f"{low} < {bounds}"


def _also(missing: bool, column: Column | None) -> str:
    # Where training had no missing value, the way that one would take is of no interest.
    return " or missing" if missing and (column is None or column.missing) else ""


def among(levels: tuple[Level, ...], paper: PageFormat, room: int, named: int = NAMED) -> str:
    """Write the categories that pass: ``= Sunny``, ``in {A, B, C, +14}``."""
    if len(levels) == 1:
        return f"= {paper.level(levels[0], room)}"
    # A number in place of a single category would not be shorter.
    some = levels if len(levels) <= named + (named == NAMED) else levels[:named]
    listed = [paper.level(level, room) for level in some]
    if len(levels) > len(some):
        listed.append(f"+{len(levels) - len(some):,}")
    return f"in {{{', '.join(listed)}}}"


def question(
    column: Column, threshold: float, paper: PageFormat, digits: int | None = None, room: int = NAME
) -> str:
    """Write what a node asks: ``Outlook?`` or ``petal width ≤ 0.8?``; a cut of more digits ends in dots."""
    return paper.name(column.name, room) + question_end(column, threshold, paper, digits)


def question_end(
    column: Column, threshold: float, paper: PageFormat, digits: int | None = None
) -> str:
    """Write what follows the name in a question: ``?``, `` ≤ 0.8?`` or `` known?``."""
    if threshold == np.inf:
        return " known?"
    if column.kind != "numeric":
        return "?"
    if digits is None or knows_digits(column):
        return f" {paper.glyphs.at_most} {write_cut(threshold, column)}?"
    return f" {paper.glyphs.at_most} {shortened(threshold, digits, paper)}?"


def shortened(number: float, digits: int, paper: PageFormat) -> str:
    """Write the first digits of a number; dots say that more follow.

    Examples
    --------
    >>> [shortened(x, 6, PageFormat()) for x in (2.45, -0.4179238184053087, 1234567.5, 1e-9)]
    ['2.45', '-0.417923…', '1234567.5', '1e-09']
    """
    whole = label(number)
    point = whole.find(".")
    if "e" in whole or point < 0 or len(whole) - point - 1 <= digits:
        return whole
    return whole[: point + digits + 1] + paper.glyphs.dots


def branch_words(branch: Branch, paper: PageFormat, tree: Tree | None = None) -> str:
    """Write one answer to the question above: ``Sunny``, ``yes``, ``in {A, B}``, ``missing``.

    The tree says which categories can come here, and whether training had missing values.
    """
    return branch_forms(branch, paper, tree)[0]


def branch_forms(
    branch: Branch, paper: PageFormat, tree: Tree | None = None, room: int = NAME
) -> list[str]:
    """Write one answer to the question above in shorter and shorter forms, the whole one first."""
    if branch.op in ("known", "missing"):
        return [branch.op]
    also = _also(branch.missing, None if tree is None else asked_column(tree, branch))
    if branch.op in ("<=", ">"):
        forms = ["yes" if branch.op == "<=" else "no"]
    else:
        levels = levels_in(branch, tree)
        texts = (among(levels, paper, room, named) for named in range(NAMED, 0, -1))
        forms = [text.removeprefix("= ") for text in texts]
        # A category of that name is not the absence of a value.
        forms = [f'"{text}"' if text == "missing" else text for text in forms]
    return list(dict.fromkeys([*(text + also for text in forms), *forms]))


def asked_column(tree: Tree, branch: Branch) -> Column:
    """Return the column that a branch is an answer about."""
    feature = int(tree.feature[tree.parents[branch.child]])
    return tree.schema.columns[feature]


def levels_in(branch: Branch, tree: Tree | None = None) -> tuple[Level, ...]:
    """Return the categories that take a branch: of a tree, only those that no question above sends elsewhere."""
    value: Any = branch.value
    levels: tuple[Level, ...] = value if isinstance(value, tuple) else (value,)
    if tree is None or len(levels) == 1:
        return levels
    node = int(tree.parents[branch.child])
    feature, known = tree.feature[node], asked_column(tree, branch).levels
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
