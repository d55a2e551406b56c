"""Frames and columns of pandas, Polars and Arrow to ours, through narwhals.

Which categories are *declared*: those of a pandas ``Categorical`` and a Polars ``Enum``, and those of an Arrow
dictionary whose type says that it is ordered. *Ordered* are those of an ordered pandas ``Categorical``, an ``Enum``
and an ordered dictionary: trees cut them in their order. Any other dictionary (Polars' ``Categorical`` too) is a way to
store text in the order in which it came, and counts as text: otherwise the order of the rows would show in the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.exceptions import DuplicateError

from treewright._input.columns import from_codes, from_values, refuse_large
from treewright.errors import DataError
from treewright.table import Series, Table

__all__ = ["from_column", "from_frame", "is_categorical", "is_frame", "open_frame"]


def is_frame(X: Any) -> bool:
    """Whether it is a data frame, also one that cannot be read."""
    # Look at the class: a lazy frame would compute, and warn, to return its columns.
    return hasattr(type(X), "columns") or hasattr(type(X), "column_names")


def open_frame(X: Any) -> nw.DataFrame[Any]:
    """Return the frame as narwhals sees it, or raise an error that says why it cannot be read."""
    if type(X).__name__ == "RecordBatch":  # narwhals reads only tables of them
        import pyarrow

        X = pyarrow.Table.from_batches([X])
    try:
        return nw.from_native(X, eager_only=True)
    except DuplicateError:
        names = [
            str(name) for name in (X.column_names if hasattr(X, "column_names") else X.columns)
        ]
        twice = next(name for name in names if names.count(name) > 1)
        message = f'two columns are called "{twice}"'
        raise DataError(message, slug="data.duplicate-column") from None
    except TypeError:
        lazy = hasattr(X, "collect")
        raise DataError(
            f"a {type(X).__name__} is {'not read yet' if lazy else 'no table that can be read'}",
            slug="data.not-a-table",
            hints=["collect it first"] if lazy else [],
        ) from None


def from_frame(X: Any) -> Table:
    """Turn a data frame into a table."""
    frame = open_frame(X)
    return Table([_from_narwhals(str(name), frame.get_column(name)) for name in frame.columns])


def is_categorical(values: Any) -> bool:
    """Whether it is a column of a data frame that holds categories."""
    series = _series(values)
    return series is not None and isinstance(series.dtype, (nw.Categorical, nw.Enum))


def from_column(name: str, values: Any, levels: Sequence[Any] | None = None) -> Series:
    """Turn a column of a data frame, or anything else with a ``dtype``, into ours."""
    series = _series(values)
    if series is None:
        return from_values(name, np.asarray(values), levels)
    if levels is not None:
        return from_values(name, series.to_list(), levels)
    return _from_narwhals(name, series)


def _series(values: Any) -> nw.Series[Any] | None:
    home = type(values).__module__.partition(".")[0]
    if home == "pyarrow" and not hasattr(values, "chunks"):
        import pyarrow

        values = pyarrow.chunked_array([values])
    elif home == "pandas" and not hasattr(values, "iloc"):  # an index, or a column's bare array
        import pandas

        values = pandas.Series(values)
    series = nw.from_native(values, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def _from_narwhals(name: str, series: nw.Series[Any]) -> Series:
    dtype = series.dtype
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        return _from_categories(name, series)
    if not (dtype.is_integer() or dtype.is_float()):
        return from_values(name, series.to_list())
    if series.null_count() == len(
        series
    ):  # pandas' NA is not a number, and an empty column has no minimum
        return from_values(name, np.full(len(series), np.nan))
    if dtype.is_integer():
        refuse_large(name, int(series.min()), int(series.max()))
    return from_values(name, np.asarray(series.to_numpy(), dtype=np.float64))


def _from_categories(name: str, series: nw.Series[Any]) -> Series:
    native = series.to_native()
    if series.implementation.is_pyarrow():
        array = native.combine_chunks()
        levels = array.dictionary.to_pylist() if native.type.ordered else None
        # Arrow converts the cells of a dictionary twenty times slower than plain values.
        cells = array.cast(native.type.value_type).to_pylist()
        return replace(from_values(name, cells, levels), ordered=levels is not None)
    if not series.implementation.is_polars():
        categories, ordered = native.cat.categories.tolist(), bool(native.cat.ordered)
        return from_codes(name, native.cat.codes.to_numpy(), categories, ordered=ordered)
    if not isinstance(series.dtype, nw.Enum):
        return from_values(name, series.to_list())
    codes = native.to_physical().cast(int).fill_null(-1).to_numpy()
    return from_codes(name, codes, list(series.dtype.categories), ordered=True)
