"""How trees are combined in ONNX: sums in the order of the trees, votes, the median, the link, the predicted class.

Where trees have targets, every sum is a tensor of its own; otherwise one tensor holds the sums side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from treewright._export.combined_model import CombinedModel
from treewright._export.onnx.fractional_rows import Arithmetic, refuse_large
from treewright._export.onnx.graph import Graph
from treewright._export.onnx.link import add_link
from treewright._export.onnx.tree import add_ends
from treewright._model.decision import EQUAL

__all__ = ["add_trees"]


def add_trees(graph: Graph, model: CombinedModel) -> tuple[str, str]:
    """Add the trees; return the predicted positions ("" for numbers) and the outputs, rows by outputs."""
    outputs = _add_outputs(graph, model)
    if not model.schema.classes:
        return "", outputs
    scores = outputs
    if model.schema.costs:
        expected = graph.add("MatMul", outputs, np.array(model.schema.costs))
        least = graph.add("ReduceMin", expected, np.array([1]), keepdims=1)
        cheap = graph.add("LessOrEqual", expected, graph.add("Mul", least, 1 + EQUAL))
        scores = graph.cast(cheap, np.float64)
    return graph.add("ArgMax", scores, axis=1, keepdims=0), outputs


def _add_outputs(graph: Graph, model: CombinedModel) -> str:
    one_path = not model.divides and not any(splits.has_surrogates for splits in model.trees)
    if not one_path:
        refuse_large(model)
    if model.how == "median":
        return _median(graph, model, list(_tree_outputs(graph, model, one_path)))
    if model.how == "vote":
        sums = _votes(graph, model, _tree_outputs(graph, model, one_path))
    else:
        sums = _sums(graph, model, _adder(graph, model, one_path))
    if model.how == "mean" and len(model.trees) > 1:
        return graph.add("Div", sums, float(len(model.trees)))
    return add_link(graph, model, sums)


def _tree_outputs(graph: Graph, model: CombinedModel, one_path: bool) -> Iterator[str]:
    """Add the output of each tree, rows by outputs of the tree."""
    nodes = add_ends(graph, model) if one_path else ""
    for tree, splits in enumerate(model.trees):
        if one_path:
            yield _look_up(graph, nodes, tree, splits.tree.outputs)
        else:
            yield Arithmetic(graph, splits).add_to("")


def _look_up(graph: Graph, nodes: str, tree: int, table: np.ndarray) -> str:
    ends = graph.add("Gather", nodes, tree, axis=1)
    return graph.add("Gather", table.copy(), ends, axis=0)


def _adder(graph: Graph, model: CombinedModel, one_path: bool) -> Callable[[str, int], str]:
    """Return a function that adds a tree to a total; the total may be empty."""
    if not one_path:
        return lambda total, tree: Arithmetic(graph, model.trees[tree]).add_to(
            total, model.scale(tree)
        )
    nodes = add_ends(graph, model)

    def add(total: str, tree: int) -> str:
        output = _look_up(graph, nodes, tree, model.node_terms(tree))
        return graph.add("Add", total, output) if total else output

    return add


def _sums(graph: Graph, model: CombinedModel, add: Callable[[str, int], str]) -> str:
    """Add the trees one after the other."""
    if not model.targets:
        total = graph.constant(np.array([model.base])) if model.base else ""
        for tree in range(len(model.trees)):
            total = add(total, tree)
        return total
    totals = [graph.constant(np.array([[x]])) for x in model.base]
    for tree, target in enumerate(model.targets):
        totals[target] = add(totals[target], tree)
    return graph.add("Concat", *totals, axis=1)


def _votes(graph: Graph, model: CombinedModel, outputs: Iterator[str]) -> str:
    """Add the votes, and subtract from each class an equal part of the votes for the others."""
    votes = ""
    for tree, output in enumerate(outputs):
        best = graph.add("ArgMax", output, axis=1, keepdims=0)
        vote = graph.add("Gather", np.eye(model.sums) * model.scale(tree), best, axis=0)
        votes = graph.add("Add", votes, vote) if votes else vote
    rest = graph.add("Div", graph.add("Sub", model.total, votes), model.sums - 1.0)
    return graph.add("Div", graph.add("Sub", votes, rest), model.total)


def _median(graph: Graph, model: CombinedModel, outputs: list[str]) -> str:
    """Take the weighted median: the first value, in ascending order, at which half of the weight is reached."""
    n = len(outputs)
    columns = graph.add("Concat", *outputs, axis=1)
    values, places = graph.add_two("TopK", columns, np.array([n]), axis=1, largest=0, sorted=1)
    scales = np.array([model.scale(tree) for tree in range(n)])
    reached = graph.add("CumSum", graph.add("Gather", scales, places, axis=0), 1)
    total = graph.add("Gather", reached, np.array([n - 1]), axis=1)
    at_half = graph.add("GreaterOrEqual", reached, graph.add("Mul", total, 0.5))
    first = graph.add("ArgMax", graph.cast(at_half, np.float64), axis=1, keepdims=1)
    return graph.add("GatherElements", values, first, axis=1)
