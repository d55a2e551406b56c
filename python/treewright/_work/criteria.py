"""The criteria with their words and formulas: entropy, Gini index, variance; and the units of entropy.

A criterion is found by its unit in the catalog of criteria (``_catalog.Criterion.unit``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treewright._render.formula import Formula, Log, Number, Power, Product, Ratio
from treewright.errors import UsageError

__all__ = [
    "CRITERIA",
    "UNITS",
    "Criterion",
    "Unit",
    "entropy_of",
    "entropy_terms",
    "gini_of",
    "unit_of",
]

Terms = Sequence[tuple[int, Formula]]  # of a sum, each with its sign


@dataclass(frozen=True, slots=True)
class Criterion:
    """The words and formulas of a criterion."""

    key: str
    symbol: str  # of the impurity in formulas
    noun: str  # the impurity
    gain: str  # how much of it a split removes
    short: str  # the same as the heading of a column
    compared: str  # the same in sentences about choices
    after: str  # the impurity after the split, as the heading of a column
    # Of classes: the impurity of class weights; the term of one share; the sum of all terms in a formula, from the
    # shares and the base of logarithms.
    impurity: Callable[[Sequence[float]], float] | None = None
    term: Callable[[float], float] | None = None
    sum_of_terms: Callable[[Sequence[Ratio], str], Terms] | None = None
    writes_terms: bool = False  # whether a formula is followed by the value of each term

    @property
    def remaining(self) -> str:
        """The impurity after the split, in the table of branches."""
        return f"{self.noun} after the split"

    def scale(self, unit: Unit) -> float:
        """How many of the unit are one of the core's: only entropy has units."""
        return unit.per_bit if self.key == "entropy" else 1.0


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


def entropy_terms(shares: Sequence[Ratio], base: str) -> Terms:
    """Return the terms of an entropy: -p log p for each share."""
    return [(-1, Product((share, Log(base, share)))) for share in shares]


def _gini_terms(shares: Sequence[Ratio], _: str) -> Terms:
    return [(1, Number("1")), *((-1, Power(share)) for share in shares)]


CRITERIA = {
    criterion.key: criterion
    for criterion in (
        Criterion(
            *("entropy", "H", "entropy", "information gain", "gain", "gain", "entropy after"),
            impurity=entropy_of,
            term=lambda p: -p * math.log2(p),
            sum_of_terms=entropy_terms,
            writes_terms=True,
        ),
        Criterion(
            *("gini", "G", "Gini index", "Gini decrease", "decrease", "Gini decrease"),
            "Gini after",
            impurity=gini_of,
            term=lambda p: p * p,
            sum_of_terms=_gini_terms,
        ),
        Criterion(
            *("variance", "V", "variance", "variance decrease", "decrease", "variance decrease"),
            "variance after",
        ),
    )
}
