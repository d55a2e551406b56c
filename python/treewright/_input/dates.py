"""Dates as text, and the numbers that are made of them: days since 1970-01-01, year, month, day, weekday, hour.

Dates of every container become texts of one form (``2024-03-01``, ``2024-03-01T14:30:00``), so the same table gives the
same model. Times are read as the clock showed them: the zone is dropped.

Glossary: *written* is the order of the parts in a text: "ymd", "dmy" or "mdy".
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.missing_values import is_missing
from treewright.schema import Level, Meaning, label
from treewright.table import MISSING, Series

__all__ = ["DATES", "dates_series", "find_written", "has_dates", "make_part", "part_names"]
__all__ += ["read_date", "write_date"]

DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
EPOCH = datetime.datetime(1970, 1, 1)
DAY = 86400.0
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DATE_PARTS = ("date", "year", "month", "day", "weekday")
TIME_PARTS = ("time", "year", "month", "day", "weekday", "hour")
ORDERS: dict[str, tuple[Level, ...]] = {"month": MONTHS, "weekday": WEEKDAYS}
SHAPE = re.compile(r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[ T](.+))?")


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
    possible, year_first = {"dmy", "mdy"}, True
    for text in texts:
        if read_date(text, "ymd") is not None:
            continue
        year_first = False
        possible = {written for written in possible if read_date(text, written) is not None}
        match = SHAPE.fullmatch(text)
        if match is not None and match[2] == ".":
            possible.discard("mdy")  # 3.4.2024 begins with the day wherever it is written
    if year_first:
        return "ymd"
    return next(iter(possible)) if len(possible) == 1 else None


def read_date(text: str, written: str) -> datetime.datetime | None:
    """Return the date that a text stands for; texts that begin with the year are read in any case."""
    match = SHAPE.fullmatch(text.strip())
    if match is None:
        return None
    first, second, third = match[1], match[3], match[4]
    if len(first) == 4:
        parts = (first, second, third)
    elif len(third) == 4 and written in ("dmy", "mdy"):
        day, month = (first, second) if written == "dmy" else (second, first)
        parts = (third, month, day)
    else:
        return None
    return _make(parts, match[5])


def _make(parts: tuple[str, str, str], time: str | None) -> datetime.datetime | None:
    try:
        day = datetime.date(*map(int, parts))
        clock = datetime.time() if time is None else datetime.time.fromisoformat(time)
    except ValueError:
        return None
    return datetime.datetime.combine(day, clock.replace(tzinfo=None))


def part_names(series: Series) -> tuple[str, ...]:
    """Return the parts that a column of dates has: the hour only where some date has a time."""
    timed = any(len(str(level)) > len("2024-03-01") for level in series.levels)
    return TIME_PARTS if timed else DATE_PARTS


def make_part(series: Series, part: str, written: str) -> Series:
    """Return one part of a column of dates as numbers: "date" and "time" have the name of the column."""
    dates = [read_date(label(level), written) for level in series.levels]
    numbers = np.array([*(np.nan if d is None else _number(d, part) for d in dates), np.nan])
    data: NDArray[np.float64] = numbers[np.minimum(series.data, len(dates))]
    is_whole = part in ("date", "time")
    name, source = (series.name, "") if is_whole else (f"{series.name} {part}", series.name)
    meaning = Meaning(ORDERS.get(part, ()), part, source, written)
    return Series(name, "numeric", data, meaning=meaning)


def _number(date: datetime.datetime, part: str) -> float:
    if part == "date":
        return float((date - EPOCH).days)
    if part == "time":
        return (date - EPOCH).total_seconds() / DAY
    if part == "weekday":
        return float(date.weekday())
    return float(date.month - 1 if part == "month" else getattr(date, part))


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
