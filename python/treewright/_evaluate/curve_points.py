"""``complexity_curve``: grow a whole tree, and measure every pruning of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.model import Model
from treewright._evaluate.curve import ComplexityCurve
from treewright._evaluate.description_length import lengths
from treewright._input.containers import as_table
from treewright._pruning.cost_complexity import PruningPath
from treewright._pruning.cross_validation import pruning_path, unpruned
from treewright._pruning.pruning_rows import LabeledRows, read_labeled
from treewright._utils.renamed import renamed_parameters

__all__ = ["complexity_curve"]

Numbers = NDArray[np.float64]


@renamed_parameters(seed="random_state")
def complexity_curve(
    model: Model,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    cv: int = 10,
    validation: tuple[Any, Any] | None = None,
    risk: str = "impurity",
    random_state: int | None = 0,
) -> ComplexityCurve:
    """Grow a whole tree and return the error of its prunings: in training, by cross-validation, and on other rows.

    Parameters
    ----------
    model : estimator
        A tree of this package, fitted or not; its parameters are used, without its pruning.
    X, y : table and array-like
        The rows to learn from.
    sample_weight : array-like, optional
        Their weights.
    cv : int, default=10
        The folds of the cross-validation.
    validation : pair of table and array-like, optional
        Other rows to measure the trees on.
    risk : {"impurity", "errors"}, default="impurity"
        What a leaf costs while the tree is pruned.
    random_state : int or None, default=0
        How the folds are drawn.

    Returns
    -------
    ComplexityCurve
        Numbers, a table, a picture.

    Examples
    --------
    >>> from treewright import C45Classifier, complexity_curve, datasets
    >>> curve = complexity_curve(C45Classifier(min_cases=1), *datasets.play_tennis(), cv=7)
    >>> curve.model("shortest").tree_.n_leaves
    1
    """
    if not isinstance(model, Model):
        raise TypeError(f"expected a tree of treewright, got {type(model).__name__}")
    whole = unpruned(model).fit(X, y, sample_weight=sample_weight)
    path = pruning_path(whole, X, y, sample_weight, risk=risk, cv=cv, random_state=random_state)
    training = _along(whole, path, read_labeled(whole, X, y, sample_weight))
    other = None if validation is None else _along(whole, path, read_labeled(whole, *validation))
    bits = lengths(whole.tree_, path, as_table(X), training)
    unit = "errors" if whole.schema_.classes else "squared error"
    return ComplexityCurve(path, training, bits, other, unit, whole)


def _along(whole: Model, path: PruningPath, rows: LabeledRows) -> Numbers:
    """Return the error by row of each tree of a path."""
    error, _ = _core.prune_along(
        whole._forest,
        path.link,
        path.alpha,
        rows.columns,
        rows.target,
        rows.classes,
        rows.weights,
        rows.costs,
    )
    return np.asarray(error / rows.weights.sum())
