"""Numbers that are written with a currency or percent sign, thousands separators or a decimal comma.

Whether a comma or a point is the decimal mark is decided for a whole column, in the core.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.core_text import core_text

__all__ = ["BETWEEN", "UNITS", "decimal_mark", "read_amounts"]

UNITS = _core.AMOUNT_UNITS  # signs of currencies and of per cent
BETWEEN = _core.AMOUNT_SPACES  # may stand between thousands, besides a comma and a point


def decimal_mark(texts: Iterable[str]) -> str | None:
    """Return "." or ",": the decimal mark with which every text is a number; None if both or none would do.

    A point wins where no text has a comma, as in plain numbers; a sum of money has no three decimals.

    Examples
    --------
    >>> decimal_mark(["$1,542.58", "$20"]), decimal_mark(["3,5", "12,25 %"])
    ('.', ',')
    >>> decimal_mark(["1,234", "2,345"]) is None
    True
    """
    return _core.decimal_mark(list(map(core_text, texts)))


def read_amounts(texts: Iterable[str], mark: str) -> NDArray[np.float64]:
    """Return the numbers that texts stand for, given their decimal mark; NaN where a text is none.

    Examples
    --------
    >>> read_amounts(["($ 1 234.50)", "12 %"], ".").tolist()
    [-1234.5, 12.0]
    """
    return _core.amount_numbers(list(map(core_text, texts)), mark)
