"""Fits of one process on all rows: the rows of all partitions, coded, come together where the fit runs.

The estimator is the local one, so its model has the bytes of a local fit. Trees of a forest are grown by their numbers
on several workers, and joined in the order of these numbers.
"""

from __future__ import annotations

import contextlib
import copy
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewright import _core
from treewright._cluster.forest_bytes import forest_from_bytes, forest_to_bytes
from treewright._cluster.packed_rows import TrainingRows
from treewright._cluster.process_facts import peak_memory

__all__ = [
    "FittedModel",
    "TreeFacts",
    "TreePart",
    "describe_part",
    "fit_rows",
    "grow_trees",
    "join_trees",
    "split_trees",
]


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A fitted estimator, the warnings of its fit, what the fit took, and how the rows came together."""

    estimator: Any
    warnings: list[tuple[type[Warning], str]]
    seconds: float
    peak: int
    method: str = ""


@dataclass(frozen=True, eq=False)
class TreePart:
    """Some trees of a forest, by their numbers, and what they took."""

    trees: range
    forest: bytes
    seconds: float
    peak: int


@dataclass(frozen=True)
class TreeFacts:
    """How many trees a part has, and the memory that they took: what the client needs to know of it."""

    count: int
    peak: int


def describe_part(part: TreePart) -> TreeFacts:
    """Return the facts about a part, which is too large to be sent for them."""
    return TreeFacts(len(part.trees), part.peak)


class _TreesAreGrown(BaseException):
    """Ends a fit that only grows some trees: what follows is done once, with all of them."""


def fit_rows(
    estimator: Any, rows: TrainingRows, is_named: bool, threads: int | None = None
) -> FittedModel:
    """Fit a copy of a local estimator to all rows."""
    estimator = _copy(estimator, threads)
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        weighted = () if rows.weights is None else (rows.weights,)
        estimator.fit(rows.table, rows.target, *weighted)
    if not is_named:
        estimator.__dict__.pop("feature_names_in_", None)
    notes = [(each.category, str(each.message)) for each in caught]
    return FittedModel(estimator, notes, time.perf_counter() - start, peak_memory())


def grow_trees(
    estimator: Any, rows: TrainingRows, trees: range, threads: int | None = None
) -> TreePart:
    """Grow some trees of a forest."""
    estimator = _copy(estimator, threads)
    start = time.perf_counter()
    grown: list[bytes] = []
    grow = estimator._grow_trees

    def grow_some(data: Any, bag: Any, _: range, report: Any) -> _core.Forest:
        grown.append(forest_to_bytes(grow(data, bag, trees, None), data.schema))
        raise _TreesAreGrown

    estimator._grow_trees = grow_some
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit that joins the trees warns
        with contextlib.suppress(_TreesAreGrown):
            estimator.fit(rows.table, rows.target, rows.weights)
    return TreePart(trees, grown[0], time.perf_counter() - start, peak_memory())


def join_trees(
    estimator: Any,
    rows: TrainingRows,
    is_named: bool,
    parts: Sequence[TreePart],
    threads: int | None = None,
) -> FittedModel:
    """Fit a forest whose trees are grown already."""
    ordered = sorted(parts, key=lambda part: part.trees.start)
    forest = _core.Forest.joined([forest_from_bytes(part.forest) for part in ordered])
    estimator = _copy(estimator, threads)
    estimator._grow_trees = lambda *_: forest
    result = fit_rows(estimator, rows, is_named)
    del result.estimator._grow_trees
    return result


def split_trees(first: int, total: int, workers: int) -> list[range]:
    """Return the numbers of the trees of each task: several tasks a worker, so that none waits long for another.

    Examples
    --------
    >>> split_trees(0, 10, 1)
    [range(0, 2), range(2, 4), range(4, 6), range(6, 8), range(8, 10)]
    """
    step = max(1, (total - first) // (5 * workers))
    return [range(start, min(start + step, total)) for start in range(first, total, step)]


def _copy(estimator: Any, threads: int | None) -> Any:
    """Return a copy that another fit cannot disturb, silent, with the threads of its worker."""
    other = copy.copy(estimator)
    if threads is not None and "n_jobs" in other.__dict__ and other.n_jobs is None:
        other.n_jobs = threads
    if "verbose" in other.__dict__:
        other.verbose = 0
    return other
