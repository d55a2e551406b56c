"""Short numbers for text and pictures: as few digits as split the training rows the same way.

Predictions, exports and JSON keep every digit.

Glossary: a column lies on a *grid* if all its training values have few decimals; a *cut* is a threshold, which lies
between two values or on one.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

import numpy as np

from treewright._input.dates import write_date
from treewright.schema import Column, Level, label

__all__ = ["knows_digits", "write_beside", "write_between", "write_cut", "write_value"]

# Enough for every digit of any double, so that no step rounds.
EXACT = Context(prec=1100, Emax=999999, Emin=-999999)
MAX_DECIMALS = 60  # tried between two neighboring numbers of single precision
LARGE = 1e15  # larger numbers are written as Python writes them


def knows_digits(column: Column) -> bool:
    """Whether it is known how many digits a threshold of a column needs."""
    return (
        column.meaning is not None
        or column.decimals is not None
        or column.cut_decimals is not None
        or column.single
    )


def write_cut(cut: float, column: Column) -> str:
    """Write a threshold with as few digits as split the training values of the column the same way.

    If nothing is known about these values, every digit is written.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> write_cut(99.44999999999999, Column("t", "numeric", decimals=1))
    '99.45'
    >>> write_cut(-0.0037611760063045703, Column("s5", "numeric", cut_decimals=4))
    '-0.0037'
    >>> write_cut(0.30000000000000004, Column("x", "numeric"))
    '0.30000000000000004'
    """
    if column.in_words:
        return _write_meaning(cut, column)
    cut += 0.0  # a zero without a sign
    if not abs(cut) < LARGE:
        return label(cut)
    if column.cut_decimals is not None:
        rounding = ROUND_CEILING if column.decimals is None else ROUND_HALF_EVEN
        return _plain(_rounded(cut, column.cut_decimals, rounding))
    if column.decimals is not None:
        return _write_on_grid(cut, column.decimals, column.single)
    return _write_single(cut) if column.single else label(cut)


def write_between(cut: float, above: float, column: Column) -> str:
    """Write a threshold that is not in the model, given the next value ``above`` it.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> write_between(0.1234567, 0.1239, Column("x", "numeric"))
    '0.1235'
    """
    if column.meaning is not None or column.decimals is not None or not abs(cut) < LARGE:
        return write_cut(cut, column)
    room = Decimal(above) - Decimal(cut)
    for digits in range(MAX_DECIMALS):
        written = _rounded(cut, digits, ROUND_CEILING)
        if 4 * (written - Decimal(cut)) <= room:
            return _plain(written)
    return label(cut)


def write_beside(value: Level, cut: float, column: Column) -> str:
    """Write a value next to a threshold, with as few digits as show on which side it is.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> write_beside(0.019907486170462722, -0.0037611760063045703, Column("s5", "numeric", cut_decimals=4))
    '0.01991'
    """
    short = column.meaning is not None or column.decimals is not None
    if short or column.cut_decimals is None or not isinstance(value, float):
        return write_value(value, column)
    printed = float(write_cut(cut, column))
    for digits in range(column.cut_decimals + 1, MAX_DECIMALS if abs(value) < LARGE else 0):
        written = float(_rounded(value, digits, ROUND_HALF_EVEN))
        if written != printed and (written <= printed) == (value <= cut):
            return label(written + 0.0)
    return label(value)


def write_value(value: Level, column: Column | None = None) -> str:
    """Write a value of a column: a number of single precision with as few digits as identify it.

    Examples
    --------
    >>> write_value(79.80000305175781), write_value(0.1), write_value("sunny")
    ('79.8', '0.1', 'sunny')
    """
    if not isinstance(value, float) or not abs(value) < LARGE:
        return label(value)
    if column is not None and column.in_words:
        return _write_meaning(value, column)
    single = _is_single(value)
    if column is not None and column.decimals is not None:
        near = _rounded(value, column.decimals, ROUND_HALF_EVEN)
        if float(near) == value or (single and float(np.float32(float(near))) == value):
            return _plain(near)
    return _shortest_single(value) if single else label(value)


def _write_meaning(number: float, column: Column) -> str:
    """Write a value or a threshold as the category or the date that it stands for: the last that is not above it."""
    if column.order:
        return label(column.order[max(0, min(math.floor(number), len(column.order) - 1))])
    return write_date(math.floor(number) if column.part == "date" else number)


def _write_on_grid(cut: float, decimals: int, single: bool) -> str:
    """Write a threshold with one decimal more than the values, or with more if that reaches a value."""
    below = int(_rounded(cut, decimals, ROUND_FLOOR).scaleb(decimals, EXACT))
    while _grid(below + 1, decimals, single) <= cut:
        below += 1
    while _grid(below, decimals, single) > cut:
        below -= 1
    if _grid(below, decimals, single) == cut:
        return _plain(Decimal(below).scaleb(-decimals, EXACT))
    for digits in range(decimals + 1, decimals + 12):
        for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR):
            written = _rounded(cut, digits, rounding)
            if below <= written.scaleb(decimals, EXACT) < below + 1:
                return _plain(written)
    # In single precision, a threshold may lie between a value and the decimal that the value stands for.
    return _plain(Decimal(10 * below + 9).scaleb(-decimals - 1, EXACT))


def _grid(place: int, decimals: int, single: bool) -> float:
    value = float(Decimal(place).scaleb(-decimals, EXACT))
    return float(np.float32(value)) if single else value


def _write_single(cut: float) -> str:
    """Write a threshold so that it splits all numbers of single precision the same way."""
    if _is_single(cut):
        return _shortest_single(cut)
    nearest = np.float32(cut)
    below = nearest if float(nearest) <= cut else np.nextafter(nearest, np.float32(-np.inf))
    above = float(np.nextafter(below, np.float32(np.inf)))
    for digits in range(MAX_DECIMALS):
        written = float(_rounded(cut, digits, ROUND_HALF_EVEN))
        if float(below) <= written < above:
            return label(written + 0.0)
    return label(cut)


def _is_single(value: float) -> bool:
    return math.isfinite(value) and abs(value) < LARGE and float(np.float32(value)) == value


def _shortest_single(value: float) -> str:
    return label(float(str(np.float32(value))))


def _rounded(value: float, decimals: int, rounding: str) -> Decimal:
    return Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding, EXACT)


def _plain(number: Decimal) -> str:
    return label(float(number) + 0.0)
