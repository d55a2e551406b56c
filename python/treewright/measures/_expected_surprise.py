"""The one formula behind entropy and the Gini index: the surprise to expect on average."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Literal

from treewright.errors import UsageError
from treewright.measures._counts import Pairs

__all__ = ["Surprise", "Unit", "expected", "gain", "logarithm", "wrong"]

Unit = Literal["bits", "nats", "hartleys"]
Surprise = Callable[[float], float]

LOGARITHMS: dict[str, Surprise] = {"bits": math.log2, "nats": math.log, "hartleys": math.log10}


def logarithm(unit: str) -> Surprise:
    """Return the self-information of a probability above 0 as a function."""
    if unit not in LOGARITHMS:
        raise UsageError(
            f"there is no unit {unit!r} of information",
            slug="usage.unit",
            hints=[f"units: {', '.join(LOGARITHMS)}"],
        )
    log = LOGARITHMS[unit]
    return lambda probability: abs(log(probability))  # -log 1 would be the negative zero


def wrong(probability: float) -> float:
    """Return the chance of being wrong about what has this probability."""
    return 1 - probability


def expected(surprise: Surprise, parts: Iterable[float], wholes: Iterable[float]) -> float:
    """Return the average surprise of each part within its whole, weighted by the parts."""
    pairs = [(part, part / whole) for part, whole in zip(parts, wholes, strict=True) if part > 0]
    total = math.fsum(part for part, _ in pairs)
    # A part can vanish beside its whole; p log p does too.
    return math.fsum(part / total * surprise(chance) for part, chance in pairs if chance > 0)


def gain(surprise: Surprise, both: Pairs) -> float:
    """Return how much less surprising y is, on average, once x is known."""
    total = math.fsum(both.y)
    before = expected(surprise, both.y, [total] * len(both.y))
    left = expected(surprise, both.cells, both.x_of_cells)
    return max(0.0, before - left)  # never less than 0, but for rounding
