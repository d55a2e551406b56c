"""`rashomon`: how many trees are nearly as good as the best one, and which columns they need.

If many different trees are as good, a column that one of them uses explains little. Breiman (2001) called this the
Rashomon effect.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._catalog import public
from treewright._estimator.find import unwrap
from treewright._estimator.training_data import TrainingData
from treewright._learners.optimal.candidate_splits import (
    CandidateSplits,
    SplitAt,
    candidate_splits,
)
from treewright._learners.optimal.integer_weights import integer_weights
from treewright._learners.optimal.optimal_tree import OptimalTreeClassifier
from treewright._render.document import Block, Column, Document, Table, Text
from treewright._render.numbers import amounts, count
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._utils.validation import check_number, count_rows, threads_of
from treewright.errors import UsageError

__all__ = ["ColumnNeed", "Rashomon", "rashomon"]


class ColumnNeed(NamedTuple):
    """Which of the trees need a column."""

    column: str
    needed_by: str  # "all", "some", "none" or "unknown"
    trees: int | None  # how many use it; None where that is not known


@public
@dataclass(frozen=True, eq=False, repr=False)
class Rashomon(Result):
    """The trees that are nearly as good as the best one.

    Parameters
    ----------
    trees : int
        Their number; at least so many if not ``exact``.
    exact : bool
        Whether all of them were counted.
    within : float
        How much worse than the best one they may be, as a fraction.
    max_depth : int
        Their maximum depth.
    best, most : float
        The objective of the best tree, and the largest one that counts: errors, and the penalty of the leaves.
    columns : tuple of ColumnNeed
        For each column, whether all, some or none of the trees need it.
    is_complete : bool
        Whether every possible split was counted.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier, datasets, rashomon
    >>> result = rashomon(OptimalTreeClassifier(1).fit(*datasets.vote()))
    >>> result.trees, [need.column for need in result.columns if need.needed_by == "all"]
    (1, ['physician-fee-freeze'])
    """

    _noun = "a count of trees"

    trees: int
    exact: bool
    within: float
    max_depth: int
    best: float
    most: float
    columns: tuple[ColumnNeed, ...]
    is_complete: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        return {
            "trees": self.trees,
            "exact": self.exact,
            "within": self.within,
            "max_depth": self.max_depth,
            "best": self.best,
            "most": self.most,
            "all_splits": self.is_complete,
            "columns": [need._asdict() for need in self.columns],
        }

    def _document(self, page: PageFormat) -> Document:
        table = Table(
            (
                Column("column", tuple(page.name(n.column) for n in self.columns), left=True),
                Column("needed by", tuple(n.needed_by for n in self.columns), left=True),
                Column(
                    "trees that use it",
                    tuple("" if n.trees is None else count(n.trees) for n in self.columns),
                    values=tuple(n.trees for n in self.columns),
                ),
            ),
            key="columns",
        )
        blocks: list[Block] = [Text(text, apart=True) for text in self._sentences()]
        return Document(("Trees that are as good",), (*blocks, table))

    def _sentences(self) -> Iterator[str]:
        best, most = amounts([self.best, self.most])
        number = count(self.trees) if self.exact else f"at least {count(self.trees)}"
        noun = "tree" if self.trees == 1 and self.exact else "trees"
        yield (
            f"Of depth {self.max_depth}, {number} {noun} have an objective of at most {most}; the best is {best}. "
            f"That is within {100 * self.within:g}% of the best."
        )
        if self.exact and self.trees == 1:
            yield "The best tree is the only one: no other explains the rows as well."
        elif not any(need.needed_by == "all" for need in self.columns):
            yield "No column is needed by all of them: other columns explain the rows as well."
        if not self.is_complete:
            yield "Trees over at most 32 thresholds per column were counted."


def rashomon(
    model: Any,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    *,
    within: float = 0.05,
    time_limit: float | None = 10.0,
) -> Rashomon:
    """Count the trees that are nearly as good as an optimal tree, and find the columns that they need.

    A tree is counted by its splits; each leaf predicts its most frequent class, and a split whose two sides are leaves
    of the same class is not one. The count is exact unless the time is up. A column is needed by all trees if no tree
    without it is as good: this is proven by a search without the column.

    Parameters
    ----------
    model : OptimalTreeClassifier
        A fitted optimal tree; its limits are those of the trees that are counted.
    X, y, sample_weight : table, array-like, array-like, optional
        The training rows. A model that was just fitted to a small table knows them.
    within : float, default=0.05
        How much worse than the best a tree may be: 0.05 is 5 % of its objective.
    time_limit : float or None, default=10.0
        Stop the count after so many seconds; the result is then a lower bound.

    Returns
    -------
    Rashomon
        ``trees``, ``exact``, and for each of ``columns`` whether all, some or none of the trees need it.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier, rashomon
    >>> X = {"a": [0, 0, 1, 1], "copy": [5, 5, 9, 9], "noise": [0, 1, 0, 1]}
    >>> result = rashomon(OptimalTreeClassifier(1).fit(X, ["no", "no", "yes", "yes"]))
    >>> result.trees, [need.needed_by for need in result.columns]
    (2, ['some', 'some', 'none'])
    """
    within = check_number("within", within, minimum=0, finite=True)
    limit = check_number("time_limit", time_limit, minimum=0, optional=True)
    estimator, data = _rows_of(model, X, y, sample_weight)
    candidates = _bit_candidates(estimator, data)
    counter = _Counter(estimator, data, candidates, limit)
    near_best = counter.count(within)
    scale = counter.scale
    return Rashomon(
        trees=near_best.trees,
        exact=near_best.exact,
        within=within,
        max_depth=estimator.max_depth,
        best=near_best.best_cost / scale,
        most=near_best.most_cost / scale,
        columns=tuple(counter.needs(near_best)),
        is_complete=candidates.is_complete,
    )


def _rows_of(model: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Any, TrainingData]:
    """Return the estimator and its training rows: those that are passed, or those that it remembers."""
    estimator = unwrap(model)
    if not isinstance(estimator, OptimalTreeClassifier):
        raise UsageError(
            f"trees as good as a {type(estimator).__name__} are not counted",
            slug="optimal.estimator",
            hints=["fit an OptimalTreeClassifier of the same depth"],
        )
    check_is_fitted(estimator)
    if X is not None:
        return _prepare_rows(estimator, X, y, sample_weight)
    if estimator._rows_ is None:
        raise UsageError(
            "the training table is needed: this model does not remember its rows",
            slug="optimal.no-rows",
            hints=["pass the training table as X and y"],
        )
    return estimator, estimator._rows_.data


def _prepare_rows(
    estimator: OptimalTreeClassifier, X: Any, y: Any, sample_weight: Any
) -> tuple[OptimalTreeClassifier, TrainingData]:
    """Return rows as a fit of the estimator prepares them."""
    prepared: list[TrainingData] = []

    def keep(data: TrainingData) -> Sequence[SplitAt]:
        prepared.append(data)
        return ()

    estimator = clone(estimator)
    estimator._wanted_splits = keep
    estimator.set_params(time_limit=0).fit(X, y, sample_weight)
    return estimator, prepared[0]


def _bit_candidates(estimator: Any, data: TrainingData) -> CandidateSplits:
    """Return the splits as columns of zeros and ones, which are what is counted."""
    candidates = candidate_splits(data, estimator.binarize, estimator.max_depth)
    if isinstance(candidates.cells(), list):
        candidates = candidate_splits(data, "quantiles", estimator.max_depth)
    return candidates


class _Counter:
    """Counts trees of some rows, and finds out which columns they need."""

    def __init__(
        self, estimator: Any, data: TrainingData, candidates: CandidateSplits, limit: float | None
    ) -> None:
        self.deadline = None if limit is None else time.monotonic() + limit
        self.names = data.schema.names
        self.candidates = candidates
        cells = candidates.cells()
        self.cells: NDArray[np.uint8] = cells if candidates.table is None else cells.to_array()
        self.sources = np.array([candidates.source(i) for i in range(self.cells.shape[1])])
        integers, self.scale = integer_weights(data.weights)
        self.problem = (data.labels, len(data.schema.classes), estimator.max_depth)
        self.options = {
            "weights": integers,
            "leaf_cost": estimator._leaf_penalty(data) * self.scale,
            "min_leaf": count_rows(
                "min_samples_leaf", estimator.min_samples_leaf, len(data), minimum=1
            ),
            "threads": threads_of(estimator.n_jobs),
            "time_limit": limit,
        }

    def count(self, within: float) -> Any:
        """Return the count of the core."""
        labels, classes, depth = self.problem
        return _core.near_best_trees(self.cells, labels, classes, depth, within, **self.options)

    def needs(self, near_best: Any) -> Iterator[ColumnNeed]:
        """Yield which of the trees need each column."""
        users = near_best.users
        for source, name in enumerate(self.names):
            places = np.flatnonzero(self.sources == source).tolist()
            known = [users[place] for place in places]
            if None not in known and not any(known):
                yield ColumnNeed(name, "none", 0)
            elif len(known) == 1 and known[0] is not None:
                word = "all" if known[0] == near_best.trees else "some"
                yield ColumnNeed(name, word, known[0])
            else:
                # A tree may use several splits of one column, so their counts do not add up.
                needed = self._is_needed(source, near_best.most_cost)
                word = "unknown" if needed is None or None in known else "some"
                trees = near_best.trees if near_best.exact else None
                yield ColumnNeed(name, *(("all", trees) if needed else (word, None)))

    def _is_needed(self, source: int, most: float) -> bool | None:
        """Whether every tree without a column costs more than this; None if the time was up before."""
        left = None if self.deadline is None else max(self.deadline - time.monotonic(), 0.0)
        if left == 0:
            return None
        labels, classes, depth = self.problem
        others = np.ascontiguousarray(self.cells[:, self.sources != source])
        options: dict[str, Any] = self.options | {"time_limit": left}
        solution = _core.optimal_tree(others, labels, classes, depth, **options)
        if solution.lower_bound > most:
            return True
        return False if solution.proven or solution.cost <= most else None
