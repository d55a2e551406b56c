"""Recipes: the words and numbers that tell the core which parts to grow a tree with.

Here a parameter's value is checked, at ``fit`` and never in ``__init__``, with a sentence for the user. Whether a word
names a part is known here and in the core's ``recipe.rs``; a test compares the two lists.
"""

from __future__ import annotations

import numbers
from typing import Any, TypedDict

from treewright.errors import UsageError

__all__ = ["WORDS", "Recipe", "number", "word"]

WORDS: dict[str, tuple[str, ...]] = {
    "criterion": ("entropy",),
    "categorical": ("levels",),
    "choose": ("gain",),
}


class Recipe(TypedDict):
    """What crosses into the core."""

    criterion: str
    categorical: str
    choose: str
    min_gain: float | None
    max_depth: int | None
    min_samples_split: int


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
    name: str, value: Any, *, least: float, whole: bool = False, optional: bool = False
) -> Any:
    """Check that a parameter is a number that is large enough.

    Examples
    --------
    >>> number("max_depth", 3, least=1, whole=True)
    3
    """
    if value is None and optional:
        return None
    kind = numbers.Integral if whole else numbers.Real
    # A bool is an Integral, and NaN is never >= anything.
    if isinstance(value, bool) or not isinstance(value, kind) or not value >= least:
        what = "a whole number" if whole else "a number"
        none = "None or " if optional else ""
        raise UsageError(
            f"{name} must be {none}{what} of at least {least:g}; got {value!r}",
            slug="usage.parameter",
        )
    return int(value) if whole else float(value)
