"""From any container to a :class:`~treewright.table.Table`, and from a table to the arrays the core reads.

numpy arrays, pandas, Polars and Arrow (through narwhals), dictionaries of lists, lists of dictionaries and lists of rows
all become the same table, so the same data gives the same model whatever held it. Here are the rules of what a column
is: numbers are numeric; text, booleans and declared categories are categorical; None, NaN and NA are missing.

Not here: the policy for text files (which column is an identifier, what counts as missing), which is ``reading``'s.
"""

from __future__ import annotations

import datetime
import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.errors import DataError
from treewright.schema import Column, Level, Schema
from treewright.table import MISSING, Series, Table

__all__ = ["as_table", "encode", "from_values", "one_row", "to_levels"]

EXACT = 2**53  # beyond this not every whole number is a float


def as_table(X: Any, names: Sequence[str] | None = None) -> Table:
    """Turn a container into a table.

    Parameters
    ----------
    X : table
        A Table, a pandas, Polars or Arrow frame, a dict of columns, a list of dicts, or a 2-D array or list of rows.
    names : sequence of str, optional
        Names for the columns of an array; otherwise x0, x1, ...

    Examples
    --------
    >>> as_table([{"a": 1, "b": "x"}, {"a": 2}]).to_dict()
    {'a': [1.0, 2.0], 'b': ['x', None]}
    """
    if isinstance(X, Table):
        return X
    if isinstance(X, Mapping):
        return Table([from_values(str(name), values) for name, values in X.items()])
    if isinstance(X, Sequence) and len(X) > 0 and all(isinstance(row, Mapping) for row in X):
        keys = dict.fromkeys(str(key) for row in X for key in row)
        return Table([from_values(key, [row.get(key) for row in X]) for key in keys])
    if isinstance(X, np.ndarray) or not hasattr(X, "columns") and not hasattr(X, "schema"):
        return _from_array(np.asarray(X), names)
    return _from_frame(X)


def _from_array(X: NDArray[Any], names: Sequence[str] | None) -> Table:
    if X.ndim != 2:
        raise DataError(
            f"expected a table with rows and columns, got an array of {X.ndim} dimension(s)",
            slug="data.not-a-table",
        )
    names = [f"x{i}" for i in range(X.shape[1])] if names is None else [str(n) for n in names]
    return Table([from_values(name, X[:, i]) for i, name in enumerate(names)])


def _from_frame(X: Any) -> Table:
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True)
    names = [str(name) for name in frame.columns]
    series = (frame.get_column(name) for name in frame.columns)
    return Table([_from_narwhals(name, s) for name, s in zip(names, series, strict=True)])


def _from_narwhals(name: str, series: Any) -> Series:
    import narwhals as nw

    dtype = series.dtype
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        # Polars' Categorical keeps a process-wide pool in order of appearance: not a declaration.
        declared = isinstance(dtype, nw.Enum) or not nw.get_native_namespace(series).__name__ == "polars"
        levels = [_scalar(level) for level in series.cat.get_categories().to_list()]
        values = [None if _is_missing(v) else _scalar(v) for v in series.to_list()]
        return from_values(name, values, levels if declared else None)
    if dtype.is_integer() or dtype.is_float():
        return _numeric(name, _floats(name, series))
    return from_values(name, series.to_list())


def _floats(name: str, series: Any) -> NDArray[np.float64]:
    if series.dtype.is_integer() and len(series) and not series.is_null().all():
        largest = max(abs(int(series.max())), abs(int(series.min())))
        if largest > EXACT:
            raise _too_large(name)
    import narwhals as nw

    if series.is_null().any():
        series = series.cast(nw.Float64()).fill_null(math.nan)
    return np.asarray(series.cast(nw.Float64()).to_numpy(), dtype=np.float64)


def from_values(
    name: str, values: Iterable[Any], levels: Sequence[Level] | None = None
) -> Series:
    """Make a column from values; see :meth:`treewright.table.Series.of`."""
    array = values if isinstance(values, np.ndarray) else None
    if array is not None and levels is None and array.dtype.kind in "fiu":
        if array.dtype.kind in "iu" and array.size and max(abs(int(array.max())), abs(int(array.min()))) > EXACT:
            raise _too_large(name)
        return _numeric(name, array.astype(np.float64))
    cells = array.tolist() if array is not None else list(values)
    kept = [None if _is_missing(v) else _scalar(v) for v in cells]
    if levels is not None:
        return _declared(name, kept, tuple(_scalar(level) for level in levels))
    kinds = {type(v) for v in kept if v is not None}
    if kinds <= {int, float}:
        if any(isinstance(v, int) and abs(v) > EXACT for v in kept):
            raise _too_large(name)
        return _numeric(name, np.array([math.nan if v is None else v for v in kept], dtype=np.float64))
    if len(kinds) > 1 or not kinds <= {str, bool}:
        raise _mixed(name, kept)
    present = sorted({v for v in kept if v is not None})
    return _coded(name, kept, tuple(present), declared=False)


def _numeric(name: str, data: NDArray[np.float64]) -> Series:
    if np.isinf(data).any():
        row = int(np.flatnonzero(np.isinf(data))[0])
        raise DataError(
            f'Input X contains infinity: column "{name}", row {row}', slug="data.infinity"
        )
    return Series(name, "numeric", data + 0.0)  # -0.0 and 0.0 are one value


def _declared(name: str, kept: list[Any], levels: tuple[Level, ...]) -> Series:
    if len(set(levels)) < len(levels):
        raise DataError(f'column "{name}" declares a level twice', slug="data.levels")
    known = set(levels)
    for row, value in enumerate(kept):
        if value is not None and value not in known:
            raise DataError(
                f'column "{name}", row {row} holds {value!r}, which is not among its declared levels',
                slug="data.levels",
            )
    return _coded(name, kept, levels, declared=True)


def _coded(name: str, kept: list[Any], levels: tuple[Level, ...], *, declared: bool) -> Series:
    code: dict[Any, int] = {level: i for i, level in enumerate(levels)}
    code[None] = MISSING
    data = np.array([code[v] for v in kept], dtype=np.uint32)
    return Series(name, "categorical", data, levels, declared)


def _is_missing(value: Any) -> bool:
    if value is None or (isinstance(value, (float, np.floating)) and math.isnan(value)):
        return True
    return type(value).__name__ in ("NAType", "NaTType")  # pandas' words, without importing it


def _scalar(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (str, bool)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real) or type(value).__name__ == "Decimal":
        return float(value)
    return value


def _too_large(name: str) -> DataError:
    return DataError(
        f'column "{name}" holds whole numbers beyond 2^53, which would lose digits',
        slug="data.large-integers",
        hints=["give it as text if it is an identifier, or divide it if it is a quantity"],
    )


def _mixed(name: str, kept: list[Any]) -> Exception:
    row, value = next(
        (i, v) for i, v in enumerate(kept) if v is not None and not isinstance(v, (str, int, float))
    ) if any(v is not None and not isinstance(v, (str, int, float)) for v in kept) else (0, None)
    if value is None:
        first = {type(v): (i, v) for i, v in reversed(list(enumerate(kept))) if v is not None}
        seen = "; ".join(f"row {i}: {v!r}" for i, v in sorted(first.values(), key=lambda p: p[0]))
        return DataError(
            f'column "{name}" mixes text and numbers ({seen})',
            slug="data.mixed-column",
            hints=["make it all text or all numbers"],
        )
    if isinstance(value, (datetime.date, datetime.datetime, datetime.timedelta)):
        return DataError(
            f'column "{name}" holds dates, which are neither numbers nor categories',
            slug="data.date-column",
            hints=["use a part of it (year, weekday) or a number of days instead"],
        )
    if isinstance(value, complex):
        return ValueError(f"Complex data not supported\ncolumn {name!r}, row {row}: {value!r}")
    return TypeError(
        f'column "{name}", row {row} holds a {type(value).__name__}: '
        "each argument must be a string or a number"
    )


def to_levels(series: Series) -> Series:
    """Turn a numeric column into a categorical one, a level for each different number.

    Examples
    --------
    >>> to_levels(Series.of("n", [3, 1, None, 3])).levels
    (1.0, 3.0)
    """
    if series.kind == "categorical":
        return series
    present = ~np.isnan(series.data)
    levels, inverse = np.unique(series.data[present], return_inverse=True)
    codes = np.full(len(series.data), MISSING, dtype=np.uint32)
    codes[present] = inverse
    return Series(series.name, "categorical", codes, tuple(levels.tolist()))


def encode(table: Table, schema: Schema) -> list[NDArray[Any]]:
    """Return the arrays the core reads: the schema's columns, categories coded by value.

    A value that the schema does not know gets the code ``UNSEEN``.
    """
    return [_encode(table.column(column.name), column) for column in schema.columns]


def _encode(series: Series, column: Column) -> NDArray[Any]:
    if column.kind == "numeric":
        if series.kind == "categorical" and series.levels:
            raise _wrong_kind(series, "numbers")
        data = series.data if series.kind == "numeric" else np.full(len(series.data), np.nan)
        return np.ascontiguousarray(data, dtype=np.float64)
    series = to_levels(series)
    if series.levels == column.levels:
        return np.ascontiguousarray(series.data, dtype=np.uint32)
    known = {_key(level): i for i, level in enumerate(column.levels)}
    recode = [known.get(_key(level), _core.UNSEEN) for level in series.levels]
    lookup = np.array([*recode, MISSING], dtype=np.uint32)
    return lookup[np.minimum(series.data, len(series.levels))]


def _key(level: Level) -> Level | tuple[str, str]:
    return ("text", level) if isinstance(level, str) else level


def _wrong_kind(series: Series, wanted: str) -> DataError:
    return DataError(
        f'column "{series.name}" held {wanted} in training and now holds {series.levels[0]!r}',
        slug="predict.other-kind",
    )


def one_row(row: Any, schema: Schema) -> Table:
    """Turn one row (a table, a mapping, a sequence) into a one-row table of the schema's columns."""
    if isinstance(row, Mapping) and not any(
        isinstance(v, (list, tuple, np.ndarray)) for v in row.values()
    ):
        unknown = [str(key) for key in row if str(key) not in schema.names]
        if unknown:
            raise DataError(
                f'the model has no column "{unknown[0]}"',
                slug="data.no-such-column",
                hints=[f"columns: {', '.join(schema.names)}"],
            )
        return Table([from_values(name, [row.get(name)]) for name in schema.names])
    if isinstance(row, (list, tuple)) or (isinstance(row, np.ndarray) and row.ndim == 1):
        if len(row) == len(schema.names) and not any(isinstance(v, (Mapping, list)) for v in row):
            return Table([from_values(n, [v]) for n, v in zip(schema.names, row, strict=True)])
    table = as_table(row, schema.names)
    if len(table) != 1:
        raise DataError(f"expected one row, got {len(table)}", slug="data.one-row")
    return table
