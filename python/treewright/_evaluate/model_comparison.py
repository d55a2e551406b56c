"""``compare``: estimators on the same folds."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_regressor

from treewright._estimator.find import kind_of, unwrap
from treewright._evaluate.class_probabilities import ClassProbabilities
from treewright._evaluate.comparison import Comparison, Entry, mean_of
from treewright._evaluate.prediction_scores import (
    CLASS_MEASURES,
    NUMBER_MEASURES,
    ClassScore,
    Measure,
    NumberScore,
    Score,
    find_positive,
)
from treewright._input.containers import as_table, take
from treewright._input.folds import folds
from treewright._input.row_order import row_order
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._input.unseen_values import unseen_unreported
from treewright._learners.baselines import OneRClassifier, ZeroRClassifier, ZeroRRegressor
from treewright._utils.random_state import check_seed
from treewright._utils.renamed import renamed_parameters
from treewright._utils.validation import check_integer
from treewright._utils.watching import Watch
from treewright.errors import UsageError
from treewright.schema import label

__all__ = ["compare", "paired_test"]

Numbers = NDArray[np.float64]


@renamed_parameters(seed="random_state")
def compare(
    models: Mapping[str, Any] | Sequence[Any] | Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    cv: int = 10,
    random_state: Any = 0,
    measures: str | Sequence[str] | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Compare estimators on the same folds; 0-R and 1-R are always included.

    Parameters
    ----------
    models : mapping of names to estimators, sequence of estimators, or one estimator
        The estimators; any that follow scikit-learn's interface.
    X, y : table and array-like
        The rows.
    sample_weight : array-like, optional
        Their weights, for training and for the scores.
    cv : int, default=10
        The number of folds; the classes have the same proportions in each.
    random_state : int, RandomState, Generator or None, default=0
        Random seed for the folds.
    measures : str or sequence of str, optional
        What is measured; the first one orders the estimators. For classes "accuracy" (the default), "error",
        "balanced-accuracy", "macro-precision", "f1", "auc", "log-loss", "brier"; for numbers "rmse" (the default),
        "mae", "r2".
    watch : callable, optional
        A progress bar: takes the tasks and their number, and yields the tasks.

    Returns
    -------
    Comparison
        Mean and deviation, size, time, and a paired test against the best; its picture has an interval for each.

    Examples
    --------
    >>> from treewright import C45Classifier, ID3Classifier, compare, datasets
    >>> comparison = compare([ID3Classifier(), C45Classifier(min_cases=1)], *datasets.play_tennis(), cv=7)
    >>> len(comparison.entries), comparison["ID3Classifier"].size
    (4, 5)
    >>> probabilities = compare(C45Classifier(), *datasets.play_tennis(), cv=3, measures=["log-loss", "brier"])
    >>> probabilities.measure, list(probabilities.entries[0].more)
    ('log-loss', ['brier'])
    """
    named = _name_models(models)
    by_number = all(is_regressor(model) for model in named.values())
    if any(is_regressor(model) for model in named.values()) != by_number:
        raise UsageError("some models predict classes and some numbers", slug="compare.tasks")
    target: Any = NumberTarget.of(y) if by_number else ClassTarget.of(y)
    rows = len(as_table(X))
    weights = weights_of(sample_weight, rows)
    cv = check_integer("cv", cv, minimum=2, maximum=rows)
    named = _with_baselines(named, by_number)
    # Classes in their sorted order, however y lists them.
    held = target.values if by_number else target.order[target.codes].astype(np.uint32)
    order = row_order(as_table(X), held, weights, check_seed(random_state))
    parts = folds(None if by_number else held, order, cv)
    truth = target.values if by_number else target.sorted[target.order[target.codes]]
    chosen = _find_measures(measures, by_number)
    _refuse_without_probabilities(named, chosen)
    trial = _Trial(X, y, weights, truth, by_number, chosen)
    work = [(name, part) for name in named for part in (None, *parts)]
    results: dict[str, list[Any]] = {name: [] for name in named}
    for name, part in watch(work, len(work)) if watch else work:
        results[name].append(
            trial.fit_all(named[name]) if part is None else trial.score(named[name], part)
        )
    return _rank(results, parts, rows, chosen)


@dataclass(frozen=True, eq=False)
class _Trial:
    """The rows and their true target."""

    X: Any
    y: Any
    weights: Numbers | None
    truth: NDArray[Any]
    by_number: bool
    measures: tuple[Measure, ...]

    def fit_all(self, model: Any) -> tuple[int | None, float]:
        """Train on all rows; return the size of the model and the time it took."""
        start = time.perf_counter()
        fitted = self._fit(model, None)
        seconds = time.perf_counter() - start
        return _size(fitted), seconds

    def score(self, model: Any, part: NDArray[np.int64]) -> Numbers:
        """Train without some rows and score the predictions for them by each measure; NaN where it is undefined."""
        rest = np.setdiff1d(np.arange(len(self.truth)), part)
        with unseen_unreported():
            score = self._predict(self._fit(model, rest), part)
        values = [measure.function(score) for measure in self.measures]
        return np.array([math.nan if value is None else value for value in values])

    def _predict(self, model: Any, part: NDArray[np.int64]) -> Score:
        rows, truth = take(self.X, part), self.truth[part]
        weights = None if self.weights is None else self.weights[part]
        if weights is not None and not weights.any():
            weights = None
        predictions = np.asarray(model.predict(rows))
        if self.by_number:
            return NumberScore(truth, predictions.astype(np.float64), weights)
        positive, probabilities = find_positive(np.unique(self.truth).tolist()), None
        if any(measure.needs_probabilities for measure in self.measures):
            names = [label(c) for c in np.asarray(model.classes_).tolist()]
            shares = model.predict_proba(rows)
            if positive not in names:  # no training row of this fold has the class
                names, shares = [*names, positive], np.pad(shares, ((0, 0), (0, 1)))
            probabilities = ClassProbabilities.of(
                [label(t) for t in truth.tolist()], shares, names, positive, weights
            )
        return ClassScore.of(
            truth.tolist(),
            predictions.tolist(),
            weights=weights,
            positive=positive,
            probabilities=probabilities,
        )

    def _fit(self, model: Any, rows: NDArray[np.int64] | None) -> Any:
        X, y, weights = self.X, self.y, self.weights
        if rows is not None:
            X, y = take(X, rows), take(y, rows)
            weights = None if weights is None else weights[rows]
        more = {} if weights is None else {"sample_weight": weights}
        return clone(model).fit(X, y, **more)


def _find_measures(measures: str | Sequence[str] | None, by_number: bool) -> tuple[Measure, ...]:
    """Return the measures by their names; an error for one of the other task."""
    table = {
        measure.name: measure for measure in (NUMBER_MEASURES if by_number else CLASS_MEASURES)
    }
    if measures is None:
        return (next(iter(table.values())),)
    names = [measures] if isinstance(measures, str) else list(measures)
    wanted = dict.fromkeys(str(name).replace("_", "-") for name in names)
    for name in wanted:
        if name not in table:
            what = "numbers" if by_number else "classes"
            raise UsageError(
                f'unknown measure "{name}" for {what}',
                slug="compare.measure",
                hints=[f"measures: {', '.join(table)}"],
            )
    if not wanted:
        raise UsageError("there is no measure to compare by", slug="compare.measure")
    return tuple(table[name] for name in wanted)


def _refuse_without_probabilities(models: Mapping[str, Any], measures: Sequence[Measure]) -> None:
    needs = [measure.name for measure in measures if measure.needs_probabilities]
    for name, model in models.items():
        if needs and not hasattr(model, "predict_proba"):
            raise UsageError(
                f"{needs[0]} needs class probabilities, and {name} has none",
                slug="evaluate.no-probabilities",
            )


def _name_models(models: Any) -> dict[str, Any]:
    if isinstance(models, Mapping):
        return {str(name): model for name, model in models.items()}
    listed = list(models) if isinstance(models, (list, tuple)) else [models]
    named: dict[str, Any] = {}
    for model in listed:
        name, n = type(model).__name__, 2
        while name in named:
            name, n = f"{type(model).__name__} {n}", n + 1
        named[name] = model
    return named


def _with_baselines(named: dict[str, Any], by_number: bool) -> dict[str, Any]:
    simple = (ZeroRRegressor,) if by_number else (OneRClassifier, ZeroRClassifier)
    have = {type(model) for model in named.values()}
    return named | {kind.__name__: kind() for kind in simple if kind not in have}


def _size(model: Any) -> int | None:
    if kind_of(model) == "rules":
        return len(unwrap(model).rules_) + 1
    trees = getattr(unwrap(model), "trees_", None)
    return None if trees is None else sum(int(tree.n_leaves) for tree in trees)


def _rank(
    results: dict[str, list[Any]],
    parts: list[NDArray[np.int64]],
    rows: int,
    measures: tuple[Measure, ...],
) -> Comparison:
    table = {name: np.array(values[1:]) for name, values in results.items()}
    scores = {name: values[:, 0] for name, values in table.items()}
    sign = -1 if measures[0].greater_is_better else 1

    def rank(name: str) -> float:
        mean = mean_of(scores[name])
        return math.inf if math.isnan(mean) else sign * mean

    order = sorted(scores, key=rank)
    test = sum(map(len, parts)) / len(parts)
    entries = [
        Entry(
            name,
            scores[name],
            results[name][0][0],
            results[name][0][1],
            None if i == 0 else paired_test(scores[name] - scores[order[0]], test / (rows - test)),
            {m.name: table[name][:, k] for k, m in enumerate(measures) if k},
        )
        for i, name in enumerate(order)
    ]
    return Comparison(tuple(entries), measures[0].name, len(parts))


def paired_test(differences: Numbers, ratio: float) -> float:
    """Return the probability of such differences by chance; ``ratio`` is the ratio of test rows to training rows."""
    from scipy.special import stdtr  # type: ignore[import-untyped]

    differences = differences[~np.isnan(differences)]
    if len(differences) < 2:
        return 1.0
    n, spread = len(differences), float(differences.var(ddof=1))
    if spread <= 1e-24:
        return 1.0 if abs(float(differences.mean())) <= 1e-12 else 0.0
    t = abs(float(differences.mean())) / math.sqrt((1 / n + ratio) * spread)
    return float(2 * stdtr(n - 1, -t))
