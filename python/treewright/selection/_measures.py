"""The measures of a split, from its counts. The formulas are those of ``measures``.

Glossary: the *children* of a column are its parts with the rows of each class in them. Rows without a value are left
out and the gain is multiplied by the fraction of the others ("known", as in C4.5), are a child of their own ("value"),
or are spread over the children in proportion to their size ("spread").
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._utils.choices import RANK_MEASURES
from treewright.measures import entropy
from treewright.measures._counts import Pairs
from treewright.measures._expected_surprise import error_probability, gain, logarithm
from treewright.selection._column_splits import Division

__all__ = ["MEASURES", "figures"]

Counts = NDArray[np.float64]


def figures(division: Division, missing: str) -> dict[str, float]:
    """Return every measure of a split that its target has.

    Examples
    --------
    >>> division = Division((), np.array([[2, 3], [4, 0], [3, 2]]), None, np.zeros(2, int), 0.0)
    >>> {name: round(value, 3) for name, value in figures(division, "known").items()}
    ... # doctest: +NORMALIZE_WHITESPACE
    {'gain': 0.247, 'gain_ratio': 0.156, 'mutual_information': 0.247, 'gini': 0.116, 'chi2': 3.547,
     'one_r': 0.714}
    """
    if division.sums is not None:
        return {"variance_reduction": _variance_reduction(division, division.sums, missing)}
    split = _Split.of(division, missing)
    if not split.children.any():
        return dict.fromkeys(RANK_MEASURES, 0.0) | {"one_r": _right(split)}
    return {name: MEASURES[name](split) for name in RANK_MEASURES}


@dataclass(frozen=True)
class _Split:
    """A split of the rows by a column, with what several measures need."""

    division: Division
    children: Counts  # the rows of each class in each child
    share: float  # the fraction of all rows that the children hold
    pairs: Pairs
    gain: float  # in bits
    sizes: list[float]  # of the children, and of the missing values where they are no child

    @classmethod
    def of(cls, division: Division, missing: str) -> _Split:
        children, share = _children(division, missing)
        pairs = _pairs(children)
        absent = float(division.missing.sum())
        sizes = [*pairs.x, absent] if missing == "known" and absent else list(pairs.x)
        bits = share * gain(logarithm("bits"), pairs) if children.any() else 0.0
        return cls(division, children, share, pairs, bits, sizes)


def _children(division: Division, missing: str) -> tuple[Counts, float]:
    """Return the rows of each class in each child, and the fraction of all rows that they are."""
    known = division.counts[division.counts.any(axis=1)].astype(np.float64)
    absent = division.missing.astype(np.float64)
    total = known.sum() + absent.sum()
    if not absent.any() or not total:
        return known, 1.0
    if missing == "known":
        return known, float(known.sum() / total)
    if missing == "spread" and len(known):
        return known + np.outer(known.sum(axis=1) / known.sum(), absent), 1.0
    return np.vstack([known, absent]), 1.0


def _pairs(children: Counts) -> Pairs:
    sizes = children.sum(axis=1)
    child, _ = np.nonzero(children)
    return Pairs(
        sizes.tolist(),
        children.sum(axis=0).tolist(),
        children[children > 0].tolist(),
        sizes[child].tolist(),
    )


def _gain_ratio(split: _Split) -> float:
    information = entropy(split.sizes)
    return split.gain / information if information > 0 else 0.0


def _chi2(split: _Split) -> float:
    """Return the chi-squared statistic: how far the counts are from those of independent columns."""
    children = split.children
    rows, classes = children.sum(axis=1), children.sum(axis=0)
    expected = np.outer(rows, classes / children.sum())
    present = expected > 0
    return math.fsum(((children - expected)[present] ** 2 / expected[present]).tolist())


def _right(split: _Split) -> float:
    """Return the fraction of rows that have the most frequent class of their child; missing values are one child."""
    every = np.vstack([split.division.counts, split.division.missing])
    return float(every.max(axis=1).sum() / every.sum())


# How each of ``RANK_MEASURES`` is computed.
MEASURES: dict[str, Callable[[_Split], float]] = {
    "gain": lambda split: split.gain,
    "gain_ratio": _gain_ratio,
    "mutual_information": lambda split: split.gain,
    "gini": lambda split: split.share * gain(error_probability, split.pairs),
    "chi2": _chi2,
    "one_r": _right,
}


def _variance_reduction(division: Division, sums: NDArray[np.float64], missing: str) -> float:
    """Return the decrease of the variance of the target by the split."""
    rows = division.counts[:, 0].astype(np.float64)
    sums, rows = sums[rows > 0], rows[rows > 0]
    absent, share = float(division.missing[0]), 1.0
    if absent and missing == "known":
        share = float(rows.sum() / (rows.sum() + absent))
    elif absent and missing == "spread" and len(rows):
        parts = rows / rows.sum()
        rows, sums = rows + parts * absent, sums + parts * division.missing_sum
    elif absent:
        rows, sums = np.append(rows, absent), np.append(sums, division.missing_sum)
    if not len(rows):
        return 0.0
    total = math.fsum(rows.tolist())
    middle = math.fsum(sums.tolist()) / total
    apart = sums / rows - middle
    return share * math.fsum((rows / total * apart * apart).tolist())
