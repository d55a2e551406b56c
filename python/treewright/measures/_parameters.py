"""Parameters that most measures share, described once; ``help`` shows them for each function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["describe_parameters"]

F = TypeVar("F", bound=Callable[..., Any])
TYPES = {
    "sample_weight": "array-like, optional",
    "unit": '{"bits", "nats", "hartleys"}, default="bits"',
}
MEANINGS = {
    "counts": "Counts or probabilities: how often each value occurs.",
    "given": "The column that is known.",
    "labels": "One value per row.",
    "sample_weight": "The weight of each row.",
    "unit": "The unit of the result.",
    "values": "Numbers.",
    "x": "The column of the split.",
    "y": "The target.",
}


def describe_parameters(**own: str) -> Callable[[F], F]:
    """Add the section of parameters to the docstring of a measure; ``own`` replaces the common descriptions."""
    meanings = MEANINGS | own

    def describe(function: F) -> F:
        entries = "".join(
            f"    {name} : {TYPES.get(name, 'array-like')}\n        {meanings[name]}\n"
            for name in inspect.signature(function).parameters
        )
        if function.__doc__ is not None:  # python -OO
            before, heading, after = function.__doc__.partition("    Examples\n")
            section = f"    Parameters\n    ----------\n{entries}\n"
            function.__doc__ = before + section + heading + after
        return function

    return describe
