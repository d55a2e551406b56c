"""The page of a round of AdaBoost as a document."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from treewright._render.document import (
    Block,
    Cell,
    Column,
    Document,
    Equations,
    Heading,
    Table,
    Text,
)
from treewright._render.formula import (
    Call,
    Equation,
    Formula,
    Name,
    Number,
    Parentheses,
    Power,
    Product,
    Quotient,
    Sum,
)
from treewright._render.numbers import count, plural
from treewright._render.page_format import PageFormat
from treewright._work.adaboost_replay import Seen
from treewright._work.lecture_rounding import Rounding
from treewright.schema import Level

if TYPE_CHECKING:
    from treewright._work.adaboost_work import RoundWork

__all__ = ["round_document"]

STAGES = ("error", "vote", "weights")
TERMS = 6  # of a sum
PAPER = PageFormat(width=200)
ONE = Number("1")
HALF = "Textbooks that write α = ½ ln((1 − e) / e) use half of it, with the same result."


def round_document(work: RoundWork, *, worksheet: bool = False) -> Document:
    """Return the page of a round; on a worksheet the sum of the error does not tell how many rows are missed."""
    return _Page(work, worksheet).document()


class _Page:
    def __init__(self, work: RoundWork, worksheet: bool) -> None:
        self.work, self.worksheet, self.write = work, worksheet, Rounding(work.digits).shown

    def document(self) -> Document:
        """Return all blocks."""
        work = self.work
        head = "The weighted error" if work.classes else "The average loss"
        blocks: list[Block] = [Heading(head), *self.mistakes(), Heading("The learner's vote")]
        blocks += self.vote()
        if work.seen is not None:
            blocks += [self.weights(work.seen), *self.change(work.seen)]
        elif work.gained is not None:
            gained = Number(count(work.gained), "weights", float(work.gained))
            noun = "row gains" if work.gained == 1 else "rows gain"
            blocks += [Heading("The weights"), Text((gained, f" {noun} weight."))]
        title = f"Round {work.number} (of 0 to {work.rounds - 1})"
        return Document((title,), tuple(blocks), STAGES)

    def number(self, stage: str, value: float) -> Number:
        """Write a figure of a stage."""
        return Number(self.write(value), stage, value)

    def mistakes(self) -> list[Block]:
        """Return the weighted error."""
        work, e = self.work, Name("e")
        result = self.number("error", work.error)
        if work.seen is None:
            return [_lines(Equation((e, result)))]
        lost = [row for row in work.seen.rows if row.loss > 0][:TERMS]
        terms: list[Formula] = []
        for row in lost:
            before = self.number("error", row.before)
            loss = self.number("error", row.loss)
            terms.append(before if work.classes else Product((before, loss), wide=True))
        if len(lost) != work.seen.wrong:
            terms.append(Name("…"))
        added: Formula = Sum(tuple((1, term) for term in terms)) if terms else Number("0", "error")
        if self.worksheet:
            added, terms = self.number("error", work.error), []
        if not work.classes:
            return [_lines(Equation((e, Name("sum of weight × loss"), added, result)))]
        missed = Number(plural(work.seen.wrong, "row"), "error")
        sentence = ("The learner misses ", missed, f" of {count(work.seen.n_rows)}.")
        top: Formula = Parentheses(added) if len(terms) > 1 else added
        words = Quotient(Name("weight of missed rows"), Name("all"))
        return [Text(sentence), _lines(Equation((e, words, Quotient(top, ONE), result)))]

    def vote(self) -> list[Block]:
        """Return the learner's vote."""
        work = self.work
        result = self.number("vote", work.vote)
        if work.last:
            why = "misses nothing" if work.error <= 0 else "is no better than chance"
            return [Text((f"The learner {why}: it is the last, and its vote is ", result, "."))]
        rate = Number(f"{work.rate:g}")
        e, right = self.number("error", work.error), self.number("error", 1 - work.error)
        logs = self.number("vote", -math.log(work.beta))
        if not work.classes:
            by = Quotient(Name("e"), Parentheses(Sum(((1, ONE), (-1, Name("e"))))))
            beta = self.number("vote", work.beta)
            rule = Product((Name("rate"), Call("ln", Quotient(ONE, Name("β")))), wide=True)
            return [
                _lines(
                    Equation((Name("β"), by, Quotient(e, right), beta)),
                    Equation((Name("vote"), rule, Product((rate, logs), wide=True), result)),
                )
            ]
        lines = _lines(*self._alpha(rate, e, right, logs, result))
        return [lines, Text(HALF)] if work.classes == 2 else [lines]

    def _alpha(
        self, rate: Number, e: Number, right: Number, logs: Number, result: Number
    ) -> tuple[Equation, Equation]:
        others = self.work.classes - 1
        odds = Quotient(Parentheses(Sum(((1, ONE), (-1, Name("e"))))), Name("e"))
        size = Sum(((1, Name("K")), (-1, ONE)))
        inside = Sum(((1, Call("ln", odds)), (1, Call("ln", size))))
        rule = Product((Name("rate"), Parentheses(inside)), wide=True)
        put = Sum(((1, Call("ln", Quotient(right, e))), (1, Call("ln", Number(str(others))))))
        added = Sum(((1, logs), (1, self.number("vote", math.log(others)))))
        steps = (
            Product((rate, Parentheses(put)), wide=True),
            Product((rate, Parentheses(added)), wide=True),
        )
        alpha = Name("α")
        return Equation((alpha, rule)), Equation((alpha, *steps, result))

    def weights(self, seen: Seen) -> Table:
        """Return what the round does to the weights of rows."""
        classes, rows = bool(self.work.classes), seen.rows
        factors = [r.raised / r.before if r.before > 0 else 1.0 for r in rows]
        columns = [
            Column("row", tuple(Number(count(r.row)) for r in rows), values=_values(rows)),
            Column("truth", tuple(self.level(r.truth) for r in rows), left=classes),
            Column("prediction", tuple(self.level(r.answer) for r in rows), left=classes),
        ]
        if not classes:
            columns.append(self.column("loss", "error", [r.loss for r in rows]))
        columns += [
            self.column("before", "", [r.before for r in rows]),
            self.column("factor", "weights", factors),
            self.column("raised", "weights", [r.raised for r in rows]),
            self.column("after", "weights", [r.after for r in rows]),
        ]
        return Table(tuple(columns), "The weights", key="rows")

    def column(self, head: str, stage: str, values: list[float]) -> Column:
        """Return a column of figures."""
        return Column(head, tuple(self.number(stage, value) for value in values))

    def change(self, seen: Seen) -> list[Block]:
        """Say how the weights change."""
        work, blocks = self.work, list[Block]()
        if len(seen.rows) < seen.n_rows:
            blocks.append(
                Text(f"These are the rows that gain most; there are {count(seen.n_rows)}.")
            )
        if work.last:
            return [*blocks, Text("It is the last round: no weight changes.")]
        if work.classes:
            power = Call("exp", self.number("vote", work.vote))
            factor = self.number("weights", math.exp(work.vote))
            factors = Equation((Call("exp", Name("α")), power, factor))
            blocks.append(Text(("A missed row weighs ", factors, " times as much.")))
        else:
            up = Product((Name("rate"), Parentheses(_less(Name("loss")))), wide=True)
            put = Product((Number(f"{work.rate:g}"), Parentheses(_less(Name("loss")))), wide=True)
            base = self.number("vote", work.beta)
            factors = Equation((Power(Name("β"), up), Power(base, put)))
            blocks.append(Text(("A row weighs ", factors, " times as much.")))
        total = self.number("weights", seen.total)
        words = ("All raised weights are ", total, " together; each is divided by that.")
        return [*blocks, Text(words)]

    def level(self, value: Level) -> Cell:
        """Write a class or a number."""
        return PAPER.level(value) if self.work.classes else Number(self.write(float(value)))


def _lines(*equations: Equation) -> Equations:
    return Equations(tuple(("", equation) for equation in equations))


def _less(name: Formula) -> Formula:
    return Sum(((1, ONE), (-1, name)))


def _values(rows: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(getattr(row, "row", None) for row in rows)
