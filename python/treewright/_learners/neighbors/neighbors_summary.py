"""A nearest-neighbor model in a few lines: the number of neighbors, the distance, its columns, and the error curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright._draw.caption import Caption
from treewright._render.charts import LineChart
from treewright._render.document import Column, Document, Note, Picture, Table, Text
from treewright._render.numbers import count, decimals, fixed, plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright.errors import Hint, UsageError

if TYPE_CHECKING:
    from treewright._learners.neighbors.neighbors_base import NeighborModel

__all__ = ["WORDS", "NeighbourView", "weighting"]

WORDS = {
    "uniform": "equal weights",
    "distance": "weights 1/d",
    "squared_distance": "weights 1/d²",
}
MAX_POINTS = 12  # of the error curve as a table


def weighting(model: NeighborModel) -> str:
    """Return how the neighbors of a model are weighted, in words."""
    how = "weights of a function" if callable(model.weights) else WORDS[model.weights]
    is_weighted = getattr(model, "class_weight", None) is not None
    return f"{how}, times those of the classes" if is_weighted else how


@dataclass(frozen=True, slots=True, repr=False)
class NeighbourView(Result):
    """A nearest-neighbor model in a few lines, made by :func:`treewright.show`.

    Parameters
    ----------
    model : KNeighborsClassifier or KNeighborsRegressor
        A fitted model.
    width, lines : int or None, default=None
        Width and number of lines of the text; None takes those of the terminal.
    ascii : bool or None, default=None
        Whether to write ASCII characters only; None asks the stream.

    Examples
    --------
    >>> from treewright import KNeighborsClassifier, datasets, show
    >>> show(KNeighborsClassifier(3).fit(*datasets.play_tennis()))
    k nearest neighbors (vote)   14 rows · 4 columns
    prediction by the nearest 3: heom, equal weights
      column       kind         values   weight
      Outlook      categorical  3             1
      Temperature  categorical  3             1
      Humidity     categorical  2             1
      Wind         categorical  2             1
    """

    _noun = "a nearest-neighbor model"
    _file_page = PageFormat(width=120, lines=72)

    model: NeighborModel
    width: int | None = None
    lines: int | None = None
    ascii: bool | None = None

    def _document(self, page: PageFormat) -> Document:
        model, schema = self.model, self.model.schema_
        target = None if schema.target is None else page.name(schema.target)
        title = page.name(Caption(model._title).title(target), 120)
        sizes = [plural(model._forest.n_rows, "row"), plural(len(schema.columns), "column")]
        chosen = ", chosen by leave-one-out error" if len(model.leave_one_out_) else ""
        neighbors = f"prediction by the nearest {count(model.n_neighbors_)}{chosen}"
        how = Text(f"{neighbors}: {model.metric_}, {weighting(model)}", apart=True)
        room = max(1, page.lines - 2)
        left_out = len(schema.columns) - room
        notes = [Note(f"  … {plural(left_out, 'more column')}")] if left_out > 0 else []
        curve = self._curve() if len(model.leave_one_out_) else []
        blocks = (how, self._columns(page, room), *notes, *curve)
        return Document((title, page.glyphs.separator.join(sizes)), blocks, compact=True)

    def _columns(self, page: PageFormat, room: int) -> Table:
        space, columns = self.model._space, self.model.schema_.columns[:room]
        values = tuple(
            count(len(column.levels)) if column.kind == "categorical" else _scaling(divisor)
            for column, divisor in zip(columns, space.divisors, strict=False)
        )
        return Table(
            (
                Column("column", tuple(page.name(c.name) for c in columns), left=True),
                Column("kind", tuple(c.kind for c in columns), left=True, gap=2),
                Column("values", values, left=True, gap=2),
                Column("weight", tuple(f"{w:g}" for w in space.weights[:room])),
            )
        )

    def _curve(self) -> list[Table | Picture]:
        """Return the leave-one-out error as a table of some points, and as a picture of all."""
        errors, best = self.model.leave_one_out_.tolist(), self.model.n_neighbors_ - 1
        points = {round(i * (len(errors) - 1) / (MAX_POINTS - 1)) for i in range(MAX_POINTS)}
        places = sorted({*points, best})
        digits = decimals(max(errors), 3)
        table = Table(
            (
                Column("neighbors", tuple(count(i + 1) for i in places)),
                Column(self._unit(), tuple(fixed(errors[i], digits) for i in places)),
                Column("", tuple("least" if i == best else "" for i in places), left=True, gap=2),
            ),
            title="leave-one-out error",
        )
        return [table, Picture(self._chart())]

    def _chart(self) -> LineChart:
        errors, best = tuple(self.model.leave_one_out_.tolist()), self.model.n_neighbors_
        return LineChart(
            tuple(float(k) for k in range(1, len(errors) + 1)),
            (("leave-one-out", errors),),
            ((f"least: {best}", float(best), errors[best - 1]),),
            f"{self._unit()} against the number of neighbors",
            ("neighbors", self._unit()),
            log=True,
        )

    def _unit(self) -> str:
        return "error rate" if self.model.schema_.classes else "squared error"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values: exact numbers and full names."""
        model, space = self.model, self.model._space
        return {
            "style": "neighbours",
            "target": model.schema_.target,
            "rows": model._forest.n_rows,
            "n_neighbors": model.n_neighbors_,
            "metric": model.metric_,
            "weights": weighting(model),
            "columns": [
                {"name": c.name, "kind": c.kind, "divisor": divisor, "weight": weight}
                for c, divisor, weight in zip(
                    model.schema_.columns, space.divisors, space.weights, strict=True
                )
            ],
            "leave_one_out": model.leave_one_out_.tolist(),
        }

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each column."""
        columns: list[dict[str, Any]] = self.to_dict()["columns"]
        return columns

    def _first_chart(self) -> LineChart:
        """Return the leave-one-out error, if the number of neighbors was chosen by it."""
        errors = self.model.leave_one_out_.tolist()
        if not errors:
            raise UsageError(
                "a picture shows the leave-one-out error; this model was fitted with a given number of neighbors",
                slug="show.no-picture",
                hints=[Hint(option="n_neighbors", value="auto")],
            )
        return self._chart()


def _scaling(divisor: float) -> str:
    return "as they are" if divisor == 1 else f"divided by {divisor:.4g}"
