"""The distance of rows: a metric with the scales and weights of the columns, fitted on the training rows.

The core computes distances. Here numbers are divided by the scale of their column and multiplied by the root of its
weight, so that the core only has to add up.

Glossary: the *divisor* of a numeric column is its range or its standard deviation; the *weight* of a column is that of
a difference in it; a *space* is a metric with divisors and weights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._utils.choices import METRIC_ALIASES, METRICS
from treewright._utils.validation import check_choice, check_number
from treewright.errors import DataError, Hint, UsageError
from treewright.measures import variance
from treewright.schema import Column, Schema

__all__ = ["Space", "SpaceRows"]

MIXED = ("heom", "gower", "hamming")
LARGEST = float(np.finfo(np.float64).max)

Columns = Sequence[NDArray[Any]]


@dataclass(frozen=True)
class SpaceRows:
    """Rows as the core compares them: numbers row by row, codes column by column."""

    numbers: NDArray[Any]
    codes: list[NDArray[np.uint32]]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, rows: slice) -> SpaceRows:
        return SpaceRows(self.numbers[rows], [codes[rows] for codes in self.codes])


@dataclass(frozen=True)
class Space:
    """A metric with the divisor and the weight of each column.

    Parameters
    ----------
    metric : str
        The metric; never "auto".
    p : float
        The power of "minkowski".
    numeric : tuple of bool
        Which columns hold numbers.
    divisors : tuple of float
        What the numbers of each column are divided by; 1 for categories.
    weights : tuple of float
        The weight of each column.
    """

    metric: str
    p: float
    numeric: tuple[bool, ...]
    divisors: tuple[float, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(
        cls,
        schema: Schema,
        columns: Columns,
        *,
        metric: Any = "auto",
        p: Any = 2,
        scale: Any = "auto",
        column_weights: Any = None,
        complete: bool = False,
    ) -> Space:
        """Check the parameters and fit the scales to training rows, given as codes and numbers.

        If rows are known to be complete, no missing value is searched for.
        """
        power = check_number("p", p, minimum=1)
        weights = _check_column_weights(column_weights, schema)
        numeric = tuple(column.kind == "numeric" for column in schema.columns)
        known = METRIC_ALIASES.get(metric, metric) if isinstance(metric, str) else metric
        metric = check_choice("metric", known, METRICS)
        metric = _resolve_metric(metric, schema, () if complete else columns)
        scale = _resolve_scale(scale, metric)
        divisors = tuple(
            _divisor(column, scale) if is_number else 1.0
            for column, is_number in zip(columns, numeric, strict=True)
        )
        return cls(metric, power, numeric, divisors, weights)

    def arrange(self, columns: Columns) -> SpaceRows:
        """Return rows as the core reads them."""
        chosen = [
            column for column, is_number in zip(columns, self.numeric, strict=True) if is_number
        ]
        shape = len(chosen), len(columns[0])
        numbers = self._arrange_numbers(np.array(chosen, dtype=np.float64).reshape(shape).T)
        codes = [
            np.ascontiguousarray(column, dtype=np.uint32)
            for column, is_number in zip(columns, self.numeric, strict=True)
            if not is_number
        ]
        return SpaceRows(numbers, codes)

    def arrange_matrix(self, array: NDArray[Any]) -> SpaceRows:
        """Return the rows of a matrix of finite numbers as the core reads them."""
        plain = self.metric != "cosine" and all(x == 1 for x in (*self.divisors, *self.weights))
        if plain and array.dtype == np.float32:
            # Single precision is widened by the core, which has to copy anyway.
            return SpaceRows(np.ascontiguousarray(array), [])
        return SpaceRows(self._arrange_numbers(array), [])

    def _arrange_numbers(self, array: NDArray[Any]) -> NDArray[np.float64]:
        """Return the numbers of all numeric columns as the core reads them."""
        numbers = np.ascontiguousarray(array, dtype=np.float64)
        if any(divisor != 1 for divisor in self.divisors) or any(w != 1 for w in self.weights):
            divisors, weights = np.array(self.divisors), np.array(self.weights)
            factors = [self._factor(weight) for weight in weights[list(self.numeric)].tolist()]
            numbers = _scale(numbers, divisors[list(self.numeric)], np.array(factors))
        return _unit_vectors(numbers) if self.metric == "cosine" else numbers

    def index(self, rows: SpaceRows, threads: int) -> _core.Neighbors:
        """Return an index of training rows to search in."""
        weights = [w for w, is_number in zip(self.weights, self.numeric, strict=True) if is_number]
        weights += [1.0] if self.metric == "cosine" else []
        weights += [
            w for w, is_number in zip(self.weights, self.numeric, strict=True) if not is_number
        ]
        return _core.Neighbors(rows.numbers, rows.codes, weights, self.metric, self.p, threads)

    def _factor(self, weight: float) -> float:
        """Return the factor of a column's numbers that multiplies their distances by its weight."""
        if self.metric in ("euclidean", "heom", "cosine"):
            return math.sqrt(weight)
        return float(weight ** (1 / self.p)) if self.metric == "minkowski" else weight


def _resolve_metric(metric: str, schema: Schema, columns: Columns) -> str:
    text = next((column for column in schema.columns if column.levels), None)
    gaps = next(
        (
            column
            for column, data in zip(schema.columns, columns, strict=False)
            if _has_missing(column, data)
        ),
        None,
    )
    if metric == "auto":
        return "heom" if text or gaps else "euclidean"
    if text and metric not in MIXED:
        raise UsageError(
            f'the metric {metric!r} compares numbers, and column "{text.name}" holds categories',
            slug="fit.metric",
            hints=[Hint(option="metric", value="heom"), Hint(option="metric", value="gower")],
        )
    if gaps and metric == "cosine":
        raise _no_direction(gaps.name)
    return metric


def _has_missing(column: Column, data: NDArray[Any]) -> bool:
    if column.kind == "numeric":
        return bool(np.isnan(np.min(data)))  # NaN if there is one
    return not column.levels  # without any value it might be a numeric column


def _no_direction(name: str) -> DataError:
    return DataError(
        f'column "{name}" has missing values, and a row with a gap has no direction',
        slug="data.missing",
        hints=["fill the gaps, or take another metric"],
    )


def _resolve_scale(scale: Any, metric: str) -> str | None:
    if scale is not None:
        check_choice("scale", scale, ("auto", "range", "standard"))
    if scale == "auto":
        return "range" if metric in ("heom", "gower") else None
    return None if scale is None else str(scale)


def _divisor(column: NDArray[np.float64], scale: str | None) -> float:
    if scale is None:
        return 1.0
    present = column[~np.isnan(column)]
    if not len(present):
        return 1.0
    if scale == "range":
        low, high = float(present.min()), float(present.max())
        return min(high - low, LARGEST) or 1.0
    return math.sqrt(_variance(present)) or 1.0


def _variance(values: NDArray[np.float64]) -> float:
    """Return the variance, which does not depend on the order of rows; for huge numbers the largest float."""
    try:
        return variance(values)
    except DataError:
        return LARGEST


def _scale(numbers: NDArray[np.float64], divisor: Any, factor: Any) -> NDArray[np.float64]:
    with np.errstate(over="ignore"):
        scaled: NDArray[np.float64] = np.clip(numbers / divisor * factor, -LARGEST, LARGEST)
    return scaled


def _unit_vectors(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows as vectors of length 1, with one more column that is 1 for rows of zeros only.

    Half the squared distance of two such vectors is one minus the cosine of their angle, exactly 0 for equal rows; a
    row of zeros is at distance 1 from every other row.
    """
    size = np.abs(numbers).max(axis=1, initial=0.0)
    if np.isnan(size).any():
        raise _no_direction("of the rows to predict")
    is_zero = size == 0
    moderate = numbers / np.where(is_zero, 1.0, size)[:, None]
    square = np.zeros(len(numbers))
    for column in moderate.T:  # in the order of the columns, however many rows there are
        square += column * column
    unit = moderate / np.sqrt(np.where(is_zero, 1.0, square))[:, None]
    return np.ascontiguousarray(np.column_stack([unit, is_zero.astype(np.float64)]))


def _check_column_weights(value: Any, schema: Schema) -> tuple[float, ...]:
    if value is None:
        return (1.0,) * len(schema.columns)
    if isinstance(value, Mapping):
        unknown = [name for name in value if name not in schema.names]
        if unknown:
            raise UsageError(
                f'column_weights names the column "{unknown[0]}", which the table does not have',
                slug="usage.parameter",
                hints=[f"columns: {', '.join(schema.names)}"],
            )
        value = [value.get(name, 1.0) for name in schema.names]
    values = [
        check_number("a weight in column_weights", w, minimum=0, maximum=1e100) for w in value
    ]
    if len(values) != len(schema.columns):
        raise UsageError(
            f"column_weights has {len(values)} weights, the table {len(schema.columns)} columns",
            slug="usage.parameter",
        )
    if not any(values):
        raise UsageError(
            "column_weights are all zero: nothing is left to compare", slug="usage.parameter"
        )
    return tuple(values)
