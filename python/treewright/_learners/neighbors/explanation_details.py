"""Details of an explanation by nearest neighbors: contributions of the columns, ties at the last place, weights.

Glossary: rows are *tied at the last place* if the k-th nearest row has the same distance as rows that are not among the
neighbors. The first of them in the training table are neighbors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._learners.neighbors.metric import Space, SpaceRows
from treewright._learners.neighbors.votes import Weights, mean, shares, weigh
from treewright.table import MISSING

__all__ = ["LastPlace", "Part", "last_place", "parts_of", "raw_weights"]

Floats = NDArray[np.float64]
EXTRA_ROWS = 32  # rows beyond the last place that are searched first
TOLERANCE = 1e-12  # relative difference below which distances are equal


@dataclass(frozen=True, slots=True)
class Part:
    """The contribution of one column to a distance.

    Parameters
    ----------
    column : str
        The column.
    difference : float or None
        The difference of the two values, divided by the scale of the column. None if a value is missing, 0 or 1 for
        categories.
    cost : float
        The contribution: the square, the difference or its power, times the weight of the column.
    """

    column: str
    difference: float | None
    cost: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {"column": self.column, "difference": self.difference, "cost": self.cost}


def parts_of(
    space: Space, names: Sequence[str], query: SpaceRows, row: SpaceRows, distance: float
) -> tuple[Part, ...]:
    """Return the contribution of each column to a distance; nothing if the distance is not a sum over columns.

    Parameters
    ----------
    space : Space
        The distance.
    names : sequence of str
        The columns.
    query, row : SpaceRows
        The two rows, one each.
    distance : float
        Their distance.
    """
    if space.metric in ("cosine", "chebyshev") or not np.isfinite(distance):
        return ()
    power = {"euclidean": 2.0, "heom": 2.0, "minkowski": space.p}.get(space.metric, 1.0)
    costs_missing = space.metric in ("heom", "hamming")
    numbers = iter(zip(query.numbers[0].tolist(), row.numbers[0].tolist(), strict=True))
    codes = iter(zip(query.codes, row.codes, strict=True))
    parts: list[Part] = []
    total = known = 0.0
    for name, is_number, weight in zip(names, space.numeric, space.weights, strict=True):
        gap: float | None
        if is_number:
            a, b = next(numbers)
            gap = None if a != a or b != b else abs(a - b)
            cost = (weight if costs_missing else 0.0) if gap is None else gap**power
            factor = space._factor(weight)
            gap = None if gap is None else gap / factor if factor else 0.0
        else:
            one, other = (int(column[0]) for column in next(codes))
            missing = MISSING in (one, other)
            gap = None if missing else float(one != other)
            cost = weight * (float(costs_missing) if gap is None else gap)
        known += weight if gap is not None or costs_missing else 0.0
        total += cost
        parts.append(Part(name, gap, cost))
    if abs(_total_distance(space, total, known, power) - distance) > 1e-9 * max(1.0, distance):
        return ()
    return tuple(parts)


def _total_distance(space: Space, total: float, known: float, power: float) -> float:
    all_weights = sum(space.weights)
    if not known:
        return float("inf")
    total *= all_weights / known
    return (
        total / all_weights if space.metric in ("gower", "hamming") else float(total ** (1 / power))
    )


def raw_weights(distances: Floats, weights: Weights) -> Floats:
    """Return the weight of each neighbor by its formula: 1, 1/d, 1/d²; relative weights if d is 0 or too small.

    Examples
    --------
    >>> raw_weights(np.array([1.0, 2.0]), "squared_distance").tolist()
    [1.0, 0.25]
    """
    relative: Floats = weigh(distances[None, :], weights)[0]
    if callable(weights) or weights == "uniform" or not distances.min(initial=1.0) > 0:
        return np.asarray(relative, dtype=np.float64)
    with np.errstate(over="ignore", divide="ignore"):
        raw = 1 / distances**2 if weights == "squared_distance" else 1 / distances
    sound = np.isfinite(raw).all() and (raw > 0).all()
    result: Floats = raw if sound else relative
    return result


@dataclass(frozen=True, slots=True)
class LastPlace:
    """A tie at the last place: more rows have the distance of the k-th neighbor than are neighbors.

    Parameters
    ----------
    distance : float
        Their distance.
    inside, outside : tuple of int
        The rows among the neighbors and the others, counted from 0.
    decides : bool
        Whether another choice among them could change the prediction.

    Examples
    --------
    >>> LastPlace(2.0, (3,), (4,), True).sentence()[:75]
    'Rows 4 and 5 are at the distance 2; row 4 takes part, as the first in the t'
    """

    distance: float
    inside: tuple[int, ...]
    outside: tuple[int, ...]
    decides: bool

    def sentence(self, write: Any = "{:.4g}".format) -> str:
        """Return the tie as a sentence, with rows counted from 1.

        Parameters
        ----------
        write : callable
            Writes the distance.
        """
        tied = _rows(sorted([*self.inside, *self.outside]))
        one = len(self.inside) == 1
        who = f"{_rows(self.inside, 'row')} {'takes part, as the first' if one else 'take part, as the first ones'}"
        end = "would" if self.decides else "would not"
        return (
            f"{tied} are at the distance {write(self.distance)}; {who} in the table. "
            f"Another choice among them {end} change the prediction."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, rows counted from 1."""
        return {
            "distance": self.distance,
            "inside": [i + 1 for i in self.inside],
            "outside": [i + 1 for i in self.outside],
            "decides": self.decides,
        }


def _rows(rows: Sequence[int], noun: str = "Row") -> str:
    numbers = [f"{row + 1:,}" for row in rows[:6]] + (
        [f"{len(rows) - 6:,} more"] if len(rows) > 6 else []
    )
    if len(numbers) == 1:
        return f"{noun} {numbers[0]}"
    return f"{noun}s {', '.join(numbers[:-1])} and {numbers[-1]}"


def last_place(
    model: Any, query: Any, distances: Floats, rows: NDArray[np.int64]
) -> LastPlace | None:
    """Return the tie at the last place; None if there is none.

    Parameters
    ----------
    model : KNeighborsClassifier or KNeighborsRegressor
        The model.
    query : table
        One row.
    distances, rows : ndarray
        Its neighbors, nearest first.
    """
    k, everything = len(rows), model._forest.n_rows
    if k >= everything or not np.isfinite(distances[-1]):
        return None
    last = float(distances[-1])
    size = k
    while True:
        size = min(everything, size + EXTRA_ROWS)
        apart, near = (result[0] for result in model.kneighbors(query, size))
        same = np.abs(apart - last) <= TOLERANCE * max(1.0, last)
        if not same[-1] or size == everything:
            break
        size *= 2
    outside = near[k:][same[k:]]
    if not len(outside):
        return None
    inside = rows[np.abs(distances - last) <= TOLERANCE * max(1.0, last)]
    decides = _decides(model, distances, rows, inside, outside)
    return LastPlace(last, tuple(inside.tolist()), tuple(outside.tolist()), decides)


def _decides(
    model: Any,
    distances: Floats,
    rows: NDArray[np.int64],
    inside: NDArray[np.int64],
    outside: NDArray[np.int64],
) -> bool:
    """Whether another choice among the tied rows could change the prediction."""
    target = model._forest.target
    counts = weigh(distances[None, :], model.weights)  # of rows of a class whose weight is 1
    sure, places = len(rows) - len(inside), len(inside)
    tied = target[np.concatenate([inside, outside])]
    if not model.schema_.classes:
        spread = np.sort(tied)
        ends = [spread[:places], spread[len(spread) - places :]]
        means = [
            float(mean(counts, np.concatenate([target[rows[:sure]], end])[None, :])[0])
            for end in ends
        ]
        return abs(means[0] - means[1]) > 1e-12 * max(1.0, abs(means[0]))
    classes = len(model.schema_.classes)
    codes = np.arange(classes, dtype=np.uint32)
    by_class = np.ones(classes) * model._class_factors_of(codes)
    own_counts = counts * by_class[target[rows]]
    votes = shares(own_counts, target[rows][None, :], classes)[0]
    weight = by_class * float(counts[0, -1]) / float(own_counts.sum())
    own, base = int(np.argmax(votes)), votes.copy()
    np.subtract.at(base, target[inside], weight[target[inside]])
    there = np.bincount(tied, minlength=classes)
    return any(_could_win(base, there, places, weight, c) for c in range(classes) if c != own)


def _could_win(
    base: Floats, there: NDArray[np.int64], places: int, weight: Floats, candidate: int
) -> bool:
    """Whether some choice of tied rows lets a class win: all of its own, the others spread out."""
    votes, left = base.copy(), there.copy()
    own = min(places, int(left[candidate]))
    votes[candidate] += own * weight[candidate]
    left[candidate] = 0
    for _ in range(places - own):
        able = np.flatnonzero(left)
        lightest = able[np.argmin(votes[able])]
        votes[lightest] += weight[lightest]
        left[lightest] -= 1
    others = np.delete(votes, candidate)
    before = votes[:candidate].max(initial=-np.inf)
    return bool(votes[candidate] > before + 1e-12 and votes[candidate] >= others.max() - 1e-12)
