"""The three criteria with their words: entropy, Gini index, variance; and the units of entropy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from treewright.errors import UsageError

__all__ = ["CRITERIA", "UNITS", "Criterion", "Unit", "entropy_of", "gini_of", "unit_of"]


@dataclass(frozen=True, slots=True)
class Criterion:
    """The words of a criterion."""

    key: str
    symbol: str  # of the impurity in formulas
    noun: str  # the impurity
    gain: str  # how much of it a split removes
    short: str  # the same as the heading of a column
    remaining: str  # the impurity after the split, in the table of branches
    after: str  # the same as the heading of a column


CRITERIA = {
    criterion.key: criterion
    for criterion in (
        Criterion(
            *("entropy", "H", "entropy", "information gain", "gain"),
            *("entropy after the split", "entropy after"),
        ),
        Criterion(
            *("gini", "G", "Gini index", "Gini decrease", "decrease"),
            *("Gini index after the split", "Gini after"),
        ),
        Criterion(
            *("variance", "V", "variance", "variance decrease", "decrease"),
            *("variance after the split", "variance after"),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of entropy: the base of its logarithm, and how many of it are one bit."""

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
            f"unknown unit {name!r}", slug="work.unit", hints=[f"units: {', '.join(UNITS)}"]
        )
    return UNITS[name]


def entropy_of(weights: Sequence[float]) -> float:
    """Return the entropy of a distribution of weights in bits.

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
    """Return the Gini index of a distribution of weights.

    Examples
    --------
    >>> round(gini_of([9, 5]), 3)
    0.459
    """
    total = math.fsum(weights)
    return 1 - math.fsum((w / total) ** 2 for w in weights) if total > 0 else 0.0
