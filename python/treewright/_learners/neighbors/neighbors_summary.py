"""A neighbour model in a few lines: how many rows answer, what near means, its columns, and the curve of errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treewright._draw import html_tree as html
from treewright._draw.caption import Caption
from treewright._draw.heading import beside
from treewright._render import svg_chart as chart
from treewright._render import table_grid as grid
from treewright._render.glyphs import ASCII, UNICODE
from treewright._render.numbers import count, decimals, fixed, plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import visible
from treewright._utils import atomic_write as _atomic
from treewright.errors import Hint, UsageError

if TYPE_CHECKING:
    from treewright._learners.neighbors.neighbors_base import NeighborModel

__all__ = ["WORDS", "NeighbourView"]

WORDS = {
    "uniform": "equal weights",
    "distance": "weights 1/d",
    "squared_distance": "weights 1/d²",
}
SUFFIXES = (".txt", ".md", ".html", ".svg", ".json")
SHOWN = 12  # places of the curve


def weighting(model: NeighborModel) -> str:
    """Return how the neighbours of a model are weighted, in words."""
    return "weights of a function" if callable(model.weights) else WORDS[model.weights]


@dataclass(frozen=True, slots=True, repr=False)
class NeighbourView:
    """What :func:`treewright.show` says of a neighbour model: text, a table in a notebook, a file by ``save``.

    Parameters
    ----------
    model : KNeighborsClassifier or KNeighborsRegressor
        A fitted model.
    width, lines : int or None, default=None
        Columns of text and lines to use; those of the terminal where not given.
    ascii : bool or None, default=None
        Whether to draw with ASCII signs; None asks the stream.

    Examples
    --------
    >>> from treewright import KNeighborsClassifier, datasets, show
    >>> show(KNeighborsClassifier(3).fit(*datasets.play_tennis()))
    k nearest neighbors (vote)   14 rows · 4 columns
    the nearest 3 answer: heom, equal weights
      column       kind         values   weight
      Outlook      categorical  3             1
      Temperature  categorical  3             1
      Humidity     categorical  2             1
      Wind         categorical  2             1
    """

    model: NeighborModel
    width: int | None = None
    lines: int | None = None
    ascii: bool | None = None

    def text(self, stream: Any = None) -> str:
        """Return it as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.

        Returns
        -------
        str
            Text without a line break at its end.
        """
        return self._text(
            PageFormat.of(stream, width=self.width, lines=self.lines, ascii=self.ascii)
        )

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def _text(self, paper: PageFormat) -> str:
        lines = self._heading(paper)
        room = max(1, paper.lines - len(lines))
        lanes = self._columns(paper, room)
        lines += grid.align_columns(lanes)
        more = len(self.model.schema_.columns) - len(lanes[0].body)
        if more > 0:
            lines.append(f"  {paper.glyphs.dots} {plural(more, 'more column')}")
        if len(self.model.leave_one_out_):
            lines += ["", *grid.align_columns(self._curve(paper))]
        said = "\n".join(lines)
        return said.replace("²", "^2") if paper.glyphs is ASCII else said

    def _heading(self, paper: PageFormat) -> list[str]:
        model, schema = self.model, self.model.schema_
        target = None if schema.target is None else paper.name(schema.target)
        size = [plural(model._forest.n_rows, "row"), plural(len(schema.columns), "column")]
        how = f"{model.metric_}, {weighting(model)}"
        chosen = ", chosen by leaving one out" if len(model.leave_one_out_) else ""
        return [
            *beside(
                paper.name(Caption(model._title).title(target), 120),
                paper.glyphs.separator.join(size),
                paper,
            ),
            f"the nearest {count(model.n_neighbors_)} answer{chosen}: {how}",
        ]

    def _columns(self, paper: PageFormat, room: int) -> list[grid.TableColumn]:
        space = self.model._space
        columns = self.model.schema_.columns[:room]
        values = [
            count(len(column.levels)) if column.kind == "categorical" else _divided(divisor)
            for column, divisor in zip(columns, space.divisors, strict=False)
        ]
        weights = [f"{w:g}" for w in space.weights[:room]]
        return [
            grid.TableColumn("column", [paper.name(c.name) for c in columns], left=True, gap=2),
            grid.TableColumn("kind", [c.kind for c in columns], left=True, gap=2),
            grid.TableColumn("values", values, left=True, gap=2),
            grid.TableColumn("weight", weights),
        ]

    def _curve(self, paper: PageFormat) -> list[grid.TableColumn]:
        errors = self.model.leave_one_out_.tolist()
        places = sorted({round(i * (len(errors) - 1) / (SHOWN - 1)) for i in range(SHOWN)})
        places = sorted({*places, self.model.n_neighbors_ - 1})
        digits = decimals(max(errors), 3)
        return [
            grid.TableColumn("neighbours", [count(i + 1) for i in places], gap=2),
            grid.TableColumn(self._unit(), [fixed(errors[i], digits) for i in places]),
            grid.TableColumn(
                "",
                ["least" if i + 1 == self.model.n_neighbors_ else "" for i in places],
                left=True,
                gap=2,
            ),
        ]

    def _unit(self) -> str:
        return "share of errors" if self.model.schema_.classes else "squared error"

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values: exact numbers and whole names."""
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

    def to_markdown(self) -> str:
        """Return the columns, and the curve where there is one, as Markdown tables."""
        paper = self._file()
        tables = [self._columns(paper, paper.lines)]
        if len(self.model.leave_one_out_):
            tables.append(self._curve(paper))
        head = "\n".join(grid.escape_markdown(line) + "  " for line in self._heading(paper))
        return f"{head}\n\n" + "\n\n".join(grid.markdown(lanes) for lanes in tables) + "\n"

    def to_html(self) -> str:
        """Return an HTML table without scripts, at most 100 KB."""
        return html.bounded(
            lambda room: grid.html(self._columns(PageFormat(width=10_000, lines=room), room)),
            self.lines,
        )

    def to_svg(self) -> str:
        """Return the curve of errors as a picture, where the number of neighbours was chosen."""
        errors = self.model.leave_one_out_.tolist()
        if not errors:
            raise UsageError(
                "a picture shows the curve of errors, and the number of neighbours was given",
                slug="show.no-picture",
                hints=[Hint(option="n_neighbors", value="auto")],
            )
        best = self.model.n_neighbors_
        return chart.render(
            list(range(1, len(errors) + 1)),
            [chart.Line("leaving one out", errors)],
            [chart.Mark(f"least: {best}", float(best), errors[best - 1])],
            f"{self._unit()} against the number of neighbours",
            ("neighbours", self._unit()),
        )

    def written(self, suffix: str) -> str | None:
        """Return what a file with this ending holds; None where no form has it.

        Parameters
        ----------
        suffix : str
            Such as ``".md"``.
        """
        forms: dict[str, Callable[[], str]] = {
            ".txt": lambda: self._text(self._file()) + "\n",
            ".md": self.to_markdown,
            ".html": lambda: html.document(self._heading(self._file())[0], self.to_html()),
            ".svg": lambda: self.to_svg() + "\n",
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
        }
        form = forms.get(suffix.lower())
        return None if form is None else form()

    def save(self, path: str | Path) -> None:
        """Write it to a file; its suffix says how: .txt, .md, .html, .svg or .json.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced where it exists.
        """
        path = Path(path)
        text = self.written(path.suffix)
        if text is None:
            raise UsageError(
                f'a neighbour model cannot be written as "{visible(path.name)}"',
                slug="show.suffix",
                hints=[f"endings that work: {' '.join(SUFFIXES)}"],
            )
        _atomic.write(path, text.encode())

    def _file(self) -> PageFormat:
        return PageFormat(
            width=120 if self.width is None else self.width,
            lines=72 if self.lines is None else self.lines,
            glyphs=ASCII if self.ascii else UNICODE,
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.to_html()}


def _divided(divisor: float) -> str:
    return "as they are" if divisor == 1 else f"divided by {divisor:.4g}"
