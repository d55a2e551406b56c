"""Binary trees as scikit-learn's own fitted estimators: a tree, a random forest, a gradient boosting regressor.

For tools that read those: drawing, SHAP, converters. scikit-learn rounds numbers to single precision before it compares
them, so the predictions are the same for numbers that single precision holds.

A mean of trees is a forest there. A sum is a gradient boosting that starts with the base and whose trees have their
scale in their values: it adds the same numbers in the same order. Its trees cannot hold categories, more than two
branches, paths that stop, fractional rows or surrogates, and it decides some ties differently (boosted classes, votes,
medians): such models raise an error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treewright._export.combined_model import CombinedModel, refuse
from treewright._model.paths import OrderedTests
from treewright.errors import Hint
from treewright.tree import Tree

__all__ = ["write"]

FORMAT = "scikit-learn's tree"
REASONS = {
    "vote": "it decides ties of votes in another order",
    "median": "it adds the weights of equal values in another order",
}
NO_CHILD, NO_SPLIT = -1, -2  # scikit-learn's entries for a leaf: child; feature and threshold


def write(model: CombinedModel) -> Any:
    """Return the fitted estimator."""
    for splits in model.trees:
        _refuse(model, splits)
    if model.is_single_tree:
        return _add_names(_single_tree(model, model.trees[0].tree), model)
    if model.how == "mean":
        return _add_names(_forest(model), model)
    if (model.how, model.link, model.sums) == ("sum", "identity", 1) and not model.schema.classes:
        return _add_names(_boosting(model), model)
    raise refuse(FORMAT, REASONS.get(model.how, "its sums have a link"))


def _single_tree(model: CombinedModel, tree: Tree) -> Any:
    """Return a single tree."""
    if not model.schema.classes:
        return _to_sklearn(DecisionTreeRegressor(), tree, tree.outputs, [0.0])
    classes = np.array(model.schema.classes)
    order = np.argsort(classes, kind="stable")
    values = tree.outputs[:, order]
    predicted = classes[order][np.argmax(values, axis=1)]
    if np.any(predicted != classes[tree.answers]):
        raise refuse(
            FORMAT,
            "its classes are in another order and some nodes are tied, or it has costs",
        )
    return _to_sklearn(DecisionTreeClassifier(), tree, values, classes[order])


def _forest(model: CombinedModel) -> Any:
    """Return a random forest: the mean of its trees."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    width, trees = len(model.schema.columns), [splits.tree for splits in model.trees]
    if not model.schema.classes:
        forest = RandomForestRegressor(1).fit(np.zeros((1, width)), [0.0])
        forest.estimators_ = [
            _to_sklearn(DecisionTreeRegressor(), t, t.outputs, [0.0]) for t in trees
        ]
    else:
        classes = np.array(model.schema.classes)
        if np.any(np.argsort(classes, kind="stable") != np.arange(len(classes))):
            raise refuse(
                FORMAT, "its classes are in another order, which would decide ties differently"
            )
        if model.schema.costs:
            raise refuse(FORMAT, "it has misclassification costs")
        forest = RandomForestClassifier(1).fit(np.zeros((len(classes), width)), classes)
        codes = np.arange(float(len(classes)))
        forest.estimators_ = [
            _to_sklearn(DecisionTreeClassifier(), t, t.outputs, codes) for t in trees
        ]
    return forest.set_params(n_estimators=len(trees))


def _boosting(model: CombinedModel) -> Any:
    """Return a gradient boosting with the same sum: the base, then the scaled values."""
    from sklearn.dummy import DummyRegressor
    from sklearn.ensemble import GradientBoostingRegressor

    width = len(model.schema.columns)
    init = DummyRegressor(strategy="constant", constant=model.base[0])
    boosting = GradientBoostingRegressor(init=init, learning_rate=1.0, n_estimators=1)
    boosting.fit(np.zeros((2, width)), [0.0, 0.0])
    trees = [
        _to_sklearn(DecisionTreeRegressor(), splits.tree, model.node_terms(i), [0.0])
        for i, splits in enumerate(model.trees)
    ]
    boosting.estimators_ = np.array(trees, dtype=object).reshape(-1, 1)
    boosting.n_estimators_ = len(trees)
    return boosting.set_params(n_estimators=len(trees))


def _add_names(estimator: Any, model: CombinedModel) -> Any:
    if model.has_feature_names:
        estimator.feature_names_in_ = np.array(model.schema.names, dtype=object)
    return estimator


def _to_sklearn(estimator: Any, tree: Tree, values: NDArray[np.float64], targets: Any) -> Any:
    # A fitted tree shows the table layout of the installed version.
    width = len(tree.schema.columns)
    estimator.fit(np.zeros((len(targets), width)), targets)
    state = estimator.tree_.__getstate__()
    nodes = np.zeros(tree.n_nodes, dtype=state["nodes"].dtype)
    branch = tree.n_children > 0
    first = tree.first_child.astype(np.int64)
    nodes["left_child"] = np.where(branch, first, NO_CHILD)
    nodes["right_child"] = np.where(branch, first + 1, NO_CHILD)
    nodes["feature"] = np.where(branch, tree.feature.astype(np.int64), NO_SPLIT)
    nodes["threshold"] = np.where(branch, tree.threshold, NO_SPLIT)
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
    # A new table: setting the state of an existing one does not make room for more nodes.
    table = type(estimator.tree_)(width, np.array([values.shape[1]], dtype=np.intp), 1)
    table.__setstate__(state)
    estimator.tree_ = table
    return estimator


def _refuse(model: CombinedModel, splits: OrderedTests) -> None:
    tree = splits.tree
    inner = tree.n_children > 0
    tested = set(tree.feature[inner].tolist())
    text = [model.schema.columns[i] for i in sorted(tested)]
    name = next((column.name for column in text if column.kind == "categorical"), None)
    if name is not None:
        raise refuse(
            FORMAT,
            f'it tests categories of "{name}"',
            "write categories as numbers before the fit, such as with OrdinalEncoder or OneHotEncoder; "
            "views, pictures and SHAP values of treewright take the model as it is",
        )
    one_way = Hint(
        option="missing", value="direction", note="sends missing values to one of the branches"
    )
    if np.any(tree.n_children > 2):
        raise refuse(FORMAT, "missing values have their own branch", one_way)
    if splits.divides:
        raise refuse(
            FORMAT,
            "it divides rows with missing values among branches",
            "CARTClassifier sends them to one branch",
        )
    if np.any(tree.missing[inner] > 1):
        raise refuse(FORMAT, "a row with a missing value stops at an inner node")
    if splits.has_surrogates:
        raise refuse(FORMAT, "it has surrogates", one_way)
