"""Numbers that are written with a currency or percent sign, thousands separators or a decimal comma.

Whether a comma or a point is the decimal mark is decided for a whole column, and only where its texts leave no choice.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

__all__ = ["decimal_mark", "read_amount", "read_amounts"]

CURRENCIES = "$€£¥₹₽₩"
UNITS = CURRENCIES + "%‰"
BETWEEN = " \u00a0\u202f'’"  # may stand between thousands, besides a comma and a point
NUMBER = re.compile(r"\d+|\d*\.\d+|\d+\.\d*")
MARKS = {".": ",", ",": "."}


def read_amounts(texts: Sequence[str]) -> tuple[list[float], str] | None:
    """Return the numbers that texts stand for and their decimal mark; None if the mark is open or a text is no number.

    Examples
    --------
    >>> read_amounts(["$1,542.58", "$20"])
    ([1542.58, 20.0], '.')
    >>> read_amounts(["3,5", "12,25 %"])
    ([3.5, 12.25], ',')
    >>> read_amounts(["1,234", "2,345"]) is None
    True
    """
    mark = decimal_mark(texts)
    if mark is None:
        return None
    return [read_amount(text, mark) for text in texts], mark


def decimal_mark(texts: Iterable[str]) -> str | None:
    """Return "." or ",": the decimal mark with which every text is a number; None if both or none would do.

    A point wins where no text has a comma, as in plain numbers; a sum of money has no three decimals.
    """
    texts = list(texts)
    possible = [m for m in MARKS if all(not math.isnan(read_amount(text, m)) for text in texts)]
    if len(possible) == 2:
        commas = [text for text in texts if "," in text]
        money = all(any(sign in text for sign in CURRENCIES) for text in commas)
        return "." if money else None
    return possible[0] if possible else None


def read_amount(text: str, mark: str) -> float:
    """Return the number that a text stands for, given its decimal mark; NaN if it is none.

    Examples
    --------
    >>> read_amount("($ 1 234.50)", "."), read_amount("-12,5 %", ",")
    (-1234.5, -12.5)
    """
    inner = text.strip()
    negative = inner.startswith("(") and inner.endswith(")")
    inner = inner[1:-1].strip() if negative else inner
    for _ in range(2):  # the sign of the number may stand before or behind that of the currency
        if inner[:1] in ("-", "+"):
            negative ^= inner[0] == "-"
            inner = inner[1:]
        inner = inner.strip(BETWEEN).strip(UNITS).strip(BETWEEN)
    other = MARKS[mark]
    before, point, fraction = inner.partition(mark)
    groups = re.split(f"[{re.escape(other + BETWEEN)}]", before)
    grouped = len(groups) == 1 or (
        1 <= len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    )
    joined = "".join(groups) + ("." if point else "") + fraction
    if not grouped or not NUMBER.fullmatch(joined) or not joined.isascii():
        return math.nan
    number = float(joined)
    return math.nan if math.isinf(number) else (-number if negative and number else number)
