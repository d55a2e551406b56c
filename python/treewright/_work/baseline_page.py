"""The page of 0-R and 1-R as a document: the errors of always the same prediction, and of a rule about each column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright._render.document import (
    CHOICE,
    Block,
    Cell,
    Column,
    Document,
    Table,
    Text,
    plain,
)
from treewright._render.formula import Equation, Name, Number, Ratio
from treewright._render.numbers import weights
from treewright._render.page_format import PageFormat
from treewright._render.sentences import Sentences
from treewright._work.lecture_rounding import Rounding

if TYPE_CHECKING:
    from treewright._work.baseline_work import ColumnRule, RuleWork

__all__ = ["rule_document"]

STAGES = ("counts", "errors", CHOICE)
PAPER = PageFormat(width=200)


def rule_document(work: RuleWork, *, worksheet: bool = False) -> Document:
    """Return the page of a baseline."""
    return _Page(work, worksheet).document()


class _Page:
    def __init__(self, work: RuleWork, worksheet: bool) -> None:
        self.work, self.worksheet, self.rounding = work, worksheet, Rounding(work.digits)

    def document(self) -> Document:
        """Return all blocks."""
        work = self.work
        blocks: list[Block] = []
        if work.columns:
            blocks.append(self.columns())
        elif work.classes:
            blocks.append(self.classes())
        blocks += self.sentences()
        blocks += [self.rule(rule) for rule in work.columns]
        target = () if work.target is None else (PAPER.name(work.target),)
        return Document((work.algorithm, *target), tuple(blocks), STAGES)

    def sentences(self) -> list[Block]:
        """Say what the rule is, and what came of it; on a worksheet, lines to write that on."""
        work = self.work
        sentences = Sentences(lambda x: self.number("errors", x), PAPER.name, CHOICE)
        words = [sentences.words(sentence) for sentence in work.sentences(sentences.name)]
        if not self.worksheet:
            mean = [] if work.classes else [Text(("The mean: ", self.mean(), "."))]
            return [*mean, *map(Text, words)]
        answer = PAPER.name(work.chosen) if work.chosen is not None else self.prediction()
        line = Text((f"{work.algorithm} takes ", Name(answer, CHOICE), "."))
        return [line, *(Text(Name(plain(w), CHOICE, vanishes=True)) for w in words)]

    def prediction(self) -> str:
        """Write what 0-R predicts."""
        work = self.work
        return PAPER.level(work.prediction) if work.classes else self.mean().text

    def mean(self) -> Number:
        """Write the mean."""
        return self.number("errors", float(self.work.prediction))

    def number(self, stage: str, value: float) -> Number:
        """Write a figure."""
        return Number(self.rounding.shown(value), stage, value)

    def wrong(self, errors: float) -> Equation:
        """Write errors as a share of all rows: 4/14 = 0.286."""
        top, total = weights([errors, self.work.weight])
        share = self.number("errors", errors / self.work.weight)
        return Equation((Ratio(top, total, "errors"), share))

    def classes(self) -> Table:
        """Return the classes with their rows."""
        work = self.work
        names = tuple(PAPER.level(c) for c in work.classes)
        counts = zip(weights(work.amounts), work.amounts, strict=True)
        rows = tuple(Number(text, "counts", n) for text, n in counts)
        errors: tuple[Cell, ...] = tuple(self.wrong(work.weight - n) for n in work.amounts)
        columns = (
            Column("class", names, left=True),
            Column("rows", rows),
            Column("errors", errors, left=True),
        )
        chosen = work.classes.index(work.prediction)
        verdict = tuple(
            Name("predicted" if i == chosen else "", CHOICE, vanishes=True)
            for i in range(len(names))
        )
        table = (*columns, Column("", verdict, "verdict", left=True))
        return Table(table, chosen=chosen, key="classes")

    def columns(self) -> Table:
        """Return the errors of each column's rule."""
        rules, chosen = self.work.columns, self.work.chosen
        verdicts = (
            Name("chosen" if r.column == chosen else "", CHOICE, vanishes=True) for r in rules
        )
        columns = (
            Column("column", tuple(PAPER.name(r.column) for r in rules), left=True),
            Column("errors", tuple(self.wrong(r.errors) for r in rules), left=True),
            Column("", tuple(verdicts), "verdict", left=True),
        )
        at = next((i for i, rule in enumerate(rules) if rule.column == chosen), None)
        return Table(columns, "The rule of each column", at, key="columns")

    def rule(self, rule: ColumnRule) -> Table:
        """Return what each value of a column predicts."""
        classes, parts = self.work.classes, rule.parts
        written = weights([n for part in parts for n in part.amounts])
        width = len(classes)
        ways: tuple[Cell, ...] = tuple(_way(part.way) for part in parts)
        columns = [Column("", ways, "value", left=True)]
        for k, name in enumerate(classes):
            cells = tuple(Number(text, "counts") for text in written[k::width])
            columns.append(Column(PAPER.level(name, 12), cells))
        predictions = (PAPER.level(p.prediction) + (" (tie)" if p.tied else "") for p in parts)
        names = tuple(Name(text, "errors") for text in predictions)
        columns.append(Column("predicts", names, left=True))
        errors = zip(weights([p.errors for p in parts]), parts, strict=True)
        columns.append(Column("errors", tuple(Number(s, "errors", p.errors) for s, p in errors)))
        return Table(tuple(columns), f"{PAPER.name(rule.column)}")


def _way(way: str) -> Cell:
    """Write a value; where a number is cut is to be found."""
    cut = way.startswith(("≤ ", "> "))
    return Name(PAPER.name(way), "counts") if cut else PAPER.name(way)
