"""The tree in any fitted model: one of this package, or a decision tree of scikit-learn as a `Tree` of this package."""

from __future__ import annotations

from typing import Any

from treewright._estimator.find import find, kind_of, unwrap
from treewright._interchange.sklearn import tree_of_sklearn
from treewright.errors import UsageError
from treewright.tree import Tree

__all__ = ["any_tree", "is_sklearn_tree"]


def any_tree(model: Any) -> tuple[Tree, str]:
    """Return the tree of a fitted model and the name of its algorithm.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> any_tree(DecisionTreeClassifier().fit([[0], [1]], ["no", "yes"]))
    (<Tree: 3 nodes, 2 leaves, depth 1>, 'DecisionTreeClassifier')
    """
    if not is_sklearn_tree(model):
        tree, caption = find(model)
        return tree, caption.method or "tree"
    estimator = unwrap(model)
    return _from_sklearn(estimator), type(estimator).__name__


def is_sklearn_tree(model: Any) -> bool:
    """Return whether a model is, or ends in, a fitted decision tree of scikit-learn."""
    estimator = unwrap(model)
    return not kind_of(model) and hasattr(getattr(estimator, "tree_", None), "children_left")


def _from_sklearn(estimator: Any) -> Tree:
    """Return a tree of scikit-learn as one of this package; of several outputs none."""
    outputs = estimator.tree_.n_outputs
    if outputs != 1:
        raise UsageError(
            f"this tree predicts {outputs} outputs, and this needs one",
            slug="usage.several-outputs",
            hints=["fit a tree for each output"],
        )
    return tree_of_sklearn(estimator)
