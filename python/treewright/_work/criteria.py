"""The three laws that a node can be judged by, with their words: entropy, Gini's index, variance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from treewright.errors import UsageError

__all__ = ["CRITERIA", "UNITS", "Criterion", "Unit", "entropy_of", "gini_of", "unit_of"]


@dataclass(frozen=True, slots=True)
class Criterion:
    """What impurity is called, and what a split saves of it."""

    key: str
    symbol: str
    noun: str
    gain: str
    remaining: str
    short: str


CRITERIA = {
    "entropy": Criterion(
        "entropy", "H", "entropy", "information gain", "remaining entropy", "gain"
    ),
    "gini": Criterion(
        "gini", "G", "Gini index", "Gini decrease", "remaining Gini index", "decrease"
    ),
    "variance": Criterion(
        "variance", "V", "variance", "variance decrease", "remaining variance", "decrease"
    ),
}


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of information: the base of its logarithm, and how many of it a bit is."""

    name: str
    base: str
    per_bit: float


UNITS = {
    "bits": Unit("bits", "2", 1.0),
    "nats": Unit("nats", "e", math.log(2)),
    "hartleys": Unit("hartleys", "10", math.log10(2)),
}


def unit_of(name: str) -> Unit:
    """Return a unit by its name."""
    if name not in UNITS:
        raise UsageError(
            f"there is no unit {name!r}", slug="work.unit", hints=[f"units: {', '.join(UNITS)}"]
        )
    return UNITS[name]


def entropy_of(weights: Sequence[float]) -> float:
    """Return the entropy of a division, in bits; nothing counts as nothing.

    Examples
    --------
    >>> round(entropy_of([9, 5]), 3), entropy_of([4, 0])
    (0.94, 0.0)
    """
    total = math.fsum(weights)
    if total <= 0:
        return 0.0
    return math.fsum(-w / total * math.log2(w / total) for w in weights if w > 0) + 0.0


def gini_of(weights: Sequence[float]) -> float:
    """Return Gini's index of a division.

    Examples
    --------
    >>> round(gini_of([9, 5]), 3)
    0.459
    """
    total = math.fsum(weights)
    return 1 - math.fsum((w / total) ** 2 for w in weights) if total > 0 else 0.0
