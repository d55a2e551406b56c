"""The ``init`` of gradient boosting: where the sums of a model start.

They start at a constant or at the predictions of an estimator. If the predictions of a treewright model are sums of
trees, those trees become the first trees of the boosted model. Any other estimator is fitted and stored beside the
trees (`ExternalInit`); its predictions are added whenever the model predicts.

Not here: the constant that minimizes the loss, which the core finds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright._estimator.tree_model import TreeModel
from treewright._learners.boosting.boosting_recipe import Boost, count_sums
from treewright._learners.boosting.training_rows import FitArguments
from treewright._model.table_builder import levels_of, node_columns
from treewright._utils.validation import check_choice
from treewright.errors import UsageError
from treewright.schema import Schema

__all__ = ["ExternalInit", "InitialSums", "initial_sums"]

Numbers = NDArray[np.float64]

# As in scikit-learn: probabilities are kept this far from 0 and 1 before they become log odds.
MIN_PROBABILITY = float(np.finfo(np.float32).eps)
LINKS = {
    "logistic": "logistic",
    "softmax": "softmax",
    "poisson": "exp",
    "gamma": "exp",
    "tweedie": "exp",
}


@dataclass(frozen=True, slots=True)
class ExternalInit:
    """A fitted estimator whose predictions are added to the sums of the trees."""

    estimator: Any
    loss: str
    classes: tuple[Any, ...]

    def sums(self, X: Any) -> Numbers:
        """Return the sums that its predictions stand for: one row each, one column for each sum."""
        if not self.classes:
            values = np.asarray(self.estimator.predict(X), dtype=np.float64)[:, None]
        else:
            places = [list(self.estimator.classes_).index(level) for level in self.classes]
            values = np.asarray(self.estimator.predict_proba(X), dtype=np.float64)[:, places]
        return sums_for_values(values, self.loss)


Apart = ExternalInit  # its name in pickles of early versions


@dataclass(frozen=True, slots=True)
class InitialSums:
    """Where the sums start: a constant (None for the best one), plus trees, plus another estimator."""

    base: list[float] | None = None
    trees: _core.Forest | None = None
    external: ExternalInit | None = None


class _NoRowsError(Exception):
    """The rows are not available as the user passed them, which another estimator needs."""


def initial_sums(
    init: Any,
    recipe: Boost,
    data: TrainingData,
    arguments: FitArguments,
    held: NDArray[np.bool_] | None,
) -> InitialSums:
    """Return where the sums start; rows that are held out for validation are not used."""
    n_sums = count_sums(recipe)
    if not hasattr(init, "fit") or isinstance(init, type):
        return InitialSums(base_for_init(init, n_sums))
    needed = "predict_proba" if data.schema.classes else "predict"
    if not hasattr(init, needed):
        raise UsageError(
            f"init must be an estimator with {needed}; got {type(init).__name__}",
            slug="usage.parameter",
        )
    trees = _grow_init(init, recipe["loss"], data, held)
    if trees is not None:
        return InitialSums(list(trees.combine["base"]), trees)
    return InitialSums([0.0] * n_sums, None, _fit_init(init, recipe["loss"], data, arguments, held))


def base_for_init(init: Any, n_sums: int) -> list[float] | None:
    """Return the constant at which each sum starts; None for the one that minimizes the loss.

    Examples
    --------
    >>> base_for_init("zero", 2), base_for_init(1.5, 1), base_for_init(None, 1)
    ([0.0, 0.0], [1.5], None)
    """
    if init is None:
        return None
    if isinstance(init, str):
        check_choice("init", init, ("zero",))
        return [0.0] * n_sums
    try:
        base = [float(x) for x in np.asarray(init, dtype=np.float64).ravel()]
    except (TypeError, ValueError):
        base = []
    if len(base) != n_sums or not all(map(math.isfinite, base)):
        what = "a number" if n_sums == 1 else f"{n_sums} numbers, one for each class"
        raise UsageError(
            f'init must be None, "zero", {what}, or an estimator; got {init!r}',
            slug="usage.parameter",
        )
    return base


def _grow_init(
    init: Any, loss: str, data: TrainingData, held: NDArray[np.bool_] | None
) -> _core.Forest | None:
    """Return the trees of a treewright model of the same columns; None if its predictions are no sums of trees."""
    if not isinstance(init, TreeModel):
        return None
    table, schema, target, weights = data.table, data.schema, data.target, data.weights
    model: Any = clone(init)
    if model._prepare(table) is not table or model._describe(table, target) != schema:
        return None
    if held is not None:
        weights = (np.ones(len(table)) if weights is None else weights) * ~held
    if weights is not None and not weights.all():
        present = weights > 0
        table, target, weights = table[present], target.take(present), weights[present]
    try:
        forest = model._learn(table, schema, target, weights)
    except _NoRowsError:  # its own init needs the rows as the user passed them
        return None
    return trees_as_terms(forest, loss, schema)


def _fit_init(
    init: Any,
    loss: str,
    data: TrainingData,
    arguments: FitArguments,
    held: NDArray[np.bool_] | None,
) -> ExternalInit:
    if arguments.X is None:
        raise _NoRowsError
    rows = np.arange(len(data)) if arguments.rows is None else arguments.rows
    used = np.ones(len(data), dtype=bool) if held is None else ~held
    weights = {}
    if data.weights is not None:
        if not has_fit_parameter(init, "sample_weight"):
            raise ValueError(
                f"The initial estimator {type(init).__name__} does not support sample weights."
            )
        weights["sample_weight"] = data.weights[used]
    X, y = (_safe_indexing(values, rows[used]) for values in (arguments.X, arguments.y))
    return ExternalInit(clone(init).fit(X, y, **weights), loss, tuple(data.schema.classes))


def sums_for_values(values: Numbers, loss: str) -> Numbers:
    """Return the sums that predicted numbers or class probabilities stand for under a loss.

    Examples
    --------
    >>> sums_for_values(np.array([[0.25, 0.75]]), "logistic").round(3).tolist()
    [[1.099]]
    """
    if loss == "logistic":
        second = values[:, 1:].clip(MIN_PROBABILITY, 1 - MIN_PROBABILITY)
        return np.asarray(np.log(second / (1 - second)))
    if loss == "softmax":
        logs = np.log(values.clip(MIN_PROBABILITY, 1 - MIN_PROBABILITY))
        return np.asarray(logs - logs.mean(axis=1, keepdims=True))
    has_log_link = LINKS.get(loss) == "exp"
    return np.asarray(np.log(values.clip(MIN_PROBABILITY))) if has_log_link else values


def trees_as_terms(forest: _core.Forest, loss: str, schema: Schema) -> _core.Forest | None:
    """Return the trees of a model as terms of the sums of a loss; None if its predictions are no such sums."""
    combine = forest.combine
    if combine["link"] != "identity" or combine["how"] not in ("mean", "sum"):
        return None
    if loss not in LINKS:
        scales = np.array(combine["scales"] or [1.0] * forest.n_trees)
        if combine["how"] == "mean":
            scales = scales / scales.sum()
        base = list(combine["base"] or [0.0])
        return _core.Forest.joined(
            [forest], _describe_sum(scales.tolist(), [0] * forest.n_trees, base, loss)
        )
    tree = forest.tree(0)
    splits_rows = bool((np.asarray(tree.missing) == _core.SHARE).any())
    if forest.n_trees > 1 or combine["how"] == "sum" or splits_rows or tree.spares() is not None:
        return None
    # One tree for each sum; the value of a node is the sum that its prediction stands for.
    nodes = node_columns(tree)
    values = sums_for_values(np.asarray(tree.value), loss)
    n_sums = values.shape[1]
    trees = [nodes | {"value": np.ascontiguousarray(values[:, k])} for k in range(n_sums)]
    combine = _describe_sum([1.0] * n_sums, list(range(n_sums)), [0.0] * n_sums, loss)
    return _core.Forest.from_tables(levels_of(schema), 1, trees, combine)


def _describe_sum(
    scales: list[float], targets: list[int], base: list[float], loss: str
) -> dict[str, Any]:
    link = LINKS.get(loss, "identity")
    return {"how": "sum", "link": link, "scales": scales, "base": base, "targets": targets}
