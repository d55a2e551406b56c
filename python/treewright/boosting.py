"""Gradient boosting: many small trees, each grown on what is left over by those before it.

The recipe in words: numbers become at most 255 bins, categories stay what they are; a tree is grown best split first on
the gradients of a loss, its leaves take a Newton step, and a fraction of what it says is added to the sums. Or with
``splits="exact"`` as Friedman described it: each tree is a CART regression tree of the gradients.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._boost_recipe import base_of, boost_recipe, drawn, seed_of
from treewright._build import TreeBuilder, levels_of
from treewright._classes import factors
from treewright._encode import encode_columns
from treewright._ensemble import Deciding, Ensemble, EnsembleRegressor
from treewright._input import read_rows
from treewright._recipe import number
from treewright._target import ClassTarget, NumberTarget, weights_of
from treewright.errors import DataError, UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor", "Round"]

Target = ClassTarget | NumberTarget
Weights = NDArray[np.float64] | None


@dataclass(frozen=True, slots=True)
class Round:
    """What a callback is told after each round.

    Parameters
    ----------
    number : int
        How many rounds there are now.
    of : int
        How many there will be.
    train_loss : float
        The mean loss of the training rows; NaN unless ``verbose`` or early stopping ask for it.
    validation_loss : float
        The mean loss of the rows held out; NaN where there are none.

    Examples
    --------
    >>> Round(1, 100, float("nan"), 0.25).validation_loss
    0.25
    """

    number: int
    of: int
    train_loss: float
    validation_loss: float


@dataclass(frozen=True, slots=True)
class _Besides:
    """What ``fit`` is given besides the training table."""

    X_val: Any = None
    y_val: Any = None
    sample_weight_val: Any = None
    callback: Callable[[Round], Any] | None = None


@dataclass(frozen=True, slots=True)
class _Lesson:
    """All rows, those held out included, as the core reads them."""

    columns: _core.Matrix | list[NDArray[Any]]
    target: NDArray[Any]
    weights: Weights
    held: NDArray[np.bool_] | None


class _Boosting(Ensemble):
    """What both learners share: how the rounds follow each other."""

    _keeps: ClassVar[tuple[str, ...]] = ("n_estimators_", "train_score_", "validation_score_")

    n_estimators: int
    init: Any
    warm_start: bool
    early_stopping: bool
    validation_fraction: float
    random_state: int | None
    verbose: int
    n_estimators_: int
    train_score_: NDArray[np.float64]
    validation_score_: NDArray[np.float64]

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        callback: Callable[[Round], Any] | None = None,
    ) -> Self:
        """Learn from a table and its target.

        Parameters
        ----------
        X : table
            numpy array, pandas, Polars or Arrow frame, dict of lists, list of dicts, or Table.
        y : array-like
            The class or the number of each row.
        sample_weight : array-like, optional
            A weight for each row; 2 counts like the row twice, 0 like a row that is not there.
        X_val, y_val : table and array-like, optional
            Rows that are watched and never learnt from, in place of a part of the training rows.
        sample_weight_val : array-like, optional
            Their weights.
        callback : callable, optional
            Called with a `Round` after each round; where it returns True, learning ends.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._besides = _Besides(X_val, y_val, sample_weight_val, callback)
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self.__dict__.pop("_besides", None)

    # ---- learning

    def _learn(self, table: Table, schema: Schema, target: Any, weights: Weights) -> _core.Forest:
        params = self.get_params(deep=False)
        recipe = boost_recipe(params, schema, target)
        rounds = number("n_estimators", self.n_estimators, least=1, whole=True)
        if isinstance(target, ClassTarget) and len(target.levels) == 1:
            return self._only(table, schema)
        weights = self._class_weights(target, weights)
        lesson = self._lesson(table, schema, target, weights)
        before = self._before(schema, rounds) if self.warm_start else None
        sums = recipe["classes"] if recipe["classes"] > 2 else 1
        done = 0 if before is None else self.n_estimators_
        scores = None if before is None else before.predict_raw(lesson.columns).ravel()
        base = base_of(self.init, sums) if before is None else before.combine["base"]
        if rounds == done:
            assert before is not None
            return before
        run = _core.Boosting(
            recipe,
            levels_of(schema),
            lesson.columns,
            lesson.target,
            lesson.weights,
            lesson.held,
            base,
            scores,
            done,
        )
        self._run(run, done, rounds)
        train, validation = np.array(run.losses).T
        forest = run.finish()
        self._keep_scores(train, validation, before)
        self.n_estimators_ = done + forest.n_trees // sums
        return forest if before is None else _joined(before, forest)

    def _class_weights(self, target: Any, weights: Weights) -> Weights:
        return weights

    def _only(self, table: Table, schema: Schema) -> _core.Forest:
        """Return the model of a single class."""
        tree = TreeBuilder()
        tree.push(np.ones(1), float(len(table)), len(table), 0.0)
        self.n_estimators_ = 1
        return tree.forest(schema)

    def _lesson(self, table: Table, schema: Schema, target: Any, weights: Weights) -> _Lesson:
        besides = self._besides
        truth = target.codes if isinstance(target, ClassTarget) else target.values
        if besides.X_val is not None:
            return self._watched(table, schema, target, weights)
        if besides.y_val is not None:
            raise UsageError("y_val means nothing without X_val", slug="usage.parameter")
        columns = table.matrix.core if table.matrix is not None else [s.data for s in table.series]
        held = None
        if self.early_stopping:
            held = drawn(target, self.validation_fraction, seed_of(self.random_state))
        return _Lesson(columns, truth, weights, held)

    def _watched(self, table: Table, schema: Schema, target: Any, weights: Weights) -> _Lesson:
        """Return the training rows and those of ``X_val``, which are held out."""
        besides = self._besides
        more = read_rows(self, besides.X_val, schema)
        truth: NDArray[Any] = target.codes if isinstance(target, ClassTarget) else target.values
        watched: NDArray[Any]
        if isinstance(target, ClassTarget):
            watched = _codes(besides.y_val, target)
        else:
            watched = NumberTarget.of(besides.y_val).values
        if len(watched) != len(more):
            raise DataError(
                f"X_val has {len(more)} rows, y_val {len(watched)}", slug="data.lengths"
            )
        pairs = zip(encode_columns(table, schema), encode_columns(more, schema), strict=True)
        extra = weights_of(besides.sample_weight_val, len(more))
        if weights is not None or extra is not None:
            first = np.ones(len(table)) if weights is None else weights
            weights = np.concatenate([first, np.ones(len(more)) if extra is None else extra])
        held = np.repeat([False, True], [len(table), len(more)])
        columns = [np.concatenate(pair) for pair in pairs]
        return _Lesson(columns, np.concatenate([truth, watched]), weights, held)

    def _before(self, schema: Schema, rounds: int) -> _core.Forest | None:
        """Return the model that a warm start goes on from."""
        if "_forest" not in self.__dict__ or "schema_" not in self.__dict__:
            return None
        if self.schema_ != schema:
            raise UsageError(
                "warm_start goes on with the same columns and classes; these are others",
                slug="usage.parameter",
                hints=["set warm_start=False, or take a new estimator"],
            )
        if rounds < self.n_estimators_:
            raise UsageError(
                f"n_estimators={rounds} must be larger or equal to n_estimators_="
                f"{self.n_estimators_} when warm_start==True",
                slug="usage.parameter",
            )
        return self._forest

    def _run(self, run: _core.Boosting, done: int, rounds: int) -> None:
        callback, verbose = self._besides.callback, int(self.verbose)
        if callback is None and not verbose:
            run.advance(rounds - done)
            return
        for now in range(done + 1, rounds + 1):
            stop = run.advance(1)
            told = Round(now, rounds, *run.losses[-1])
            if verbose and (now % max(1, 10 // verbose) == 0 or now == rounds or stop):
                print(_line(told), file=sys.stdout, flush=True)
            if (callback is not None and callback(told) is True) or stop:
                return

    def _keep_scores(self, train: Any, validation: Any, before: Any) -> None:
        for name, losses in (("train_score_", train), ("validation_score_", validation)):
            earlier = self.__dict__.get(name) if before is not None else None
            if np.isnan(losses).all():
                self.__dict__.pop(name, None)
            elif earlier is None:
                self.__dict__[name] = losses
            else:
                self.__dict__[name] = np.concatenate([earlier, losses[1:]])


class GradientBoostingClassifier(_Boosting, Deciding):
    """Gradient boosting for classes: sums of trees, turned into shares.

    Two classes have one sum, the logarithm of the odds of the second; more have one each, and a tree for each in every
    round. Numbers may be missing: they go to the side where they save more. Categories are divided as they are.

    Parameters
    ----------
    loss : {"log_loss"}, default="log_loss"
        The deviance.
    class_weight : dict, "balanced" or None, default=None
        By how much the rows of each class count.
    n_estimators : int, default=100
        Rounds: a tree each, or one for each of several classes.
    learning_rate : float, default=0.1
        The factor of each tree.
    max_leaf_nodes : int or None, default=31
        The most leaves of a tree; the best split is made first. None leaves it to the depth.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_leaf : int, default=20
        The fewest rows of a leaf.
    min_gain : float, default=0.0
        What a split must save, in the unit of the loss times rows.
    l2_regularization : float, default=0.0
        Draws what leaves say towards 0.
    max_bins : int, default=255
        The most bins of a column of numbers; of more categories the rare ones share a bin. Missing values have one
        of their own.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many columns, or which share of them, each split looks at; drawn anew for each.
    subsample : float, default=1.0
        The chance of each row to be in a round.
    splits : {"histogram", "exact"}, default="histogram"
        Between bins, or between any two numbers, as CART makes them; with ``max_leaf_nodes=None, max_depth=3,
        min_samples_leaf=1`` the latter is what scikit-learn's GradientBoosting learners do.
    monotonic_cst : array-like or dict, optional
        1 or -1 for columns along which the share of the second class may only rise or fall; by position or by name.
    init : None, "zero" or number, default=None
        Where the sums begin; None for the constant that costs least.
    early_stopping : bool, default=False
        Whether to hold out rows and to stop where their loss no longer falls; the best round is the last one kept.
    validation_fraction : float, default=0.1
        The share of rows held out, unless ``fit`` is given others.
    n_iter_no_change : int, default=10
        Rounds to wait for a smaller loss.
    tol : float, default=1e-7
        A loss is smaller if it is so by more than this.
    warm_start : bool, default=False
        Whether another ``fit`` adds rounds to those there are.
    random_state : int or None, default=None
        The number that all chance follows from; None is 0. The same number gives the same model, byte by byte.
    verbose : int, default=0
        Whether to print the losses: every tenth round, or with larger numbers more often.
    n_jobs : int or None, default=None
        Threads; None or -1 for all. The model does not depend on it.

    Attributes
    ----------
    trees_ : Trees
        The fitted trees.
    n_estimators_ : int
        Rounds that were kept.
    train_score_, validation_score_ : ndarray
        The mean loss at the start and after each round, where something asked for it.
    feature_importances_ : ndarray
        How much each column saves.
    schema_ : Schema
        Names, levels and classes.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.
    classes_ : ndarray
        The classes, sorted.

    Examples
    --------
    >>> from treewright import GradientBoostingClassifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> clf = GradientBoostingClassifier(n_estimators=20, min_samples_leaf=1).fit(X, y)
    >>> float(clf.score(X, y)), clf.predict(X[:3]).tolist()
    (1.0, ['No', 'No', 'Yes'])
    """

    def __init__(
        self,
        *,
        loss: str = "log_loss",
        class_weight: Any = None,
        n_estimators: int = 100,
        learning_rate: float = 0.1,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        min_gain: float = 0.0,
        l2_regularization: float = 0.0,
        max_bins: int = 255,
        max_features: Any = None,
        subsample: float = 1.0,
        splits: str = "histogram",
        monotonic_cst: Any = None,
        init: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        warm_start: bool = False,
        random_state: int | None = None,
        verbose: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.loss = loss
        self.class_weight = class_weight
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.l2_regularization = l2_regularization
        self.max_bins = max_bins
        self.max_features = max_features
        self.subsample = subsample
        self.splits = splits
        self.monotonic_cst = monotonic_cst
        self.init = init
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose
        self.n_jobs = n_jobs

    def _class_weights(self, target: ClassTarget, weights: Weights) -> Weights:
        counts = factors(self.class_weight, None, target, weights)
        if not counts:
            return weights
        by_class = np.array(counts)[target.codes]
        return by_class if weights is None else weights * by_class


class GradientBoostingRegressor(_Boosting, EnsembleRegressor):
    """Gradient boosting for numbers: a sum of trees.

    Numbers may be missing: they go to the side where they save more. Categories are divided as they are.

    Parameters
    ----------
    loss : {"squared_error", "absolute_error", "quantile", "huber", "poisson"}, default="squared_error"
        What errors cost. "absolute_error" and "quantile" answer with a median or a quantile, "huber" with a mean that
        far errors hardly move, "poisson" with the mean of counts.
    quantile : float, default=0.9
        The quantile of ``loss="quantile"``; for "huber" the share of errors that count as near.
    n_estimators : int, default=100
        Rounds: a tree each.
    learning_rate : float, default=0.1
        The factor of each tree.
    max_leaf_nodes : int or None, default=31
        The most leaves of a tree; the best split is made first. None leaves it to the depth.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_leaf : int, default=20
        The fewest rows of a leaf.
    min_gain : float, default=0.0
        What a split must save, in the unit of the loss times rows.
    l2_regularization : float, default=0.0
        Draws what leaves say towards 0.
    max_bins : int, default=255
        The most bins of a column of numbers; of more categories the rare ones share a bin. Missing values have one
        of their own.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many columns, or which share of them, each split looks at; drawn anew for each.
    subsample : float, default=1.0
        The chance of each row to be in a round.
    splits : {"histogram", "exact"}, default="histogram"
        Between bins, or between any two numbers, as CART makes them; with ``max_leaf_nodes=None, max_depth=3,
        min_samples_leaf=1`` the latter is what scikit-learn's GradientBoosting learners do.
    monotonic_cst : array-like or dict, optional
        1 or -1 for columns along which the answer may only rise or fall; by position or by name.
    init : None, "zero" or number, default=None
        Where the sums begin; None for the constant that costs least.
    early_stopping : bool, default=False
        Whether to hold out rows and to stop where their loss no longer falls; the best round is the last one kept.
    validation_fraction : float, default=0.1
        The share of rows held out, unless ``fit`` is given others.
    n_iter_no_change : int, default=10
        Rounds to wait for a smaller loss.
    tol : float, default=1e-7
        A loss is smaller if it is so by more than this.
    warm_start : bool, default=False
        Whether another ``fit`` adds rounds to those there are.
    random_state : int or None, default=None
        The number that all chance follows from; None is 0. The same number gives the same model, byte by byte.
    verbose : int, default=0
        Whether to print the losses: every tenth round, or with larger numbers more often.
    n_jobs : int or None, default=None
        Threads; None or -1 for all. The model does not depend on it.

    Attributes
    ----------
    trees_ : Trees
        The fitted trees.
    n_estimators_ : int
        Rounds that were kept.
    train_score_, validation_score_ : ndarray
        The mean loss at the start and after each round, where something asked for it.
    feature_importances_ : ndarray
        How much each column saves.
    schema_ : Schema
        Names, levels and classes.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import GradientBoostingRegressor
    >>> X = np.arange(200.0).reshape(-1, 1)
    >>> reg = GradientBoostingRegressor().fit(X, X[:, 0] > 100)
    >>> reg.predict([[20], [180]]).round(3)
    array([0., 1.])
    """

    def __init__(
        self,
        *,
        loss: str = "squared_error",
        quantile: float = 0.9,
        n_estimators: int = 100,
        learning_rate: float = 0.1,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        min_gain: float = 0.0,
        l2_regularization: float = 0.0,
        max_bins: int = 255,
        max_features: Any = None,
        subsample: float = 1.0,
        splits: str = "histogram",
        monotonic_cst: Any = None,
        init: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        warm_start: bool = False,
        random_state: int | None = None,
        verbose: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.loss = loss
        self.quantile = quantile
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.l2_regularization = l2_regularization
        self.max_bins = max_bins
        self.max_features = max_features
        self.subsample = subsample
        self.splits = splits
        self.monotonic_cst = monotonic_cst
        self.init = init
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose
        self.n_jobs = n_jobs


def _joined(before: _core.Forest, after: _core.Forest) -> _core.Forest:
    """Return the trees of two runs as one model."""
    first, second = before.combine, after.combine
    scales = [
        scale
        for forest, words in ((before, first), (after, second))
        for scale in (words["scales"] or [1.0] * forest.n_trees)
    ]
    targets = [*first["targets"], *second["targets"]]
    return _core.Forest.joined([before, after], first | {"scales": scales, "targets": targets})


def _codes(y: Any, target: ClassTarget) -> NDArray[np.uint32]:
    """Return the codes of the labels of rows that are watched, as the training rows count them."""
    watched = ClassTarget.of(y)
    known = {level: code for code, level in enumerate(target.levels)}
    unknown = [level for level in watched.levels if level not in known]
    if unknown:
        raise DataError(
            f"y_val holds the class {unknown[0]!r}, which y does not", slug="fit.labels"
        )
    return np.array([known[level] for level in watched.levels], dtype=np.uint32)[watched.codes]


def _line(told: Round) -> str:
    """Return the line of a round."""
    parts = [f"round {told.number} of {told.of}", f"train loss {told.train_loss:.6g}"]
    if told.validation_loss == told.validation_loss:
        parts.append(f"validation loss {told.validation_loss:.6g}")
    return ": ".join([parts[0], ", ".join(parts[1:])])
