"""Rows in which a column is replaced by one value, and the values that partial dependence tries.

A treewright model gets coded columns; the rows of a pipeline stay in the container that its first step expects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._estimator.find import unwrap_search
from treewright._estimator.model import Model
from treewright._estimator.tree_model import TreeModel
from treewright._input.checks import read_rows
from treewright._input.columns import from_values
from treewright._utils.suggestions import find_closest
from treewright.errors import DataError
from treewright.table import MISSING, Series, Table

__all__ = ["ReplaceableRows", "choose_values", "cuts_of"]

Numbers = NDArray[np.float64]


class ReplaceableRows:
    """The rows of a table, in which columns can be replaced.

    Parameters
    ----------
    model : fitted estimator, Pipeline or search
        The model that the rows are for.
    X : table
        The rows.
    """

    def __init__(self, model: Any, X: Any) -> None:
        estimator = unwrap_search(model)
        is_native = isinstance(estimator, Model)
        self._rows = read_rows(estimator, X, estimator.schema_) if is_native else X
        if isinstance(self._rows, np.ndarray) or not _has_names(self._rows):
            self._rows = np.asarray(self._rows)
            self.names = [str(i) for i in range(self._rows.shape[1])]
            names = getattr(estimator, "feature_names_in_", ())
            self.names = [*map(str, names)] or self.names
        else:
            names = self._rows.columns if hasattr(self._rows, "columns") else self._rows
            self.names = [str(name) for name in names]

    def __len__(self) -> int:
        if isinstance(self._rows, Mapping):
            return len(next(iter(self._rows.values())))
        return len(self._rows)

    def number(self, column: Any) -> int:
        """Return the number of a column that is given by name or number."""
        if isinstance(column, str) and column in self.names:
            return self.names.index(column)
        is_number = isinstance(column, (int, np.integer)) and not isinstance(column, bool)
        if is_number and 0 <= column < len(self.names):
            return int(column)
        near = find_closest(column, self.names) if isinstance(column, str) else None
        raise DataError(
            f"the table has no column {column!r}",
            slug="data.no-such-column",
            hints=[f"did you mean {near!r}?" if near else f"columns: {', '.join(self.names[:8])}"],
        )

    def column(self, number: int) -> Series:
        """Return a column with its values."""
        name, rows = self.names[number], self._rows
        if isinstance(rows, Table):
            return rows.series[number]
        return from_values(name, rows[:, number] if isinstance(rows, np.ndarray) else rows[name])

    def replaced(self, values: Mapping[int, Any]) -> Any:
        """Return the rows with one value in all rows of some columns; None is a missing value."""
        rows, count = self._rows, len(self)
        if isinstance(rows, Table):
            constants = {i: _constant(rows.series[i], value, count) for i, value in values.items()}
            return Table([constants.get(i, series) for i, series in enumerate(rows.series)])
        if isinstance(rows, np.ndarray):
            rows = rows.copy()
            for number, value in values.items():
                rows[:, number] = np.nan if value is None else value
            return rows
        cells = {self.names[i]: _cells(rows[self.names[i]], v, count) for i, v in values.items()}
        if isinstance(rows, Mapping):
            return {**rows, **cells}
        if hasattr(rows, "with_columns"):  # Polars
            return rows.with_columns(**cells)
        return rows.assign(**cells)


def _has_names(rows: Any) -> bool:
    return isinstance(rows, Mapping) or hasattr(rows, "columns")


def _constant(series: Series, value: Any, count: int) -> Series:
    if series.kind == "numeric":
        return replace(series, data=np.full(count, np.nan if value is None else value))
    code = MISSING if value is None else series.levels.index(value)
    return replace(series, data=np.full(count, code, dtype=np.uint32))


def _cells(column: Any, value: Any, count: int) -> Any:
    """Return a column of a data frame with one value in all rows, of the same type."""
    if hasattr(column, "to_physical"):  # Polars
        return column.clear().extend_constant(value, count)
    if isinstance(value, float) or not hasattr(column, "iloc"):
        return np.full(count, np.nan if value is None else value)
    cells = column.copy()
    cells[:] = value
    return cells


def cuts_of(model: Any, column: int) -> Numbers | None:
    """Return the thresholds of a column in all trees of a model, ascending; None if it is no model of trees alone."""
    estimator = unwrap_search(model)
    if not isinstance(estimator, TreeModel):
        return None
    forest: Any = estimator.__dict__.get("_forest")
    if forest is None:
        return None
    cuts = []
    for i in range(forest.n_trees):
        tree = forest.tree(i)
        if tree.spares() is not None:  # surrogate splits look at the column, too
            return None
        asks = (np.asarray(tree.n_children) > 0) & (np.asarray(tree.feature) == column)
        cuts.append(np.asarray(tree.threshold)[asks])
    all_cuts = np.concatenate(cuts)
    return np.unique(all_cuts[np.isfinite(all_cuts)])


def choose_values(series: Series, cuts: Numbers | None, most: int) -> tuple[list[Any], bool]:
    """Return the values of a column to try, ascending, and whether they are all that a model of trees can tell apart.

    Between two thresholds all numbers mean the same, and a threshold itself belongs to the numbers below it. A missing
    value is tried last, if there is one.

    Examples
    --------
    >>> choose_values(Series.of("n", [1, 2, 3, 4]), np.array([2.5]), 100)
    ([2.5, 4.0], True)
    >>> choose_values(Series.of("c", ["a", "b", None]), None, 100)
    (['a', 'b', None], True)
    """
    missing = [None] if series.missing().any() else []
    if series.kind == "categorical":
        return [*series.levels, *missing], True
    known = np.unique(series.data[~np.isnan(series.data)])
    if cuts is not None and len(cuts) < most and len(known):
        last = (
            max(float(known[-1]), float(np.nextafter(cuts[-1], np.inf))) if len(cuts) else known[-1]
        )
        return [*cuts.tolist(), float(last), *missing], True
    if len(known) > most:
        at = np.linspace(0, len(known) - 1, most).round().astype(int)
        known = known[at]
    return [*known.tolist(), *missing], False
