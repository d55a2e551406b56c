"""The tree in any fitted model: one of this package, or a decision tree of scikit-learn as a `Tree` of this package."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright._estimator.find import find, kind_of, unwrap
from treewright._model.table_builder import TreeBuilder
from treewright.errors import UsageError
from treewright.schema import Column, Schema
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
    table = estimator.tree_
    if table.n_outputs != 1:
        raise UsageError(
            f"this tree predicts {table.n_outputs} outputs, and this needs one",
            slug="usage.several-outputs",
            hints=["fit a tree for each output"],
        )
    classes = getattr(estimator, "classes_", None)
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = [f"x{i}" for i in range(estimator.n_features_in_)]
    columns = tuple(Column(str(name), "numeric", missing=False) for name in names)
    schema = Schema(columns, None, () if classes is None else tuple(np.asarray(classes).tolist()))
    builder, numbers = TreeBuilder(), {0: 0}
    _push(builder, table, 0)
    todo = [0]  # the children of a node must be neighbors, so nodes are numbered level by level
    for node in todo:
        left, right = int(table.children_left[node]), int(table.children_right[node])
        if left < 0:
            continue
        gain = _cost(table, node) - _cost(table, left) - _cost(table, right)
        missing = 0 if table.missing_go_to_left[node] else 1
        builder.split(
            numbers[node],
            int(table.feature[node]),
            2,
            # scikit-learn compares numbers of 32 bits; more digits would only look different.
            threshold=float(str(np.float32(table.threshold[node]))),
            missing=missing,
            gain=max(gain, 0.0),
        )
        for child in (left, right):
            numbers[child] = _push(builder, table, child)
            todo.append(child)
    return Tree(builder.forest(schema), 0, schema)


def _push(builder: TreeBuilder, table: Any, node: int) -> int:
    value = np.asarray(table.value[node, 0], dtype=np.float64)
    if len(value) > 1:
        value = value / value.sum()
    weight = float(table.weighted_n_node_samples[node])
    return builder.push(value, weight, int(table.n_node_samples[node]), _cost(table, node))


def _cost(table: Any, node: int) -> float:
    return float(table.impurity[node] * table.weighted_n_node_samples[node])
