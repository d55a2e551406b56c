"""The calculations of a split as formulas, from numbers that belong to stages.

Glossary: ``STAGES`` are the steps of the calculation in their order; a worksheet hides the later ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from treewright._render.document import CHOICE
from treewright._render.formula import (
    Equation,
    Formula,
    Log,
    Name,
    Number,
    Parentheses,
    Power,
    Product,
    Quotient,
    Ratio,
    Sum,
    as_read,
)
from treewright._render.numbers import count, weights
from treewright._work.criteria import Criterion, Unit, entropy_terms
from treewright._work.lecture_rounding import Rounding
from treewright._work.node_model import Split
from treewright._work.row_group import Group
from treewright.schema import label

__all__ = ["STAGES", "SplitFormulas"]

STAGES = ("counts", "cut", "entropy", "remainder", "gain", "ratio", CHOICE)
MAX_TERMS = 6  # of a formula; more classes are too many to follow
MAX_DEVIATIONS = 8  # of a variance


@dataclass(frozen=True, slots=True)
class SplitFormulas:
    """Writes the numbers and formulas of the splits of one node."""

    criterion: Criterion  # what is calculated, and in which unit
    unit: Unit
    node: Group
    order: tuple[int, ...] = ()  # the order in which the classes are written
    rounding: Rounding = field(default_factory=Rounding)  # when numbers are rounded
    # Whether formulas have a term for classes without rows, too: a worksheet must not show which classes these are.
    zeros: bool = False

    # ---- numbers

    def number(self, stage: str, value: float) -> Number:
        """Write a number of a stage."""
        return Number(self.rounding.round_off(value), stage, value)

    def counts(self, values: Sequence[int], stage: str = "counts") -> list[Number]:
        """Write numbers of rows."""
        return [Number(count(n), stage, float(n)) for n in values]

    def amounts(self, values: Sequence[float], stage: str = "counts") -> list[Number]:
        """Write weights with the same number of decimals."""
        return [
            Number(text, stage, float(n)) for text, n in zip(weights(values), values, strict=True)
        ]

    def impurity(self, group: Group) -> Number:
        """Write an impurity."""
        return self.number("entropy", group.impurity)

    # ---- calculations

    def branch_term(self, group: Group, stage: str = "counts") -> Equation:
        """Return fraction of rows times impurity of a branch."""
        share = _share(group.weight, self.node.weight, stage)
        formula = Product((share, self.impurity(group)), wide=True)
        exact = group.weight * group.impurity / self.node.weight
        return self._equation("remainder", formula, exact)

    def remaining(self, split: Split) -> Number:
        """Write the impurity after a split: with lecture rounding from the printed impurities."""
        parts = [as_read(self.branch_term(group).sides[0]) for group in split.groups]
        known = [part for part in parts if part is not None]
        total = sum(known, Fraction(0)) if len(known) == len(parts) else None
        text = self.rounding.round_result(split.remaining, total)
        return Number(text, "remainder", split.remaining)

    def gain(self, split: Split) -> Equation:
        """Return the gain: impurity before minus impurity after, of the rows whose value is known."""
        first: Formula = self.impurity(split.known)
        if split.unknown is not None:
            share = _share(split.known.weight, self.node.weight, "counts")
            first = Product((share, first), wide=True)
        formula = Sum(((1, first), (-1, self.remaining(split))))
        return self._equation("gain", formula, split.gain)

    def price(self, split: Split) -> Equation:
        """Return the MDL penalty of a numeric column: log2 of the number of thresholds, by the rows."""
        top = Log(self.unit.base, Number(count(split.tries)))
        size = Number(f"{self.node.weight:g}")
        return Equation((Quotient(top, size), self.number("gain", split.price)))

    def net(self, split: Split) -> Equation:
        """Return the gain minus the MDL penalty."""
        formula = Sum(((1, self._last(self.gain(split))), (-1, self.number("gain", split.price))))
        return self._equation("gain", formula, split.net)

    def information(self, split: Split, stage: str = "counts") -> Equation:
        """Return the split information: the entropy of the branch sizes."""
        parts = [g.weight for g in split.groups]
        parts += [split.unknown.weight] if split.unknown is not None else []
        result = self.number("ratio", split.split_info or 0.0)
        return Equation((self._logs(parts, sum(parts), stage), result))

    def ratio(self, split: Split) -> Equation:
        """Return the gain ratio."""
        above = self.net(split) if split.price else self.gain(split)
        formula = Quotient(self._last(above), self._last(self.information(split)))
        if split.ratio is None:  # on a worksheet, where all candidates look alike
            return Equation((formula, Name("not admissible", "ratio")))
        return self._equation("ratio", formula, split.ratio)

    def own(self, group: Group, symbol: Formula, stage: str = "counts") -> Equation:
        """Return how the impurity of a set of rows is calculated."""
        criterion = self.criterion
        if criterion.term is None or criterion.sum_of_terms is None:
            return self._variance(group, symbol)
        if not group.weight:
            return Equation((symbol, self.impurity(group)))
        amounts = [group.amounts[i] for i in self.order if self.zeros or group.amounts[i] > 0]
        ratios = [_share(n, group.weight, stage) for n in amounts]
        terms = criterion.sum_of_terms(ratios[:MAX_TERMS], self.unit.base)
        formula = Sum((*terms, *self._more(ratios, -1)))
        if not criterion.writes_terms:
            last = self._equation("entropy", formula, group.impurity)
            return Equation((symbol, *last.sides))
        if not 1 < len(amounts) <= MAX_TERMS:
            return Equation((symbol, formula, self.impurity(group)))
        scale, shares = criterion.scale(self.unit), [n / group.weight for n in amounts]
        last = self._terms([criterion.term(p) * scale if p > 0 else 0.0 for p in shares], group)
        return Equation((symbol, formula, *last.sides))

    def _terms(self, parts: Sequence[float], group: Group) -> Equation:
        """Return the sum of the terms of an impurity; with lecture rounding they have one more digit than the sum."""
        write = self.rounding.term
        terms = tuple((1, Number(write(part), "entropy", part)) for part in parts)
        result = self.impurity(group)
        return Equation((Sum(terms), self._checked(Sum(terms), result)))

    def _variance(self, group: Group, symbol: Formula) -> Equation:
        top = self.number("entropy", group.impurity * group.weight)
        (size,) = self.amounts([group.weight])
        last = self._equation("entropy", Quotient(top, size), group.impurity)
        return Equation((symbol, self._squares(group, size), *last.sides))

    def _squares(self, group: Group, size: Number) -> Formula:
        """Return the mean squared deviation: term by term for few available rows, else in symbols."""
        terms = group.terms(self.criterion, self.unit)
        if not 0 < len(terms) <= MAX_DEVIATIONS:
            return Quotient(Name("Σ(y − ȳ)²"), Name("n"))
        mean = self.number("counts", group.mean or 0.0)
        squares: list[Formula] = []
        for term in terms:
            value = Number(label(term.of), "counts", float(term.of))
            square = Power(Parentheses(Sum(((1, value), (-1, mean)))))
            times = Number(weights([term.amount])[0], "counts", term.amount)
            squares.append(square if term.amount == 1 else Product((times, square), wide=True))
        return Quotient(Parentheses(Sum(tuple((1, square) for square in squares))), size)

    # ---- parts of formulas

    def _logs(self, amounts: Sequence[float], total: float, stage: str) -> Formula:
        shares = [_share(n, total, stage) for n in amounts if self.zeros or n > 0]
        terms = entropy_terms(shares[:MAX_TERMS], self.unit.base)
        return Sum((*terms, *self._more(shares, -1)))

    def _more(self, shares: Sequence[Ratio], sign: int) -> tuple[tuple[int, Formula], ...]:
        return ((sign, Name("…")),) if len(shares) > MAX_TERMS else ()

    def _equation(self, stage: str, formula: Formula, exact: float) -> Equation:
        read = as_read(formula)
        result = Number(self.rounding.round_result(exact, read), stage, exact)
        return Equation((formula, self._checked(formula, result)))

    def _checked(self, formula: Formula, result: Number) -> Number:
        """Return the printed result with what the printed operands give, where that differs."""
        read = as_read(formula)
        if read is None or self.rounding.agrees(result.text, read):
            return result
        again = Rounding(self.rounding.digits).round_off(read)
        return replace(result, differs=again)

    def _last(self, equation: Equation) -> Number:
        """Return the result of a calculation as an operand of the next one."""
        result = equation.result
        assert result is not None
        return replace(result, differs="")


def _share(part: float, total: float, stage: str) -> Ratio:
    top, bottom = weights([part, total])
    return Ratio(top, bottom, stage)
