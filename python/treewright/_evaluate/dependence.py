"""The result of partial dependence: average predictions at the values of one or two columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._evaluate.dependence_picture import Axis, draw_categories, draw_curve, draw_heat_map
from treewright._render.charts import Drawing
from treewright._render.document import Column, Document, Note, Picture, Table
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright.schema import Level, label

__all__ = ["PartialDependence"]

Numbers = NDArray[np.float64]


@public
@dataclass(frozen=True, eq=False, repr=False)
class PartialDependence(Result):
    """Average predictions of a model at the values of one or two columns.

    Parameters
    ----------
    columns : tuple of str
        The names of the columns.
    grid : tuple of tuple
        The values of each column; None is a missing value.
    average : ndarray of shape (values, outputs) or (values, values, outputs)
        The average predictions: one output for a number, one for each class.
    classes : tuple
        The classes of the outputs; empty if the model predicts a number.
    n_rows : int
        Number of rows that are averaged.
    exact : tuple of bool
        For each numeric column, whether the predictions are the same between each value and the next smaller one, and
        beyond the last: then the grid leaves nothing out.
    spans : tuple of tuple or None
        For each column its smallest and largest number in the rows; None for categories.
    individual : ndarray of shape (rows, values, outputs) or None
        The predictions of each row.

    Examples
    --------
    >>> from treewright import CARTClassifier, datasets, partial_dependence
    >>> X, y = datasets.golf()
    >>> result = partial_dependence(CARTClassifier(max_depth=2).fit(X, y), X, "outlook")
    >>> result.grid, result.average.shape
    ((('sunny', 'overcast', 'rainy'),), (3, 2))
    """

    _noun = "a partial dependence"

    columns: tuple[str, ...]
    grid: tuple[tuple[Level | None, ...], ...]
    average: Numbers
    classes: tuple[Level, ...]
    n_rows: int
    exact: tuple[bool, ...]
    spans: tuple[tuple[float, float] | None, ...]
    individual: Numbers | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "columns": list(self.columns),
            "grid": [list(values) for values in self.grid],
            "average": self.average.tolist(),
            "classes": list(self.classes),
            "rows": self.n_rows,
            "exact": list(self.exact),
        } | ({} if self.individual is None else {"individual": self.individual.tolist()})

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each value, or for each pair of values."""
        heads = self.output_names()
        outputs = self.average.reshape(-1, len(heads)).tolist()
        return [
            dict(zip(self.columns, values, strict=True)) | dict(zip(heads, row, strict=True))
            for values, row in zip(product(*self.grid), outputs, strict=True)
        ]

    def output_names(self) -> list[str]:
        """Return the name of each output: the classes, or "prediction".

        Returns
        -------
        list of str
            A name for each output; those of a model that predicts several numbers are numbered.
        """
        count = self.average.shape[-1]
        numbered = ["prediction"] if count == 1 else [f"prediction {i}" for i in range(count)]
        return [label(c) for c in self.classes] or numbered

    def labels(self, axis: int, at_most: str = "≤") -> list[str]:
        """Return the text for each value of a column: "≤ 2.5" for the numbers up to a threshold.

        Parameters
        ----------
        axis : int
            The column: 0 or 1.
        at_most : str, default="≤"
            The sign before the upper end of a range.

        Returns
        -------
        list of str
            A text for each value.
        """
        values, texts = self.grid[axis], []
        known = [value for value in values if value is not None]
        for i, value in enumerate(values):
            if value is None:
                texts.append("missing")
            elif not self.exact[axis]:
                texts.append(f"{value:.6g}" if isinstance(value, float) else label(value))
            elif len(known) == 1:
                texts.append("any")
            elif i == len(known) - 1:
                texts.append(f"> {known[-2]:.6g}")
            else:
                texts.append(f"{at_most} {value:.6g}")
        return texts

    def _document(self, page: PageFormat) -> Document:
        names = " and ".join(page.name(name) for name in self.columns)
        title = f"partial dependence on {names}, average of {plural(self.n_rows, 'row')}"
        drawing = Drawing(title, lambda: self._draw(title))
        table, left_out = self._table(page)
        notes = (Note(f"… {plural(left_out, 'more value')}"),) if left_out else ()
        return Document((title,), (Picture(drawing), table, *notes), compact=True)

    def _table(self, page: PageFormat) -> tuple[Table, int]:
        """Return a line for each value, as many as the page has, and how many are left out."""
        axes = [self.labels(axis, page.glyphs.at_most) for axis in range(len(self.columns))]
        places = list(product(*(range(len(values)) for values in self.grid)))
        most = max(2, page.lines)
        if len(places) > most:
            chosen = np.unique(np.linspace(0, len(places) - 1, most).round().astype(int))
        else:
            chosen = np.arange(len(places))
        heads = [page.name(name) for name in self.output_names()]
        outputs = self.average.reshape(len(places), -1)
        lines = [places[i] for i in chosen.tolist()]
        columns = [
            Column(
                page.name(name), tuple(page.name(texts[place[axis]]) for place in lines), key=name
            )
            for axis, (name, texts) in enumerate(zip(self.columns, axes, strict=True))
        ]
        columns += [
            Column(head, tuple(f"{outputs[i, k]:.4g}" for i in chosen.tolist()), gap=2)
            for k, head in enumerate(heads)
        ]
        return Table(tuple(columns)), len(places) - len(lines)

    def _draw(self, title: str) -> Any:
        # Of two classes one says it all.
        outputs = [1] if len(self.classes) == 2 else list(range(self.average.shape[-1]))
        names = [self.output_names()[k] for k in outputs]
        average = self.average[..., outputs]
        if len(self.columns) == 2:
            texts = (self.labels(0), self.labels(1))
            return draw_heat_map(title, self.columns, texts, average[:, :, -1], names[-1])
        individual = None if self.individual is None else self.individual[..., outputs]
        values = self.grid[0]
        if all(isinstance(value, float) for value in values):
            numbers = np.array(values, dtype=np.float64)
            axis = Axis(self.columns[0], numbers, self.exact[0], self.spans[0])
            return draw_curve(title, axis, average, names, individual)
        return draw_categories(title, self.columns[0], self.labels(0), average, names, individual)
