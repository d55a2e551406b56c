"""The vote of the nearest rows: distances, weights, and the prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright._input.short_numbers import write_value
from treewright._learners.neighbors.neighbor_explanation import Neighbour, NeighbourExplanation
from treewright._render.document import (
    Block,
    Cell,
    Column,
    Document,
    Equations,
    Table,
    Text,
    Words,
)
from treewright._render.formula import (
    Equation,
    Formula,
    Name,
    Number,
    Parentheses,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
)
from treewright._render.numbers import count, plural
from treewright._work.work_result import NAMES, WorkResult
from treewright.schema import Level

__all__ = ["VoteWork"]

STAGES = ("distance", "weight", "vote")
VALUE_WIDTH = 24  # of one value in the table
MAX_TERMS = 6  # of a distance; more columns are too many to follow
SQUARED = ("euclidean", "heom")
ADDED = ("manhattan",)


@dataclass(frozen=True, slots=True, repr=False)
class VoteWork(WorkResult):
    """The prediction of a nearest-neighbor model for one row, made by :func:`treewright.work`.

    Examples
    --------
    >>> from treewright import KNeighborsClassifier, datasets, work
    >>> model = KNeighborsClassifier(1).fit(*datasets.play_tennis())
    >>> row = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Weak"}
    >>> work(model, X=row).to_dict()["answer"]
    'No'
    """

    explanation: NeighbourExplanation  # the nearest rows and their votes

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return self.explanation.to_dict()

    def _pages(self, *, worksheet: bool = False) -> Document:
        explanation = self.explanation
        size = plural(len(explanation.neighbours), "nearest row")
        how = f"metric {explanation.metric}, {explanation.weights}"
        kind = "vote" if explanation.votes else "mean"
        title = (self._answer(), f": {kind} of the {size} ({how})")
        blocks: list[Block] = [Text(self._votes(worksheet))] if explanation.votes else []
        blocks.append(Table(self._columns(), key="neighbours"))
        formulas = map(self.distance_formula, explanation.neighbours)
        distances = tuple(("", formula) for formula in formulas if formula is not None)
        blocks += [Equations(distances)] if distances else []
        blocks += [Equations(self._quotients())] if explanation.total > 0 else []
        for remark in explanation.remarks():
            blocks.append(Text(Name(remark, "vote", vanishes=True), apart=True))
        return Document((title,), tuple(blocks), STAGES)

    def _answer(self) -> Formula:
        value = self.explanation.answer
        if self.explanation.votes:
            return Name(NAMES.level(value), "vote")
        return self._number("vote", float(value))

    def _votes(self, worksheet: bool) -> Words:
        votes = self.explanation.votes
        pieces: list[str | Formula] = ["votes: "]
        for name, share in votes.items():
            if share > 0 or worksheet:
                pieces += [", "] if len(pieces) > 1 else []
                pieces += [f"{NAMES.level(name)} ", self._number("vote", share)]
        if sum(share == max(votes.values()) for share in votes.values()) > 1:
            pieces.append(Name("; tie: the first class is predicted", "vote", vanishes=True))
        return tuple(pieces)

    def _columns(self) -> tuple[Column, ...]:
        explanation, rows = self.explanation, self.explanation.neighbours
        columns = [
            Column("row", tuple(Number(count(n.row), value=float(n.row)) for n in rows)),
            Column("distance", tuple(self._distance_number(n) for n in rows)),
            self._number_column("weight", "weight", [n.weight for n in rows]),
            self._number_column("share", "weight", [n.share for n in rows]),
            Column(
                "class" if explanation.votes else "number",
                tuple(self._prediction_cell(n.answer) for n in rows),
                "says",
                left=True,
                gap=2,
            ),
        ]
        for i, name in enumerate(explanation.columns):
            cells = tuple(_cell(n.values[i]) for n in rows)
            columns.append(Column(NAMES.name(name, VALUE_WIDTH), cells, left=True, gap=2))
        return tuple(columns)

    def _distance_number(self, neighbor: Neighbour) -> Number:
        return Number(f"{neighbor.distance:.4g}", "distance", neighbor.distance)

    def distance_formula(self, neighbor: Neighbour) -> Equation | None:
        """Return a distance as the sum of what each column adds; None where that is long or a value is missing."""
        known = all(part.difference is not None for part in neighbor.parts)
        plain = self.explanation.metric in (*SQUARED, *ADDED)
        if not (plain and known and 0 < len(neighbor.parts) <= MAX_TERMS):
            return None
        squared = self.explanation.metric in SQUARED
        gaps = [Number(_short(part.difference), "distance") for part in neighbor.parts]
        terms = tuple((1, Power(gap) if squared else gap) for gap in gaps)
        total: Formula = Root(Sum(terms)) if squared else Sum(terms)
        return Equation((Name(f"d(row {neighbor.row})"), total, self._distance_number(neighbor)))

    def _quotients(self) -> tuple[tuple[str, Formula], ...]:
        """Return the votes: weight of a class by the total weight; for a numeric target the weighted mean."""
        explanation = self.explanation
        total = self._number("weight", explanation.total)
        if explanation.votes:
            rows: list[tuple[str, Formula]] = []
            for name, part in explanation.sums.items():
                share = Quotient(self._number("weight", part), total)
                result = self._number("vote", explanation.votes[name])
                rows.append((NAMES.level(name), Equation((share, result))))
            return tuple(rows)
        if len(explanation.neighbours) > MAX_TERMS:
            return ()
        terms = tuple((1, self._product(n)) for n in explanation.neighbours)
        mean = Quotient(Parentheses(Sum(terms)), total)
        return (("mean", Equation((mean, self._number("vote", float(explanation.answer))))),)

    def _product(self, neighbor: Neighbour) -> Formula:
        value = self._number("", float(neighbor.answer))
        return Product((self._number("weight", neighbor.weight), value), wide=True)

    def _prediction_cell(self, value: Level) -> Cell:
        if self.explanation.votes:
            return NAMES.level(value, VALUE_WIDTH)
        return self._number("", float(value))


def _short(difference: float | None) -> str:
    return f"{difference or 0.0:.4g}"


def _cell(value: Level | None) -> Cell:
    return "?" if value is None else NAMES.name(write_value(value), VALUE_WIDTH)
