"""The work of 0-R and 1-R: the errors of a constant prediction, and of a rule for each column.

Glossary: a *part* of a rule is the prediction for one category of a column, or for one range of its numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from treewright._input.target import ClassTarget
from treewright._learners.baselines import OneRClassifier
from treewright._learners.one_rule import Rule, rule_of
from treewright._model.table_builder import errors_of
from treewright._pruning.pruning_rows import read_labeled
from treewright._render.document import CHOICE, Block, Cell, Document, Table, Text, plain
from treewright._render.document import Column as TableColumn
from treewright._render.formula import Equation, Name, Number, Ratio
from treewright._render.numbers import weights
from treewright._render.sentences import Sentences
from treewright._work.split_choice import joined
from treewright._work.work_result import NAMES, WorkResult
from treewright.schema import Column, Level, Schema, label
from treewright.table import Series

STAGES = ("counts", "errors", CHOICE)

__all__ = ["ColumnRule", "RulePart", "RuleWork", "rule_work"]


@dataclass(frozen=True, slots=True)
class RulePart:
    """One part of a rule."""

    way: str  # the category, or the range of numbers
    amounts: tuple[float, ...]  # the weight of each class, in the order of the classes
    prediction: Level  # the most frequent class; the first of those that are tied
    tied: bool  # whether another class is as frequent
    errors: float  # the weight of the other classes

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "way": self.way,
            "class_weights": list(self.amounts),
            "prediction": self.prediction,
            "tied": self.tied,
            "errors": self.errors,
        }


@dataclass(frozen=True, slots=True)
class ColumnRule:
    """The rule for one column: its parts, and the weight of the rows that it predicts wrongly."""

    column: str
    errors: float
    parts: tuple[RulePart, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class RuleWork(WorkResult):
    """The work of a baseline, made by :func:`treewright.work`.

    Examples
    --------
    >>> from treewright import OneRClassifier, datasets, work
    >>> result = work(OneRClassifier().fit(*datasets.play_tennis()))
    >>> [(rule.column, rule.errors) for rule in result.columns], result.tied
    ([('Outlook', 4.0), ('Temperature', 5.0), ('Humidity', 4.0), ('Wind', 5.0)], ('Outlook', 'Humidity'))
    """

    algorithm: str  # "0-R" or "1-R"
    target: str | None  # what is predicted
    classes: tuple[Level, ...]  # empty for a numeric target
    amounts: tuple[float, ...]  # the weight of each class; empty for a numeric target
    weight: float  # the weight of all rows
    prediction: Level  # what 0-R predicts
    # The weight of the rows that 0-R predicts wrongly; for a numeric target the sum of squared deviations.
    errors: float
    # The rule for each column; empty for 0-R, and for a large 1-R model from a file.
    columns: tuple[ColumnRule, ...] = ()
    chosen: str | None = None  # the column of 1-R
    # The columns whose rules make the fewest errors, the chosen one first; empty where there is no tie.
    tied: tuple[str, ...] = ()

    def sentences(self, name: Any = str) -> list[str]:
        """Return the rule and the choice, one sentence each."""
        if not self.classes:
            return ["0-R predicts the mean for every row."]
        wrong, total = weights([self.errors, self.weight])
        sentences = [
            f"0-R always predicts the most frequent class, {label(self.prediction)}: "
            f"it is wrong for {wrong} of {total} rows."
        ]
        if self.algorithm == "0-R":
            return sentences
        sentences.append("1-R chooses the column whose rule makes the fewest errors.")
        if self.tied:
            sentences.append(
                f"{joined([name(c) for c in self.tied])} are tied: the first column is chosen."
            )
        elif self.chosen is not None:
            sentences.append(f"It chooses {name(self.chosen)}.")
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "algorithm": self.algorithm,
            "target": self.target,
            "classes": list(self.classes),
            "class_weights": list(self.amounts),
            "weight": self.weight,
            "prediction": self.prediction,
            "errors": self.errors,
            "chosen": self.chosen,
            "tied": list(self.tied),
            "columns": [
                {
                    "column": rule.column,
                    "errors": rule.errors,
                    "parts": [p.to_dict() for p in rule.parts],
                }
                for rule in self.columns
            ],
        }

    def _pages(self, *, worksheet: bool = False) -> Document:
        blocks: list[Block] = []
        if self.columns:
            blocks.append(self._rule_table())
        elif self.classes:
            blocks.append(self._class_table())
        blocks += self._sentence_blocks(worksheet)
        blocks += [self._column_table(rule) for rule in self.columns]
        target = () if self.target is None else (NAMES.name(self.target),)
        return Document((self.algorithm, *target), tuple(blocks), STAGES)

    def _sentence_blocks(self, worksheet: bool) -> list[Block]:
        """Write the rule and the choice; on a worksheet, lines to write them on."""
        sentences = Sentences(lambda x: self._number("errors", x), NAMES.name, CHOICE)
        words = [sentences.words(sentence) for sentence in self.sentences(sentences.name)]
        if not worksheet:
            mean = [] if self.classes else [Text(("The mean: ", self._mean(), "."))]
            return [*mean, *map(Text, words)]
        answer = NAMES.name(self.chosen) if self.chosen is not None else self._prediction()
        line = Text((f"{self.algorithm} chooses ", Name(answer, CHOICE), "."))
        return [line, *(Text(Name(plain(w), CHOICE, vanishes=True)) for w in words)]

    def _prediction(self) -> str:
        """Write what 0-R predicts."""
        return NAMES.level(self.prediction) if self.classes else self._mean().text

    def _mean(self) -> Number:
        """Write the mean."""
        return self._number("errors", float(self.prediction))

    def _wrong(self, errors: float) -> Equation:
        """Write errors as a share of all rows: 4/14 = 0.286."""
        top, total = weights([errors, self.weight])
        share = self._number("errors", errors / self.weight)
        return Equation((Ratio(top, total, "errors"), share))

    def _class_table(self) -> Table:
        """Return the classes with their rows."""
        names = tuple(NAMES.level(c) for c in self.classes)
        counts = zip(weights(self.amounts), self.amounts, strict=True)
        rows = tuple(Number(text, "counts", n) for text, n in counts)
        errors: tuple[Cell, ...] = tuple(self._wrong(self.weight - n) for n in self.amounts)
        columns = (
            TableColumn("class", names, left=True),
            TableColumn("rows", rows),
            TableColumn("errors", errors, left=True),
        )
        chosen = self.classes.index(self.prediction)
        verdict = tuple(
            Name("predicted" if i == chosen else "", CHOICE, vanishes=True)
            for i in range(len(names))
        )
        table = (*columns, TableColumn("", verdict, "verdict", left=True))
        return Table(table, chosen=chosen, key="classes")

    def _rule_table(self) -> Table:
        """Return the errors of each column's rule."""
        rules, chosen = self.columns, self.chosen
        verdicts = (
            Name("chosen" if r.column == chosen else "", CHOICE, vanishes=True) for r in rules
        )
        columns = (
            TableColumn("column", tuple(NAMES.name(r.column) for r in rules), left=True),
            TableColumn("errors", tuple(self._wrong(r.errors) for r in rules), left=True),
            TableColumn("", tuple(verdicts), "verdict", left=True),
        )
        at = next((i for i, rule in enumerate(rules) if rule.column == chosen), None)
        return Table(columns, "The rule of each column", at, key="columns")

    def _column_table(self, rule: ColumnRule) -> Table:
        """Return the prediction for each value of a column."""
        classes, parts = self.classes, rule.parts
        written = weights([n for part in parts for n in part.amounts])
        width = len(classes)
        ways: tuple[Cell, ...] = tuple(_way(part.way) for part in parts)
        columns = [TableColumn("", ways, "value", left=True)]
        for k, name in enumerate(classes):
            cells = tuple(Number(text, "counts") for text in written[k::width])
            columns.append(TableColumn(NAMES.level(name, 12), cells))
        predictions = (NAMES.level(p.prediction) + (" (tie)" if p.tied else "") for p in parts)
        names = tuple(Name(text, "errors") for text in predictions)
        columns.append(TableColumn("predicts", names, left=True))
        errors = zip(weights([p.errors for p in parts]), parts, strict=True)
        columns.append(
            TableColumn("errors", tuple(Number(s, "errors", p.errors) for s, p in errors))
        )
        return Table(tuple(columns), f"{NAMES.name(rule.column)}")


def rule_work(model: Any, X: Any, y: Any, sample_weight: Any, **page: Any) -> RuleWork:
    """Return the work of a baseline: from what it holds, or from rows where its file does not hold the rules."""
    tree, schema = model.tree_, model.schema_
    weight = float(tree.weight[0])
    if not schema.classes:
        mean = float(tree.value[0, 0])
        return RuleWork("0-R", schema.target, (), (), weight, mean, float(tree.cost[0]), **page)
    amounts = tree.class_weights(0)
    best = int(np.argmax(amounts))
    own = (schema.target, schema.classes, tuple(amounts.tolist()), weight)
    common = (*own, schema.classes[best], errors_of(amounts))
    if not isinstance(model, OneRClassifier):
        return RuleWork("0-R", *common, **page)
    rules = model._rules
    if X is not None and y is not None:
        rules = _rules_of(model, X, y, sample_weight)
    columns = [
        ColumnRule(column.name, rule.errors, _parts(column, rule, schema))
        for column, rule in zip(schema.columns, rules or [], strict=bool(rules))
    ]
    chosen = schema.columns[int(tree.feature[0])].name if tree.n_children[0] else None
    fewest = min((rule.errors for rule in columns), default=0.0) + 1e-9 * weight
    tied = tuple(rule.column for rule in columns if rule.errors <= fewest)
    if chosen is None and tied:  # a column with one value leaves nothing to split
        chosen = tied[0]
    tied = tied if len(tied) > 1 else ()
    return RuleWork("1-R", *common, tuple(columns), chosen, tied, **page)


def _rules_of(model: OneRClassifier, X: Any, y: Any, sample_weight: Any) -> list[Rule]:
    rows = read_labeled(model, X, y, sample_weight)
    classes = np.arange(len(model.schema_.classes))
    target = ClassTarget(None, classes, classes, rows.target)
    series = (
        Series(column.name, column.kind, data, column.levels)
        for column, data in zip(model.schema_.columns, rows.columns, strict=True)
    )
    return [rule_of(one, target, rows.weights, model.min_bucket) for one in series]


def _parts(column: Column, rule: Rule, schema: Schema) -> tuple[RulePart, ...]:
    if rule.cuts is None:
        ways = [label(level) for level in column.levels]
    else:
        ends = [-math.inf, *rule.cuts, math.inf]
        ways = [_range(low, high) for low, high in pairwise(ends)]
    parts = [_part(way, counts, schema) for way, counts in zip(ways, rule.counts, strict=False)]
    if rule.missing is not None:
        parts.append(_part("missing", rule.missing[0], schema))
    return tuple(part for part in parts if sum(part.amounts) > 0)


def _range(low: float, high: float) -> str:
    if math.isinf(low):
        return "all numbers" if math.isinf(high) else f"≤ {label(high)}"
    return f"> {label(low)}" if math.isinf(high) else f"> {label(low)}, ≤ {label(high)}"


def _part(way: str, counts: Any, schema: Schema) -> RulePart:
    best = int(np.argmax(counts))
    tied = int(np.count_nonzero(counts == counts[best])) > 1
    return RulePart(way, tuple(counts.tolist()), schema.classes[best], tied, errors_of(counts))


def _way(way: str) -> Cell:
    """Write a value; a worksheet hides thresholds."""
    cut = way.startswith(("≤ ", "> "))
    return Name(NAMES.name(way), "counts") if cut else NAMES.name(way)
