"""The rounds of AdaBoost: how weak learners are fitted one after the other, and how their predictions are combined.

`Samme` and `R2` are the rules for classes and for numbers: how wrong a prediction is, and how weights change. The
weak learners are trees of treewright (`TreeLearners`) or any other estimators (`OtherLearners`). Stumps on numeric
columns without missing values have a fast path in the core, with the same exact splits.

Glossary: the *vote* (alpha) of a weak learner is the weight of its prediction. *Earlier* rounds are those of a previous
fit that a warm start continues; they keep their errors and votes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import validate_data

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright._input.class_weights import keep_class_shares, weigh_rows
from treewright._input.encoding import encode
from treewright._input.target import ClassTarget, weights_of
from treewright._learners.ensembles.adaboost_round import Round
from treewright._learners.ensembles.adaboost_votes import shares_of, sum_votes, weighted_median
from treewright._learners.ensembles.base_learner import clone_with_seed, require_sample_weight
from treewright._learners.ensembles.run_params import (
    check_learning_rate,
    progress_callback,
)
from treewright._learners.ensembles.warm_start import earlier_estimators, earlier_forest
from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
from treewright._utils.random_state import seed_from
from treewright._utils.validation import check_choice, check_integer, threads_of
from treewright.errors import UsageError

__all__ = ["R2", "AdaBoostMethod", "Round", "Samme", "scale_losses", "vote_for_error"]

Numbers = NDArray[np.float64]
# Rounds of stumps between two calls of a callback; rounds after it returned True are dropped.
STUMPS_PER_CALLBACK = 16
NEEDS_ONE_PROCESS = (
    "AdaBoost on rows in several processes needs two classes, numeric columns without missing values, the default weak "
    "learner and no class_weight"
)


def vote_for_error(error: float, rate: float, n_classes: int) -> float:
    """Return the vote of a weak learner with this weighted error.

    Examples
    --------
    >>> round(vote_for_error(0.25, 1.0, 2), 6)
    1.098612
    """
    return rate * (math.log((1 - error) / error) + math.log(n_classes - 1))


def scale_losses(errors: NDArray[np.float64], loss: str) -> NDArray[np.float64]:
    """Return the linear, square or exponential loss of absolute errors, scaled to [0, 1] by the largest error.

    Examples
    --------
    >>> scale_losses(np.array([1.0, 2.0]), "square").tolist()
    [0.25, 1.0]
    """
    largest = errors.max()
    scaled = errors / largest if largest > 0 else errors
    if loss == "square":
        return np.asarray(scaled**2)
    return np.asarray(1 - np.exp(-scaled)) if loss == "exponential" else scaled


# ---- rules


class Samme:
    """AdaBoost for classes (SAMME): a row that is misclassified weighs exp(vote) times as much."""

    combine: ClassVar[dict[str, Any]] = {"how": "vote", "link": "softmax"}

    def __init__(self, model: Any, truth: NDArray[Any], n_classes: int | None) -> None:
        assert n_classes is not None
        self.truth, self.n_classes = truth, n_classes
        self.keeps_classes = model.class_weight is not None
        seed_from(model.random_state)  # nothing is sampled, but a wrong value is an error

    def sample(self, weights: Numbers, turn: int) -> Numbers:
        """Return the weights that a weak learner is fitted with."""
        return weights

    def losses(self, predictions: NDArray[Any]) -> Numbers:
        """Return 1 for each misclassified row, else 0."""
        return np.asarray(predictions != self.truth, dtype=np.float64)

    def reweight(self, weights: Numbers, losses: Numbers, error: float, vote: float) -> Numbers:
        """Return the weights after a round, not yet normalized."""
        raised = np.where(losses > 0, weights * math.exp(vote), weights)
        return keep_class_shares(weights, raised, self.truth) if self.keeps_classes else raised

    def gained(self, before: Numbers, after: Numbers, losses: Numbers) -> NDArray[np.bool_]:
        """Return which rows gained weight."""
        return after > before if self.keeps_classes else losses > 0


class R2:
    """AdaBoost for numbers (AdaBoost.R2): rows with small errors lose weight."""

    combine: ClassVar[dict[str, Any]] = {"how": "median", "link": "identity"}
    n_classes: ClassVar[int] = 2  # an error of one half ends the fit, as for two classes

    def __init__(self, model: Any, truth: NDArray[Any], n_classes: int | None) -> None:
        self.truth, self.rate, self.resample = truth, model.learning_rate, model.resample
        self.loss = check_choice("loss", model.loss, ("linear", "square", "exponential"))
        self.seed = seed_from(model.random_state)

    def sample(self, weights: Numbers, turn: int) -> Numbers:
        """Return the weights that a weak learner is fitted with, or how often each row is sampled by them."""
        if not self.resample:
            return weights
        key = [self.seed % 2**64, turn]
        draws = np.random.Generator(np.random.Philox(key=key)).random(len(weights))
        ends = np.cumsum(weights)
        rows = np.searchsorted(ends, draws * ends[-1], side="right").clip(max=len(weights) - 1)
        return np.bincount(rows, minlength=len(weights)).astype(np.float64)

    def losses(self, predictions: NDArray[Any]) -> Numbers:
        """Return the loss of each row, between 0 and 1."""
        return scale_losses(np.abs(predictions - self.truth), self.loss)

    def reweight(self, weights: Numbers, losses: Numbers, error: float, vote: float) -> Numbers:
        """Return the weights after a round, not yet normalized."""
        return np.asarray(weights * (error / (1 - error)) ** ((1 - losses) * self.rate))

    def gained(self, before: Numbers, after: Numbers, losses: Numbers) -> NDArray[np.bool_]:
        """Return which rows gained weight."""
        return after > before * math.fsum(after)


# ---- weak learners


class TreeLearners:
    """Weak learners that grow trees of treewright."""

    def __init__(self, model: Any, data: TrainingData) -> None:
        if data.schema.smoothing is not None:
            raise UsageError(
                "smoothing has no effect in AdaBoost, which adds up the classes that its trees predict",
                slug="usage.parameter",
            )
        self.data, self.columns = data, encode(data.table, data.schema)
        self.base = clone(model._base_estimator())  # the user's estimator stays as it is
        earlier = earlier_forest(model, data.schema, _check_limits(model)[0])
        self.fitted: list[_core.Forest] = []
        if earlier is not None:
            self.fitted = [earlier.part(turn, turn + 1) for turn in range(earlier.n_trees)]

    def fit(self, weights: Numbers) -> None:
        data = self.data
        self.fitted.append(self.base._learn(data.table, data.schema, data.target, weights))

    def predict(self, turn: int) -> NDArray[Any]:
        values = self.fitted[turn].predict(self.columns)
        return values[:, 0] if self.data.n_classes is None else values.argmax(axis=1)


class OtherLearners:
    """Weak learners of any other kind."""

    def __init__(self, model: Any, X: Any, y: NDArray[Any], classes: NDArray[Any] | None) -> None:
        self.X, self.y, self.classes = X, y, classes
        self.base, self.seed = model._base_estimator(), seed_from(model.random_state)
        self.fitted = earlier_estimators(model, _check_limits(model)[0])

    def fit(self, weights: Numbers) -> None:
        estimator = clone_with_seed(self.base, self.seed + len(self.fitted))
        self.fitted.append(estimator.fit(self.X, self.y, sample_weight=weights))

    def predict(self, turn: int) -> NDArray[Any]:
        predictions = self.fitted[turn].predict(self.X)
        if self.classes is None:
            return np.asarray(predictions, dtype=np.float64)
        return np.asarray(np.searchsorted(self.classes, predictions))


# ---- rounds


def _check_limits(model: Any) -> tuple[int, float]:
    """Return the number of rounds and the learning rate."""
    rounds: int = check_integer("n_estimators", model.n_estimators, minimum=1)
    return rounds, check_learning_rate(model.learning_rate)


def _is_last(error: float, n_classes: int) -> bool:
    """Return whether a weak learner ends the fit: it is perfect, or not better than chance."""
    return error <= 0 or error >= 1 - 1 / n_classes


def _run_rounds(model: Any, rule: Samme | R2, learners: Any, weights: Numbers | None) -> None:
    """Fit the weak learners and store the rounds; earlier rounds are replayed to get the weights after them."""
    limit, rate = _check_limits(model)
    report, n_classes, n_earlier = (
        progress_callback(model, limit),
        rule.n_classes,
        len(learners.fitted),
    )
    shares = np.ones(len(rule.truth)) if weights is None else weights.astype(np.float64)
    rounds: list[Round] = []
    while len(rounds) < limit:
        turn = len(rounds)
        # Exact sums: the order of the rows does not matter.
        shares = shares / math.fsum(shares)
        if turn >= n_earlier:
            learners.fit(rule.sample(shares, turn))
        losses = rule.losses(learners.predict(turn))
        if turn < n_earlier:
            error, vote = _earlier_result(model, turn)
        else:
            error = math.fsum(shares * losses)
            if error >= 1 - 1 / n_classes and rounds:
                break
            vote = 1.0 if _is_last(error, n_classes) else vote_for_error(error, rate, n_classes)
        last = _is_last(error, n_classes)
        after = shares if last else rule.reweight(shares, losses, error, vote)
        gained = np.packbits(rule.gained(shares, after, losses))
        rounds.append(Round(turn, error, vote, len(shares), gained))
        shares = after
        if turn >= n_earlier:
            if report is not None:
                report(turn + 1)
            last = model._wants_stop(rounds[-1]) or last
        if last:
            break
    _store_rounds(model, rounds)


def _run_stumps(
    model: Any, rule: Samme, learners: TreeLearners, peers: _core.Peers | None
) -> list[_core.Forest] | None:
    """Return the stumps that the core fits; None if not all columns are numbers without missing values."""
    limit, rate = _check_limits(model)
    report, n_rows = progress_callback(model, limit), len(rule.truth)
    arguments, threads = learners.data.core_arguments, threads_of(model.n_jobs)
    rounds: list[Round] = []
    for turn in range(len(learners.fitted)):
        missed = np.packbits(rule.losses(learners.predict(turn)) > 0)
        rounds.append(Round(turn, *_earlier_result(model, turn), n_rows, missed))
    forests = list(learners.fitted)
    is_over = bool(rounds) and _is_last(rounds[-1].error, rule.n_classes)
    step = STUMPS_PER_CALLBACK if model._has_callback() else limit
    while not is_over and len(rounds) < limit:
        first, last = len(rounds), min(limit, len(rounds) + step)
        votes, bits = [r.vote for r in rounds], [r.bits for r in rounds]
        result = _core.boost_stumps(*arguments, last, rate, threads, report, votes, bits, peers)
        if result is None:
            return None
        forest, votes, errors, misses = result
        for error, vote, missed in zip(errors, votes, misses, strict=True):
            rounds.append(Round(len(rounds), error, vote, n_rows, missed))
            is_over = model._wants_stop(rounds[-1])
            if is_over:
                break
        forests.append(forest.part(0, len(rounds) - first))
        # Fewer rounds than asked for: the core found no better learner.
        is_over = is_over or len(rounds) < last or _is_last(rounds[-1].error, rule.n_classes)
    _store_rounds(model, rounds)
    return forests


def _earlier_result(model: Any, turn: int) -> tuple[float, float]:
    """Return the error and the vote of a round of the previous fit."""
    return float(model.estimator_errors_[turn]), float(model.estimator_weights_[turn])


def _store_rounds(model: Any, rounds: list[Round]) -> None:
    model.rounds_ = tuple(rounds)
    model.estimator_weights_ = np.array([r.vote for r in rounds])
    model.estimator_errors_ = np.array([r.error for r in rounds])


@dataclass(frozen=True)
class AdaBoostMethod:
    """AdaBoost by one of the two rules, with its default weak learner."""

    rule: type[Samme] | type[R2]
    base: type[CARTClassifier | CARTRegressor]
    max_depth: int

    def default_base(self, model: Any) -> Any:
        return self.base(max_depth=self.depth(model), n_jobs=model.n_jobs)

    def depth(self, model: Any) -> int:
        """Return the depth of the default weak learner: a tree needs a leaf for each class to tell them all apart."""
        schema = model.__dict__.get("schema_")
        classes = model.__dict__.get("_n_classes") or (len(schema.classes) if schema else 0)
        return max(self.max_depth, math.ceil(math.log2(max(classes, 1))))

    def check_restored(self, model: Any) -> None:
        _check_limits(model)
        for values in (model.estimator_weights_, model.estimator_errors_):
            if len(values) != model._forest.n_trees or not np.isfinite(values).all():
                raise ValueError("it has not a vote and an error for each round")

    def fit_trees(
        self, model: Any, data: TrainingData, peers: _core.Peers | None = None
    ) -> _core.Forest:
        """Return the trees; ``peers`` are the processes that hold the other rows, of which only stumps are found."""
        model._n_classes = data.n_classes or 1
        if isinstance(data.target, ClassTarget):
            weights = weigh_rows(model.class_weight, data.target, data.weights)
            data = replace(data, weights=weights)
        learners = TreeLearners(model, data)
        rule, forests = self.rule(model, data.labels, data.n_classes), None
        is_fast = isinstance(rule, Samme) and rule.n_classes == 2 and not rule.keeps_classes
        if is_fast and isinstance(rule, Samme) and model.estimator is None:
            forests = _run_stumps(model, rule, learners, peers)
        if forests is None and peers is not None:
            raise UsageError(NEEDS_ONE_PROCESS, slug="usage.parameter")
        if forests is None:
            _run_rounds(model, rule, learners, data.weights)
            forests = learners.fitted[: len(model.rounds_)]
        if data.n_classes == 1:
            return _core.Forest.joined(forests)
        votes = model.estimator_weights_.tolist()
        return _core.Forest.joined(
            forests, rule.combine | {"scales": votes, "base": [], "targets": []}
        )

    def fit_estimators(self, model: Any, X: Any, y: Any, sample_weight: Any) -> None:
        require_sample_weight(model._base_estimator())
        X = validate_data(model, X, skip_check_array=True)
        target = model._check_target(y)
        weights = weights_of(sample_weight, len(target))
        if isinstance(target, ClassTarget):
            weights = weigh_rows(model.class_weight, target, weights)
            model.classes_, labels = target.sorted, np.asarray(y)
            learners = OtherLearners(model, X, labels, target.sorted)
            truth = np.searchsorted(target.sorted, labels)
            rule = self.rule(model, truth, len(target.sorted))
        else:
            learners = OtherLearners(model, X, target.values, None)
            rule = self.rule(model, target.values, None)
        _run_rounds(model, rule, learners, weights)
        model.estimators_ = learners.fitted[: len(model.rounds_)]

    def predict_values(self, model: Any, X: Any) -> Numbers:
        if hasattr(model, "classes_"):
            return shares_of(self.predict_sums(model, X))
        values = np.column_stack([one.predict(X) for one in model.estimators_])
        return weighted_median(values, model.estimator_weights_)

    def predict_sums(self, model: Any, X: Any) -> Numbers:
        return list(sum_votes(model, X))[-1]

    def stages(self, model: Any, X: Any, raw: bool) -> Iterator[Numbers]:
        if hasattr(model, "classes_"):
            for sums in sum_votes(model, X):
                yield sums if raw else shares_of(sums)
            return
        columns: list[Numbers] = []
        for one in model.estimators_:
            columns.append(one.predict(X))
            votes = model.estimator_weights_[: len(columns)]
            yield weighted_median(np.column_stack(columns), votes)
