"""Growing a tree again without some rows, for validation and cross-validation; the path with cross-validated errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._estimator.model import Model
from treewright._estimator.tree_model import TreeModel
from treewright._input.containers import as_table
from treewright._input.folds import folds
from treewright._input.row_order import row_order
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._pruning.cost_complexity import PruningPath, path_of, with_errors
from treewright._pruning.pruning_rows import LabeledRows, read_labeled
from treewright._render.numbers import plural
from treewright._utils.choices import RISKS
from treewright._utils.random_state import check_seed
from treewright._utils.renamed import renamed_parameters
from treewright._utils.validation import check_choice, check_integer, check_lengths
from treewright._utils.watching import Watch
from treewright.errors import UsageError
from treewright.tree import Tree

__all__ = [
    "add_errors",
    "check",
    "grow_without",
    "order_of",
    "pruning_path",
    "unpruned",
]

M = TypeVar("M", bound=TreeModel)

# The parameters that prune during a fit, and the values that turn them off.
OFF: dict[str, Any] = {"prune": None, "ccp_alpha": None}


def unpruned(model: M) -> M:
    """Return an unfitted model with the same parameters that does not prune."""
    off = {name: value for name, value in OFF.items() if name in model.get_params(deep=False)}
    full: M = clone(model).set_params(**off)
    return full


def order_of(
    model: TreeModel, X: Any, y: Any, sample_weight: Any, random_state: Any
) -> tuple[NDArray[np.uint32] | None, NDArray[np.int64]]:
    """Return the class codes of rows, None for numbers, and a random order of the rows."""
    table = as_table(X)
    labels: Any = ClassTarget.of(y).codes if model.schema_.classes else NumberTarget.of(y).values
    check_lengths(len(table), len(labels))
    order = row_order(
        table, labels, weights_of(sample_weight, len(table)), check_seed(random_state)
    )
    return labels if model.schema_.classes else None, order


def grow_without(
    model: M, X: Any, y: Any, sample_weight: Any, part: NDArray[np.int64]
) -> tuple[M, LabeledRows]:
    """Grow the model's full tree without some rows; return it, and these rows in its codes."""
    rows = len(as_table(X))
    weights = weights_of(sample_weight, rows)
    ones = np.ones(rows) if weights is None else weights
    left_out = np.zeros(rows, dtype=bool)
    left_out[part] = True
    grown: M = unpruned(model).fit(X, y, sample_weight=np.where(left_out, 0.0, ones))
    return grown, read_labeled(grown, X, y, ones, only=left_out)


GrowWithout = Callable[[NDArray[np.int64]], tuple[Tree, _core.Forest, LabeledRows]]


def add_errors(
    path: PruningPath,
    parts: Sequence[NDArray[np.int64]],
    grow_without: GrowWithout,
    *,
    shallow: bool = False,
    watch: Watch | None = None,
) -> PruningPath:
    """Return the path with the errors of its trees on rows that they were not grown from.

    As in the CART book: a tree of the path stands for the penalties between its own and the next one's, and the tree of
    each fold is pruned at their geometric mean. ``grow_without`` gives the tree without some rows, and these rows.
    """
    penalties = path.between()
    error, square, weight = np.zeros(len(path)), np.zeros(len(path)), 0.0
    for part in watch(parts, len(parts)) if watch else parts:
        tree, forest, rows = grow_without(part)
        link = path_of(tree, forest, path.risk_word, shallow=shallow).link
        sums = _core.prune_along(
            forest,
            link,
            penalties,
            rows.columns,
            rows.target,
            rows.classes,
            rows.weights,
            rows.costs,
        )
        error, square = error + sums[0], square + sums[1]
        weight += math.fsum(rows.weights)  # exact before it is rounded once, in any order
    return with_errors(path, error, square, weight)


@renamed_parameters(seed="random_state")
def pruning_path(
    model: TreeModel,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    *,
    risk: str = "impurity",
    cv: int | None = None,
    random_state: Any = 0,
    watch: Watch | None = None,
) -> PruningPath:
    """Return the trees that are the cheapest for some penalty per leaf, with their cross-validated error if asked for.

    Parameters
    ----------
    model : fitted estimator
        A tree of this package.
    X, y : table and array-like, optional
        The rows that it was grown from, for ``cv``.
    sample_weight : array-like, optional
        Their weights.
    risk : {"impurity", "errors"}, default="impurity"
        The cost of a leaf: its impurity, as in scikit-learn, or its errors, as in the CART book and rpart.
    cv : int, optional
        The number of folds of a cross-validation: the tree is grown again without each of them.
    random_state : int, RandomState, Generator or None, default=0
        Seed for the folds; None means 0.
    watch : callable, optional
        A progress bar: takes the folds and their number, and yields the folds. What it raises stops the work.

    Returns
    -------
    PruningPath
        Penalties, leaves, risks and errors.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, pruning_path
    >>> path = pruning_path(ID3Classifier().fit(*datasets.play_tennis()))
    >>> path.leaves.tolist(), path.alpha.round(3).tolist()
    ([5, 1], [0.0, 0.235])
    """
    check(model)
    shallow = getattr(model, "variant", None) == "rpart"
    path = path_of(model.tree_, model._forest, check_choice("risk", risk, RISKS), shallow=shallow)
    if cv is None:
        return path
    if X is None or y is None:
        raise UsageError("cross-validation needs the rows: give X and y", slug="prune.no-rows")
    cv = check_integer("cv", cv, minimum=2, maximum=len(as_table(X)))
    codes, order = order_of(model, X, y, sample_weight, random_state)

    def grow(part: NDArray[np.int64]) -> tuple[Tree, _core.Forest, LabeledRows]:
        other, left_out = grow_without(model, X, y, sample_weight, part)
        return other.tree_, other._forest, left_out

    return add_errors(path, folds(codes, order, cv), grow, shallow=shallow, watch=watch)


def check(model: Any) -> None:
    """Refuse anything but a fitted model of one tree."""
    name = type(model).__name__
    if not isinstance(model, Model):
        raise TypeError(f"expected a fitted tree of treewright, got {name}")
    check_is_fitted(model)
    trees = getattr(model, "trees_", None)
    if trees is None:
        raise UsageError(f"there is no tree in a {name}", slug="prune.no-tree")
    if len(trees) > 1:
        message = f"this needs a single tree; {name} has {plural(len(trees), 'tree')}"
        raise UsageError(message, slug="prune.no-tree")
