"""ONNX models of trees as fitted estimators of this package: files of skl2onnx, onnxmltools and other converters.

The operators with trees compare in the precision of their input and add in single precision; here sums are added in
double precision. Every row ends in the same leaves.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._interchange.fitted_model import fitted_model, join_trees, refuse, sum_of_trees
from treewright._interchange.foreign_source import category_column
from treewright._interchange.node_tables import ForeignNodes, damaged
from treewright._interchange.onnx_graph import InputColumn, OnnxGraph, read_graph
from treewright._interchange.onnx_tree_ensemble import read_ensemble
from treewright._interchange.onnx_trees import (
    LEAF,
    OnnxNodes,
    categories_of,
    read_nodes,
    read_numbers,
    tree_nodes,
)
from treewright.schema import Column, Level, Schema

__all__ = ["from_onnx"]

MAX_OUTPUTS = 1 << 16
NEARLY = 1e-4  # probabilities of single precision add up to 1 within this


def from_onnx(model: Any) -> Any:
    """Return an ONNX model of trees as a fitted estimator of treewright.

    The trees are copied, not trained again. Every row ends in the same leaves, with missing values. ONNX adds the
    weights of the leaves in single precision, treewright in double precision: predictions agree to about six digits.

    Parameters
    ----------
    model : ModelProto, bytes or path
        A model of the package ``onnx``, or a file, with one operator ``TreeEnsembleClassifier``,
        ``TreeEnsembleRegressor`` or ``TreeEnsemble``, as skl2onnx and onnxmltools write it.

    Returns
    -------
    estimator
        A `CARTClassifier`, `RandomForestClassifier` or `GradientBoostingClassifier`, or the regressor: the trees alone,
        their mean, or their sum. ``fit`` would train another model.

    Raises
    ------
    UsageError
        If the model has other operators, several outputs, or scores that are not probabilities.
    ModelFileError
        If the file cannot be read.

    Examples
    --------
    >>> import treewright
    >>> from onnx import TensorProto, helper
    >>> node = helper.make_node(
    ...     "TreeEnsembleRegressor", ["age"], ["Y"], domain="ai.onnx.ml",
    ...     nodes_treeids=[0, 0, 0], nodes_nodeids=[0, 1, 2], nodes_featureids=[0, 0, 0],
    ...     nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values=[5.0, 0.0, 0.0],
    ...     nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0], target_treeids=[0, 0],
    ...     target_nodeids=[1, 2], target_ids=[0, 0], target_weights=[1.5, 2.5], n_targets=1,
    ... )
    >>> age = helper.make_tensor_value_info("age", TensorProto.FLOAT, [None, 1])
    >>> out = helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None, 1])
    >>> graph = helper.make_graph([node], "tree", [age], [out])
    >>> treewright.from_onnx(helper.make_model(graph)).predict({"age": [4, 5, 6]}).tolist()
    [1.5, 1.5, 2.5]
    """
    graph = read_graph(model)
    if graph.operator == "TreeEnsembleClassifier":
        return _classifier(graph)
    return _regressor(graph)


# ---- numbers


def _regressor(graph: OnnxGraph) -> Any:
    attributes = graph.attributes
    outputs = attributes.get("n_targets", 1)
    if outputs != 1:
        raise refuse(
            f"an ONNX model with {outputs} targets",
            "convert one model for each target, or load the .tree file that this one was made from",
        )
    if graph.operator == "TreeEnsemble":
        nodes, aggregate, post = read_ensemble(attributes)
    else:
        nodes = read_nodes(attributes, "target", 1)
        aggregate, post = (
            attributes.get("aggregate_function", b"SUM"),
            attributes.get("post_transform", b"NONE"),
        )
    if aggregate not in (b"SUM", b"AVERAGE") or post != b"NONE":
        raise refuse(f"an ONNX model with {_word(aggregate)} and {_word(post)} of its trees")
    schema, trees = _trees(graph, nodes, ())
    base = float(_base_values(attributes, (0, 1)).sum())
    scale, base, link = _apply_steps(graph, base)
    is_mean = len(trees) == 1 or aggregate == b"AVERAGE"
    if is_mean and (base, scale, link) == (0.0, 1.0, "identity"):
        name = "CARTRegressor" if len(trees) == 1 else "RandomForestRegressor"
        return _fitted(graph, name, schema, join_trees(schema, trees), len(trees))
    scale /= len(trees) if aggregate == b"AVERAGE" else 1
    combine = sum_of_trees([base], [], link, [scale] * len(trees))
    forest = join_trees(schema, trees, combine)
    loss = "poisson" if link == "exp" else "squared_error"
    return _fitted(graph, "GradientBoostingRegressor", schema, forest, len(trees), loss=loss)


def _apply_steps(graph: OnnxGraph, base: float) -> tuple[float, float, str]:
    """Return the scale, the start and the link of the sum after the operators that follow the trees."""
    scale, link = 1.0, "identity"
    for operator, number in graph.steps:
        if operator == "Exp" and link == "identity":
            link = "exp"
        elif operator == "Mul" and link == "exp" and number > 0:
            base += math.log(number)
        elif operator in ("Mul", "Div") and link == "identity" and number != 0:
            factor = number if operator == "Mul" else 1 / number
            scale, base = scale * factor, base * factor
        elif operator == "Add" and link == "identity":
            base += number
        else:
            raise refuse(f"an ONNX model with the operator {operator!a} after its trees")
    if not (math.isfinite(scale) and math.isfinite(base)):
        raise damaged("a constant after the trees is not finite")
    return scale, base, link


# ---- classes


def _classifier(graph: OnnxGraph) -> Any:
    attributes = graph.attributes
    labels = _labels(attributes)
    nodes = read_nodes(attributes, "class", len(labels))
    post = attributes.get("post_transform", b"NONE")
    schema, trees = _trees(graph, nodes, labels)
    has_one_score = len(labels) == 2 and not nodes.used[:, 1].any()
    if post == b"LOGISTIC" and has_one_score:
        base = float(_base_values(attributes, (0, 1)).sum())
        ones = [_with_value(tree, tree.value[:, :1]) for tree in trees]
        return _logistic(graph, schema, ones, base)
    if post == b"LOGISTIC" and len(labels) == 2:
        bases = _base_values(attributes, (0, 2))
        scores = [*(tree.value for tree in trees), bases.reshape(-1, 2)]
        # CatBoost writes the score of the first class, too: that of the second one with the other sign.
        if all((values[:, 0] == -values[:, 1]).all() for values in scores):
            ones = [_with_value(tree, tree.value[:, 1:]) for tree in trees]
            return _logistic(graph, schema, ones, float(bases[1:].sum()))
    if post == b"SOFTMAX" and len(labels) > 2:
        return _softmax(graph, schema, trees)
    if post == b"NONE" or (post == b"SOFTMAX" and has_one_score):
        return _probabilities(graph, schema, trees, has_one_score)
    raise refuse(
        f"an ONNX classifier with {len(labels)} classes and the transformation {_word(post)}",
        "its probabilities must be NONE, LOGISTIC with one score, or SOFTMAX of three classes or more",
    )


def _logistic(graph: OnnxGraph, schema: Schema, trees: list[ForeignNodes], base: float) -> Any:
    """Convert sums that become the probability of the second class."""
    forest = join_trees(schema, trees, sum_of_trees([base], [], "logistic"))
    return _fitted(graph, "GradientBoostingClassifier", schema, forest, len(trees))


def _softmax(graph: OnnxGraph, schema: Schema, trees: list[ForeignNodes]) -> Any:
    """Convert sums of which the softmax is taken: a tree that adds to several sums becomes several trees."""
    count = len(schema.classes)
    base = _base_values(graph.attributes, (0, count))
    parts, targets = [], []
    for tree in trees:
        for k in np.flatnonzero((tree.value != 0).any(axis=0)).tolist() or [0]:
            parts.append(_with_value(tree, tree.value[:, k : k + 1]))
            targets.append(k)
    starts = base if len(base) else np.zeros(count)
    forest = join_trees(schema, parts, sum_of_trees(starts, targets, "softmax"))
    rounds = max(1, len(parts) // count)
    return _fitted(graph, "GradientBoostingClassifier", schema, forest, rounds)


def _probabilities(
    graph: OnnxGraph, schema: Schema, trees: list[ForeignNodes], has_one_score: bool
) -> Any:
    """Convert class probabilities that the trees add up: each tree gives an equal part of them."""
    if _base_values(graph.attributes, (0, 1, len(schema.classes))).any():
        raise refuse("an ONNX classifier with base values and no transformation")
    parts = []
    for tree in trees:
        shares = tree.value * len(trees)
        if has_one_score:  # it is that of the second class
            shares = np.column_stack([1 - shares[:, 0], shares[:, 0]])
        totals = shares.sum(axis=1)
        if (shares < -NEARLY).any() or (np.abs(totals - 1) > NEARLY).any():
            raise refuse(
                "an ONNX classifier whose scores are not probabilities",
                "each tree must give an equal part of the probabilities",
            )
        shares = np.maximum(shares, 0.0)
        parts.append(_with_value(tree, shares / shares.sum(axis=1, keepdims=True)))
    name = "CARTClassifier" if len(trees) == 1 else "RandomForestClassifier"
    return _fitted(graph, name, schema, join_trees(schema, parts), len(trees))


def _labels(attributes: dict[str, Any]) -> list[Level]:
    """Return the classes: texts or whole numbers."""
    texts = attributes.get("classlabels_strings") or []
    try:
        labels: list[Level] = [text.decode("utf-8") for text in texts]
    except (AttributeError, UnicodeDecodeError):
        raise damaged("a class is not text") from None
    labels = labels or [int(x) for x in attributes.get("classlabels_int64s") or []]
    if len(set(labels)) != len(labels) or len(labels) > MAX_OUTPUTS:
        raise damaged("two classes have the same name, or there are too many")
    if len(labels) < 2:
        raise refuse(f"an ONNX classifier with {len(labels)} classes")
    return labels


# ---- both


def _trees(graph: OnnxGraph, nodes: OnnxNodes, classes: Any) -> tuple[Schema, list[ForeignNodes]]:
    """Return the schema and the nodes of each tree."""
    columns = graph.columns
    if columns is None:
        inner = nodes.feature[nodes.mode != LEAF]
        width = int(inner.max(initial=0)) + 1
        if not 0 < width <= 1 << 20:
            raise damaged("a tree tests a column that does not exist")
        columns = [InputColumn(f"x{i}", graph.is_single) for i in range(width)]
    categories = categories_of(nodes, len(columns))
    single = np.array([column.is_single for column in columns])
    schema = Schema(
        tuple(_column(c, levels) for c, levels in zip(columns, categories, strict=True)),
        None,
        tuple(classes),
    )
    trees = [tree_nodes(nodes, root, categories, single) for root in nodes.roots.tolist()]
    return schema, trees


def _column(column: InputColumn, levels: list[float]) -> Column:
    if not levels:
        return Column(column.name, "numeric", single=column.is_single)
    return category_column(column.name, [int(x) if x == int(x) else x for x in levels])


def _base_values(attributes: dict[str, Any], counts: tuple[int, ...]) -> NDArray[np.float64]:
    """Return where the sums start; the file may have as many numbers as ``counts`` allows."""
    for count in counts:
        tensor = attributes.get("base_values_as_tensor")
        size = (
            len(attributes.get("base_values") or []) if tensor is None else math.prod(tensor.dims)
        )
        if size == count:
            values = read_numbers(attributes, "base_values", count)
            if not np.isfinite(values).all():
                raise damaged("a base value is not finite")
            return values
    raise refuse(f"an ONNX model with {size} base values")


def _with_value(tree: ForeignNodes, value: NDArray[np.float64]) -> ForeignNodes:
    return dataclasses.replace(tree, value=value)


def _fitted(
    graph: OnnxGraph, name: str, schema: Schema, forest: Any, rounds: int, **params: Any
) -> Any:
    kind = "str" if schema.classes and isinstance(schema.classes[0], str) else "int64"
    is_boosting = name.startswith("Gradient")
    return fitted_model(
        name,
        {"n_estimators": rounds} | params,
        schema,
        forest,
        named=graph.has_names,
        classes_dtype=kind if schema.classes else "",
        kept={"n_estimators_": rounds} if is_boosting else None,
    )


def _word(value: Any) -> str:
    return value.decode("ascii", "replace")[:40] if isinstance(value, bytes) else str(value)[:40]
