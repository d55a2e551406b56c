"""Rules as values: their conditions, their prediction, and their support among the training rows.

A list of rules comes from a tree (one rule per leaf, in any order) or from a rule set (the first rule that matches
decides). The table of rules is written here for both. This module imports no learner.

Glossary: *right* is the training weight of the predicted class among the rows that a rule covers; *share* is right
divided by the weight of these rows, with Wilson's interval; *lift* is that share divided by the share of the class in
all rows; *expected* is the estimated error rate on new rows, where it was estimated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from treewright import _core
from treewright._catalog import public
from treewright._draw.conditions import Condition, condition_text, conditions_of
from treewright._draw.heading import side_by_side
from treewright._render.document import Document, Note
from treewright._render.numbers import amounts, count, fixed, percent, plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.safe_text import cells, pad
from treewright._render.table_block import table_block
from treewright._render.table_grid import TableColumn, align_columns, width
from treewright.measures.intervals import wilson
from treewright.schema import Level, Schema, label
from treewright.tree import Tree

__all__ = ["Rule", "RuleList", "leaf_rule", "rule_columns", "rules_of_forest", "support_columns"]

NAME_WIDTH = 60


@public
@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Parameters
    ----------
    conditions : tuple of Condition
        Its conditions, one per column; none for a rule that always matches.
    answer : level or float
        Its prediction.
    rows : int
        The number of training rows that it covers.
    weight : float
        Their weight.
    right : float or None
        The weight of the predicted class; None for a number.
    lift : float or None
        How much more frequent that class is here than in all rows.
    expected : float or None, default=None
        The estimated error rate on new rows, where it was estimated.
    deviation : float or None, default=None
        The standard deviation of a number.
    node : int or None, default=None
        The leaf that it comes from.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, to_rules
    >>> rule = to_rules(ID3Classifier().fit(*datasets.play_tennis()))[0]
    >>> str(rule), rule.rows, rule.share
    ('Outlook = Overcast: Yes', 4, 1.0)
    """

    conditions: tuple[Condition, ...]
    answer: Level
    rows: int
    weight: float
    right: float | None
    lift: float | None
    expected: float | None = None
    deviation: float | None = None
    node: int | None = None

    @property
    def share(self) -> float | None:
        """The fraction of training rows that it predicts correctly."""
        return None if self.right is None or not self.weight else self.right / self.weight

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the share; weights above 1 are not more rows."""
        if self.right is None or self.share is None:
            return None
        rows = min(self.weight, self.rows)
        return wilson(self.share * rows, rows)

    @property
    def errors(self) -> float | None:
        """The weight of the other classes."""
        return None if self.right is None else self.weight - self.right

    @property
    def premise(self) -> str:
        """Its conditions in words."""
        page = PageFormat()
        return (
            " and ".join(condition_text(c, page, NAME_WIDTH) for c in self.conditions) or "always"
        )

    def __str__(self) -> str:
        return f"{self.premise}: {label(self.answer)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as plain values."""
        record: dict[str, Any] = {
            "if": [c.to_dict() for c in self.conditions],
            "then": self.answer,
            "rows": self.rows,
            "weight": self.weight,
        }
        if self.interval is not None:
            low, high = self.interval
            record |= {"right": self.right, "share": self.share, "low": low, "high": high}
        more = {"lift": self.lift, "expected": self.expected, "deviation": self.deviation}
        known = {name: value for name, value in more.items() if value is not None}
        return record | known | ({} if self.node is None else {"node": self.node})


@public
@dataclass(frozen=True, eq=False, repr=False)
class RuleList(Result, Sequence[Rule]):
    """Rules in their order.

    Parameters
    ----------
    rules : tuple of Rule
        The rules.
    schema : Schema
        Names, levels and classes.
    title : str, default=""
        The algorithm.
    default : level or None, default=None
        The prediction if no rule matches; None if one always does.
    rows : int, default=0
        The number of training rows.

    Examples
    --------
    >>> from treewright import RuleSetClassifier, datasets
    >>> rules = RuleSetClassifier().fit(*datasets.play_tennis()).rules_
    >>> len(rules), rules.default, str(rules[1])
    (5, 'Yes', 'Outlook = Rain and Wind = Strong: No')
    """

    _noun = "a list of rules"
    _file_page = PageFormat(width=120, lines=10_000)

    rules: tuple[Rule, ...]
    schema: Schema
    title: str = ""
    default: Level | None = None
    rows: int = 0

    def __len__(self) -> int:
        return len(self.rules)

    @overload
    def __getitem__(self, index: int) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, index: int | slice) -> Rule | tuple[Rule, ...]:
        return self.rules[index]

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as plain values."""
        return {
            "target": self.schema.target,
            "method": self.title,
            "classes": list(self.schema.classes),
            "rules": [rule.to_dict() for rule in self.rules],
        } | ({} if self.default is None else {"default": self.default})

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each rule, with its conditions in words."""
        return [rule.to_dict() | {"if": rule.premise} for rule in self]

    def _heading(self, page: PageFormat) -> tuple[str, str]:
        target = None if self.schema.target is None else page.name(self.schema.target)
        title = " by ".join(part for part in (target, self.title) if part) or "rules"
        sizes = [plural(self.rows, "row"), plural(len(self), "rule")]
        return page.name(title, 120), page.glyphs.separator.join(sizes)

    def _columns(self, page: PageFormat) -> list[TableColumn]:
        rules = self.rules[: page.lines]
        by_class = bool(self.schema.classes)
        predictions = [page.level(r.answer) if by_class else f"{r.answer:.5g}" for r in rules]
        default = None if self.default is None else page.level(self.default)
        conditions = [rule.conditions for rule in rules]
        return rule_columns(conditions, predictions, _measures(rules), page, default)

    def _left_out(self, page: PageFormat) -> str:
        left_out = max(0, len(self) - page.lines)
        return f"{page.glyphs.dots} {plural(left_out, 'more rule')}" if left_out else ""

    def _document(self, page: PageFormat) -> Document:
        note = self._left_out(page)
        table = table_block(self._columns(page))
        return Document(self._heading(page), (table, Note(note)) if note else (table,))

    def _no_picture(self) -> str:
        return "a picture shows a tree; this is a list of rules"

    def _text(self, page: PageFormat) -> str:
        heading = side_by_side(*self._heading(page), page)
        note = self._left_out(page)
        lines = [*heading, "", *align_columns(self._columns(page), page.width)]
        return "\n".join([*lines, f"  {note}"] if note else lines)


def rule_columns(
    conditions: Sequence[Sequence[Condition]],
    predictions: Sequence[str],
    support: Sequence[TableColumn],
    page: PageFormat,
    default: str | None = None,
) -> list[TableColumn]:
    """Return rules as the columns of a table; a default prediction stands in a last row."""
    texts = [
        [condition_text(c, page, NAME_WIDTH) for c in rule] or ["always"] for rule in conditions
    ]
    numbers = [str(i + 1) for i in range(len(texts))]
    others = [TableColumn("#", numbers, gap=2), TableColumn("then", predictions, True, 1), *support]
    ifs = join_conditions(texts, max(24, page.width - width(others) - 2))
    if default is not None:
        numbers, ifs, predictions = [*numbers, ""], [*ifs, "otherwise"], [*predictions, default]
        support = [TableColumn(c.head, [*c.body, ""], c.left, c.gap) for c in support]
    return [
        TableColumn("#", numbers, gap=2),
        TableColumn("if", ifs, left=True, gap=2),
        TableColumn("then", predictions, left=True, gap=1),
        *support,
    ]


def join_conditions(rules: list[list[str]], room: int) -> list[str]:
    """Join the conditions of each rule: every "and" below the one above, or in lines if that is too wide."""
    positions = max(map(len, rules), default=1) - 1
    widths = [max(cells(rule[i]) for rule in rules if len(rule) > i + 1) for i in range(positions)]
    aligned = [
        " and ".join([*(pad(t, widths[i], left=True) for i, t in enumerate(rule[:-1])), rule[-1]])
        for rule in rules
    ]
    if all(cells(text) <= room for text in aligned):
        return aligned
    return ["\n".join(_wrap_conditions(rule, room)) for rule in rules]


def _wrap_conditions(rule: list[str], room: int) -> list[str]:
    lines = [rule[0]]
    for text in rule[1:]:
        if cells(lines[-1]) + 5 + cells(text) <= room:
            lines[-1] += f" and {text}"
        else:
            lines.append(f"and {text}")
    return lines


def support_columns(
    rows: Sequence[int], weights: Sequence[float], right: Sequence[float] | None
) -> list[TableColumn]:
    """Return rows, their weight if it differs, and the weight of correct predictions as columns."""
    columns = [TableColumn("rows", [count(n) for n in rows], gap=2)]
    if not np.allclose(weights, rows, rtol=1e-9, atol=1e-9):
        columns.append(TableColumn("weight", amounts(weights, aligned=True), gap=2))
    if right is not None:
        columns.append(TableColumn("correct", amounts(right, aligned=True), gap=2))
    return columns


def _measures(rules: Sequence[Rule]) -> list[TableColumn]:
    """Return the support of rules and the other measures that they have."""
    by_class = any(rule.right is not None for rule in rules)
    right = [rule.right or 0.0 for rule in rules] if by_class else None
    support = support_columns([r.rows for r in rules], [r.weight for r in rules], right)
    measures: dict[str, list[str]] = {
        "95%": [_bounds(rule.interval) for rule in rules],
        "lift": ["" if rule.lift is None else fixed(rule.lift, 2) for rule in rules],
        "expected": ["" if r.expected is None else percent(1 - r.expected) for r in rules],
        "sd": ["" if rule.deviation is None else f"{rule.deviation:.4g}" for rule in rules],
    }
    return support + [
        TableColumn(head, body, gap=2) for head, body in measures.items() if any(body)
    ]


def _bounds(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f"{percent(interval[0])} to {percent(interval[1])}"


def leaf_rule(tree: Tree, leaf: int, conditions: Sequence[Condition], errors: float) -> Rule:
    """Return the rule of a leaf, given its conditions and the weight of its errors."""
    weight = float(tree.weight[leaf])
    right = lift = deviation = None
    if tree.schema.classes:
        right = weight - errors
        before = float(tree.value[0, int(tree.answers[leaf])])
        lift = _lift(right, weight, before)
    elif weight > 0:
        deviation = math.sqrt(max(0.0, float(tree.cost[leaf]) / weight))
    rows = int(tree.count[leaf])
    prediction = tree.answer(leaf)
    return Rule(tuple(conditions), prediction, rows, weight, right, lift, None, deviation, leaf)


def _lift(right: float, weight: float, before: float) -> float | None:
    return right / weight / before if weight > 0 and before > 0 else None


def rules_of_forest(
    forest: _core.Forest, schema: Schema, title: str, confidence: float
) -> RuleList:
    """Return the rules of a forest in which each tree is one rule and the last one the default."""
    *trees, last = (Tree(forest, index, schema) for index in range(forest.n_trees))
    rules = tuple(_chain_rule(tree, confidence) for tree in trees)
    rows = int(trees[0].count[0]) if trees else int(last.count[0])
    return RuleList(rules, schema, title, last.answer(0), rows)


def _chain_rule(tree: Tree, confidence: float) -> Rule:
    """Return the rule of a chain of tests: the path to its only leaf that predicts."""
    leaves = np.flatnonzero((tree.n_children == 0) & tree.value.any(axis=1))
    end = int(leaves[0]) if len(leaves) else 0
    weight, errors = float(tree.weight[end]), float(tree.cost[end])
    before = 1 - float(tree.cost[0]) / float(tree.weight[0]) if tree.weight[0] else 0.0
    right = weight - errors
    expected = _core.expected_errors(weight, errors, confidence, "table")
    return Rule(
        tuple(conditions_of(tree, end)),
        tree.answer(end),
        int(tree.count[end]),
        weight,
        right,
        _lift(right, weight, before),
        expected=expected / weight if weight > 0 else None,
    )
