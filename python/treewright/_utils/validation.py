"""Checks of parameters, and the types of recipes: the words and numbers that tell the core how to grow a tree.

Values are checked at ``fit``, never in ``__init__``. `WORDS` lists the words of recipes; a test compares it with the
core's own list.
"""

from __future__ import annotations

import math
import numbers
from typing import Any, NotRequired, TypedDict

from treewright._catalog import CRITERIA
from treewright.errors import UsageError

__all__ = [
    "WORDS",
    "Binary",
    "Fractions",
    "Recipe",
    "Surrogates",
    "check_choice",
    "check_integer",
    "check_lengths",
    "check_number",
    "count_rows",
    "is_number",
    "is_number_text",
    "is_whole",
    "threads_of",
]

MAX_COUNT = 2**32 - 1  # no table has more rows, and no tree more splits on a path

WORDS: dict[str, tuple[str, ...]] = {
    "engine": ("fastest", "list"),
    "criterion": tuple(row.core for row in CRITERIA.values()),
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
    """Parameters of growing with fractional rows (C4.5)."""

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
    """Parameters of surrogate splits."""

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
    """Parameters of binary trees."""

    missing: str
    min_leaf: int
    min_leaf_share: float
    max_leaves: int | None
    monotone: list[int]
    class_weights: list[float]
    class_prices: list[float]
    surrogates: Surrogates | None


class Recipe(TypedDict):
    """How the core grows a tree."""

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
    engine: NotRequired[str]  # "list" grows the same tree on the slow engine, for comparisons
    plain: NotRequired[bool]


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """Check that a parameter is one of some words.

    Examples
    --------
    >>> check_choice("criterion", "gini", ("gini", "entropy"))
    'gini'
    """
    if value not in choices:
        known = ", ".join(map(repr, choices))
        raise UsageError(f"{name} must be one of {known}; got {value!r}", slug="usage.parameter")
    return str(value)


def check_integer(
    name: str,
    value: Any,
    *,
    minimum: float,
    maximum: float = math.inf,
    optional: bool = False,
) -> Any:
    """Check that a parameter is a whole number within bounds; ``optional`` allows None.

    Examples
    --------
    >>> check_integer("max_depth", 3, minimum=1)
    3
    """
    if value is None and optional:
        return None
    if not is_whole(value) or not minimum <= value <= maximum:
        raise _out_of_bounds(name, value, "a whole number", minimum, maximum, optional)
    # The core counts in 32 bits; a limit beyond that has no effect.
    return min(int(value), MAX_COUNT)


def check_number(
    name: str,
    value: Any,
    *,
    minimum: float,
    maximum: float = math.inf,
    optional: bool = False,
    finite: bool = False,
) -> Any:
    """Check that a parameter is a number within bounds; ``optional`` allows None, ``finite`` no infinite number.

    Examples
    --------
    >>> check_number("confidence", 0.25, minimum=0, maximum=1)
    0.25
    """
    if value is None and optional:
        return None
    # NaN is not between any two numbers.
    if not is_number(value) or not minimum <= value <= maximum:
        raise _out_of_bounds(name, value, "a number", minimum, maximum, optional)
    try:
        number = float(value)
        if finite and not math.isfinite(number):
            raise _out_of_bounds(name, value, "a finite number", minimum, maximum, optional)
        return number
    except OverflowError:
        raise UsageError(f"{name} is too large a number", slug="usage.parameter") from None


def count_rows(name: str, value: Any, n_rows: int, *, minimum: int, optional: bool = False) -> Any:
    """Return a limit on the number of rows, which may be given as a share of all, a float; ``optional`` allows None.

    Examples
    --------
    >>> count_rows("min_samples_leaf", 0.05, 50, minimum=1), count_rows("min_samples_leaf", 3, 50, minimum=1)
    (3, 3)
    """
    if is_number(value) and not is_whole(value):
        if not 0 < value <= 1:
            raise UsageError(
                f"{name} must be a whole number of at least {minimum}, or a share above 0 and at most 1; got {value!r}",
                slug="usage.parameter",
            )
        return max(minimum, math.ceil(float(value) * n_rows))
    return check_integer(name, value, minimum=minimum, optional=optional)


def _out_of_bounds(
    name: str, value: Any, kind: str, minimum: float, maximum: float, optional: bool
) -> UsageError:
    none = "None or " if optional else ""
    at_least = maximum == math.inf
    bounds = f"of at least {minimum:g}" if at_least else f"between {minimum:g} and {maximum:g}"
    return UsageError(
        f"{name} must be {none}{kind} {bounds}; got {value!r}", slug="usage.parameter"
    )


def is_whole(value: Any) -> bool:
    """Return whether a value is a whole number of any library; a bool is not.

    Examples
    --------
    >>> is_whole(3), is_whole(3.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Return whether a value is a real number of any library; a bool is not, NaN is."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def check_lengths(rows: int, labels: int) -> None:
    """Refuse a target that is longer or shorter than its table, in the words of scikit-learn."""
    if rows != labels:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"the table has {rows} rows, the target {labels}"
        )


def threads_of(n_jobs: int | None) -> int:
    """Return the number of threads for the core, 0 for all; -1 means all, as in scikit-learn.

    Examples
    --------
    >>> threads_of(None), threads_of(2), threads_of(-1)
    (0, 2, 0)
    """
    if n_jobs is None or n_jobs == -1:
        return 0
    return int(check_integer("n_jobs", n_jobs, minimum=1))


def is_number_text(text: str) -> bool:
    """Whether a text is a number.

    Examples
    --------
    >>> is_number_text("1e3"), is_number_text("1,5")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True
