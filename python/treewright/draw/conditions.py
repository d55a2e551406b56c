"""What a row must meet to reach a node, in words.

Several questions about one column become one condition: ``age > 45``, not ``age > 30 and age > 45``. The words are
those of the node table; nothing here decides where a row goes.

Glossary: *low* and *high* bound a number, ``low < x <= high``; *levels* are the categories that may pass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._digits import knows_digits, write_cut
from treewright.draw.paper import NAME, Paper
from treewright.schema import Column, Level, label
from treewright.tree import Branch, Tree

__all__ = [
    "Condition",
    "among",
    "asked",
    "asked_column",
    "branch_forms",
    "branch_words",
    "levels_in",
    "path_to",
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


def path_to(tree: Tree, node: int, top: int = 0) -> list[int]:
    """Return the nodes from ``top`` down to ``node``."""
    path, parents = [node], tree.parents
    while node != top and node:
        node = int(parents[node])
        path.append(node)
    return path[::-1]


def asked(tree: Tree, node: int) -> list[Condition]:
    """Return the conditions between the root and a node, one a column, in the order of the questions."""
    path = np.array(path_to(tree, node), dtype=np.int64)
    above, child = path[:-1], path[1:] - tree.first_child[path[:-1]]
    features = tree.feature[above]
    _, at = np.unique(features, return_index=True)
    return [
        _merged(tree, features[i], above[features == features[i]], child[features == features[i]])
        for i in np.sort(at)
    ]


def _merged(
    tree: Tree, feature: int, above: NDArray[np.int64], child: NDArray[np.int64]
) -> Condition:
    column = tree.schema.columns[feature]
    missing = bool(np.all(tree.missing[above] == child))
    if column.kind == "numeric":
        cuts = tree.threshold[above]
        if np.any((child == 2) | ((child == 1) & np.isinf(cuts))):
            return Condition(column.name, levels=(), missing=True, about=column)
        low, high = cuts[child == 1], cuts[(child == 0) & np.isfinite(cuts)]
        return Condition(
            column.name,
            low=float(low.max()) + 0.0 if len(low) else None,  # a zero without a sign
            high=float(high.min()) + 0.0 if len(high) else None,
            missing=missing,
            about=column,
        )
    passes = np.ones(len(column.levels), dtype=bool)
    for node, way in zip(above.tolist(), child.tolist(), strict=True):
        start = int(tree.route_start[node])
        passes &= tree.route[start : start + len(passes)] == way
    levels = tuple(column.levels[i] for i in np.flatnonzero(passes))
    return Condition(column.name, levels=levels, missing=missing, about=column)


def words(condition: Condition, paper: Paper, room: int = NAME) -> str:
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


def among(levels: tuple[Level, ...], paper: Paper, room: int, named: int = NAMED) -> str:
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
    column: Column, threshold: float, paper: Paper, digits: int | None = None, room: int = NAME
) -> str:
    """Write what a node asks: ``Outlook?`` or ``petal width ≤ 0.8?``; a cut of more digits ends in dots."""
    return paper.name(column.name, room) + question_end(column, threshold, paper, digits)


def question_end(column: Column, threshold: float, paper: Paper, digits: int | None = None) -> str:
    """Write what follows the name in a question: ``?``, `` ≤ 0.8?`` or `` known?``."""
    if threshold == np.inf:
        return " known?"
    if column.kind != "numeric":
        return "?"
    if digits is None or knows_digits(column):
        return f" {paper.glyphs.at_most} {write_cut(threshold, column)}?"
    return f" {paper.glyphs.at_most} {shortened(threshold, digits, paper)}?"


def shortened(number: float, digits: int, paper: Paper) -> str:
    """Write the first digits of a number; dots say that more follow.

    Examples
    --------
    >>> [shortened(x, 6, Paper()) for x in (2.45, -0.4179238184053087, 1234567.5, 1e-9)]
    ['2.45', '-0.417923…', '1234567.5', '1e-09']
    """
    whole = label(number)
    point = whole.find(".")
    if "e" in whole or point < 0 or len(whole) - point - 1 <= digits:
        return whole
    return whole[: point + digits + 1] + paper.glyphs.dots


def branch_words(branch: Branch, paper: Paper, tree: Tree | None = None) -> str:
    """Write one answer to the question above: ``Sunny``, ``yes``, ``in {A, B}``, ``missing``.

    The tree says which categories can come here, and whether training had missing values.
    """
    return branch_forms(branch, paper, tree)[0]


def branch_forms(
    branch: Branch, paper: Paper, tree: Tree | None = None, room: int = NAME
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
