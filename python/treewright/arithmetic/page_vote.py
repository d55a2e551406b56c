"""The vote of neighbours as work: distances, weights, shares, the prediction; a page in every form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright._render.document import Block, Cell, Column, Document, Table, Text, Words
from treewright._render.formula import Formula, Name, Number
from treewright._render.result import Result
from treewright.arithmetic.rounding import Rounding
from treewright.draw.figures import count, plural
from treewright.draw.paper import Paper
from treewright.neighbors.explanation import NeighbourExplanation
from treewright.schema import Level, label

__all__ = ["VoteWork"]

STAGES = ("distance", "weight", "vote")
PAPER = Paper(width=200)
VALUE = 24  # cells of one value in the table


@dataclass(frozen=True, slots=True, repr=False)
class VoteWork(Result):
    """How a neighbour model comes to its prediction for one row, made by :func:`treewright.work`.

    Parameters
    ----------
    explanation : NeighbourExplanation
        The nearest rows and their votes.
    digits : int, default=3
        The decimals that are shown.
    width, ascii : int or None, bool or None, default=None
        Columns of text, and whether to write with ASCII signs only.

    Examples
    --------
    >>> from treewright import KNeighborsClassifier, datasets, work
    >>> model = KNeighborsClassifier(1).fit(*datasets.play_tennis())
    >>> row = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Weak"}
    >>> work(model, X=row).to_dict()["answer"]
    'No'
    """

    explanation: NeighbourExplanation
    digits: int = 3
    width: int | None = None
    ascii: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return self.explanation.to_dict()

    def _document(self, *, sheet: bool = False) -> Document:
        told = self.explanation
        size, how = plural(len(told.neighbours), "row"), f"{told.metric}, {told.weights}"
        kind = "votes" if told.votes else "mean"
        title = (self._level(told.answer), f": the {kind} of the nearest {size} ({how})")
        blocks: list[Block] = [Text(self._votes(sheet))] if told.votes else []
        blocks.append(Table(self._columns(), key="neighbours"))
        return Document((title,), tuple(blocks), STAGES)

    def _level(self, value: Level) -> Formula:
        if self.explanation.votes:
            return Name(PAPER.level(value), "vote")
        return Number(Rounding(self.digits).shown(float(value)), "vote", float(value))

    def _votes(self, sheet: bool) -> Words:
        votes = self.explanation.votes
        write = Rounding(self.digits).shown
        pieces: list[str | Formula] = ["votes: "]
        for name, share in votes.items():
            if share > 0 or sheet:
                pieces += [", "] if len(pieces) > 1 else []
                pieces += [f"{PAPER.level(name)} ", Number(write(share), "vote", share)]
        if sum(share == max(votes.values()) for share in votes.values()) > 1:
            pieces.append(Name("; a tie, which goes to the first class", "vote", vanishes=True))
        return tuple(pieces)

    def _columns(self) -> tuple[Column, ...]:
        told, rows = self.explanation, self.explanation.neighbours
        write = Rounding(self.digits).shown
        columns = [
            Column("row", tuple(Number(count(n.row)) for n in rows)),
            Column(
                "distance",
                tuple(Number(f"{n.distance:.4g}", "distance", n.distance) for n in rows),
            ),
            Column("share", tuple(Number(write(n.share), "weight", n.share) for n in rows)),
            Column("says", tuple(self._said(n.answer) for n in rows), left=True, gap=2),
        ]
        for i, name in enumerate(told.columns):
            cells = tuple(_cell(n.values[i]) for n in rows)
            columns.append(Column(PAPER.name(name, VALUE), cells, left=True, gap=2))
        return tuple(columns)

    def _said(self, value: Level) -> Cell:
        if self.explanation.votes:
            return PAPER.level(value, VALUE)
        return Number(Rounding(self.digits).shown(float(value)), "", float(value))


def _cell(value: Level | None) -> Cell:
    return "?" if value is None else PAPER.name(label(value), VALUE)
