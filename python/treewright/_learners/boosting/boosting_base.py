"""What both boosting learners do: rounds follow each other, from a start, until there are enough of them.

Not here: their parameters (``_boost_params``), what they mean to the core (``_boost_recipe``), their rows
(``_boost_lesson``), where their sums begin (``_boost_start``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.row_order import row_order
from treewright._input.target import ClassTarget
from treewright._learners.boosting.boosting_params import BoostParams
from treewright._learners.boosting.boosting_recipe import boost_recipe, drawn
from treewright._learners.boosting.external_init import Given, Start, begin
from treewright._learners.boosting.training_rows import Lesson, Watched, lesson_of
from treewright._learners.boosting.with_init import Started
from treewright._learners.ensembles.run_params import seed_from
from treewright._model.table_builder import TreeBuilder, levels_of
from treewright._utils.user_warnings import warn_user
from treewright._utils.validation import check_integer
from treewright.errors import Hint, UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["Boosting", "Round"]

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
    """What ``fit`` is given besides what every learner is."""

    X: Any
    y: Any
    rows: NDArray[np.int64] | None
    watched: Watched
    callback: Callable[[Round], Any] | None


class Boosting(BoostParams, Started):
    """Many small trees, each grown on what is left over by those before it.

    Attributes
    ----------
    trees_ : Trees
        The fitted trees.
    n_estimators_ : int
        Rounds that were kept.
    n_init_trees_ : int
        The trees before the first round: those of ``init``.
    init_ : learner
        The fitted ``init``, where it is kept beside the model; there is no ``trees_`` then.
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
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = (
        "n_estimators_",
        "n_init_trees_",
        "train_score_",
        "validation_score_",
    )

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
        rows = None if sample_weight is None else np.flatnonzero(np.asarray(sample_weight))
        watched = Watched(X_val, y_val, sample_weight_val)
        self._besides = _Besides(X, y, rows, watched, callback)
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self.__dict__.pop("_besides", None)

    def _check_restored(self) -> None:
        super()._check_restored()
        for name in ("n_estimators_", "n_init_trees_"):
            count = self.__dict__.get(name, 0)
            if not isinstance(count, int) or not 0 <= count <= self._forest.n_trees:
                raise ValueError(f"{name} is not a number of its trees")
        if "n_estimators_" not in self.__dict__:
            raise ValueError("it does not say how many rounds it has")

    # ---- learning

    def _given(self) -> _Besides:
        """Return what ``fit`` was given; nothing where this learner is the start of another."""
        found: _Besides | None = self.__dict__.get("_besides")
        return _Besides(None, None, None, Watched(), None) if found is None else found

    def _learn(self, table: Table, schema: Schema, target: Any, weights: Weights) -> _core.Forest:
        seed = seed_from(self.random_state)  # once: a generator gives another number each time
        recipe = boost_recipe(self.get_params(deep=False), schema, target, seed)
        rounds = check_integer("n_estimators", self.n_estimators, minimum=1)
        if isinstance(target, ClassTarget) and len(target.levels) == 1:
            return self._only(table, schema)
        weights = self._class_weights(target, weights)
        besides, held = self._given(), None
        if self.early_stopping and besides.watched.X is None:
            truth = target.codes if isinstance(target, ClassTarget) else target.values
            order = row_order(table, truth, weights, seed)
            held = drawn(target, self.validation_fraction, order)
        lesson = lesson_of(self, besides.watched, table, schema, target, weights, held)
        before = self._before(schema, rounds) if self.warm_start else None
        sums = recipe["classes"] if recipe["classes"] > 2 else 1
        done = 0
        if before is not None:
            done = self.n_estimators_
            if rounds == done:
                return before
            start = Start(before.combine["base"], before, self._apart())
        else:
            asked = (besides.X, besides.y, besides.rows)
            read = Given(table, schema, target, weights, *asked, held)
            start = begin(self.init, recipe["loss"], sums, read)
            self._keep_start(start)
        run = _core.Boosting(
            recipe,
            levels_of(schema),
            lesson.columns,
            lesson.target,
            lesson.weights,
            lesson.held,
            start.base,
            self._scores(start, lesson),
            done,
        )
        self._run(run, done, rounds)
        self._keep_scores(run.losses, before is not None)
        forest = run.finish()
        self.n_estimators_ = done + forest.n_trees // sums
        _warn_of_stumps(forest, recipe["min_leaf"], len(table))
        return forest if start.terms is None else _joined(start.terms, forest)

    def _class_weights(self, target: Any, weights: Weights) -> Weights:
        return weights

    def _only(self, table: Table, schema: Schema) -> _core.Forest:
        """Return the model of a single class."""
        tree = TreeBuilder()
        tree.push(np.ones(1), float(len(table)), len(table), 0.0)
        self.n_estimators_ = 1
        self._keep_start(Start())
        return tree.forest(schema)

    def _scores(self, start: Start, lesson: Lesson) -> NDArray[np.float64] | None:
        """Return where the sums of each row begin; None where all begin at the base."""
        if start.terms is None and start.apart is None:
            return None
        besides, sums = self._given(), None
        if start.apart is not None:
            says = start.apart.scores(besides.X)
            says = says if besides.rows is None else says[besides.rows]
            if besides.watched.X is not None:
                says = np.concatenate([says, start.apart.scores(besides.watched.X)])
            sums = np.ascontiguousarray(np.array(start.base) + says)
        if start.terms is not None:
            # In the order in which a model adds: every bit counts.
            sums = start.terms.gather(lesson.columns, 0, start.terms.n_trees, sums, 1)
        assert sums is not None
        return sums.ravel()

    def _before(self, schema: Schema, rounds: int) -> _core.Forest | None:
        """Return the model that a warm start goes on from."""
        forest = self.__dict__.get("_forest", self.__dict__.get("_rounds"))
        if forest is None or "schema_" not in self.__dict__:
            return None
        if self.schema_ != schema:
            raise UsageError(
                "warm_start goes on with the same columns and classes; these are others",
                slug="usage.parameter",
                hints=[Hint(option="warm_start", value=False), "or use a new estimator"],
            )
        if rounds < self.n_estimators_:
            raise UsageError(
                f"n_estimators={rounds} must be larger or equal to n_estimators_="
                f"{self.n_estimators_} when warm_start==True",
                slug="usage.parameter",
            )
        found: _core.Forest = forest
        return found

    def _run(self, run: _core.Boosting, done: int, rounds: int) -> None:
        callback, verbose = self._given().callback, int(self.verbose)
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

    def _keep_scores(self, kept: list[list[float]], again: bool) -> None:
        train, validation = np.array(kept).T
        for name, losses in (("train_score_", train), ("validation_score_", validation)):
            earlier = self.__dict__.get(name) if again else None
            if np.isnan(losses).all():
                self.__dict__.pop(name, None)
            elif earlier is None:
                self.__dict__[name] = losses
            else:
                self.__dict__[name] = np.concatenate([earlier, losses[1:]])


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


def _warn_of_stumps(forest: _core.Forest, least: int, rows: int) -> None:
    """Warn where no tree could ask anything because its leaves must be larger than the rows allow."""
    if rows < 2 * least and all(forest.tree(i).n_nodes == 1 for i in range(forest.n_trees)):
        warn_user(
            f"no tree asks a question: leaves of at least {least} rows need a table of {2 * least} rows, "
            f"and this one has {rows}; allow smaller leaves"
        )


def _line(told: Round) -> str:
    """Return the line of a round."""
    parts = [f"round {told.number} of {told.of}", f"train loss {told.train_loss:.6g}"]
    if told.validation_loss == told.validation_loss:
        parts.append(f"validation loss {told.validation_loss:.6g}")
    return ": ".join([parts[0], ", ".join(parts[1:])])
