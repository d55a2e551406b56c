"""A binary tree as scikit-learn's own fitted ``DecisionTreeClassifier`` or ``DecisionTreeRegressor``.

For tools that read those: drawing, SHAP, converters. scikit-learn rounds numbers to single precision before it compares
them, so the answers are the same for numbers that single precision holds.

What its trees have no room for is refused: categories, more than two branches, walks that stop, rows that are divided,
surrogates, and ties that its order of classes would decide otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treewright.exports.sums import Sum, refuse
from treewright.tree import Tree

__all__ = ["write"]

FORM = "scikit-learn's tree"
LEAF = (
    -1,
    -2.0,
)  # what scikit-learn writes for a child, and for a feature and a threshold, of a leaf


def write(model: Sum) -> Any:
    """Return the fitted estimator."""
    _refuse(model)
    tree = model.trees[0].tree
    if not model.schema.classes:
        return _named(_fitted(DecisionTreeRegressor(), tree, tree.value, [0.0]), model)
    classes = np.array(model.schema.classes)
    order = np.argsort(classes, kind="stable")
    values = tree.value[:, order]
    decided = classes[order][np.argmax(values, axis=1)]
    if np.any(decided != classes[tree.answers]):
        raise refuse(
            FORM,
            "its classes are in another order, and some nodes are tied, or mistakes have costs",
        )
    return _named(_fitted(DecisionTreeClassifier(), tree, values, classes[order]), model)


def _named(estimator: Any, model: Sum) -> Any:
    if model.named:
        estimator.feature_names_in_ = np.array(model.schema.names, dtype=object)
    return estimator


def _fitted(estimator: Any, tree: Tree, values: NDArray[np.float64], targets: Any) -> Any:
    # A tree of the installed version tells how its table is made.
    width = len(tree.schema.columns)
    estimator.fit(np.zeros((len(targets), width)), targets)
    state = estimator.tree_.__getstate__()
    nodes = np.zeros(tree.n_nodes, dtype=state["nodes"].dtype)
    branch = tree.n_children > 0
    first = tree.first_child.astype(np.int64)
    nodes["left_child"] = np.where(branch, first, LEAF[0])
    nodes["right_child"] = np.where(branch, first + 1, LEAF[0])
    nodes["feature"] = np.where(branch, tree.feature.astype(np.int64), LEAF[1])
    nodes["threshold"] = np.where(branch, tree.threshold, LEAF[1])
    nodes["impurity"] = tree.cost / np.where(tree.weight > 0, tree.weight, 1.0)
    nodes["n_node_samples"] = tree.count
    nodes["weighted_n_node_samples"] = tree.weight
    nodes["missing_go_to_left"] = branch & (tree.missing == 0)
    state |= {
        "max_depth": tree.depth,
        "node_count": tree.n_nodes,
        "nodes": nodes,
        "values": np.ascontiguousarray(values[:, None, :]),
    }
    # A new table: setting the state of one that has nodes would not make room for more.
    made = type(estimator.tree_)(width, np.array([values.shape[1]], dtype=np.intp), 1)
    made.__setstate__(state)
    estimator.tree_ = made
    return estimator


def _refuse(model: Sum) -> None:
    if len(model.trees) > 1:
        raise refuse(FORM, f"it has {len(model.trees)} trees")
    [arms] = model.trees
    tree = arms.tree
    asked = tree.n_children > 0
    if any(
        model.schema.columns[i].kind == "categorical" for i in set(tree.feature[asked].tolist())
    ):
        raise refuse(FORM, "it asks about categories")
    if np.any(tree.n_children > 2):
        raise refuse(FORM, "missing values have a branch of their own")
    if arms.divides:
        raise refuse(FORM, "it divides rows with missing values among branches")
    if np.any(tree.missing[asked] > 1):
        raise refuse(FORM, "a row with a missing value stops at a question")
    if arms.substitutes:
        raise refuse(FORM, "it has surrogates")
