"""Numbers as text: thousands separated, halves rounded up, no negative zero, 0% and 100% only where exact."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from treewright._utils.rounding import decimal_of, rounded

__all__ = [
    "amounts",
    "count",
    "decimals",
    "fixed",
    "format_seconds",
    "percent",
    "plural",
    "weights",
]


def count(n: int | float) -> str:
    """Write a whole number.

    Examples
    --------
    >>> count(1204)
    '1,204'
    """
    return f"{int(n):,}"


def plural(n: int, noun: str) -> str:
    """Write a number of things.

    Examples
    --------
    >>> plural(1, "row"), plural(1204, "row"), plural(3, "branch"), plural(5, "leaf")
    ('1 row', '1,204 rows', '3 branches', '5 leaves')
    """
    if n != 1:
        noun = f"{noun[:-1]}ves" if noun == "leaf" else f"{noun}{'es' if noun[-1] == 'h' else 's'}"
    return f"{count(n)} {noun}"


def fixed(x: float, digits: int = 3) -> str:
    """Write a number with so many decimals.

    Examples
    --------
    >>> fixed(-0.0001), fixed(0.24675), fixed(3.65 / 4)
    ('0.000', '0.247', '0.913')
    """
    return rounded(float(x), digits) if abs(x) < 1e15 else f"{x:.6g}"


def percent(share: float) -> str:
    """Write a percentage with one decimal; 0% and 100% only where they are exact.

    Examples
    --------
    >>> percent(9 / 14), percent(0.5), percent(0.9999), percent(1.0), percent(0.0001)
    ('64.3%', '50.0%', '>99.9%', '100%', '<0.1%')
    """
    if decimal_of(share) in (0, 1):  # also 0.9999999999999999, a sum of fractions
        return f"{share:.0%}"
    text = rounded(100 * share, 1)
    return {"0.0": "<0.1%", "100.0": ">99.9%"}.get(text, f"{text}%")


def decimals(scale: float, significant: int = 3) -> int:
    """Return the number of decimals for some significant digits of a number of this size."""
    if not scale > 0:
        return significant
    return min(15, max(0, significant - 1 - math.floor(math.log10(scale))))


def weights(values: ArrayLike) -> list[str]:
    """Write weights of a calculation: integers where all are integers, else all with the same number of decimals.

    Examples
    --------
    >>> weights([3, 1204]), weights([0.5, 2])
    (['3', '1,204'], ['0.50', '2.00'])
    """
    array = np.asarray(values, dtype=np.float64).ravel()
    if not array.size or np.all(array == np.round(array)):
        return [fixed(x, 0) for x in array.tolist()]
    digits = max(1, decimals(float(np.abs(array).max())))
    return [fixed(x, digits) for x in array.tolist()]


def amounts(values: ArrayLike, *, aligned: bool = False) -> list[str]:
    """Write weights for reading: integers without decimals, all others with the same number of decimals.

    In a column, ``aligned`` fills integers with spaces in place of the decimals.

    Examples
    --------
    >>> amounts([3, 1204]), amounts([0.5, 2]), amounts([0.5, 2], aligned=True)
    (['3', '1,204'], ['0.50', '2'], ['0.50', '2   '])
    """
    array = np.asarray(values, dtype=np.float64).ravel()
    # Fractions of rows add up to an integer only up to rounding.
    is_integer = np.abs(array - np.round(array)) <= 1e-9 * np.maximum(1.0, np.abs(array))
    digits = max(1, decimals(float(np.abs(array).max(initial=0.0))))
    space = " " * (digits + 1) if aligned and not is_integer.all() else ""
    return [
        fixed(x, 0) + space if even else fixed(x, digits)
        for x, even in zip(array.tolist(), is_integer.tolist(), strict=True)
    ]


def format_seconds(seconds: float) -> str:
    """Write a duration with two digits and the unit that suits it.

    Examples
    --------
    >>> format_seconds(0.000077), format_seconds(0.0031), format_seconds(1.52), format_seconds(340.2)
    ('0.077 ms', '3.1 ms', '1.5 s', '340 s')
    """
    number, unit = (seconds, "s") if seconds >= 1 else (seconds * 1000, "ms")
    return f"{number:.0f} {unit}" if number >= 10 else f"{number:.2g} {unit}"
