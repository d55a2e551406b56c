"""How the figures of a page are written: exactly or as in a lecture, all of them or with boxes to be filled in.

A pen is asked for every figure with the stage it belongs to, so a worksheet hides the same figures in every form.

Glossary: the *stages* of a calculation, in their order, are those of ``STAGES``; counts are always shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from treewright.arithmetic.formula import (
    Formula,
    Log,
    Name,
    Number,
    Power,
    Product,
    Quotient,
    Ratio,
    Sum,
    as_read,
)
from treewright.arithmetic.group import Group
from treewright.arithmetic.laws import Law, Unit
from treewright.arithmetic.model import Split
from treewright.arithmetic.rounding import Rounding
from treewright.draw.figures import weights

__all__ = ["BOX", "STAGES", "Figure", "Pen"]

STAGES = ("entropy", "remainder", "gain", "ratio")
BOX = "____"
TERMS = 6  # of a formula; more classes are too many to follow


@dataclass(frozen=True, slots=True)
class Figure:
    """A result: the formula it comes from, itself, and whether a reader who calculates gets another one."""

    formula: Formula
    result: str
    differs: str = ""


@dataclass(frozen=True, slots=True)
class Pen:
    """A way of writing figures.

    Parameters
    ----------
    law, unit : Law, Unit
        What is calculated, and in which unit.
    whole : Group
        The node.
    order : tuple of int
        The order in which the classes are written.
    rounding : Rounding
        When figures are rounded.
    shown : int
        How many of the stages are shown; the others are boxes.
    """

    law: Law
    unit: Unit
    whole: Group
    order: tuple[int, ...] = ()
    rounding: Rounding = field(default_factory=Rounding)
    shown: int = len(STAGES)

    def write(self, stage: str, figure: str) -> str:
        """Write a figure, or a box where its stage is not shown."""
        return figure if STAGES.index(stage) < self.shown else BOX

    def hidden(self, stage: str) -> bool:
        """Whether a stage is not shown."""
        return STAGES.index(stage) >= self.shown

    # ---- figures, each from those before it

    def impurity(self, group: Group) -> str:
        """Write an impurity."""
        return self.write("entropy", self.rounding.shown(group.impurity))

    def part(self, group: Group) -> Figure:
        """Return weight times impurity of a child."""
        share = Ratio(*weights([group.weight, self.whole.weight]))
        formula = Product((share, Number(self.impurity(group))), wide=True)
        exact = group.weight * group.impurity / self.whole.weight
        return self._figure("remainder", formula, exact)

    def remaining(self, split: Split) -> str:
        """Write what remains after a split: from the printed impurities in a lecture."""
        total: Fraction | None = Fraction(0)
        for group in split.groups:
            read = as_read(self.part(group).formula) if not self.hidden("entropy") else None
            total = None if read is None or total is None else total + read
        return self.write("remainder", self.rounding.figure(split.remaining, total))

    def gain(self, split: Split) -> Figure:
        """Return the gain: impurity less what remains, of the rows that can answer."""
        before = Number(self.impurity(split.known))
        if split.unknown is None:
            formula: Formula = Sum(((1, before), (-1, Number(self.remaining(split)))))
        else:
            share = Ratio(*weights([split.known.weight, self.whole.weight]))
            first = Product((share, before), wide=True)
            formula = Sum(((1, first), (-1, Number(self.remaining(split)))))
        return self._figure("gain", formula, split.gain)

    def net(self, split: Split) -> Figure:
        """Return the gain less the price of choosing among many cuts."""
        price = self.write("gain", self.rounding.shown(split.price))
        formula = Sum(((1, Number(self.gain(split).result)), (-1, Number(price))))
        return self._figure("gain", formula, split.net)

    def information(self, split: Split) -> Figure:
        """Return the entropy of the division itself."""
        parts = [g.weight for g in split.groups]
        parts += [split.unknown.weight] if split.unknown is not None else []
        return self._figure("ratio", self._logs(parts), split.split_info or 0.0)

    def ratio(self, split: Split) -> Figure:
        """Return the gain ratio."""
        above = self.net(split) if split.price else self.gain(split)
        below = self.information(split).result
        formula = Quotient(Number(above.result), Number(below))
        return self._figure("ratio", formula, split.ratio or 0.0)

    def own(self, group: Group) -> tuple[list[Formula], Figure]:
        """Return how the impurity of a node is calculated: first steps, then the last one with its result."""
        if self.law.key == "variance":
            top = self.write("entropy", self.rounding.shown(group.impurity * group.weight))
            last: Formula = Quotient(Number(top), Number(weights([group.weight])[0]))
            return [], self._figure("entropy", last, group.impurity)
        amounts = [group.amounts[i] for i in self.order if group.amounts[i] > 0]
        if not amounts:  # no row came here
            return [], Figure(Number("0"), self.impurity(group))
        shares = [Ratio(*weights([n, group.weight])) for n in amounts]
        if self.law.key == "gini":
            terms: list[tuple[int, Formula]] = [(1, Number("1"))]
            terms += [(-1, Power(share)) for share in shares[:TERMS]]
            return [], self._figure(
                "entropy", Sum((*terms, *self._more(shares, -1))), group.impurity
            )
        logs = self._logs(amounts)
        parts = [-p * math.log2(p) * self.unit.per_bit for p in (n / group.weight for n in amounts)]
        if not 1 < len(parts) <= TERMS or self.hidden("entropy"):
            return [], Figure(logs, self.impurity(group))
        added = Sum(tuple((1, Number(self.rounding.term(p))) for p in parts))
        return [logs], self._figure("entropy", added, group.impurity)

    def _logs(self, amounts: Sequence[float]) -> Formula:
        total = self.whole.weight if not amounts else sum(amounts)
        shares = [Ratio(*weights([n, total])) for n in amounts if n > 0]
        terms = [(-1, Product((share, Log(self.unit.base, share)))) for share in shares[:TERMS]]
        return Sum((*terms, *self._more(shares, -1)))

    def _more(self, shares: Sequence[Ratio], sign: int) -> tuple[tuple[int, Formula], ...]:
        return ((sign, Name("…")),) if len(shares) > TERMS else ()

    def _figure(self, stage: str, formula: Formula, exact: float) -> Figure:
        if self.hidden(stage):
            return Figure(formula, BOX)
        read = None if BOX in _numbers(formula) else as_read(formula)
        result = self.rounding.figure(exact, read)
        differs = "" if self.rounding.agrees(result, read) or read is None else self._read(read)
        return Figure(formula, result, differs)

    def _read(self, read: Fraction) -> str:
        return Rounding(self.rounding.digits).shown(read)


def _numbers(formula: Formula) -> list[str]:
    match formula:
        case Number(text):
            return [text]
        case Sum(terms):
            return [text for _, term in terms for text in _numbers(term)]
        case Product(factors):
            return [text for factor in factors for text in _numbers(factor)]
        case Quotient(top, bottom):
            return [*_numbers(top), *_numbers(bottom)]
        case _:
            return []
