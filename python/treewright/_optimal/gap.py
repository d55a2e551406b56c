"""`optimality_gap`: how many errors a tree makes, and how many the best tree of its depth makes.

The splits of the tree are among those that are searched, so the gap is never negative.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from treewright._estimator.find import transform_rows, unwrap
from treewright._estimator.training_data import TrainingData
from treewright._evaluate.comparison import Comparison
from treewright._evaluate.model_comparison import compare
from treewright._input.checks import read_rows
from treewright._input.containers import as_table
from treewright._input.encoding import encode_columns
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._learners.optimal.candidate_splits import SplitAt
from treewright._learners.optimal.known_splits import splits_of
from treewright._learners.optimal.optimal_tree import (
    OptimalTree,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    Progress,
)
from treewright._optimal.any_tree import any_tree, is_sklearn_tree
from treewright._optimal.gap_result import OptimalityGap
from treewright._utils.validation import check_integer, check_lengths
from treewright._utils.watching import Watch
from treewright.errors import UsageError
from treewright.schema import label
from treewright.table import MISSING, Table
from treewright.tree import SHARE, Tree

__all__ = ["optimality_gap"]

Weights = NDArray[np.float64] | None


def optimality_gap(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    max_depth: int | None = None,
    time_limit: float | None = 10.0,
    leaf_cost: float = 0.0,
    min_samples_leaf: float = 1,
    binarize: str = "auto",
    cv: int | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    callback: Progress | None = None,
    watch: Watch | None = None,
) -> OptimalityGap:
    """Compare a fitted tree with the best tree of its depth.

    The best tree makes the fewest errors on these rows, for a numeric target the least squared error. It is found by
    exhaustive search with bounds. If the time limit is reached first, the best tree so far and a proven lower bound are
    returned. The fewest errors in training are not the fewest on new rows: ``cv`` measures both trees on rows that
    they were not trained on.

    Parameters
    ----------
    model : fitted estimator or Tree
        A tree of this package or of scikit-learn whose splits have two sides, or a Pipeline that ends in one.
    X, y : table and array-like
        The training rows.
    sample_weight : array-like, optional
        Their weights.
    max_depth : int, optional
        Maximum depth of the best tree; by default the depth of the model.
    time_limit : float or None, default=10.0
        Stop the search after so many seconds.
    leaf_cost, min_samples_leaf, binarize, n_jobs
        See :class:`treewright.OptimalTreeClassifier`.
    cv : int, optional
        Also compare both trees by cross-validation with so many folds.
    random_state : int, RandomState, Generator or None, default=0
        Random seed for the folds.
    callback : callable, optional
        Called with the seconds, the objective of the best tree and the lower bound at each improvement.
    watch : callable, optional
        A progress bar for the folds: takes the tasks and their number, and yields the tasks.

    Returns
    -------
    OptimalityGap
        ``errors``, ``best_errors``, ``lower_bound``, ``proven``, ``best_model``, ``best_tree``, ``seconds``.

    Examples
    --------
    >>> from treewright import CARTClassifier, datasets, optimality_gap
    >>> X, y = datasets.vote()
    >>> gap = optimality_gap(CARTClassifier(max_depth=2).fit(X, y), X, y)
    >>> gap.errors, gap.best_errors, gap.proven
    (19, 17, True)
    """
    search = {
        "max_depth": check_integer("max_depth", max_depth, minimum=1, optional=True),
        "leaf_cost": leaf_cost,
        "min_samples_leaf": min_samples_leaf,
        "time_limit": time_limit,
        "binarize": binarize,
        "n_jobs": n_jobs,
    }
    tree, name = any_tree(model)
    rows = transform_rows(model, X)
    table = _table_of(model, tree, rows)
    target: Any = ClassTarget.of(y) if tree.schema.classes else NumberTarget.of(y)
    check_lengths(len(table), len(target))
    weights = weights_of(sample_weight, len(target))
    _refuse_other_splits(tree, table)
    best = _best_of(tree, search)
    _fit_best(best, tree, model, (table, y, sample_weight), callback)
    folds = None
    if cv is not None:
        folds = _cross_validate(model, best, (X, rows), y, weights, cv, random_state, watch)
    errors = _errors_of(model, tree, X, target, weights)
    total = float(len(target)) if weights is None else math.fsum(weights.tolist())
    return _result(best, tree, name, errors, (total, len(target)), folds)


def _best_of(tree: Tree, search: dict[str, Any]) -> OptimalTree:
    """Return the estimator of the best tree, not yet fitted."""
    if search["max_depth"] is None:
        search["max_depth"] = max(1, tree.depth)
    return (OptimalTreeClassifier if tree.schema.classes else OptimalTreeRegressor)(**search)


def _fit_best(
    best: OptimalTree, tree: Tree, model: Any, rows: tuple[Any, Any, Any], callback: Progress | None
) -> None:
    """Search for the best tree, with the splits of the tree among the candidates."""
    best._wanted_splits = lambda data: _own_splits(tree, data)
    try:
        best.fit(*rows, callback=callback)
    finally:
        del best._wanted_splits
    if best.schema_.target is None:  # y has no name, but the model knows the one of its target
        best.schema_ = replace(best.schema_, target=tree.schema.target)
    if not hasattr(unwrap(model), "feature_names_in_"):
        best.__dict__.pop(
            "feature_names_in_", None
        )  # it reads columns by position, as the model does


def _result(
    best: OptimalTree,
    tree: Tree,
    name: str,
    errors: float,
    size: tuple[float, int],
    folds: Comparison | None,
) -> OptimalityGap:
    total, rows = size
    leaf_penalty = (best.objective_ - best.errors_) / best.tree_.n_leaves
    comparable = tree.depth <= best.max_depth
    # Where the time was up, the tree itself may be the best that is known.
    objective = errors + leaf_penalty * tree.n_leaves
    is_best = comparable and objective <= best.objective_
    lower_bound = min(best.lower_bound_, objective) if comparable else best.lower_bound_
    return OptimalityGap(
        name=name,
        rows=rows,
        total=int(total) if total.is_integer() else total,
        max_depth=best.max_depth,
        errors=errors,
        best_errors=errors if is_best else best.errors_,
        lower_bound=lower_bound,
        proven=best.proven_,
        is_complete=best.is_complete_,
        seconds=best.seconds_,
        progress=tuple(best.progress_),
        tree=tree,
        best_model=best,
        cross_validation=folds,
    )


# ---- the rows


def _table_of(model: Any, tree: Tree, X: Any) -> Table:
    """Return the rows with the columns of the model, coded as it does."""
    if is_sklearn_tree(model):
        return as_table(X)
    estimator = unwrap(model)
    table = as_table(X) if isinstance(model, Tree) else read_rows(estimator, X, estimator.schema_)
    columns = encode_columns(table, tree.schema)
    levels = [len(column.levels) for column in tree.schema.columns]
    known = [
        np.where(codes < n, codes, MISSING).astype(np.uint32) if n else codes
        for codes, n in zip(columns, levels, strict=True)
    ]
    return Table.of_codes(known, tree.schema)


def _errors_of(model: Any, tree: Tree, X: Any, target: Any, weights: Weights) -> float:
    """Return the weight of the rows that the model predicts wrongly, or its squared error."""
    if isinstance(model, Tree):
        nodes = tree._forest.apply(tree._index, encode_columns(as_table(X), tree.schema))
        predicted = np.array([tree.answer(int(node)) for node in nodes])
    else:
        predicted = np.asarray(model.predict(X))
    if isinstance(target, ClassTarget):
        truth = target.sorted[target.order[target.codes]]
        costs = (_labels(predicted) != _labels(truth)).astype(np.float64)
    else:
        costs = (predicted - target.values) ** 2
    errors = math.fsum((costs if weights is None else costs * weights).tolist())
    return int(errors) if errors.is_integer() else errors


def _labels(values: NDArray[Any]) -> NDArray[Any]:
    """Return classes that compare as text where their types differ, such as those of a loaded model."""
    return np.array([label(value) for value in values.tolist()], dtype=object)


# ---- the splits of the tree


def _refuse_other_splits(tree: Tree, table: Table) -> None:
    """Raise an error if a split has more than two sides, or divides rows."""
    children = np.asarray(tree.n_children)
    wide = np.flatnonzero(children > 2)
    if len(wide):
        node = int(wide[0])
        column = tree.schema.names[int(tree.feature[node])]
        raise UsageError(
            f'node {node} splits "{column}" into {int(children[node])} branches; only trees with two-way splits can be '
            "compared",
            slug="optimal.branches",
            hints=["take CARTClassifier, or smallest_tree for trees with a branch for each value"],
        )
    for node in np.flatnonzero(np.asarray(tree.missing) == SHARE).tolist():
        source = int(tree.feature[node])
        if children[node] and table.series[source].missing().any():
            raise UsageError(
                f'node {node} divides rows in which "{tree.schema.names[source]}" is missing among its branches; '
                "trees whose rows go to one leaf can be compared",
                slug="optimal.branches",
                hints=["take CARTClassifier"],
            )


def _own_splits(tree: Tree, data: TrainingData) -> Sequence[SplitAt]:
    """Return the splits of the tree in the codes of the rows."""
    places = [
        {label(level): code for code, level in enumerate(series.levels)}
        for series in data.table.series
    ]
    wanted = []
    for split in splits_of(tree._table, tree.schema):
        levels = tree.schema.columns[split.column].levels
        place = places[split.column]
        left = {
            code if code == MISSING else place.get(label(levels[code]), -1) for code in split.left
        }
        wanted.append(SplitAt(split.column, split.threshold, frozenset(left - {-1})))
    return wanted


# ---- new rows


def _cross_validate(
    model: Any,
    best: OptimalTree,
    tables: tuple[Any, Any],
    y: Any,
    weights: Weights,
    cv: int,
    random_state: Any,
    watch: Watch | None,
) -> Comparison:
    if not hasattr(model, "fit"):
        raise UsageError("cross-validation needs an estimator, not a tree", slug="usage.parameter")
    X, rows = tables
    models = {"your tree": model, "best tree": clone(best)}
    if X is not rows:  # the steps of a Pipeline are trained on each fold, too
        models["best tree"] = _replace_last(model, clone(best))
    return compare(models, X, y, weights, cv=cv, random_state=random_state, watch=watch)


def _replace_last(model: Any, estimator: Any) -> Any:
    """Return an unfitted Pipeline with another estimator at its end."""
    from treewright._estimator.find import is_pipeline, unwrap_search

    model = unwrap_search(model)
    if not is_pipeline(model):
        return estimator
    name, last = model.steps[-1]
    pipeline = clone(model)
    pipeline.steps[-1] = (name, _replace_last(last, estimator))
    return pipeline
