"""Bagging (Breiman 1996): an estimator fitted to many samples of the rows; the prediction is the mean of theirs.

Trees of treewright become one forest: those of CART are grown in parallel by the core, others one after the other. Any
other estimator is cloned and fitted to the sampled rows.

Not here: forests, whose nodes also sample columns (``forests``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import validate_data

from treewright import _core
from treewright._catalog import public
from treewright._estimator.ensemble import EnsembleClassifier, EnsembleRegressor
from treewright._estimator.training_data import TrainingData
from treewright._input.class_weights import factors, weigh_rows
from treewright._input.target import ClassTarget, weights_of
from treewright._learners.class_weight_params import ClassWeightParams
from treewright._learners.ensembles.base_learner import (
    BaseLearnerEnsemble,
    clone_with_seed,
    require_sample_weight,
)
from treewright._learners.ensembles.fitted_trees import SampledRows
from treewright._learners.ensembles.out_of_bag import OutOfBagParams, score_estimators, score_trees
from treewright._learners.ensembles.run_params import RunParams, progress_callback
from treewright._learners.ensembles.sampling import (
    Bag,
    count_columns,
    count_draws,
    draw_by_weight,
    draw_rows,
    make_bag,
)
from treewright._learners.ensembles.warm_start import earlier_estimators, earlier_forest
from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
from treewright._learners.trees.cart_recipe import cart_recipe
from treewright._model.table_builder import widen_forest
from treewright._pruning.pruning_plan import plan_of
from treewright._utils.docstrings import documented
from treewright._utils.random_state import seed_from
from treewright._utils.validation import Recipe, check_integer, check_lengths, threads_of
from treewright.errors import UsageError
from treewright.table import Table

__all__ = ["BaggingClassifier", "BaggingRegressor"]

Numbers = NDArray[np.float64]
# Trees that are grown between two calls of a callback if all threads may be used.
TREES_PER_CALLBACK = 8


@dataclass(eq=False, repr=False)
class BaggingParams:
    """Parameters and attributes of bagging.

    Parameters
    ----------
    n_estimators : int, default=10
        Number of estimators.
    max_samples : int, float or None, default=None
        Number of rows of a sample, or a fraction of them; None for as many as there are.
    max_features : int or float, default=1.0
        Number of columns that each estimator uses, or a fraction of them.
    bootstrap : bool, default=True
        Whether rows are sampled with replacement.

    Attributes
    ----------
    trees_ : Trees
        The trees, if the base estimator is a tree of treewright.
    estimators_ : list
        The fitted estimators. Model files store trees of treewright only; pickles store any.
    estimators_features_ : list of ndarray
        The columns that each of them takes: all, if they are trees of treewright.
    estimators_samples_ : list of ndarray
        The rows that each was fitted to, each as often as it was drawn. Not stored in files.
    """

    estimator: Any = None
    n_estimators: int = 10
    _: KW_ONLY
    max_samples: Any = None
    max_features: Any = 1.0
    bootstrap: bool = True


@dataclass(frozen=True)
class BaggingMethod:
    """Bagging of classifiers or regressors."""

    default: type[CARTClassifier | CARTRegressor]

    def default_base(self, model: Any) -> Any:
        return self.default(n_jobs=model.n_jobs)

    def check_restored(self, model: Any) -> None:
        """Any parameters and trees of a file are possible."""

    # ---- trees of treewright

    def fit_trees(self, model: Any, data: TrainingData) -> _core.Forest:
        total = check_integer("n_estimators", model.n_estimators, minimum=1)
        bag = _make_bag(model, data.weights, len(data))
        class_factors = _class_factors(model, data.target, data.weights)
        if class_factors and model.bootstrap:
            by_row = np.array(class_factors)[data.labels]
            bag = draw_by_weight(bag, by_row, data.order(bag["seed"]), total)
        samples = _core.Samples(bag, *data.core_arguments)
        grow, step = _tree_grower(model, data, bag, samples, total)
        earlier = earlier_forest(model, data.schema, total)
        forests = [] if earlier is None else [earlier]
        done = 0 if earlier is None else earlier.n_trees
        while done < total:
            first, done = done, min(done + step, total)
            forests.append(grow(first, done))
            if model._wants_stop(done, total):
                break
        forest = _core.Forest.joined(forests)
        model.estimators_samples_ = SampledRows(samples, forest.n_trees)
        model.estimators_features_ = [np.arange(len(data.schema.columns))] * forest.n_trees
        if model.oob_score:
            score_trees(model, forest, bag, data)
        return forest

    # ---- other estimators

    def fit_estimators(self, model: Any, X: Any, y: Any, sample_weight: Any) -> None:
        X = validate_data(model, X, skip_check_array=True)
        target = model._check_target(y)
        is_class = isinstance(target, ClassTarget)
        check_lengths(X.shape[0], len(target))
        if is_class:
            model.classes_ = target.sorted
        truth = np.asarray(y) if is_class else target.values
        sampled = _fit_clones(model, X, truth, target, weights_of(sample_weight, len(target)))
        if not model.oob_score:
            return
        sums = np.zeros((len(target), len(target.sorted) if is_class else 1))
        counts = np.zeros(len(target))
        for (estimator, part), contains in zip(_with_columns(model, X), sampled, strict=True):
            rows = np.flatnonzero(~contains)
            sums[rows] += _predict_one(model, estimator, _safe_indexing(part, rows))
            counts[rows] += 1
        score_estimators(model, sums, counts, target)

    def predict_values(self, model: Any, X: Any) -> Numbers:
        values = [_predict_one(model, one, part) for one, part in _with_columns(model, X)]
        return np.asarray(np.sum(values, axis=0) / len(values))

    def predict_sums(self, model: Any, X: Any) -> Numbers:
        raise TypeError("bagging has no decision function")

    def stages(self, model: Any, X: Any, raw: bool) -> Iterator[Numbers]:
        sums: Any = 0.0
        for done, (one, part) in enumerate(_with_columns(model, X), 1):
            sums = sums + _predict_one(model, one, part)
            yield np.asarray(sums / done)


def _make_bag(model: Any, weights: Numbers | None, n_rows: int) -> Bag:
    draws = count_draws(model.max_samples, weights, n_rows)
    if model.oob_score and not model.bootstrap:
        raise ValueError("Out of bag estimation only available if bootstrap=True")
    sampling = "bootstrap" if model.bootstrap else "all" if draws is None else "subset"
    return make_bag(sampling, seed_from(model.random_state), draws)


def _tree_grower(
    model: Any, data: TrainingData, bag: Bag, samples: _core.Samples, total: int
) -> tuple[Callable[[int, int], _core.Forest], int]:
    """Return a function that grows the trees from a first to a last number, and how many it should grow at once."""
    report, arguments = progress_callback(model, total), data.core_arguments
    base = clone(model._base_estimator())  # the user's estimator stays as it is
    recipe = _cart_recipe(model, base, data)
    if recipe is not None:
        step = total
        if model._has_callback():
            step = recipe["threads"] or TREES_PER_CALLBACK

        def grow_many(first: int, last: int) -> _core.Forest:
            return _core.grow_bag(recipe, bag, *arguments, first, last, report, samples)

        return grow_many, step
    row_factors: Any = 1.0 if data.weights is None else data.weights
    if bag["given"] is None:
        if data.weights is None or _core.copies_of(data.weights) is not None:
            row_factors = 1.0  # counts are in the sample already
        class_factors = _class_factors(model, data.target, data.weights)
        if class_factors:
            row_factors = row_factors * np.array(class_factors)[data.labels]

    def grow(tree: int, last: int) -> _core.Forest:
        sample = samples.times(tree).astype(np.float64) * row_factors
        columns = _sample_columns(model.max_features, bag["seed"], len(data.schema.columns), tree)
        grown = _grow_on_columns(base, data, sample, columns)
        if report is not None:
            report(last)
        return grown

    return grow, 1


def _cart_recipe(model: Any, base: Any, data: TrainingData) -> Recipe | None:
    """Return the recipe if the core can grow all trees itself: unpruned CART on all columns; else None."""
    params, n_columns = base.get_params(deep=False), len(data.schema.columns)
    if not isinstance(base, (CARTClassifier, CARTRegressor)) or plan_of(params) is not None:
        return None
    if params["variant"] != "cart" or count_columns(model.max_features, n_columns) < n_columns:
        return None
    own = [] if model.bootstrap else _class_factors(model, data.target, data.weights)
    if own:
        assert isinstance(data.target, ClassTarget)
        inner = factors(params["class_weight"], None, data.target, data.weights) or [1.0] * len(own)
        products = [a * b for a, b in zip(own, inner, strict=True)]
        params["class_weight"] = dict(zip(data.target.levels, products, strict=True))
    recipe = cart_recipe(params, data.schema, data.target, data.weights)
    recipe["threads"] = threads_of(model.n_jobs)
    return recipe


def _class_factors(model: Any, target: Any, weights: Numbers | None) -> list[float]:
    """Return the factor of each class, in the order of the codes; empty if there are none.

    Rows are drawn in proportion to it. Without a bootstrap it multiplies the weights of rows.
    """
    is_class = isinstance(target, ClassTarget)
    return factors(model.class_weight, None, target, weights) if is_class else []


def _sample_columns(max_features: Any, seed: int, n_columns: int, turn: int) -> list[int] | None:
    """Return the columns of one estimator in ascending order; None for all."""
    count = count_columns(max_features, n_columns)
    if count == n_columns:
        return None
    generator = np.random.Generator(np.random.Philox(key=[seed % 2**64, 2**63 + turn]))
    return sorted(generator.permutation(n_columns)[:count].tolist())


def _grow_on_columns(
    base: Any, data: TrainingData, weights: Numbers, columns: list[int] | None
) -> _core.Forest:
    """Grow one tree on some columns, or on all, and return it as a tree of all columns."""
    if columns is None:
        grown: _core.Forest = base._learn(data.table, data.schema, data.target, weights)
        return grown
    table = Table([data.table.series[i] for i in columns])
    forest = base._learn(table, base._describe(table, data.target), data.target, weights)
    tree = forest.tree(0)
    if tree.spares() is not None:
        raise UsageError("surrogates and max_features cannot be combined", slug="usage.parameter")
    return widen_forest(forest, columns, data.schema)


def _fit_clones(
    model: Any, X: Any, truth: NDArray[Any], target: Any, weights: Numbers | None
) -> list[NDArray[np.bool_]]:
    """Fit the estimators; return for each of them which rows its sample contains."""
    n_rows, n_columns, base = len(truth), model.n_features_in_, model._base_estimator()
    bag = _make_bag(model, None, n_rows)
    total = check_integer("n_estimators", model.n_estimators, minimum=1)
    class_factors = _class_factors(model, target, weights)
    if class_factors and model.bootstrap:
        by_row = np.array(class_factors)[target.codes]
        bag = draw_by_weight(bag, by_row, np.arange(n_rows), total)
    elif class_factors:
        weights = weigh_rows(model.class_weight, target, weights)
    report = progress_callback(model, total)
    estimators, sampled = earlier_estimators(model, total), []
    samples, rows_of = draw_rows(bag, n_rows), []
    n_earlier = len(estimators)
    features = list(model.estimators_features_) if estimators else []
    if weights is not None:
        require_sample_weight(base)
    for i in range(total):
        times = samples.times(i)
        sampled.append(times > 0)
        rows = np.repeat(np.arange(n_rows), times)
        rows_of.append(rows)
        if i < n_earlier:
            continue
        columns = _sample_columns(model.max_features, bag["seed"], n_columns, i)
        features.append(np.array(columns or range(n_columns)))
        more = {} if weights is None else {"sample_weight": weights[rows]}
        estimator = clone_with_seed(base, bag["seed"] + i)
        part = _safe_indexing(_take_columns(X, columns), rows)
        estimators.append(estimator.fit(part, truth[rows], **more))
        if report is not None:
            report(i + 1)
        if model._wants_stop(i + 1, total):
            break
    model.estimators_, model.estimators_features_ = estimators, features
    model.estimators_samples_ = rows_of
    return sampled


def _take_columns(X: Any, columns: list[int] | None) -> Any:
    return X if columns is None else _safe_indexing(X, columns, axis=1)


def _with_columns(model: Any, X: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each estimator with the columns that it was fitted to."""
    for estimator, columns in zip(model.estimators_, model.estimators_features_, strict=True):
        takes_all = len(columns) == model.n_features_in_
        yield estimator, _take_columns(X, None if takes_all else columns.tolist())


def _predict_one(model: Any, estimator: Any, X: Any) -> Numbers:
    """Return what one estimator predicts: probabilities in the order of ``classes_``, or a column of numbers."""
    if not hasattr(model, "classes_"):
        return np.asarray(estimator.predict(X), dtype=np.float64).reshape(-1, 1)
    probabilities = np.zeros((X.shape[0], len(model.classes_)))
    if hasattr(estimator, "predict_proba"):
        places = np.searchsorted(model.classes_, estimator.classes_)
        probabilities[:, places] = estimator.predict_proba(X)
    else:
        places = np.searchsorted(model.classes_, estimator.predict(X))
        probabilities[np.arange(len(probabilities)), places] = 1
    return probabilities


@public
@documented
@dataclass(eq=False, repr=False)
class BaggingClassifier(
    ClassWeightParams,
    RunParams,
    OutOfBagParams,
    BaggingParams,
    BaseLearnerEnsemble,
    EnsembleClassifier,
):
    """Bagging of a classifier: the prediction is the class with the highest mean probability.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The base estimator: a tree of treewright or any other classifier. None is ``CARTClassifier()``.
    class_weight : dict, list, "balanced" or None, default=None
        The weight of each class, by class or in the order of ``classes_``: rows are drawn in proportion to it, or
        without ``bootstrap`` weighted by it. "balanced" draws about as many rows of each class.

    Examples
    --------
    >>> from treewright import BaggingClassifier, C45Classifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> model = BaggingClassifier(C45Classifier(), n_estimators=15).fit(X, y)
    >>> len(model.trees_)
    15
    """

    _method = BaggingMethod(CARTClassifier)


@public
@documented
@dataclass(eq=False, repr=False)
class BaggingRegressor(
    RunParams, OutOfBagParams, BaggingParams, BaseLearnerEnsemble, EnsembleRegressor
):
    """Bagging of a regressor: the prediction is the mean of the estimators' predictions.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The base estimator: a tree of treewright or any other regressor. None is ``CARTRegressor()``.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import BaggingRegressor
    >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
    >>> model = BaggingRegressor(n_estimators=20).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """

    _method = BaggingMethod(CARTRegressor)
