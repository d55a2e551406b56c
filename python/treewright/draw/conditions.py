"""What a row must meet to reach a node, in words.

Several questions about one column become one condition: ``age > 45``, not ``age > 30 and age > 45``. The words are
those of the node table; nothing here decides where a row goes.

Glossary: *low* and *high* bound a number, ``low < x <= high``; *levels* are the categories that may pass.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.draw.paper import NAME, Paper
from treewright.schema import Column, Level, label
from treewright.tree import Branch, Tree

__all__ = [
    "Condition",
    "among",
    "asked",
    "branch_words",
    "path_to",
    "question",
    "shortened",
    "words",
]

# Categories named in one condition; the others are counted.
NAMED = 4


@dataclass(frozen=True, slots=True)
class Condition:
    """What the value of one column must be."""

    column: str
    low: float | None = None
    high: float | None = None
    levels: tuple[Level, ...] | None = None
    missing: bool = False


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
            return Condition(column.name, levels=(), missing=True)
        low, high = cuts[child == 1], cuts[(child == 0) & np.isfinite(cuts)]
        return Condition(
            column.name,
            low=float(low.max()) + 0.0 if len(low) else None,  # a zero without a sign
            high=float(high.min()) + 0.0 if len(high) else None,
            missing=missing,
        )
    passes = np.ones(len(column.levels), dtype=bool)
    for node, way in zip(above.tolist(), child.tolist(), strict=True):
        start = int(tree.route_start[node])
        passes &= tree.route[start : start + len(passes)] == way
    levels = tuple(column.levels[i] for i in np.flatnonzero(passes))
    return Condition(column.name, levels=levels, missing=missing)


def words(condition: Condition, paper: Paper, room: int = NAME) -> str:
    """Write a condition: ``Outlook = Sunny``, ``30 < age ≤ 45``, ``size in {S, M}``."""
    column = paper.name(condition.column, room)
    also = " or missing" if condition.missing else ""
    if condition.levels is not None:
        if not condition.levels and condition.missing:
            return f"{column} is missing"
        return f"{column} {among(condition.levels, paper, room)}{also}"
    low = None if condition.low is None else label(condition.low)
    high = None if condition.high is None else label(condition.high)
    if low is None and high is None:
        return f"{column} is known"
    if high is None:
        return f"{column} > {low}{also}"
    bounds = f"{column} {paper.glyphs.at_most} {high}{also}"
    return bounds if low is None else f"{low} < {bounds}"


def among(levels: tuple[Level, ...], paper: Paper, room: int) -> str:
    """Write the categories that pass: ``= Sunny``, ``in {A, B, C, +14}``."""
    if len(levels) == 1:
        return f"= {paper.level(levels[0], room)}"
    named = levels if len(levels) <= NAMED else levels[: NAMED - 1]
    listed = [paper.level(level, room) for level in named]
    if len(levels) > len(named):
        listed.append(f"+{len(levels) - len(named):,}")
    return f"in {{{', '.join(listed)}}}"


def question(column: Column, threshold: float, paper: Paper, digits: int | None = None) -> str:
    """Write what a node asks: ``Outlook?`` or ``petal width ≤ 0.8?``; a cut of more digits ends in dots."""
    name = paper.name(column.name)
    if threshold == np.inf:
        return f"{name} known?"
    if column.kind == "numeric":
        cut = label(threshold) if digits is None else shortened(threshold, digits, paper)
        return f"{name} {paper.glyphs.at_most} {cut}?"
    return f"{name}?"


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


def branch_words(branch: Branch, paper: Paper) -> str:
    """Write one answer to the question above: ``Sunny``, ``yes``, ``in {A, B}``, ``missing``."""
    also = " or missing" if branch.missing else ""
    if branch.op in ("known", "missing"):
        return branch.op
    if branch.op in ("<=", ">"):
        return ("yes" if branch.op == "<=" else "no") + also
    levels = branch.value if isinstance(branch.value, tuple) else (branch.value,)
    said = among(levels, paper, NAME).removeprefix("= ")  # type: ignore[arg-type]
    # A category of that name is not the absence of a value.
    return (f'"{said}"' if said == "missing" else said) + also
