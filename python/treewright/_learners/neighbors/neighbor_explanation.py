"""One answer of a neighbour model, with its work: the nearest rows, how far, how much each counts, and the votes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._input.encoding import one_row
from treewright._learners.neighbors.explanation_details import (
    LastPlace,
    Part,
    last_place,
    parts_of,
    raw_weights,
)
from treewright._learners.neighbors.metric import SpaceRows
from treewright._learners.neighbors.neighbors_base import NeighborModel
from treewright._learners.neighbors.neighbors_summary import weighting
from treewright._learners.neighbors.votes import check_weights, mean, shares, weigh
from treewright._render import table_grid as grid
from treewright._render.glyphs import ASCII
from treewright._render.latex_text import tex
from treewright._render.numbers import count, fixed, plural
from treewright._render.page_format import PageFormat
from treewright.errors import UsageError
from treewright.schema import Level, label
from treewright.table import MISSING

__all__ = ["Neighbour", "NeighbourExplanation", "explain_neighbors"]

FIXED = 4  # lanes before those of the columns
WIDEST = 24  # cells of one value in the table


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One training row that took part in an answer.

    Parameters
    ----------
    index : int
        Its place in the training table, counted from 0 as Python does.
    distance : float
        How far it is.
    share : float
        Its part of all weights.
    answer : class or float
        What it says.
    values : tuple
        Its values, None where missing.
    weight : float, default=1.0
        How much it counts: 1, 1/d or 1/d², or what a function says.
    parts : tuple of Part, default=()
        What each column adds to the distance; empty where a distance is no sum over columns.

    Examples
    --------
    >>> one = Neighbour(3, 0.5, 0.25, "Yes", ("Sunny",))
    >>> one.row, one.answer
    (4, 'Yes')
    """

    index: int
    distance: float
    share: float
    answer: Level
    values: tuple[Level | None, ...]
    weight: float = 1.0
    parts: tuple[Part, ...] = ()

    @property
    def row(self) -> int:
        """Its number in the training table, counted from 1 as everything printed does."""
        return self.index + 1

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; ``row`` counts from 1, ``index`` from 0."""
        return {
            "row": self.row,
            "index": self.index,
            "distance": self.distance,
            "weight": self.weight,
            "share": self.share,
            "answer": self.answer,
            "values": list(self.values),
            "parts": [part.to_dict() for part in self.parts],
        }


@dataclass(frozen=True, slots=True)
class NeighbourExplanation:
    """How a neighbour model came to its answer for one row: text by ``str()``, plain values by ``to_dict()``.

    Parameters
    ----------
    answer : class or float
        The answer.
    votes : dict
        The share of each class, in the order in which ties go to the first; empty for a number.
    neighbours : tuple of Neighbour
        The rows that took part, nearest first.
    columns : tuple of str
        The names of the columns.
    metric : str
        What near means.
    weights : str
        How neighbours are weighted, in words.
    tie : LastPlace or None, default=None
        Which rows are as far as the last one that takes part, and whether it matters which of them do.
    exact : bool, default=False
        Whether rows at distance 0 answer alone, as weights by distance have it.
    sums : dict, default={}
        The sum of the weights of each class; the votes are these by their total. Empty for a number.
    total : float, default=0.0
        The sum of all weights.
    width : int or None, default=None
        Columns of text; those of the terminal where not given.
    ascii : bool or None, default=None
        Whether to draw with ASCII signs only; None asks standard output.

    Examples
    --------
    >>> from treewright import KNeighborsClassifier, datasets, explain_neighbors
    >>> clf = KNeighborsClassifier(1).fit(*datasets.play_tennis())
    >>> row = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Weak"}
    >>> explain_neighbors(clf, row).votes
    {'No': 1.0, 'Yes': 0.0}
    """

    answer: Level
    votes: dict[Level, float]
    neighbours: tuple[Neighbour, ...]
    columns: tuple[str, ...]
    metric: str
    weights: str
    tie: LastPlace | None = None
    exact: bool = False
    sums: dict[Level, float] = field(default_factory=dict)
    total: float = 0.0
    width: int | None = None
    ascii: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "answer": self.answer,
            "votes": dict(self.votes),
            "neighbours": [neighbour.to_dict() for neighbour in self.neighbours],
            "columns": list(self.columns),
            "metric": self.metric,
            "weights": self.weights,
            "tie": None if self.tie is None else self.tie.to_dict(),
            "exact": self.exact,
            "weight_sums": dict(self.sums),
            "total_weight": self.total,
        }

    def remarks(self) -> list[str]:
        """Return what a reader should know, one sentence each: rows at distance 0, a tie at the last place."""
        remarks = []
        if self.exact:
            remarks.append("Rows at distance 0 are the same as this row: they answer alone.")
        if self.tie is not None:
            remarks.append(self.tie.sentence())
        return remarks

    def text(self, *, width: int | None = None, ascii: bool | None = None) -> str:
        """Return it as text.

        Parameters
        ----------
        width : int, default=None
            Columns of text; those of the terminal where not given. Columns of the table that have no room are left out.
        ascii : bool, default=None
            Whether to draw with ASCII signs only; None asks standard output.
        """
        ascii = self.ascii if ascii is None else ascii
        return self._text(PageFormat.of(width=width or self.width, ascii=ascii))

    def to_markdown(self) -> str:
        """Return it as Markdown: the answer, and the rows as a table."""
        paper = PageFormat(width=10_000)
        head = "\n".join(grid.escape_markdown(line) + "  " for line in self._headline(paper))
        return f"{head}\n\n{grid.markdown(self._lanes(paper))}\n"

    def to_latex(self) -> str:
        """Return it for LaTeX: the answer, and the rows as a table for ``booktabs``."""
        paper = PageFormat(width=10_000, glyphs=ASCII, encoding="ascii")
        head = " \\\\\n".join(tex(line) for line in self._headline(paper))
        return f"{head}\n\n{grid.latex(self._lanes(paper))}\n"

    def __str__(self) -> str:
        return self.text()

    def _text(self, paper: PageFormat) -> str:
        lanes, left = self._lanes(paper), 0
        while len(lanes) > FIXED and grid.width(lanes) > paper.width:
            lanes, left = lanes[:-1], left + 1
        more = [f"  {paper.glyphs.dots} {plural(left, 'more column')}"] if left else []
        said = "\n".join(
            [*self._headline(paper), *grid.align_columns(lanes), *more, *self.remarks()]
        )
        return said.replace("²", "^2") if paper.glyphs is ASCII else said

    def _lanes(self, paper: PageFormat) -> list[grid.TableColumn]:
        rows = self.neighbours
        lanes = [
            grid.TableColumn("row", [count(n.row) for n in rows], gap=2),
            grid.TableColumn("distance", [f"{n.distance:.4g}" for n in rows]),
            grid.TableColumn("share", [fixed(n.share) for n in rows]),
            grid.TableColumn(
                "says", [paper.level(n.answer, WIDEST) for n in rows], left=True, gap=2
            ),
        ]
        for i, name in enumerate(self.columns):
            cells = [n.values[i] for n in rows]
            said = ["?" if cell is None else paper.level(cell, WIDEST) for cell in cells]
            lanes.append(grid.TableColumn(paper.name(name, WIDEST), said, left=True, gap=2))
        return lanes

    def _headline(self, paper: PageFormat) -> list[str]:
        how = f"{self.metric}, {self.weights}"
        if not self.votes:
            return [f"{label(self.answer)}: the mean of the nearest {self._size()} ({how})"]
        votes = ", ".join(f"{paper.level(c)} {fixed(s)}" for c, s in self.votes.items() if s > 0)
        tied = sum(s == max(self.votes.values()) for s in self.votes.values()) > 1
        note = "; a tie, which goes to the first class" if tied else ""
        return [
            f"{paper.level(self.answer)}: the votes of the nearest {self._size()} ({how})",
            f"votes: {votes}{note}",
        ]

    def _size(self) -> str:
        return plural(len(self.neighbours), "row")

    __repr__ = __str__


def explain_neighbors(
    model: Any, row: Any, *, width: int | None = None, ascii: bool | None = None
) -> NeighbourExplanation:
    """Show how a neighbour model comes to its answer for one row.

    Parameters
    ----------
    model : KNeighborsClassifier or KNeighborsRegressor
        A fitted model.
    row : one-row table, mapping of column names to values, or sequence of values
        The row; a mapping may leave out columns, which are then missing.
    width : int, default=None
        Columns of text; those of the terminal where not given.
    ascii : bool, default=None
        Draw with ASCII signs only; None does so where the terminal cannot show others.

    Returns
    -------
    NeighbourExplanation
        The rows that took part with their distances, shares and answers, and the votes.

    Examples
    --------
    >>> from treewright import KNeighborsClassifier, datasets, explain_neighbors
    >>> clf = KNeighborsClassifier(3, weights="distance").fit(*datasets.play_tennis())
    >>> row = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Weak"}
    >>> explain_neighbors(clf, row)
    No: the votes of the nearest 3 rows (heom, weights 1/d)
    votes: No 0.667, Yes 0.333
      row   distance   share  says  Outlook  Temperature  Humidity  Wind
        1          1   0.333  No    Sunny    Hot          High      Weak
        8          1   0.333  No    Sunny    Mild         High      Weak
        9          1   0.333  Yes   Sunny    Cool         Normal    Weak
    """
    if not isinstance(model, NeighborModel):
        raise UsageError(
            f"{type(model).__name__} has no neighbours",
            slug="explain.no-neighbours",
            hints=["explain shows the path of a row through a tree"],
        )
    check_is_fitted(model)
    schema = model.schema_
    query = one_row(row, schema)
    distances, rows = model.kneighbors(query)
    counts = weigh(distances, check_weights(model.weights))
    cases: _core.Cases = model._forest
    target, found = cases.target, rows[0].tolist()
    votes: dict[Level, float] = {}
    if schema.classes:
        said = shares(counts, target[rows], len(schema.classes))[0]
        votes = dict(zip(schema.classes, said.tolist(), strict=True))
        answers: list[Level] = [schema.classes[code] for code in target[found].tolist()]
        answer: Level = schema.classes[int(np.argmax(said))]
    else:
        answers = target[found].tolist()
        answer = float(mean(counts, target[rows])[0])
    part = (counts / counts.sum())[0].tolist()
    values = zip(
        *(_values(cases, i, schema.columns[i].levels, found) for i in range(cases.n_features)),
        strict=True,
    )
    raw = raw_weights(distances[0], model.weights)
    arranged = model._arrange(query)
    apart = distances[0].tolist()
    parts = [
        parts_of(model._space, schema.names, arranged, _row(model, cases, i), d)
        for i, d in zip(found, apart, strict=True)
    ]
    each = zip(found, apart, part, answers, values, raw.tolist(), parts, strict=True)
    sums: dict[Level, float] = dict.fromkeys(votes, 0.0)
    for said_class, weight in zip(answers, raw.tolist(), strict=True):
        if votes:
            sums[said_class] += weight
    by_distance = callable(model.weights) or model.weights != "uniform"
    return NeighbourExplanation(
        *(answer, votes, tuple(Neighbour(*one) for one in each), schema.names),
        *(model.metric_, weighting(model)),
        tie=last_place(model, query, distances[0], rows[0]),
        exact=bool(by_distance and apart[0] == 0 and counts[0, -1] == 0),
        sums=sums,
        total=float(raw.sum()),
        width=width,
        ascii=ascii,
    )


def _row(model: NeighborModel, cases: _core.Cases, row: int) -> SpaceRows:
    """Return a training row as the distance sees it."""
    columns = [cases.column(i)[row : row + 1] for i in range(cases.n_features)]
    return model._space.arrange(columns)


def _values(
    cases: _core.Cases, column: int, levels: tuple[Level, ...], rows: list[int]
) -> list[Level | None]:
    cells = cases.column(column)[rows].tolist()
    if cases.column(column).dtype == np.float64:
        return [None if x != x else x for x in cells]
    return [None if code == MISSING else levels[code] for code in cells]
