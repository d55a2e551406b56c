"""Growing again without some rows, for validation and for cross-validation; and the path with what came of it.

Glossary: a model is *unpruned* when its parameters would grow a whole tree.
"""

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
from treewright._input.containers import as_table
from treewright._input.folds import folds
from treewright._input.row_order import row_order
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._pruning.cost_complexity import RISKS, PruningPath, path_of, with_errors
from treewright._pruning.pruning_rows import Evidence, evidence
from treewright._render.numbers import plural
from treewright._utils.validation import number, word
from treewright.errors import UsageError
from treewright.tree import Tree

__all__ = [
    "check",
    "check_seed",
    "cross_validated",
    "grown_without",
    "is_shallow",
    "length",
    "order_of",
    "pruning_path",
    "unpruned",
]

M = TypeVar("M", bound=Model)

# The parameters that prune while fitting, and what turns them off.
OFF: dict[str, Any] = {"prune": None, "ccp_alpha": None}


def unpruned(model: M) -> M:
    """Return an unfitted model with the same parameters that does not prune."""
    off = {name: value for name, value in OFF.items() if name in model.get_params(deep=False)}
    whole: M = clone(model).set_params(**off)
    return whole


def is_shallow(model: Any) -> bool:
    """Whether the path of a model is found as rpart does."""
    return getattr(model, "variant", None) == "rpart"


def length(X: Any) -> int:
    """Return the number of rows of a container."""
    return len(as_table(X))


def truth_of(model: Model, y: Any) -> NDArray[Any]:
    """Return the code of each row's class, or its number."""
    return ClassTarget.of(y).codes if model.schema_.classes else NumberTarget.of(y).values


def order_of(
    model: Model, X: Any, y: Any, sample_weight: Any, seed: Any
) -> tuple[NDArray[np.uint32] | None, NDArray[np.int64]]:
    """Return the classes of the rows, None for numbers, and the random order along which rows are chosen."""
    table, truth = as_table(X), truth_of(model, y)
    if len(truth) != len(table):
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"the table has {len(table)} rows, the target {len(truth)}"
        )
    order = row_order(table, truth, weights_of(sample_weight, len(table)), check_seed(seed))
    return truth if model.schema_.classes else None, order


def grown_without(
    model: M, X: Any, y: Any, sample_weight: Any, part: NDArray[np.int64]
) -> tuple[M, Evidence]:
    """Grow the model's whole tree without some rows; return it, and these rows as it sees them."""
    rows = length(X)
    weights = weights_of(sample_weight, rows)
    ones = np.ones(rows) if weights is None else weights
    left_out = np.zeros(rows, dtype=bool)
    left_out[part] = True
    grown: M = unpruned(model).fit(X, y, sample_weight=np.where(left_out, 0.0, ones))
    return grown, evidence(grown, X, y, ones, only=left_out)


Grown = Callable[[NDArray[np.int64]], tuple[Tree, _core.Forest, Evidence]]


def cross_validated(
    path: PruningPath,
    parts: Sequence[NDArray[np.int64]],
    grown: Grown,
    *,
    shallow: bool = False,
) -> PruningPath:
    """Return the path with the error that trees of its prices make on rows they were not grown from.

    As in the CART book: a tree of the path stands for the prices between its own and the next one's, and each fold's
    tree is cut at their geometric mean. ``grown`` gives the tree without some rows, and these rows.
    """
    prices = path.between()
    error, square, weight = np.zeros(len(path)), np.zeros(len(path)), 0.0
    for part in parts:
        tree, forest, rows = grown(part)
        link = path_of(tree, forest, path.risk_word, shallow=shallow).link
        sums = _core.prune_along(
            forest, link, prices, rows.columns, rows.target, rows.classes, rows.weights, rows.costs
        )
        error, square = error + sums[0], square + sums[1]
        weight += math.fsum(rows.weights)  # exact before it is rounded once, in any order
    return with_errors(path, error, square, weight)


def pruning_path(
    model: Model,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    *,
    risk: str = "impurity",
    cv: int | None = None,
    seed: int = 0,
) -> PruningPath:
    """Return the trees that are the cheapest at some price of a leaf, with their cross-validated error where asked for.

    Parameters
    ----------
    model : fitted estimator
        A tree of this package.
    X, y : table and array-like, optional
        The rows that it was grown from, for ``cv``.
    sample_weight : array-like, optional
        Their weights.
    risk : {"impurity", "errors"}, default="impurity"
        What a leaf costs: its impurity, as in scikit-learn, or its errors, as in the CART book and rpart.
    cv : int, optional
        The folds of a cross-validation: the tree is grown again without each of them.
    seed : int, default=0
        How the folds are drawn.

    Returns
    -------
    PruningPath
        Prices, leaves, risks and errors.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, pruning_path
    >>> path = pruning_path(ID3Classifier().fit(*datasets.play_tennis()))
    >>> path.leaves.tolist(), path.alpha.round(3).tolist()
    ([5, 1], [0.0, 0.235])
    """
    check(model)
    shallow = is_shallow(model)
    path = path_of(model.tree_, model._forest, word("risk", risk, RISKS), shallow=shallow)
    if cv is None:
        return path
    if X is None or y is None:
        raise UsageError("cross-validation needs the rows: give X and y", slug="prune.no-rows")
    cv = number("cv", cv, least=2, most=length(X), whole=True)
    codes, order = order_of(model, X, y, sample_weight, seed)

    def grown(part: NDArray[np.int64]) -> tuple[Tree, _core.Forest, Evidence]:
        tree, left_out = grown_without(model, X, y, sample_weight, part)
        return tree.tree_, tree._forest, left_out

    return cross_validated(path, folds(codes, order, cv), grown, shallow=shallow)


def check(model: Any) -> None:
    """Refuse what is not a fitted tree."""
    if not isinstance(model, Model):
        raise TypeError(f"expected a fitted tree of treewright, got {type(model).__name__}")
    check_is_fitted(model)
    if not hasattr(model, "tree_"):
        name, trees = type(model).__name__, getattr(model, "trees_", None)
        what = f"there is no tree in a {name}"
        if trees is not None:
            what = f"this needs a single tree; {name} has {plural(len(trees), 'tree')}"
        raise UsageError(what, slug="prune.no-tree")


def check_seed(seed: Any) -> int:
    """Check that a seed is one."""
    return int(number("seed", seed, least=0, most=2**32 - 1, whole=True))
