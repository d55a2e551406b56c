"""``prune``: a fitted model in, a smaller one out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from treewright._estimator.tree_model import TreeModel
from treewright._pruning.cross_validation import check
from treewright._pruning.methods import METHODS, options_of
from treewright._utils.renamed import renamed_parameters
from treewright._utils.validation import check_choice
from treewright.errors import UsageError

__all__ = ["prune"]

M = TypeVar("M", bound=TreeModel)


@renamed_parameters(seed="random_state")
def prune(
    model: M,
    method: str = "pessimistic",
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    *,
    confidence: float | None = None,
    raising: bool | None = None,
    variant: str | None = None,
    validation_fraction: float | None = None,
    folds: int | None = None,
    ccp_alpha: float | None = None,
    risk: str | None = None,
    cv: int | None = None,
    choose: str | None = None,
    nodes: Iterable[int] | None = None,
    random_state: Any = None,
) -> M:
    """Return a smaller model; the given one does not change.

    The new model has the same class and parameters, and the decision at each node as ``pruning_``.

    Parameters
    ----------
    model : fitted estimator
        A tree of this package.
    method : {"pessimistic", "reduced_error", "cost_complexity", "collapse", "snip"}, default="pessimistic"
        Prune by expected errors; by errors on other rows; by a penalty per leaf; sibling leaves with the same
        prediction; or nodes that you name.
    X, y : table and array-like, optional
        Rows. For ``"pessimistic"`` those that the tree was grown from: then a branch may replace its parent. For
        ``"reduced_error"`` other rows, or with ``validation_fraction`` or ``folds`` all rows, of which a part is held
        out and a new tree is grown from the rest. For ``"cost_complexity"`` those that the tree was grown from, to
        choose the penalty by cross-validation.
    sample_weight : array-like, optional
        The weights of the rows.
    confidence : float, default=0.25
        For ``"pessimistic"``: smaller values give smaller trees.
    raising : bool, optional
        For ``"pessimistic"``: whether branches may replace their parent; by default if X and y are given.
    variant : {"c4.5", "j48"}, optional
        For ``"pessimistic"``: which program is followed where the two differ; by default the model's own, or
        ``"c4.5"``.
    validation_fraction : float, optional
        For ``"reduced_error"``: hold out this share of the rows, at random, stratified by class.
    folds : int, optional
        For ``"reduced_error"``: hold out one of this number of folds, without chance, as Weka does.
    ccp_alpha : float, optional
        For ``"cost_complexity"``: the penalty per leaf, in the unit of the risk per row.
    risk : {"impurity", "errors"}, default="impurity"
        For ``"cost_complexity"``: the cost of a leaf: its impurity, as in scikit-learn, or its errors, as in the CART
        book and rpart.
    cv : int, default=10
        For ``"cost_complexity"`` without ``ccp_alpha``: the number of folds of the cross-validation.
    choose : {"1se", "least"}, default="1se"
        The smallest tree within one standard error of the smallest cross-validated error, or the one with the
        smallest error.
    nodes : iterable of int, optional
        For ``"snip"``: the nodes that become leaves.
    random_state : int, RandomState, Generator or None, default=0
        Seed for the rows that are held out and for the folds.

    Returns
    -------
    fitted estimator
        The smaller model.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, prune
    >>> clf = ID3Classifier().fit(*datasets.play_tennis())
    >>> small = prune(clf, "snip", nodes=[1])
    >>> clf.tree_.n_leaves, small.tree_.n_leaves, small.pruning_[-2]["decision"]
    (5, 4, 'leaf')
    """
    options = {name: value for name, value in locals().items() if name in OPTIONS}
    options = {name: value for name, value in options.items() if value is not None}
    check(model)
    pruner: Callable[..., M] = METHODS[check_choice("method", method, tuple(METHODS))]
    for name in options:
        if name not in options_of(method):
            able = " and ".join(repr(m) for m in METHODS if name in options_of(m))
            raise UsageError(f"{name} belongs to {able}, not to {method!r}", slug="usage.parameter")
    return pruner(model, X, y, sample_weight, **options)


OPTIONS = {name for method in METHODS for name in options_of(method)}
