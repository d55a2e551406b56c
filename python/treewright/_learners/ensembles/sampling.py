"""What forests and bagging tell the core besides the recipe of a tree: which rows and columns are drawn, by which seed.

Not here: how trees grow, and what becomes of their answers.

Glossary: a *sample* says how often each row counts in a tree; a *seed* decides all that is drawn.
"""

from __future__ import annotations

import math
import numbers
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._utils.validation import number
from treewright.errors import UsageError

__all__ = ["Bag", "columns_of", "copies_of", "draws_of", "rows_of"]


class Bag(TypedDict):
    """What crosses into the core."""

    sampling: str
    draws: int | None
    seed: int
    columns: int | None
    cuts: bool
    balanced: bool
    given: NDArray[np.uint32] | None


def columns_of(max_features: Any, columns: int) -> int:
    """Return how many columns a node looks at.

    Examples
    --------
    >>> columns_of("sqrt", 28), columns_of(0.5, 28), columns_of(3, 28), columns_of(None, 28)
    (5, 14, 3, 28)
    """
    if max_features is None:
        return columns
    if max_features == "sqrt":
        return max(1, math.isqrt(columns))
    if max_features == "log2":
        return max(1, int(math.log2(max(columns, 1))))
    if isinstance(max_features, numbers.Integral) and not isinstance(max_features, bool):
        return min(int(number("max_features", max_features, least=1, whole=True)), columns)
    if isinstance(max_features, numbers.Real) and 0 < float(max_features) <= 1:
        return max(1, int(float(max_features) * columns))
    raise UsageError(
        'max_features must be "sqrt", "log2", None, a whole number of at least 1 or a share above 0 and at most 1; '
        f"got {max_features!r}",
        slug="usage.parameter",
    )


def draws_of(max_samples: Any, rows: int) -> int | None:
    """Return how many rows a sample has; None for as many as there are.

    Examples
    --------
    >>> draws_of(0.5, 100), draws_of(30, 100), draws_of(None, 100)
    (50, 30, None)
    """
    if max_samples is None:
        return None
    if isinstance(max_samples, numbers.Integral) and not isinstance(max_samples, bool):
        return int(number("max_samples", max_samples, least=1, whole=True))
    share = float(number("max_samples", max_samples, least=0, most=1))
    return max(1, round(share * rows))


def copies_of(weights: NDArray[np.float64] | None) -> NDArray[np.uint32] | None:
    """Return how often each row is there to be drawn, where weights say just that; else None.

    They do where they are whole multiples of one number, such as counts; only their ratios matter.

    Examples
    --------
    >>> copies_of(np.array([100.0, 100.0, 200.0])).tolist(), copies_of(np.array([1.0, 2**0.5]))
    ([1, 1, 2], None)
    """
    return None if weights is None else _core.copies_of(weights)


def rows_of(name: str, value: Any, rows: int, least: int) -> int:
    """Return a limit on rows that may be given as a share of all.

    Examples
    --------
    >>> rows_of("min_samples_leaf", 0.05, 50, 1), rows_of("min_samples_leaf", 3, 50, 1)
    (3, 3)
    """
    if isinstance(value, numbers.Real) and not isinstance(value, (numbers.Integral, bool)):
        return max(least, math.ceil(float(number(name, value, least=0, most=1)) * rows))
    return int(number(name, value, least=least, whole=True))
