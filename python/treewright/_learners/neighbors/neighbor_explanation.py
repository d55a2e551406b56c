"""The explanation of one prediction by nearest neighbors: the rows, their distances, their weights, and the votes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._input.encoding import one_row
from treewright._input.short_numbers import write_value
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
from treewright._render.document import Column, Document, Note, Table, Text
from treewright._render.numbers import count, fixed, plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._render.table_block import fit_columns
from treewright.errors import UsageError
from treewright.schema import Column as SchemaColumn
from treewright.schema import Level
from treewright.table import MISSING

__all__ = ["Neighbour", "NeighbourExplanation", "explain_neighbors"]

FIXED_COLUMNS = 4  # columns of the table before those of the training table
MAX_WIDTH = 24  # of one value in the table


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One training row among the nearest neighbors.

    Parameters
    ----------
    index : int
        Its position in the training table, counted from 0.
    distance : float
        Its distance.
    share : float
        Its weight as a fraction of all weights.
    answer : class or float
        Its class or number.
    values : tuple
        Its values, None if missing.
    weight : float, default=1.0
        Its weight: 1, 1/d or 1/d², or the result of a function.
    parts : tuple of Part, default=()
        The contribution of each column to the distance; empty if the distance is not a sum over columns.

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
        """Its number in the training table, counted from 1 as in all printed forms."""
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


@dataclass(frozen=True, slots=True, repr=False)
class NeighbourExplanation(Result):
    """How nearest neighbors give the prediction for one row, made by :func:`treewright.explain`.

    Parameters
    ----------
    answer : class or float
        The prediction.
    votes : dict
        The vote of each class as a fraction, in the order in which ties go to the first; empty for a number.
    neighbours : tuple of Neighbour
        The neighbors, nearest first.
    columns : tuple of str
        The names of the columns.
    metric : str
        The distance.
    weights : str
        How neighbors are weighted, in words.
    tie : LastPlace or None, default=None
        The rows at the same distance as the last neighbor, and whether their choice matters.
    exact : bool, default=False
        Whether rows at distance 0 decide alone, as they do with weights by distance.
    sums : dict, default={}
        The sum of the weights of each class; divided by ``total`` these are the votes. Empty for a number.
    total : float, default=0.0
        The sum of all weights.
    width : int or None, default=None
        Width of the text in characters; None takes that of the terminal.
    ascii : bool or None, default=None
        Whether to write ASCII characters only; None asks the stream.

    Examples
    --------
    >>> from treewright import KNeighborsClassifier, datasets, explain_neighbors
    >>> clf = KNeighborsClassifier(1).fit(*datasets.play_tennis())
    >>> row = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Weak"}
    >>> explain_neighbors(clf, row).votes
    {'No': 1.0, 'Yes': 0.0}
    """

    _noun = "an explanation"
    _area = "explain"
    _file_page = PageFormat(width=10_000)

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
            "neighbours": [neighbor.to_dict() for neighbor in self.neighbours],
            "columns": list(self.columns),
            "metric": self.metric,
            "weights": self.weights,
            "tie": None if self.tie is None else self.tie.to_dict(),
            "exact": self.exact,
            "weight_sums": dict(self.sums),
            "total_weight": self.total,
        }

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each neighbor, with its values by column."""
        return [
            {"row": n.row, "distance": n.distance, "weight": n.weight, "share": n.share}
            | {"answer": n.answer}
            | dict(zip(self.columns, n.values, strict=True))
            for n in self.neighbours
        ]

    def remarks(self) -> list[str]:
        """Return what a reader should know, one sentence each: rows at distance 0, a tie at the last place."""
        remarks = []
        if self.exact:
            remarks.append("Rows at distance 0 are equal to this row: they decide alone.")
        if self.tie is not None:
            remarks.append(self.tie.sentence())
        return remarks

    def _document(self, page: PageFormat) -> Document:
        columns, left_out = fit_columns(self._columns(page), page.width, keep=FIXED_COLUMNS)
        notes = [Note(f"  … {plural(left_out, 'more column')}")] if left_out else []
        notes += [Note(remark) for remark in self.remarks()]
        return Document(
            (self._title(page),), (*self._votes(page), Table(columns), *notes), compact=True
        )

    def _columns(self, page: PageFormat) -> list[Column]:
        rows = self.neighbours
        answers = tuple(_write_value(n.answer, page) for n in rows)
        columns = [
            Column("row", tuple(count(n.row) for n in rows)),
            Column("distance", tuple(f"{n.distance:.4g}" for n in rows)),
            Column("share", tuple(fixed(n.share) for n in rows)),
            Column("class" if self.votes else "value", answers, left=True, gap=2),
        ]
        for i, name in enumerate(self.columns):
            values = (n.values[i] for n in rows)
            texts = tuple("?" if v is None else _write_value(v, page) for v in values)
            columns.append(Column(page.name(name, MAX_WIDTH), texts, left=True, gap=2))
        return columns

    def _title(self, page: PageFormat) -> str:
        rows = f"{plural(len(self.neighbours), 'row')} ({self.metric}, {self.weights})"
        if not self.votes:
            return f"{self.answer:.6g}: the mean of the nearest {rows}"
        return f"{page.level(self.answer)}: the votes of the nearest {rows}"

    def _votes(self, page: PageFormat) -> list[Text]:
        if not self.votes:
            return []
        votes = ", ".join(f"{page.level(c)} {fixed(s)}" for c, s in self.votes.items() if s > 0)
        tied = sum(s == max(self.votes.values()) for s in self.votes.values()) > 1
        note = "; a tie, which goes to the first class" if tied else ""
        return [Text(f"votes: {votes}{note}", apart=True)]


def _write_value(value: Level, page: PageFormat) -> str:
    return f"{value:.6g}" if isinstance(value, float) else page.level(value, MAX_WIDTH)


def explain_neighbors(
    model: Any, row: Any, *, width: int | None = None, ascii: bool | None = None
) -> NeighbourExplanation:
    """Explain the prediction of nearest neighbors for one row.

    Parameters
    ----------
    model : KNeighborsClassifier or KNeighborsRegressor
        A fitted model.
    row : one-row table, mapping of column names to values, or sequence of values
        The row. Columns that a mapping leaves out are missing.
    width : int, default=None
        Width of the text in characters; None takes that of the terminal.
    ascii : bool, default=None
        Write ASCII characters only; None does so if the terminal cannot show others.

    Returns
    -------
    NeighbourExplanation
        The neighbors with their distances, weights and classes or numbers, and the votes.

    Examples
    --------
    >>> from treewright import KNeighborsClassifier, datasets, explain_neighbors
    >>> clf = KNeighborsClassifier(3, weights="distance").fit(*datasets.play_tennis())
    >>> row = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Weak"}
    >>> explain_neighbors(clf, row)
    No: the votes of the nearest 3 rows (heom, weights 1/d)
    votes: No 0.667, Yes 0.333
      row   distance   share  class  Outlook  Temperature  Humidity  Wind
        1          1   0.333  No     Sunny    Hot          High      Weak
        8          1   0.333  No     Sunny    Mild         High      Weak
        9          1   0.333  Yes    Sunny    Cool         Normal    Weak
    """
    if not isinstance(model, NeighborModel):
        raise UsageError(
            f"{type(model).__name__} has no neighbors",
            slug="explain.no-neighbours",
            hints=["explain shows the path of a row through a tree"],
        )
    check_is_fitted(model)
    schema, query = model.schema_, one_row(row, model.schema_)
    distances, rows = model.kneighbors(query)
    target = model._forest.target[rows]
    counts = weigh(distances, check_weights(model.weights)) * model._class_factors_of(target)
    votes: dict[Level, float] = {}
    if schema.classes:
        vote = shares(counts, target, len(schema.classes))[0]
        votes = dict(zip(schema.classes, vote.tolist(), strict=True))
    neighbors = _neighbors_of(model, query, distances[0], rows[0], counts[0] / counts[0].sum())
    sums: dict[Level, float] = dict.fromkeys(votes, 0.0)
    for neighbor in neighbors if votes else ():
        sums[neighbor.answer] += neighbor.weight
    by_distance = callable(model.weights) or model.weights != "uniform"
    return NeighbourExplanation(
        schema.classes[int(np.argmax(vote))] if votes else float(mean(counts, target)[0]),
        votes,
        neighbors,
        schema.names,
        model.metric_,
        weighting(model),
        tie=last_place(model, query, distances[0], rows[0]),
        exact=bool(by_distance and distances[0, 0] == 0 and counts[0, -1] == 0),
        sums=sums,
        total=float(np.sum([n.weight for n in neighbors])),
        width=width,
        ascii=ascii,
    )


def _neighbors_of(
    model: NeighborModel, query: Any, distances: Any, rows: Any, share: Any
) -> tuple[Neighbour, ...]:
    """Return the nearest rows with everything that is said about them."""
    schema, cases = model.schema_, model._forest
    indices: list[int] = rows.tolist()
    answers: list[Level] = cases.target[indices].tolist()
    if schema.classes:
        answers = [schema.classes[int(code)] for code in answers]
    columns_of = enumerate(schema.columns)
    values = zip(*(_values(cases, i, column, indices) for i, column in columns_of), strict=True)
    arranged = model._arrange(query)
    parts = [
        parts_of(model._space, schema.names, arranged, _row(model, cases, i), d)
        for i, d in zip(indices, distances.tolist(), strict=True)
    ]
    by_class = model._class_factors_of(cases.target[rows])
    weights = (raw_weights(distances, model.weights) * by_class).tolist()
    columns = (indices, distances.tolist(), share.tolist(), answers, values, weights, parts)
    return tuple(Neighbour(*fields) for fields in zip(*columns, strict=True))


def _row(model: NeighborModel, cases: _core.Cases, row: int) -> SpaceRows:
    """Return a training row in the form of the distance."""
    columns = [cases.column(i)[row : row + 1] for i in range(cases.n_features)]
    return model._space.arrange(columns)


def _values(
    cases: _core.Cases, place: int, column: SchemaColumn, rows: list[int]
) -> list[Level | None]:
    cells = cases.column(place)[rows].tolist()
    if column.in_words:
        return [None if x != x else write_value(x, column) for x in cells]
    if cases.column(place).dtype == np.float64:
        return [None if x != x else x for x in cells]
    return [None if code == MISSING else column.levels[code] for code in cells]
