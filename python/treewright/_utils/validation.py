"""Recipes: the words and numbers that tell the core which parts to grow a tree with.

Here a parameter's value is checked, at ``fit`` and never in ``__init__``, with a sentence for the user. Whether a word
names a part is known here and in the core's ``recipe.rs``; a test compares the two lists.
"""

from __future__ import annotations

import math
import numbers
from typing import Any, NotRequired, TypedDict

from treewright.errors import UsageError

__all__ = [
    "WORDS",
    "Binary",
    "Fractions",
    "Recipe",
    "Surrogates",
    "check_seed",
    "is_number",
    "is_whole",
    "number",
    "threads_of",
    "word",
]

MOST = 2**32 - 1  # no table has more rows and no tree more questions on a path

WORDS: dict[str, tuple[str, ...]] = {
    "rows": ("entries", "columns", "fractions"),
    "criterion": ("entropy", "gini", "squared"),
    "categorical": ("levels", "groups", "subset"),
    "choose": ("gain", "ratio"),
    "threshold": ("value", "midpoint"),
    "empty": ("majority", "shares"),
    "collapse": ("none", "bottom-up", "top-down"),
    "interval": ("table", "normal"),
    "missing": ("branch", "direction", "surrogate"),
    "sampling": ("all", "bootstrap", "balanced", "subset"),
    "undecided": ("heavier", "heavier-or-stay", "stay"),
}


class Fractions(TypedDict):
    """What growing with fractions of rows needs besides."""

    min_cases: float
    tolerance: float
    single: bool
    threshold: str
    empty: str
    collapse: str
    floor: float
    min_ratio: NotRequired[float | None]
    total: NotRequired[float | None]


class Surrogates(TypedDict):
    """What surrogate questions need besides."""

    max_surrogates: int
    max_competitors: int
    of_known: bool
    imperfect: bool
    undecided: str
    later_by_count: bool | None
    vanishing: float | None
    exhaustive: int
    orderly: bool
    complexity: float | None
    costs: list[float]


class Binary(TypedDict):
    """What trees of two answers need besides."""

    missing: str
    min_leaf: int
    min_leaf_share: float
    max_leaves: int | None
    monotone: list[int]
    class_weights: list[float]
    class_prices: list[float]
    surrogates: Surrogates | None


class Recipe(TypedDict):
    """What crosses into the core."""

    rows: str
    criterion: str
    categorical: str
    choose: str
    min_gain: float | None
    max_depth: int | None
    min_samples_split: int
    max_p_value: NotRequired[float | None]
    sufficient_majority: NotRequired[float | None]
    fractions: Fractions | None
    binary: NotRequired[Binary]
    threads: NotRequired[int]
    plain: NotRequired[bool]


def word(name: str, value: Any, allowed: tuple[str, ...]) -> str:
    """Check that a parameter is one of some words.

    Examples
    --------
    >>> word("choose", "gain", ("gain",))
    'gain'
    """
    if value not in allowed:
        known = ", ".join(repr(w) for w in allowed)
        raise UsageError(f"{name} must be one of {known}; got {value!r}", slug="usage.parameter")
    return str(value)


def number(
    name: str,
    value: Any,
    *,
    least: float,
    most: float = math.inf,
    whole: bool = False,
    optional: bool = False,
) -> Any:
    """Check that a parameter is a number within bounds.

    Examples
    --------
    >>> number("max_depth", 3, least=1, whole=True)
    3
    """
    if value is None and optional:
        return None
    kind: Any = numbers.Integral if whole else numbers.Real
    # A bool is an Integral, and NaN lies between no two numbers.
    if isinstance(value, bool) or not isinstance(value, kind) or not least <= value <= most:
        what = "a whole number" if whole else "a number"
        none = "None or " if optional else ""
        bounds = f"of at least {least:g}" if most == math.inf else f"between {least:g} and {most:g}"
        raise UsageError(
            f"{name} must be {none}{what} {bounds}; got {value!r}", slug="usage.parameter"
        )
    if whole:
        return min(int(value), 2**32 - 1)  # the core counts in 32 bits; a limit beyond that is none
    try:
        return float(value)
    except OverflowError:
        raise UsageError(f"{name} is too large a number", slug="usage.parameter") from None


def is_whole(value: Any) -> bool:
    """Return whether a value is a whole number of any library; a bool is none.

    Examples
    --------
    >>> is_whole(3), is_whole(3.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Return whether a value is a real number of any library; a bool is none, NaN is one."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def check_seed(seed: Any) -> int:
    """Check a seed of 32 bits."""
    return int(number("seed", seed, least=0, most=2**32 - 1, whole=True))


def threads_of(n_jobs: int | None) -> int:
    """Return how many threads the core may use, 0 for all; -1 means all, as in scikit-learn.

    Examples
    --------
    >>> threads_of(None), threads_of(2), threads_of(-1)
    (0, 2, 0)
    """
    if n_jobs is None or n_jobs == -1:
        return 0
    return int(number("n_jobs", n_jobs, least=1, whole=True))
