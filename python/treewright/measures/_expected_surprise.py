"""The formula behind entropy and the Gini index: the expected surprise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Literal

from treewright.errors import UsageError
from treewright.measures._counts import Pairs

__all__ = ["Surprise", "Unit", "error_probability", "expected", "gain", "logarithm"]

Unit = Literal["bits", "nats", "hartleys"]
Surprise = Callable[[float], float]

LOGARITHMS: dict[str, Surprise] = {"bits": math.log2, "nats": math.log, "hartleys": math.log10}


def logarithm(unit: str) -> Surprise:
    """Return the self-information of a probability above 0 as a function."""
    if unit not in LOGARITHMS:
        raise UsageError(
            f"unknown unit of information {unit!r}",
            slug="usage.unit",
            hints=[f"units: {', '.join(LOGARITHMS)}"],
        )
    log = LOGARITHMS[unit]
    return lambda probability: abs(log(probability))  # -log 1 would be the negative zero


def error_probability(probability: float) -> float:
    """Return the probability of a wrong guess about a value of this probability."""
    return 1 - probability


def expected(surprise: Surprise, parts: Iterable[float], totals: Iterable[float]) -> float:
    """Return the expected surprise of each part of its total, weighted by the parts."""
    pairs = [(part, part / total) for part, total in zip(parts, totals, strict=True) if part > 0]
    overall = math.fsum(part for part, _ in pairs)
    # A quotient can underflow to 0; p log p vanishes too.
    return math.fsum(part / overall * surprise(p) for part, p in pairs if p > 0)


def gain(surprise: Surprise, both: Pairs) -> float:
    """Return the decrease of the expected surprise of y once x is known."""
    total = math.fsum(both.y)
    before = expected(surprise, both.y, [total] * len(both.y))
    left = expected(surprise, both.cells, both.x_of_cells)
    return max(0.0, before - left)  # rounding may make it slightly negative
