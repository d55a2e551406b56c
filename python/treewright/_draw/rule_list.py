"""Rules as values: what they ask of a row, what they answer, and how well they did on the training rows.

A list of rules comes from a tree (one rule a leaf, whatever their order) or from a rule set (the first that matches
answers). It imports no learner.

Glossary: *right* is the training weight of the class that a rule answers, among the rows that it covers; *share* is
right by weight, with Wilson's interval; *lift* is that share by the share of the class in all rows; *expected* is the
share of errors to expect on new rows, where it was estimated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from treewright import _core
from treewright._catalog import public
from treewright._draw.as_dict import condition_record
from treewright._draw.conditions import Condition, asked, words
from treewright._draw.heading import beside
from treewright._draw.rules import joined
from treewright._render import table_grid as grid
from treewright._render.numbers import amounts, count, fixed, percent, plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import cells
from treewright.measures.intervals import wilson
from treewright.schema import Level, Schema, label
from treewright.tree import Tree

__all__ = ["Rule", "RuleList", "heading", "lanes", "listed", "written"]

NAME = 60


@public
@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Parameters
    ----------
    conditions : tuple of Condition
        What it asks of a row, one condition a column; none for a rule that always matches.
    answer : level or float
        What it says.
    rows : int
        The training rows that it covers.
    weight : float
        Their weight.
    right : float or None
        The weight of the class that it answers; None for a number.
    lift : float or None
        How much more frequent that class is here than in all rows.
    expected : float or None, default=None
        The share of errors to expect on new rows, where it was estimated.
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
        """The share of right answers among the training rows."""
        return None if self.right is None or not self.weight else self.right / self.weight

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the share."""
        return None if self.right is None else wilson(self.right, self.weight)

    @property
    def errors(self) -> float | None:
        """The weight of the other classes."""
        return None if self.right is None else self.weight - self.right

    @property
    def premise(self) -> str:
        """What it asks, in words."""
        paper = PageFormat()
        return " and ".join(words(c, paper, NAME) for c in self.conditions) or "always"

    def __str__(self) -> str:
        return f"{self.premise}: {label(self.answer)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as plain values."""
        record: dict[str, Any] = {
            "if": [condition_record(c) for c in self.conditions],
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
class RuleList(Sequence[Rule]):
    """Rules in their order.

    Parameters
    ----------
    rules : tuple of Rule
        The rules.
    schema : Schema
        Names, levels and classes.
    title : str, default=""
        Who made them.
    default : level or None, default=None
        What is answered where no rule matches; None where one always does.
    rows : int, default=0
        The training rows.

    Examples
    --------
    >>> from treewright import RuleSetClassifier, datasets
    >>> rules = RuleSetClassifier().fit(*datasets.play_tennis()).rules_
    >>> len(rules), rules.default, str(rules[1])
    (5, 'Yes', 'Outlook = Rain and Wind = Strong: No')
    """

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

    def to_frame(self) -> Any:
        """Return the rules as a pandas DataFrame, one row a rule (needs pandas)."""
        import pandas as pd

        return pd.DataFrame([rule.to_dict() | {"if": rule.premise} for rule in self])

    def __str__(self) -> str:
        return written(self, PageFormat.of())

    __repr__ = __str__


def heading(rules: RuleList, paper: PageFormat) -> list[str]:
    """Return the title and the size of the list."""
    target = None if rules.schema.target is None else paper.name(rules.schema.target)
    title = " by ".join(part for part in (target, rules.title) if part) or "rules"
    sizes = [plural(rules.rows, "row"), plural(len(rules), "rule")]
    return beside(paper.name(title, 120), paper.glyphs.separator.join(sizes), paper)


def lanes(rules: RuleList, paper: PageFormat) -> list[grid.TableColumn]:
    """Return the rules as columns of text, as many as the paper has lines."""
    shown = rules[: paper.lines]
    said = [[words(c, paper, NAME) for c in rule.conditions] or ["always"] for rule in shown]
    by_class = bool(rules.schema.classes)
    answers = [paper.level(r.answer) if by_class else f"{r.answer:.5g}" for r in shown]
    figures = _figures(shown)
    number = grid.TableColumn("#", [str(i + 1) for i in range(len(shown))], gap=2)
    room = paper.width - grid.width([number, *figures]) - max(map(cells, ["then", *answers])) - 3
    ifs = joined(said, max(24, room))
    last = [] if rules.default is None else ["otherwise"]
    if last:
        answers = [*answers, paper.level(rules.default)]  # type: ignore[arg-type]
        number = grid.TableColumn("#", [*number.body, ""], gap=2)
        figures = [grid.TableColumn(f.head, [*f.body, ""], f.left, f.gap) for f in figures]
    return [
        number,
        grid.TableColumn("if", [*ifs, *last], left=True, gap=2),
        grid.TableColumn("then", answers, left=True, gap=1),
        *figures,
    ]


def written(rules: RuleList, paper: PageFormat) -> str:
    """Write the list on a paper."""
    more = len(rules) - min(len(rules), paper.lines)
    note = [f"  {paper.glyphs.dots} {plural(more, 'more rule')}"] if more else []
    return "\n".join(
        [*heading(rules, paper), "", *grid.align_columns(lanes(rules, paper), paper.width), *note]
    )


def _figures(rules: Sequence[Rule]) -> list[grid.TableColumn]:
    """Return the support of rules as columns: what they have of it."""
    lanes = [grid.TableColumn("rows", [count(rule.rows) for rule in rules], gap=2)]
    if any(abs(rule.weight - rule.rows) > 1e-9 * max(1, rule.rows) for rule in rules):
        lanes.append(
            grid.TableColumn(
                "weight", amounts([rule.weight for rule in rules], aligned=True), gap=2
            )
        )
    if any(rule.right is not None for rule in rules):
        lanes.append(
            grid.TableColumn(
                "right", amounts([rule.right or 0.0 for rule in rules], aligned=True), gap=2
            )
        )
    figures: dict[str, list[str | None]] = {
        "95%": [_bounds(rule.interval) for rule in rules],
        "lift": [None if rule.lift is None else fixed(rule.lift, 2) for rule in rules],
        "expected": [
            None if rule.expected is None else percent(1 - rule.expected) for rule in rules
        ],
        "sd": [None if rule.deviation is None else f"{rule.deviation:.4g}" for rule in rules],
    }
    known = {head: body for head, body in figures.items() if any(body)}
    return lanes + [
        grid.TableColumn(head, [text or "" for text in body], gap=2) for head, body in known.items()
    ]


def _bounds(interval: tuple[float, float] | None) -> str | None:
    return None if interval is None else f"{percent(interval[0])} to {percent(interval[1])}"


def listed(forest: _core.Forest, schema: Schema, title: str, confidence: float) -> RuleList:
    """Return the rules of a forest in which each tree is one rule and the last one the default."""
    *trees, last = (Tree(forest, index, schema) for index in range(forest.n_trees))
    rules = tuple(_stated(tree, confidence) for tree in trees)
    rows = int(trees[0].count[0]) if trees else int(last.count[0])
    return RuleList(rules, schema, title, last.answer(0), rows)


def _stated(tree: Tree, confidence: float) -> Rule:
    """Return the rule of a chain: the way to the leaf that says something."""
    says = np.flatnonzero((tree.n_children == 0) & tree.value.any(axis=1))
    end = int(says[0]) if len(says) else 0
    weight, errors = float(tree.weight[end]), float(tree.cost[end])
    before = 1 - float(tree.cost[0]) / float(tree.weight[0]) if tree.weight[0] else 0.0
    right = weight - errors
    wrong = _core.expected_errors(weight, errors, confidence, "table")
    return Rule(
        tuple(asked(tree, end)),
        tree.answer(end),
        int(tree.count[end]),
        weight,
        right,
        right / weight / before if weight > 0 and before > 0 else None,
        expected=wrong / weight if weight > 0 else None,
    )
