"""Dates as text, and the numbers that are made of them: days since 1970-01-01, year, month, day, weekday, hour.

Dates of every container become texts of one form (``2024-03-01``, ``2024-03-01T14:30:00``), so the same table gives the
same model. Times are read as the clock showed them: the zone is dropped.

The core reads the texts. Glossary: *written* is the order of the parts in a text: "ymd", "dmy" or "mdy".
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.core_text import core_text
from treewright._input.missing_values import is_missing
from treewright.schema import Meaning, label
from treewright.table import MISSING, Series

__all__ = ["DATES", "dates_series", "find_written", "has_dates", "make_part", "read_dates"]
__all__ += ["days_of", "write_date"]

DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
EPOCH = datetime.datetime(1970, 1, 1)
DAY = 86400.0


def has_dates(cells: Iterable[Any]) -> bool:
    """Whether the first value that is not missing is a date or a time."""
    return isinstance(next((cell for cell in cells if not is_missing(cell)), None), DATES)


def dates_series(name: str, cells: Sequence[Any] | NDArray[Any]) -> Series:
    """Return dates as a column of texts, one form for every container; anything else raises a TypeError."""
    array = np.asarray(cells)
    if array.dtype.kind == "M":
        different, inverse = np.unique(array, return_inverse=True)
        texts = [None if np.isnat(value) else _iso(value) for value in different]
    else:
        cells = [None if is_missing(cell) else cell for cell in cells]
        keys: dict[Any, int] = {}
        inverse = np.array([keys.setdefault(cell, len(keys)) for cell in cells], dtype=np.int64)
        texts = [None if cell is None else _iso(cell) for cell in keys]
    levels = sorted({text for text in texts if text is not None})
    place = {text: code for code, text in enumerate(levels)}
    codes = np.array([MISSING if t is None else place[t] for t in texts], dtype=np.uint32)
    data = codes[inverse] if len(codes) else np.zeros(0, dtype=np.uint32)
    return Series(
        name, "categorical", data, tuple(levels), meaning=Meaning(part="dates", written="ymd")
    )


def _iso(cell: Any) -> str:
    if isinstance(cell, np.datetime64):
        cell = cell.astype("datetime64[us]").item()
    if isinstance(cell, datetime.datetime):
        plain: Any = cell.replace(tzinfo=None)
        if hasattr(plain, "to_pydatetime"):  # of pandas; nanoseconds are dropped
            plain = plain.floor("us").to_pydatetime()
        is_day = plain.time() == datetime.time()
        return str(plain.date().isoformat() if is_day else plain.isoformat())
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    if isinstance(cell, DATES):
        return str(cell)
    raise TypeError(f"{type(cell).__name__} is not a date")


def find_written(texts: Iterable[str]) -> str | None:
    """Return how texts order day, month and year; None if they leave it open or some text is no date.

    Examples
    --------
    >>> find_written(["2024-03-01"]), find_written(["3/4/2024", "3/25/2024"]), find_written(["3/4/2024"])
    ('ymd', 'mdy', None)
    """
    return _core.date_order(list(map(core_text, texts)))


def read_dates(texts: Iterable[str], part: str, written: str) -> NDArray[np.float64]:
    """Return one part of dates as numbers, NaN where a text is no date; those that begin with the year are always read.

    Examples
    --------
    >>> read_dates(["2024-03-01", "1.3.2024"], "weekday", "dmy").tolist()
    [4.0, 4.0]
    """
    return _core.date_numbers(list(map(core_text, texts)), part, written)


def make_part(series: Series, part: str, written: str) -> Series:
    """Return one part of a column of dates as numbers: "date" and "time" have the name of the column."""
    dates = read_dates(map(label, series.levels), part, written)
    numbers = np.append(dates, np.nan)
    data: NDArray[np.float64] = numbers[np.minimum(series.data, len(dates))]
    is_whole = part in ("date", "time")
    name, source = (series.name, "") if is_whole else (f"{series.name} {part}", series.name)
    meaning = Meaning(tuple(_core.date_words(part)), part, source, written)
    return Series(name, "numeric", data, meaning=meaning)


def days_of(cell: Any, meaning: Meaning) -> float | None:
    """Return the number that a date stands for in a column of dates; None if it is no date.

    Examples
    --------
    >>> days_of("2024-03-01", Meaning(part="date", written="ymd"))
    19783.0
    """
    text = _iso(cell) if isinstance(cell, DATES) else str(cell)
    days = float(read_dates([text], meaning.part, meaning.written)[0])
    return None if np.isnan(days) else days


def write_date(days: float) -> str:
    """Write a number of days since 1970-01-01 as the last date, or time, that is not after it.

    Examples
    --------
    >>> write_date(19783.0), write_date(19783.5), write_date(1e9)
    ('2024-03-01', '2024-03-01 12:00', '1000000000')
    """
    try:
        date = EPOCH + datetime.timedelta(seconds=round(days * DAY, 3))
    except OverflowError:
        return label(days)
    if date.time() == datetime.time():
        return date.date().isoformat()
    text = date.isoformat(sep=" ", timespec="minutes")
    return text if date.second == date.microsecond == 0 else date.isoformat(sep=" ")
