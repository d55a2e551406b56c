"""Pruning: a fitted model in, a smaller one out, with an account of every decision.

``trace`` holds the account. ``pessimistic``, ``reduced_error``, ``cost_complexity`` and ``by_hand`` are the ways to
prune, ``methods`` puts them together, ``choice`` grows trees again without some rows, ``rows`` reads rows for a model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from treewright._estimator.model import Model
from treewright._pruning.cost_complexity import PruningPath
from treewright._pruning.cross_validation import check, pruning_path
from treewright._pruning.methods import PRUNERS
from treewright._pruning.trace import PruneTrace
from treewright._utils.validation import word
from treewright.errors import UsageError

__all__ = ["METHODS", "PruneTrace", "PruningPath", "prune", "pruning_path"]

M = TypeVar("M", bound=Model)

# The options that each method understands.
METHODS: dict[str, tuple[str, ...]] = {
    "pessimistic": ("confidence", "raising", "variant"),
    "reduced_error": ("validation_fraction", "folds", "seed"),
    "cost_complexity": ("ccp_alpha", "risk", "cv", "choose", "seed"),
    "collapse": (),
    "snip": ("nodes",),
}


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
    seed: int | None = None,
) -> M:
    """Return a smaller model; the one given stays as it is.

    The new model has the same class and parameters, and what was decided at each node as ``pruning_``.

    Parameters
    ----------
    model : fitted estimator
        A tree of this package.
    method : {"pessimistic", "reduced_error", "cost_complexity", "collapse", "snip"}, default="pessimistic"
        By expected errors; by errors on other rows; by a price for each leaf; sibling leaves that say the same; nodes
        named by hand.
    X, y : table and array-like, optional
        Rows. For ``"pessimistic"`` those that the tree was grown from: then a branch may take its parent's place. For
        ``"reduced_error"`` others, or with ``validation_fraction`` or ``folds`` all rows, of which a part is held out
        and a new tree grown from the rest. For ``"cost_complexity"`` those that the tree was grown from, to choose by
        cross-validation.
    sample_weight : array-like, optional
        The weights of the rows.
    confidence : float, default=0.25
        Of ``"pessimistic"``: the smaller, the smaller the tree.
    raising : bool, optional
        Of ``"pessimistic"``: whether branches may be raised; by default where X and y are given.
    variant : {"c4.5", "j48"}, optional
        Of ``"pessimistic"``: which program decides where the two differ; by default the model's own, or ``"c4.5"``.
    validation_fraction : float, optional
        Of ``"reduced_error"``: hold out this share of the rows, at random, the classes in their shares.
    folds : int, optional
        Of ``"reduced_error"``: hold out one of so many folds, without chance, as Weka does.
    ccp_alpha : float, optional
        Of ``"cost_complexity"``: the price of a leaf, in the unit of the risk by row.
    risk : {"impurity", "errors"}, default="impurity"
        Of ``"cost_complexity"``: what a leaf costs: its impurity, as in scikit-learn, or its errors, as in the CART
        book and rpart.
    cv : int, default=10
        Of ``"cost_complexity"`` without ``ccp_alpha``: the folds of the cross-validation that chooses the price.
    choose : {"1se", "least"}, default="1se"
        The smallest tree within one standard error of the least cross-validated error, or the least itself.
    nodes : iterable of int, optional
        Of ``"snip"``: the nodes that become leaves.
    seed : int, default=0
        Which rows are held out, and how the folds are drawn.

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
    check(model)
    given = {
        "confidence": confidence,
        "raising": raising,
        "variant": variant,
        "validation_fraction": validation_fraction,
        "folds": folds,
        "ccp_alpha": ccp_alpha,
        "risk": risk,
        "cv": cv,
        "choose": choose,
        "nodes": nodes,
        "seed": seed,
    }
    said = {name: value for name, value in given.items() if value is not None}
    known = METHODS[word("method", method, tuple(METHODS))]
    for name in said:
        if name not in known:
            able = " and ".join(repr(m) for m, options in METHODS.items() if name in options)
            raise UsageError(f"{name} belongs to {able}, not to {method!r}", slug="usage.parameter")
    pruner: Callable[..., M] = PRUNERS[method]
    return pruner(model, X, y, sample_weight, **said)
