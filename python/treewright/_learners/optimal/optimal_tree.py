"""Optimal trees: the fewest errors, or the least squared error, of all trees of a depth, with a proof.

Greedy algorithms choose the best split at each node and never look back. Here every tree is considered: the core solves
each set of rows once and leaves out what cannot be better. ``candidate_splits`` says which splits there are,
``tree_assembly`` makes the node table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._estimator.classifier import Classifier
from treewright._estimator.regressor import Regressor
from treewright._estimator.single_tree import get_depth, get_n_leaves
from treewright._estimator.training_data import TrainingData
from treewright._estimator.tree_model import TreeModel
from treewright._input.class_weights import weigh_rows
from treewright._input.target import check_squares
from treewright._learners.optimal.candidate_splits import (
    CandidateSplits,
    SplitAt,
    candidate_splits,
)
from treewright._learners.optimal.integer_weights import integer_weights
from treewright._learners.optimal.known_splits import greedy_splits
from treewright._learners.optimal.remembered_rows import RememberedRows
from treewright._learners.optimal.tree_assembly import assemble_tree
from treewright._model.table_builder import levels_of
from treewright._utils.choices import BINARIZE
from treewright._utils.docstrings import documented
from treewright._utils.user_warnings import warn_user
from treewright._utils.validation import (
    check_choice,
    check_integer,
    check_number,
    count_rows,
    threads_of,
)
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["OptimalTree", "OptimalTreeClassifier", "OptimalTreeRegressor", "Progress"]

MAX_DEPTH = 30  # of the search
# Called with the seconds since the start, the cost of the best tree so far, and the proven lower bound.
Progress = Callable[[float, float, float], None]
# Fitted attributes that a model file holds; times are not among them, since equal fits write equal files.
SAVED = ("errors_", "objective_", "lower_bound_", "proven_", "is_complete_")


@dataclass(eq=False, repr=False)
class OptimalParams:
    """Parameters of optimal trees.

    Parameters
    ----------
    leaf_cost : float, default=0.0
        Penalty for each leaf: errors as a fraction of the weight of all rows, for numbers a fraction of the squared
        error of the mean. With 0.01, a leaf must save 1 % of the rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows in a leaf; a float is a fraction of all rows.
    time_limit : float or None, default=None
        Stop after so many seconds, with the best tree so far and a proven lower bound; None is no limit.
    binarize : {"auto", "all", "quantiles"}, default="auto"
        The thresholds that are searched: all of them, or at most 32 quantiles of each column and those of a CART tree
        of the same depth. "auto" takes all up to depth 3, for numeric targets if there are at most 256 of them. Every
        set of up to 5 categories is a split, of more categories each one against the others.
    n_jobs : int or None, default=None
        The number of threads, None or -1 for all. It does not change the tree.

    Attributes
    ----------
    tree_ : Tree
        The best tree.
    errors_ : int or float
        The weight of the training rows that the tree predicts wrongly; for numbers the sum of squared errors.
    objective_ : float
        The same plus the penalty of all leaves: what is minimized.
    lower_bound_ : float
        No tree of this depth, over the splits that were searched, has a smaller ``objective_``.
    gap_ : float
        ``objective_ - lower_bound_``.
    proven_ : bool
        Whether no tree is better: the gap is 0.
    is_complete_ : bool
        Whether every possible split was searched. If not, the tree is the best one over these thresholds and sets.
    seconds_ : float
        The time of the search; not saved in files.
    progress_ : list of tuples
        Seconds, objective of the best tree and lower bound at each improvement; not saved in files.
    """

    _: KW_ONLY
    leaf_cost: float = 0.0
    min_samples_leaf: float = 1
    time_limit: float | None = None
    binarize: str = "auto"
    n_jobs: int | None = None


class OptimalTree(TreeModel):
    """A single tree of least cost."""

    get_depth = get_depth
    get_n_leaves = get_n_leaves

    _pools_rare_levels: ClassVar[bool] = True
    _fit_results = TreeModel._fit_results | {*SAVED, "seconds_", "progress_"}

    max_depth: int
    leaf_cost: float
    min_samples_leaf: float
    time_limit: float | None
    binarize: str
    n_jobs: int | None
    errors_: float
    objective_: float
    lower_bound_: float
    proven_: bool
    is_complete_: bool
    seconds_: float
    progress_: list[tuple[float, float, float]]
    _rows_: RememberedRows | None = None

    # What somebody wants of one fit: to hear of its progress, and splits that must be among the candidates.
    _progress: Progress | None = None
    _wanted_splits: Callable[[TrainingData], Sequence[SplitAt]] | None = None

    @property
    def gap_(self) -> float:
        """How much better a tree could be at most."""
        return self.objective_ - self.lower_bound_

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, callback: Progress | None = None
    ) -> Self:
        """Find the best tree.

        Ctrl-C ends the search, and the best tree so far is kept, with a warning.

        Parameters
        ----------
        X : table
            numpy array, sparse matrix, pandas, Polars or Arrow frame, dict of lists, list of dicts, or Table.
        y : array-like
            The class or the number of each row.
        sample_weight : array-like, optional
            A weight for each row; 2 counts like the row twice, 0 like a row that is not there.
        callback : callable, optional
            Called with the seconds since the start, the objective of the best tree and the lower bound at each
            improvement.

        Returns
        -------
        self
            The fitted estimator.
        """
        if callback is not None and not callable(callback):
            raise UsageError(
                f"callback must be a function; got {callback!r}", slug="usage.parameter"
            )
        self._progress = callback
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self.__dict__.pop("_progress", None)

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: NDArray[np.float64] | None
    ) -> _core.Forest:
        depth = check_integer("max_depth", self.max_depth, minimum=1, maximum=MAX_DEPTH)
        binarize = check_choice("binarize", self.binarize, BINARIZE)
        weights = self._weigh(target, weights)
        if weights is not None:  # sums do not depend on the order of the rows
            order = np.argsort(weights, kind="stable")
            table, target, weights = table[order], target.take(order), weights[order]
        data = TrainingData(table, schema, target, weights)
        candidates = candidate_splits(data, binarize, depth)
        splits = [] if self._wanted_splits is None else list(self._wanted_splits(data))
        if not candidates.is_complete:
            splits += greedy_splits(self, data, depth)
        if splits:
            candidates = candidate_splits(data, binarize, depth, splits)
        self._rows_ = RememberedRows.of(data, candidates.table)
        return self._search(data, candidates, depth)

    def _search(self, data: TrainingData, candidates: CandidateSplits, depth: int) -> _core.Forest:
        rows = len(data)
        integers, scale = integer_weights(data.weights)
        leaf_cost = self._leaf_penalty(data) * scale
        solution = _core.optimal_tree(
            candidates.cells(),
            data.labels,
            data.n_classes,
            depth,
            weights=integers,
            leaf_cost=leaf_cost,
            min_leaf=count_rows("min_samples_leaf", self.min_samples_leaf, rows, minimum=1),
            threads=threads_of(self.n_jobs),
            time_limit=check_number("time_limit", self.time_limit, minimum=0, optional=True),
            progress=_scaled(self._progress, scale),
        )
        forest = None
        if candidates.has_table_cells and data.n_classes and data.weights is None:
            forest = solution.forest(levels_of(data.schema), candidates.sources)
        errors = solution.errors
        if forest is None:
            forest = assemble_tree(solution, candidates, data)
            errors = _errors_of(forest.tree(0))
        self._store(errors, solution, leaf_cost / scale, scale)
        self.is_complete_ = candidates.is_complete
        if solution.interrupted:
            warn_user(
                f"the search was stopped after {solution.seconds:.3g} s; the best tree so far is kept "
                f"(objective {self.objective_:g}, lower bound {self.lower_bound_:g})"
            )
        return forest

    def _store(
        self, errors: float, solution: _core.OptimalTree, leaf_cost: float, scale: float
    ) -> None:
        self.errors_ = _plain(errors)
        self.objective_ = _plain(errors + leaf_cost * solution.n_leaves)
        self.proven_ = bool(solution.proven)
        bound = _plain(min(solution.lower_bound / scale, self.objective_))
        # Costs of the search are rounded; what is proven is proven for the tree itself.
        self.lower_bound_ = self.objective_ if self.proven_ else bound
        self.seconds_ = float(solution.seconds)
        self.progress_ = [(t, best / scale, low / scale) for t, best, low in solution.progress]

    def _weigh(
        self, target: Any, weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        return weights

    # A small fit takes no longer than the notes on its columns would: they wait until somebody reads them.
    def _add_notes(self, schema: Schema, table: Table) -> Schema:
        return schema if self._rows_ is not None else super()._add_notes(schema, table)

    def _schema_with_notes(self) -> Schema:
        rows = self._rows_
        if rows is None:
            return self.schema_
        if rows.noted is None:
            rows.noted = super()._add_notes(self.schema_, rows.data.table)
        return rows.noted

    def _leaf_penalty(self, data: TrainingData) -> float:
        """Return the penalty of a leaf in the unit of errors."""
        raise TypeError(f"{type(self).__name__} has no penalty")

    # ---- files

    def _extra_metadata(self) -> dict[str, Any]:
        kept = {name: self.__dict__[name] for name in SAVED}
        return super()._extra_metadata() | {"kept": kept}

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        super()._restore(metadata, contents)
        kept = metadata.get("kept", {})
        for name in SAVED:
            if type(kept.get(name)) not in (int, float, bool):
                raise ValueError(f"its {name} is not a number")
            setattr(self, name, kept[name])


def _errors_of(tree: _core.Tree) -> float:
    """Return the sum of the costs of all leaves."""
    return math.fsum(np.asarray(tree.cost)[np.asarray(tree.n_children) == 0].tolist())


def _plain(number: float) -> float:
    """Return a whole number as an integer, as long as it is exact: errors are counted."""
    return int(number) if abs(number) < 2**53 and float(number).is_integer() else number


def _scaled(progress: Progress | None, scale: float) -> Progress | None:
    """Return a function that hears of costs in the unit of the search."""
    if progress is None:
        return None
    return lambda seconds, best, bound: progress(seconds, best / scale, bound / scale)


@public
@documented
@dataclass(eq=False, repr=False)
class OptimalTreeClassifier(OptimalTree, Classifier, OptimalParams):
    """A tree that makes the fewest training errors of all trees of its depth, with a proof.

    Every split has two sides; a missing value goes to the side where it makes fewer errors. Of several best trees the
    choice depends on the table alone. The fewest errors in training are not the fewest on new rows: compare both with
    :func:`treewright.optimality_gap` and its ``cv``, and use a small depth or a ``leaf_cost``.

    Parameters
    ----------
    max_depth : int, default=4
        Maximum depth. The time grows steeply with it: by a factor of about the number of splits for each level.
    class_weight : dict, list, "balanced" or None, default=None
        The weight of each class, by class or in the order of ``classes_``, which multiplies the weights of its rows;
        "balanced" gives all classes the same total weight.

    Examples
    --------
    >>> from treewright import CARTClassifier, OptimalTreeClassifier, datasets
    >>> X, y = datasets.vote()
    >>> best = OptimalTreeClassifier(max_depth=2).fit(X, y)
    >>> best.errors_, best.lower_bound_, best.proven_
    (17, 17, True)
    >>> int((CARTClassifier(max_depth=2).fit(X, y).predict(X) != y).sum())
    19
    """

    max_depth: int = 4
    _: KW_ONLY
    leaf_cost: float = 0.0
    min_samples_leaf: float = 1
    time_limit: float | None = None
    binarize: str = "auto"
    class_weight: Any = None
    n_jobs: int | None = None

    def _weigh(
        self, target: Any, weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        return weigh_rows(self.class_weight, target, weights)

    def _leaf_penalty(self, data: TrainingData) -> float:
        total = len(data) if data.weights is None else math.fsum(data.weights.tolist())
        share: float = check_number("leaf_cost", self.leaf_cost, minimum=0, finite=True)
        return share * total


@public
@documented
@dataclass(eq=False, repr=False)
class OptimalTreeRegressor(OptimalTree, Regressor, OptimalParams):
    """A tree with the least squared error in training of all trees of its depth, with a proof.

    Leaves predict the mean. Costs are floating-point numbers: "proven" means that no tree is better by more than a
    billionth of the squared error of the mean.

    Parameters
    ----------
    max_depth : int, default=3
        Maximum depth. The time grows steeply with it: by a factor of about the number of splits for each level.

    Examples
    --------
    >>> from treewright import OptimalTreeRegressor
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> reg = OptimalTreeRegressor(max_depth=2).fit(X, [1.0, 5.0, 5.0, 1.0])
    >>> reg.errors_, reg.proven_, reg.predict([[0, 1]]).tolist()
    (0, True, [5.0])
    """

    max_depth: int = 3
    _: KW_ONLY
    leaf_cost: float = 0.0
    min_samples_leaf: float = 1
    time_limit: float | None = None
    binarize: str = "auto"
    n_jobs: int | None = None

    def _leaf_penalty(self, data: TrainingData) -> float:
        share: float = check_number("leaf_cost", self.leaf_cost, minimum=0, finite=True)
        check_squares(data.labels)
        if not share:
            return 0.0
        weights = np.ones(len(data)) if data.weights is None else data.weights
        total = math.fsum(weights.tolist())
        mean = math.fsum((weights * data.labels).tolist()) / total
        return share * math.fsum((weights * (data.labels - mean) ** 2).tolist())
