"""``complexity_curve``: grow a full tree, and measure every pruning of it."""

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
from treewright._utils.watching import Watch

__all__ = ["complexity_curve", "errors_along"]

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
    random_state: Any = 0,
    watch: Watch | None = None,
) -> ComplexityCurve:
    """Grow a full tree and return the error of its prunings: in training, by cross-validation, and on other rows.

    Parameters
    ----------
    model : estimator
        A tree of this package, fitted or not; its parameters are used, without its pruning.
    X, y : table and array-like
        The training rows.
    sample_weight : array-like, optional
        Their weights.
    cv : int, default=10
        The number of folds of the cross-validation.
    validation : pair of table and array-like, optional
        Validation rows.
    risk : {"impurity", "errors"}, default="impurity"
        The risk of a leaf for the pruning.
    random_state : int, RandomState, Generator or None, default=0
        Random seed for the folds.
    watch : callable, optional
        A progress bar: takes the folds and their number, and yields the folds. What it raises stops the work.

    Returns
    -------
    ComplexityCurve
        The errors, which can be printed, drawn and saved.

    Examples
    --------
    >>> from treewright import C45Classifier, complexity_curve, datasets
    >>> curve = complexity_curve(C45Classifier(min_cases=1), *datasets.play_tennis(), cv=7)
    >>> curve.model("shortest").tree_.n_leaves
    1
    """
    if not isinstance(model, Model):
        raise TypeError(f"expected a tree of treewright, got {type(model).__name__}")
    full = unpruned(model).fit(X, y, sample_weight=sample_weight)
    options: Any = {"risk": risk, "cv": cv, "random_state": random_state, "watch": watch}
    path = pruning_path(full, X, y, sample_weight, **options)
    training = errors_along(full, path, read_labeled(full, X, y, sample_weight))
    other = (
        None if validation is None else errors_along(full, path, read_labeled(full, *validation))
    )
    bits = lengths(full.tree_, path, as_table(X), training)
    unit = "errors" if full.schema_.classes else "squared error"
    return ComplexityCurve(path, training, bits, other, unit, full)


def errors_along(full: Model, path: PruningPath, rows: LabeledRows) -> Numbers:
    """Return the error per row of each tree of a path."""
    error, _ = _core.prune_along(
        full._forest,
        path.link,
        path.alpha,
        rows.columns,
        rows.target,
        rows.classes,
        rows.weights,
        rows.costs,
    )
    return np.asarray(error / rows.weights.sum())
