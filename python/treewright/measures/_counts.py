"""Counts and weights of columns, checked: what the measures are computed from.

Accepts lists, numpy arrays and columns of any data frame. A missing value, a negative count or a column of another
length is an error.

Glossary: an *amount* is a count, a probability or a weight; a *code* is the number of a value among the different
values of its column; a *cell* is a pair of values that occurs in two columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.errors import DataError

__all__ = [
    "Column",
    "Floats",
    "Pairs",
    "Weights",
    "amounts",
    "codes",
    "count_of",
    "groups",
    "not_negative",
    "numbers",
    "pairs",
    "same_length",
]

Column = Iterable[Any]
Weights = Iterable[float] | None
Floats = NDArray[np.float64]


class Pairs(NamedTuple):
    """The amounts of two columns, each alone and both together."""

    x: list[float]
    y: list[float]
    cells: list[float]
    x_of_cells: list[float]  # for each cell, the amount of its value of x


def numbers(values: Column, name: str) -> Floats:
    """Return finite numbers, at least one."""
    array = _array(values, name)
    if len(array) == 0:
        raise DataError(f"{name} is empty: at least one number is needed", slug="data.empty")
    # numpy would read numbers from text and drop the imaginary part of complex numbers.
    text = array.dtype.kind == "O" and any(isinstance(value, (str, bytes)) for value in array)
    if text or array.dtype.kind not in "biufO":
        raise _not_numbers(name, array)
    try:
        floats = array.astype(np.float64)
    except OverflowError:
        raise DataError(f"{name} holds a number above 1.8e308", slug="data.too-large") from None
    except (TypeError, ValueError):
        raise _not_numbers(name, array) from None
    if not np.isfinite(floats).all():
        at = int(np.flatnonzero(~np.isfinite(floats))[0])
        raise DataError(
            f"{name}[{at}] is {floats[at]}, not a finite number", slug="data.not-finite"
        )
    return floats


def not_negative(values: Column, name: str) -> Floats:
    """Return finite, non-negative numbers."""
    array = numbers(values, name)
    if (array < 0).any():
        at = int(np.flatnonzero(array < 0)[0])
        raise DataError(
            f"{name}[{at}] is {array[at]:g}; it must not be negative", slug="data.negative"
        )
    return array


def amounts(values: Column, name: str) -> Floats:
    """Return counts, probabilities or weights, scaled by a power of two.

    Only their proportions matter, so the scale changes no digit of a result, and their sum cannot overflow.
    """
    array = not_negative(values, name)
    if not array.any():
        raise DataError(f"{name} is all zero: nothing to measure", slug="data.empty")
    scaled: Floats = np.ldexp(array, -int(np.frexp(array.max())[1]))
    return scaled


def codes(values: Column, name: str) -> NDArray[np.intp]:
    """Return the code of each value, in the order of first appearance."""
    number: dict[Any, int] = {}
    try:
        column = [number.setdefault(value, len(number)) for value in _list(values, name)]
    except TypeError:
        raise _not_a_column(name) from None
    if not column:
        raise DataError(f"{name} is empty: at least one value is needed", slug="data.empty")
    for value, code in number.items():
        if _is_missing(value):
            raise DataError(
                f"{name} has a missing value in row {column.index(code)}",
                slug="data.missing",
                hints=["leave the row out, or give missing values their own name"],
            )
    return np.array(column, dtype=np.intp)


def groups(column: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Return the rows of each code."""
    ends = np.cumsum(np.bincount(column))
    return np.split(np.argsort(column, kind="stable"), ends[:-1])


def count(column: NDArray[np.intp], weights: Floats | None) -> list[float]:
    """Return the rows of each code, or their weight; fsum does not depend on their order."""
    if weights is None:
        return list(map(float, np.bincount(column).tolist()))
    return [math.fsum(weights[rows].tolist()) for rows in groups(column)]


def count_of(labels: Column, sample_weight: Weights, name: str) -> list[float]:
    """Count one column."""
    column = codes(labels, name)
    weights = None if sample_weight is None else amounts(sample_weight, "sample_weight")
    same_length({name: column, "sample_weight": weights})
    return count(column, weights)


def pairs(x: Column, y: Column, sample_weight: Weights, *, name: str = "x") -> Pairs:
    """Count two columns; ``name`` is the name of the first in errors."""
    of_x, of_y = codes(x, name), codes(y, "y")
    weights = None if sample_weight is None else amounts(sample_weight, "sample_weight")
    same_length({name: of_x, "y": of_y, "sample_weight": weights})
    width = int(of_y.max()) + 1
    different, of_cell = np.unique(of_x * width + of_y, return_inverse=True)
    by_x = count(of_x, weights)
    x_of_cells = [by_x[value] for value in (different // width).tolist()]
    return Pairs(by_x, count(of_y, weights), count(of_cell, weights), x_of_cells)


def same_length(columns: Mapping[str, NDArray[Any] | None]) -> None:
    """Raise an error if columns differ in length."""
    lengths = {name: len(column) for name, column in columns.items() if column is not None}
    if len(set(lengths.values())) > 1:
        sizes = ", ".join(f"{name}: {length}" for name, length in lengths.items())
        raise DataError(
            f"the lengths differ ({sizes})",
            slug="data.lengths",
            hints=["give each of them one value for every row"],
        )


def _array(values: Column, name: str) -> NDArray[Any]:
    try:
        array = np.asarray(values if hasattr(values, "__array__") else list(values))
    except (TypeError, ValueError):
        raise _not_a_column(name) from None
    if array.ndim != 1:
        raise _not_a_column(name)
    return array


def _list(values: Column, name: str) -> list[Any]:
    # A frame would be read as a list of column names.
    if len(getattr(values, "shape", (0,))) != 1:
        raise _not_a_column(name)
    return list(values.to_pylist() if hasattr(values, "to_pylist") else values)


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # comparing pandas' NA gives no truth value
        return True


def _not_a_column(name: str) -> DataError:
    return DataError(
        f"{name} is not one column of plain values",
        slug="data.not-a-column",
        hints=["give a list, an array of one dimension or a column of a data frame"],
    )


def _not_numbers(name: str, array: NDArray[Any]) -> DataError:
    other = next(value for value in array.tolist() if not isinstance(value, (int, float)))
    return DataError(
        f"{name} must hold numbers; it holds {other!r}",
        slug="data.not-numeric",
        hints=["for labels: entropy_of, gini_of"] if name == "counts" else [],
    )
