"""One column from values: which values are numbers, categories, missing, or errors.

Numbers are numeric; text, booleans and declared categories are categorical; None, NaN and NA are missing. Every
container is read here, column by column, so these rules exist once.

Not here: the rules for text files (identifiers, words for missing values), which are in the core (``columns/``).
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright._input.dates import DATES, dates_series, has_dates
from treewright._input.missing_values import is_missing
from treewright.errors import DataError
from treewright.schema import Level
from treewright.table import MISSING, Series

__all__ = [
    "from_codes",
    "from_values",
    "level_key",
    "plain",
    "refuse_infinity",
    "refuse_large",
    "resolve_empty_column",
    "scalar",
    "to_levels",
]

CLOSE = 1000  # whole numbers are counted where they are no farther apart than this and the rows
EXACT = 2**53  # above it, not every integer is a float
NOTHING = type(None)
WORDS = {str: "text", bool: "booleans", int: "numbers", float: "numbers"}


def from_values(name: str, values: Any, levels: Sequence[Any] | None = None) -> Series:
    """Make a column from values; see :meth:`treewright.table.Series.of`."""
    if isinstance(values, Series):
        if levels is None:
            return replace(values, name=name)
        values = values.values()
    if isinstance(values, np.ndarray):
        return _from_array(name, values, levels)
    if hasattr(values, "dtype") or hasattr(values, "to_pylist"):
        from treewright._input.dataframes import from_column

        return from_column(name, values, levels)
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise DataError(
            f'column "{name}" is {_short(values)}, not a list of values',
            slug="data.not-a-column",
            hints=["put it into a list, even where it is the only value"],
        )
    return _from_cells(name, list(values), levels)


def to_levels(series: Series) -> Series:
    """Turn a numeric column into a categorical one, with a level per number; ordered categories get theirs back."""
    if series.kind == "categorical":
        return series
    if series.meaning is not None and series.meaning.order:
        order = series.meaning.order
        codes = np.where(np.isnan(series.data), MISSING, np.nan_to_num(series.data))
        data = codes.astype(np.uint32)
        return Series(series.name, "categorical", data, order, declared=True, ordered=True)
    present = ~np.isnan(series.data)
    levels, places = _numbered(series.data[present])
    codes = np.full(len(series.data), MISSING, dtype=np.uint32)
    codes[present] = places
    return Series(series.name, "categorical", codes, tuple(levels.tolist()))


def _numbered(values: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sorted distinct finite numbers and the place of each value among them.

    Whole numbers close to each other, as most codes of categories are, are counted in linear time instead of sorted.
    """
    least, most = (float(values.min()), float(values.max())) if len(values) else (0.0, np.inf)
    if most - least <= len(values) + CLOSE:
        steps = (values - least).astype(np.intp)
        if (steps + least == values).all():
            seen = np.zeros(int(most - least) + 1, dtype=bool)
            seen[steps] = True
            return np.flatnonzero(seen) + least, (np.cumsum(seen) - 1)[steps]
    return np.unique(values, return_inverse=True)


def resolve_empty_column(series: Series) -> Series:
    """Return a column without any value as a categorical one without levels; any other column as it is.

    Nothing distinguishes numbers from text there, so that any later value is unseen.
    """
    return to_levels(series) if series.missing().all() else series


def _from_array(name: str, array: NDArray[Any], levels: Sequence[Any] | None) -> Series:
    if array.ndim != 1:
        raise DataError(
            f'column "{name}" has {array.ndim} dimensions, not 1', slug="data.not-a-column"
        )
    if isinstance(array, np.ma.MaskedArray):
        hidden = np.ma.getmaskarray(array)
        array = array.astype(object)
        array[hidden] = None
    kind = array.dtype.kind
    if levels is None and kind in "mM":
        return dates_series(name, array)
    if levels is None and kind in "fiu":
        if kind in "iu" and array.size:
            refuse_large(name, int(array.min()), int(array.max()))
        return _numeric(name, array)
    if levels is None and kind == "b":
        present = tuple(np.unique(array).tolist())
        codes = array.astype(np.uint32) if len(present) == 2 else np.zeros(len(array), np.uint32)
        return Series(name, "categorical", codes, present)
    return _from_cells(name, array.tolist(), levels)


def _from_cells(name: str, cells: list[Any], levels: Sequence[Any] | None) -> Series:
    cells, kinds = plain(cells)
    if levels is not None:
        return _declared(name, cells, [scalar(level) for level in levels])
    if kinds <= {int, float}:
        integers = [value for value in cells if type(value) is int]
        refuse_large(name, min(integers, default=0), max(integers, default=0))
        return _numeric(name, np.array(cells, dtype=np.float64))  # None becomes NaN
    if kinds not in ({str}, {bool}):
        if has_dates(cells) and all(issubclass(kind, DATES) for kind in kinds):
            return dates_series(name, cells)
        _refuse_mixed(name, cells)
    return _coded(name, cells, tuple(sorted(set(cells) - {None})), declared=False)


def _numeric(name: str, data: NDArray[Any]) -> Series:
    numbers = np.add(data, 0.0, dtype=np.float64)  # a copy in which -0.0 becomes 0.0
    infinite = np.isinf(numbers)
    if infinite.any():
        row = int(np.argmax(infinite))
        refuse_infinity(name, row, float(numbers[row]))
    return Series(name, "numeric", numbers)


def refuse_infinity(name: str, row: int, number: float) -> NoReturn:
    """Raise the error for an infinite number."""
    raise DataError(
        f'Input X contains infinity: column "{name}", row {row} holds {number:g}',
        slug="data.infinity",
        hints=["make it missing (NaN), or the largest number that is meant"],
    )


def from_codes(
    name: str, codes: NDArray[Any], levels: Sequence[Any], *, ordered: bool = False
) -> Series:
    """Make a column from positions in its declared levels; a negative one is missing."""
    levels = [scalar(level) for level in levels]
    _check_levels(name, levels)
    # Codes may be of 8 bits, which cannot hold the number for missing values.
    data = np.where(codes < 0, np.uint32(MISSING), codes.astype(np.uint32))
    return Series(name, "categorical", data, tuple(levels), declared=True, ordered=ordered)


def _check_levels(name: str, levels: list[Any]) -> None:
    for level in levels:
        if type(level) not in WORDS or level != level:
            raise DataError(
                f'column "{name}" declares the level {_short(level)}, '
                "which is neither text nor a number nor a boolean",
                slug="data.levels",
                hints=["make the levels text, in pandas by renaming the categories"],
            )
    if len(set(levels)) < len(levels):
        twice = next(level for i, level in enumerate(levels) if level in levels[:i])
        raise DataError(
            f'column "{name}" declares the level {_short(twice)} twice', slug="data.levels"
        )


def _declared(name: str, cells: list[Any], levels: list[Any]) -> Series:
    _check_levels(name, levels)
    known = {None, *levels}
    if any(value not in known for value in set(cells)):
        row = next(row for row, value in enumerate(cells) if value not in known)
        raise DataError(
            f'column "{name}", row {row} holds {_short(cells[row])}, '
            "which is not among its declared levels",
            slug="data.levels",
            hints=[f"levels: {', '.join(map(_short, levels[:20]))}"],
        )
    return _coded(name, cells, tuple(levels), declared=True)


def _coded(name: str, cells: list[Any], levels: tuple[Level, ...], *, declared: bool) -> Series:
    code: dict[Any, int] = {level: i for i, level in enumerate(levels)}
    code[None] = MISSING
    data = np.fromiter(map(code.__getitem__, cells), np.uint32, len(cells))
    return Series(name, "categorical", data, levels, declared)


def plain(cells: list[Any]) -> tuple[list[Any], set[type]]:
    """Return values of Python's own types, None where missing, and the types that occur."""
    # Most columns need no Python call per cell: look at the types first.
    kinds = set(map(type, cells))
    if not kinds <= {*WORDS, NOTHING}:
        cells = [None if is_missing(value) else scalar(value) for value in cells]
    elif float in kinds:
        cells = [None if value != value else value for value in cells]
    return cells, set(map(type, cells)) - {NOTHING}


def level_key(level: Level) -> tuple[bool, Level]:
    """Return what equal levels share: 1, 1.0 and True are the same level, the text "1" is another."""
    return isinstance(level, str), level


def scalar(value: Any) -> Any:
    """Return text, booleans and numbers as Python's own types; anything else as it is."""
    if isinstance(value, np.generic) and value.dtype.kind not in "mM":
        value = value.item()
    if isinstance(value, str):
        return str.__str__(value)  # for a member of an enumeration: its text, not its name
    if isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real) or type(value).__name__ == "Decimal":
        return float(value)
    return value


def refuse_large(name: str, least: int, most: int) -> None:
    """Raise an error if integers from ``least`` to ``most`` would lose digits as floats."""
    if least < -EXACT or most > EXACT:
        raise DataError(
            f'column "{name}" holds whole numbers beyond 2^53, which would lose digits',
            slug="data.large-integers",
            hints=["give it as text if it is an identifier, or divide it if it is a quantity"],
        )


def _refuse_mixed(name: str, cells: list[Any]) -> NoReturn:
    first: dict[str, tuple[int, Any]] = {}
    for row, value in enumerate(cells):
        if value is not None and type(value) not in WORDS:
            _refuse(name, row, value)
        if value is not None:
            first.setdefault(WORDS[type(value)], (row, value))
    seen = "; ".join(f"row {row}: {_short(value)}" for row, value in first.values())
    raise DataError(
        f'column "{name}" mixes {" and ".join(first)} ({seen})',
        slug="data.mixed-column",
        hints=["make it all text or all numbers"],
    )


def _refuse(name: str, row: int, value: Any) -> NoReturn:
    if isinstance(value, DATES):
        raise DataError(
            f'column "{name}" mixes dates with other values',
            slug="data.date-column",
            hints=["make it all dates, in pandas with pandas.to_datetime"],
        )
    if isinstance(value, complex):
        raise ValueError(f'Complex data not supported: column "{name}", row {row} holds {value!r}')
    if isinstance(value, bytes):
        raise DataError(
            f'column "{name}", row {row} holds the bytes {_short(value)}, not text',
            slug="data.bytes",
            hints=["decode them first, as UTF-8 or whatever they are"],
        )
    raise TypeError(
        f'column "{name}", row {row} holds a {type(value).__name__}: '
        "each argument must be a string or a number"
    )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
