"""Partial dependence: how a model's predictions change with one or two columns, on average and row by row.

The value of a column is replaced in all rows, the model predicts, and the predictions are averaged (Friedman 2001).
Those of each row before averaging are individual conditional expectations, ICE (Goldstein et al. 2015).
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright._estimator.find import unwrap_search
from treewright._evaluate.dependence import PartialDependence
from treewright._evaluate.dependence_rows import ReplaceableRows, choose_values, cuts_of
from treewright._input.target import weights_of
from treewright._utils.validation import check_integer
from treewright.errors import UsageError
from treewright.table import Series

__all__ = ["partial_dependence"]

Numbers = NDArray[np.float64]
MAX_PAIR_VALUES = 20  # values of each column, if there are two


def partial_dependence(
    model: Any,
    X: Any,
    columns: Any,
    *,
    ice: bool = False,
    grid: Any = None,
    grid_size: int = 100,
    sample_weight: Any = None,
) -> PartialDependence:
    """Return how the predictions of a model depend on one column, or on two together.

    For trees and their ensembles the result is exact: predictions change only at the thresholds of the column, and one
    value between each two of them is tried. If there are more thresholds than ``grid_size``, and for other models, it
    is computed at as many values of the column.

    Parameters
    ----------
    model : fitted estimator, Pipeline or search
        A model that predicts a number, or class probabilities.
    X : table
        The rows to average over.
    columns : str, int, or a pair of them
        The column, by name or number.
    ice : bool, default=False
        Whether to return the prediction of each row, too (individual conditional expectation); for one column.
    grid : sequence, or a pair of them, optional
        The values to try; None chooses them.
    grid_size : int, default=100
        Maximum number of values of a numeric column, or 20 of each of two columns.
    sample_weight : array-like, optional
        A weight for each row.

    Returns
    -------
    PartialDependence
        The values and the average prediction at each; it can be printed, drawn and saved.

    Examples
    --------
    >>> from treewright import CARTRegressor, partial_dependence
    >>> X = {"size": [1, 2, 3, 4], "town": ["A", "B", "A", "B"]}
    >>> model = CARTRegressor(max_depth=1).fit(X, [10, 12, 30, 32])
    >>> partial_dependence(model, X, "size")
    partial dependence on size, average of 4 rows
       size  prediction
      ≤ 2.5          11
      > 2.5          31
    """
    check_is_fitted(unwrap_search(model))
    rows = ReplaceableRows(model, X)
    if len(rows) == 0:
        raise UsageError("partial dependence needs at least one row", slug="data.empty")
    numbers = _numbers_of(rows, columns)
    if ice and len(numbers) == 2:
        raise UsageError("ice=True needs a single column", slug="usage.parameter")
    axes = [rows.column(number) for number in numbers]
    choices = _choose_grid(model, numbers, axes, grid, grid_size)
    values = tuple(tuple(each) for each, _ in choices)
    weights = weights_of(sample_weight, len(rows))
    averages, individual = [], []
    for combination in product(*values):
        predicted = _predict(model, rows.replaced(dict(zip(numbers, combination, strict=True))))
        averages.append([_average(output, weights) for output in predicted.T])
        if ice:
            individual.append(predicted)
    exact = (
        is_exact and s.kind == "numeric" for (_, is_exact), s in zip(choices, axes, strict=True)
    )
    return PartialDependence(
        tuple(series.name for series in axes),
        values,
        np.array(averages).reshape(*map(len, values), -1),
        tuple(np.asarray(getattr(unwrap_search(model), "classes_", ())).tolist()),
        len(rows),
        tuple(exact),
        tuple(_span(series) for series in axes),
        np.stack(individual, axis=1) if ice else None,
    )


def _numbers_of(rows: ReplaceableRows, columns: Any) -> list[int]:
    listed = [columns] if isinstance(columns, (str, int, np.integer)) else list(columns)
    numbers = [rows.number(column) for column in listed]
    if len(numbers) not in (1, 2) or len(set(numbers)) < len(numbers):
        raise UsageError(
            f"columns must be one column or two different ones; got {columns!r}",
            slug="usage.parameter",
        )
    return numbers


def _choose_grid(
    model: Any, numbers: list[int], axes: list[Series], grid: Any, grid_size: Any
) -> list[tuple[list[Any], bool]]:
    """Return the values of each column to try, and whether they are all that the model can tell apart."""
    if grid is not None:
        grids = [grid] if len(axes) == 1 else list(grid)
        return [(_check_grid(values, s), False) for values, s in zip(grids, axes, strict=True)]
    most = check_integer("grid_size", grid_size, minimum=2)
    most = most if len(numbers) == 1 else min(most, MAX_PAIR_VALUES)
    pairs = zip(numbers, axes, strict=True)
    return [choose_values(series, cuts_of(model, number), most) for number, series in pairs]


def _check_grid(grid: Any, series: Series) -> list[Any]:
    """Return the values of a grid as the column holds them."""
    values = Series.of(series.name, list(grid)).values()
    known = [value for value in values if value is not None]
    is_numeric = series.kind == "numeric"
    wrong = [
        value
        for value in known
        if isinstance(value, str) == is_numeric or (not is_numeric and value not in series.levels)
    ]
    if not values or wrong:
        what = f"{wrong[0]!r} is no value of {series.name!r}" if wrong else "it is empty"
        raise UsageError(f"grid is wrong: {what}", slug="usage.parameter")
    return values


def _span(series: Series) -> tuple[float, float] | None:
    known = series.data[~series.missing()]
    is_numeric = series.kind == "numeric" and len(known) > 0
    return (float(known.min()), float(known.max())) if is_numeric else None


def _predict(model: Any, rows: Any) -> Numbers:
    """Return the predicted numbers or class probabilities of rows, one column for each."""
    if hasattr(model, "classes_") or hasattr(model, "predict_proba"):
        if not hasattr(model, "predict_proba"):
            raise UsageError(
                f"partial dependence needs class probabilities, and a {type(model).__name__} has none",
                slug="usage.model",
            )
        return np.asarray(model.predict_proba(rows), dtype=np.float64)
    predicted = np.asarray(model.predict(rows), dtype=np.float64)
    return predicted.reshape(len(predicted), -1)


def _average(values: Numbers, weights: Numbers | None) -> float:
    """Return the mean, whose last bit does not depend on the order of the rows."""
    if weights is None:
        return math.fsum(values.tolist()) / len(values)
    return math.fsum((values * weights).tolist()) / math.fsum(weights.tolist())
