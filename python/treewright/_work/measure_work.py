"""The work of a measure: entropy, Gini index, gain and others, calculated from counts or probabilities.

Glossary: a *group* is a list of class counts; a split has one group for each branch. Numbers that are not whole and add
up to 1 are *probabilities*.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewright._render.document import Block, Column, Document, Equations, Table, Text
from treewright._render.formula import (
    Call,
    Equation,
    Formula,
    Log,
    Name,
    Number,
    Power,
    Product,
    Sum,
)
from treewright._render.numbers import weights
from treewright._utils.choices import COUNT_MEASURES
from treewright._utils.validation import check_choice
from treewright._work.criteria import CRITERIA, Criterion, Unit, entropy_of, gini_of
from treewright._work.lecture_rounding import Rounding
from treewright._work.node_model import Split
from treewright._work.row_group import Group
from treewright._work.split_formulas import SplitFormulas
from treewright._work.work_result import WorkResult
from treewright.errors import UsageError
from treewright.schema import label

__all__ = ["MeasureWork", "is_counts", "measure_work"]

STAGES = ("entropy", "remainder", "gain", "ratio")
OF_GROUP = ("entropy", "gini", "information")
TITLES = {
    "entropy": "Entropy",
    "gini": "Gini index",
    "information": "Self-information",
    "code-length": "Expected code length",
    "gain": "Information gain",
    "gain-ratio": "Gain ratio",
    "split-information": "Split information",
    "gini-gain": "Gini decrease",
}
MAX_TERMS = 6
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, repr=False)
class MeasureWork(WorkResult):
    """The work of a measure, made by :func:`treewright.work` from counts.

    Examples
    --------
    >>> from treewright import work
    >>> print(work([50, 5], width=80))
    Entropy of 50 and 5
    <BLANKLINE>
      H = −50/55·log₂(50/55) − 5/55·log₂(5/55) = 0.125 + 0.314 = 0.439
    <BLANKLINE>
      count       p   −p·log₂(p)
         50   0.909        0.125
          5   0.091        0.314
    >>> round(work([[2, 3], [4, 0], [3, 2]], what="gain").to_dict()["value"], 6)
    0.24675
    """

    measure: str  # one of ``COUNT_MEASURES``
    groups: tuple[tuple[float, ...], ...]  # one group, or one for each branch
    unit: Unit
    rounding: Rounding

    @property
    def value(self) -> float:
        """The measure."""
        first = self.groups[0]
        match self.measure:
            case "entropy":
                return entropy_of(first) * self.unit.per_bit
            case "gini":
                return gini_of(first)
            case "information":
                return -math.log2(first[0]) * self.unit.per_bit + 0.0
            case "code-length":
                return math.fsum(p * bits for p, bits in self.groups)
            case "gain" | "gini-gain":
                return self._split().gain
            case "split-information":
                return self._split().split_info or 0.0
        return self._split().ratio or 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        numbers: list[Any] = [list(group) for group in self.groups]
        record = {"measure": self.measure, "value": self.value, "numbers": numbers}
        if self.measure in ("gini", "gini-gain", "code-length"):
            record["unit"] = "bits" if self.measure == "code-length" else None
        else:
            record["unit"] = None if self.measure == "gain-ratio" else self.unit.name
        if self.measure in (*OF_GROUP, "code-length"):
            return record
        split, criterion = self._split(), self._criterion
        groups = [g.to_dict(criterion, self.unit, self._places) for g in split.groups]
        before = split.known.impurity
        record |= {"before": before, "after": split.remaining, "gain": split.gain}
        record |= {"split_information": split.split_info, "gain_ratio": split.ratio}
        return record | {"branches": groups}

    def _pages(self, *, worksheet: bool = False) -> Document:
        names = [", ".join(label(n) for n in group) for group in self.groups]
        if self.measure in OF_GROUP:
            names = [label(n) for n in self.groups[0]]
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        if self.measure not in OF_GROUP:
            listed = " | ".join(names)
        title = f"{TITLES[self.measure]} of {listed}"
        makers = {"information": self._information, "code-length": self._code_length}
        make = makers.get(self.measure, self._group if self.measure in OF_GROUP else self._branches)
        return Document((title,), tuple(make()), STAGES)

    # ---- one group

    def _group(self) -> list[Block]:
        counts = self.groups[0]
        total, criterion = math.fsum(counts), self._criterion
        group = self._make_group(counts)
        symbol = Name(criterion.symbol)
        formula = self._formulas(group).own(group, symbol)
        if _are_probabilities(counts):
            formula = self._of_probabilities(counts, group)
        blocks: list[Block] = [Equations((("", formula),))]
        if any(n == 0 for n in counts) and criterion.key == "entropy":
            blocks.append(Text("A class without rows adds nothing: 0·log 0 = 0."))
        term = criterion.term
        assert term is not None
        parts = [term(n / total) * criterion.scale(self.unit) if n else 0.0 for n in counts]
        head = f"−p·{_LOGARITHMS[self.unit.base]}(p)" if criterion.key == "entropy" else "p²"
        shares = [self._rounded(n / total, "entropy") for n in counts]
        columns = [
            Column("count", tuple(map(_as_passed, counts)), "count"),
            Column("p", tuple(shares), "probability"),
            Column(head, tuple(self._rounded(x, "entropy") for x in parts), "term"),
        ]
        columns = columns[1:] if _are_probabilities(counts) else columns
        return [*blocks, Table(tuple(columns), key="terms")]

    def _of_probabilities(self, shares: Sequence[float], group: Group) -> Equation:
        """Return the impurity of probabilities: they need no fractions."""
        criterion = self._criterion
        terms: list[tuple[int, Formula]] = []
        present = [p for p in shares if p > 0]
        for p in present[:MAX_TERMS]:
            number = _as_passed(p)
            squared = criterion.key == "gini"
            term: Formula = Product((number, Log(self.unit.base, number)))
            terms.append((-1, Power(number) if squared else term))
        terms = [(1, Number("1")), *terms] if criterion.key == "gini" else terms
        terms += [(-1, Name("…"))] if len(present) > MAX_TERMS else []
        return Equation(
            (Name(criterion.symbol), Sum(tuple(terms)), self._rounded(group.impurity, "entropy"))
        )

    def _information(self) -> list[Block]:
        p = self.groups[0][0]
        result = self._rounded(self.value, "entropy")
        formula = Equation((Name("I"), Sum(((-1, Log(self.unit.base, _as_passed(p))),)), result))
        columns = (Column("p", (_as_passed(p),), "probability"), Column("information", (result,)))
        return [Equations((("", formula),)), Table(columns, key="terms")]

    def _code_length(self) -> list[Block]:
        result = self._rounded(self.value, "entropy")
        products = [
            Product((_as_passed(p), _as_passed(bits)), wide=True) for p, bits in self.groups
        ]
        formula = Equation((Name("L"), Sum(tuple((1, each) for each in products)), result))
        parts = [self._rounded(p * bits, "entropy") for p, bits in self.groups]
        columns = (
            Column("p", tuple(_as_passed(p) for p, _ in self.groups), "probability"),
            Column("bits", tuple(_as_passed(bits) for _, bits in self.groups)),
            Column("p × bits", tuple(parts), "product"),
        )
        shortest = entropy_of([p for p, _ in self.groups])
        note = Text(
            (
                "No code is shorter on average than the entropy, ",
                self._rounded(shortest, "entropy"),
                " bits.",
            )
        )
        return [Equations((("", formula),)), Table(columns, key="terms"), note]

    # ---- a split

    def _branches(self) -> list[Block]:
        split, criterion = self._split(), self._criterion
        formulas = self._formulas(split.known)
        branches = split.groups
        numbers = range(1, len(branches) + 1)
        sizes = [g.weight for g in branches]
        columns = [
            Column("branch", tuple(Number(str(i)) for i in numbers), values=tuple(numbers)),
            Column("rows", tuple(map(_as_passed, sizes))),
        ]
        for place in range(len(self.groups[0])):
            cells = tuple(_as_passed(group[place]) for group in self.groups)
            columns.append(Column(f"class {place + 1}", cells))
        columns.append(Column(criterion.noun, tuple(map(formulas.impurity, branches)), "impurity"))
        rows: list[tuple[str, Formula]] = []
        if self.measure != "split-information":
            rows.append(("before", formulas.own(split.known, Name(criterion.symbol))))
            for i, group in zip(numbers, branches, strict=True):
                rows.append(("", formulas.own(group, Call(criterion.symbol, Number(str(i))))))
            terms = tuple((1, formulas.branch_term(group).sides[0]) for group in branches)
            rows.append((criterion.after, Equation((Sum(terms), formulas.remaining(split)))))
            rows.append((criterion.gain, formulas.gain(split)))
        if self.measure in ("split-information", "gain-ratio"):
            rows.append(("split information", formulas.information(split)))
        if self.measure == "gain-ratio":
            rows.append(("gain ratio", self._ratio(formulas, split)))
        return [Table(tuple(columns), key="branches"), Equations(tuple(rows))]

    def _ratio(self, formulas: SplitFormulas, split: Split) -> Formula:
        if split.ratio is None:
            return Name("not defined: all rows are in one branch", "ratio")
        return formulas.ratio(split)

    def _split(self) -> Split:
        groups = tuple(map(self._make_group, self.groups))
        known = self._make_group([math.fsum(column) for column in zip(*self.groups, strict=True)])
        remaining = math.fsum(g.weight * g.impurity for g in groups) / known.weight
        gain = known.impurity - remaining
        info = entropy_of([g.weight for g in groups]) * self.unit.per_bit
        return Split(
            *("", None, groups, known, None, remaining, gain, 0.0),
            *(info, gain / info if info > 0 else None, None, "", True),
        )

    # ---- numbers

    @property
    def _criterion(self) -> Criterion:
        return CRITERIA["gini" if self.measure.startswith("gini") else "entropy"]

    @property
    def _places(self) -> tuple[int, ...]:
        """The classes, counted from 1."""
        return tuple(range(1, len(self.groups[0]) + 1))

    def _make_group(self, counts: Sequence[float]) -> Group:
        criterion, total = self._criterion, math.fsum(counts)
        assert criterion.impurity is not None
        impurity = criterion.impurity(counts) * criterion.scale(self.unit)
        rows = int(total) if float(total).is_integer() else len(counts)
        return Group(None, None, False, rows, total, tuple(counts), None, impurity)

    def _formulas(self, group: Group) -> SplitFormulas:
        order = tuple(range(len(group.amounts)))
        return SplitFormulas(self._criterion, self.unit, group, order, self.rounding)

    def _rounded(self, value: float, stage: str) -> Number:
        return Number(self.rounding.round_off(value), stage, value)


_LOGARITHMS = {"2": "log₂", "e": "ln", "10": "log₁₀"}


def _as_passed(value: float) -> Number:
    """Write a number as it was passed."""
    if float(value).is_integer():
        return Number(weights([value])[0], "", int(value))
    return Number(label(float(value)), "", float(value))


def _are_probabilities(numbers: Sequence[float]) -> bool:
    are_counts = all(float(n).is_integer() for n in numbers)
    return not are_counts and abs(math.fsum(numbers) - 1) <= TOLERANCE


def is_counts(subject: Any) -> bool:
    """Return whether the subject of ``work`` is a list of numbers, or a list of such lists."""
    return isinstance(subject, (list, tuple)) or type(subject).__module__ == "numpy"


def measure_work(
    counts: Any, what: str, unit: Unit, rounding: Rounding, **page: Any
) -> MeasureWork:
    """Return the work of a measure from one group of counts or from one for each branch."""
    groups, nested = _read(counts)
    measure = what.replace("_", "-")
    if measure == "split":
        measure = "gain" if nested else "entropy"
    check_choice("what", measure, COUNT_MEASURES)
    of_branches = measure not in OF_GROUP
    if of_branches != nested:
        expected = "a list for each branch" if of_branches else "one list of numbers"
        if measure == "code-length":
            expected = "pairs of a probability and a number of bits"
        raise UsageError(f"{measure} needs {expected}", slug="measure.numbers")
    _check(measure, groups)
    return MeasureWork(measure, groups, unit, rounding, **page)


def _read(counts: Any) -> tuple[tuple[tuple[float, ...], ...], bool]:
    """Return the groups, and whether they were nested."""
    try:
        rows = counts.tolist() if hasattr(counts, "tolist") else list(counts)
        nested = bool(rows) and all(isinstance(row, (list, tuple)) for row in rows)
        groups = tuple(tuple(float(n) for n in row) for row in (rows if nested else [rows]))
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(
            "counts must be numbers, or a list of numbers for each branch", slug="measure.numbers"
        ) from error
    return groups, nested


def _check(measure: str, groups: tuple[tuple[float, ...], ...]) -> None:
    """Raise an error for numbers that the measure is not defined for."""
    numbers = [n for group in groups for n in group]
    if not numbers or not all(math.isfinite(n) and n >= 0 for n in numbers):
        raise UsageError(f"{measure} needs numbers that are not negative", slug="measure.numbers")
    if len({len(group) for group in groups}) > 1:
        raise UsageError(
            f"{measure} needs as many numbers for each branch: "
            f"{', '.join(str(len(group)) for group in groups)} were given",
            slug="measure.numbers",
        )
    if measure == "information":
        if len(numbers) != 1 or not 0 < numbers[0] <= 1:
            raise UsageError(
                "information needs one probability, greater than 0 and at most 1",
                slug="measure.numbers",
            )
        return
    if measure == "code-length":
        _check_code(groups)
        return
    if not math.fsum(numbers) > 0:
        raise UsageError(f"{measure} needs at least one number above 0", slug="measure.numbers")


def _check_code(groups: tuple[tuple[float, ...], ...]) -> None:
    pairs = all(len(group) == 2 for group in groups)
    if not pairs or abs(math.fsum(group[0] for group in groups) - 1) > 1e-6:
        raise UsageError(
            "code-length needs pairs of a probability and a number of bits; the probabilities sum to 1",
            slug="measure.numbers",
        )
