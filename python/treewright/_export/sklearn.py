"""Binary trees as scikit-learn's own fitted estimators: a tree, a random forest, a gradient boosting regressor.

For tools that read those: drawing, SHAP, converters. scikit-learn rounds numbers to single precision before it compares
them, so the answers are the same for numbers that single precision holds.

A mean of trees is a forest there. A sum is a boosting whose first tree is the base and whose others have their scale in
their values: then it adds the same numbers in the same order. What its trees have no room for is refused: categories,
more than two branches, walks that stop, rows that are divided, surrogates; so are ties that it would decide otherwise,
and with them boosted classes, votes and medians.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treewright._export.combined_model import CombinedModel, refuse
from treewright._model.paths.ordered_tests import OrderedTests
from treewright.tree import Tree

__all__ = ["write"]

FORM = "scikit-learn's tree"
WHY = {
    "vote": "it decides ties of votes in an order of its own",
    "median": "it adds the weights of equal values in an order of its own",
}
LEAF = (
    -1,
    -2.0,
)  # what scikit-learn writes for a child, and for a feature and a threshold, of a leaf


def write(model: CombinedModel) -> Any:
    """Return the fitted estimator."""
    for splits in model.trees:
        _refuse(model, splits)
    if model.is_single_tree:
        return _named(_one(model, model.trees[0].tree), model)
    if model.how == "mean":
        return _named(_forest(model), model)
    if (model.how, model.link, model.sums) == ("sum", "identity", 1) and not model.schema.classes:
        return _named(_boosting(model), model)
    raise refuse(FORM, WHY.get(model.how, "it has no word for the link of its sums"))


def _one(model: CombinedModel, tree: Tree) -> Any:
    """Return a tree that answers by itself."""
    if not model.schema.classes:
        return _fitted(DecisionTreeRegressor(), tree, tree.value, [0.0])
    classes = np.array(model.schema.classes)
    order = np.argsort(classes, kind="stable")
    values = tree.value[:, order]
    decided = classes[order][np.argmax(values, axis=1)]
    if np.any(decided != classes[tree.answers]):
        raise refuse(
            FORM,
            "its classes are in another order, and some nodes are tied, or mistakes have costs",
        )
    return _fitted(DecisionTreeClassifier(), tree, values, classes[order])


def _forest(model: CombinedModel) -> Any:
    """Return a random forest: the mean of its trees."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    width, trees = len(model.schema.columns), [splits.tree for splits in model.trees]
    if not model.schema.classes:
        forest = RandomForestRegressor(1).fit(np.zeros((1, width)), [0.0])
        forest.estimators_ = [_fitted(DecisionTreeRegressor(), t, t.value, [0.0]) for t in trees]
    else:
        classes = np.array(model.schema.classes)
        if np.any(np.argsort(classes, kind="stable") != np.arange(len(classes))):
            raise refuse(FORM, "its classes are in another order, and so would be ties")
        if model.schema.costs:
            raise refuse(FORM, "mistakes have costs")
        forest = RandomForestClassifier(1).fit(np.zeros((len(classes), width)), classes)
        codes = np.arange(float(len(classes)))
        forest.estimators_ = [_fitted(DecisionTreeClassifier(), t, t.value, codes) for t in trees]
    return forest.set_params(n_estimators=len(trees))


def _boosting(model: CombinedModel) -> Any:
    """Return a boosting of the same sum: the base, then the values with their scales."""
    from sklearn.ensemble import GradientBoostingRegressor

    width = len(model.schema.columns)
    boosting = GradientBoostingRegressor(init="zero", learning_rate=1.0, n_estimators=1)
    boosting.fit(np.zeros((2, width)), [0.0, 0.0])
    base = DecisionTreeRegressor().fit(np.zeros((1, width)), [model.base[0]])
    trees = [base]
    for i, splits in enumerate(model.trees):
        trees.append(_fitted(DecisionTreeRegressor(), splits.tree, model.node_terms(i), [0.0]))
    boosting.estimators_ = np.array(trees, dtype=object).reshape(-1, 1)
    boosting.n_estimators_ = len(trees)
    return boosting.set_params(n_estimators=len(trees))


def _named(estimator: Any, model: CombinedModel) -> Any:
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


def _refuse(model: CombinedModel, splits: OrderedTests) -> None:
    tree = splits.tree
    asked = tree.n_children > 0
    if any(
        model.schema.columns[i].kind == "categorical" for i in set(tree.feature[asked].tolist())
    ):
        raise refuse(FORM, "it asks about categories")
    if np.any(tree.n_children > 2):
        raise refuse(FORM, "missing values have a branch of their own")
    if splits.divides:
        raise refuse(FORM, "it divides rows with missing values among branches")
    if np.any(tree.missing[asked] > 1):
        raise refuse(FORM, "a row with a missing value stops at a question")
    if splits.has_surrogates:
        raise refuse(FORM, "it has surrogates")
