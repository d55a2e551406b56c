"""What becomes of the words of the trees in ONNX: sums in the order of the trees, votes, the middle, and the link.

Every sum is a tensor of its own where trees have targets; otherwise one tensor holds them side by side.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright._export.combined_model import CombinedModel
from treewright._export.onnx.fractional_rows import Arithmetic, refuse_large
from treewright._export.onnx.graph import Graph
from treewright._export.onnx.link import linked
from treewright._export.onnx.tree import reached

__all__ = ["combined"]


def combined(graph: Graph, model: CombinedModel) -> str:
    """Add what the model says, rows by outputs; return its name."""
    whole = not model.divides and not any(splits.has_surrogates for splits in model.trees)
    if not whole:
        refuse_large(model)
    if model.how == "median":
        return _middle(graph, model, list(_said(graph, model, whole)))
    added = _added if whole else _added_in_parts
    sums = _votes(graph, model, whole) if model.how == "vote" else added(graph, model)
    if model.how == "mean" and len(model.trees) > 1:
        return graph.add("Div", sums, graph.constant(np.array(float(len(model.trees)))))
    return linked(graph, model, sums)


def _said(graph: Graph, model: CombinedModel, whole: bool) -> Iterator[str]:
    """Add what each tree says by itself, rows by its outputs."""
    if not whole:
        for splits in model.trees:
            yield Arithmetic(graph, splits).add_to("")
        return
    nodes = reached(graph, model)
    for tree, splits in enumerate(model.trees):
        yield _looked_up(graph, nodes, tree, splits.tree.value)


def _looked_up(graph: Graph, nodes: str, tree: int, table: np.ndarray) -> str:
    found = graph.add("Gather", nodes, graph.constant(np.array(tree)), axis=1)
    return graph.add("Gather", graph.constant(table.copy()), found, axis=0)


def _added(graph: Graph, model: CombinedModel) -> str:
    """Add what whole rows are told, tree after tree."""
    nodes = reached(graph, model)
    if not model.targets:
        total = graph.constant(np.array([model.base])) if model.base else ""
        for tree in range(len(model.trees)):
            said = _looked_up(graph, nodes, tree, model.node_terms(tree))
            total = graph.add("Add", total, said) if total else said
        return total
    totals = [graph.constant(np.array([[x]])) for x in model.base]
    for tree, target in enumerate(model.targets):
        said = _looked_up(graph, nodes, tree, model.node_terms(tree))
        totals[target] = graph.add("Add", totals[target], said)
    return graph.add("Concat", *totals, axis=1)


def _added_in_parts(graph: Graph, model: CombinedModel) -> str:
    """Add what the parts of rows are told, end after end."""
    if not model.targets:
        total = graph.constant(np.array([model.base])) if model.base else ""
        for tree, splits in enumerate(model.trees):
            total = Arithmetic(graph, splits).add_to(total, model.scale(tree))
        return total
    totals = [graph.constant(np.array([[x]])) for x in model.base]
    for tree, target in enumerate(model.targets):
        arithmetic = Arithmetic(graph, model.trees[tree])
        totals[target] = arithmetic.add_to(totals[target], model.scale(tree))
    return graph.add("Concat", *totals, axis=1)


def _votes(graph: Graph, model: CombinedModel, whole: bool) -> str:
    """Add the votes, and take from each class an equal part of those for the others."""
    votes = ""
    for tree, said in enumerate(_said(graph, model, whole)):
        best = graph.add("ArgMax", said, axis=1, keepdims=0)
        table = graph.constant(np.eye(model.sums) * model.scale(tree))
        given = graph.add("Gather", table, best, axis=0)
        votes = graph.add("Add", votes, given) if votes else given
    total, others = (
        graph.constant(np.array(model.total)),
        graph.constant(np.array(model.sums - 1.0)),
    )
    rest = graph.add("Div", graph.add("Sub", total, votes), others)
    return graph.add("Div", graph.add("Sub", votes, rest), total)


def _middle(graph: Graph, model: CombinedModel, said: list[str]) -> str:
    """Take the value of the tree in the middle: the first, in their order, that half of the weight has reached."""
    n = len(said)
    values, places = graph.add_two(
        "TopK",
        graph.add("Concat", *said, axis=1),
        graph.constant(np.array([n])),
        axis=1,
        largest=0,
        sorted=1,
    )
    scales = graph.constant(np.array([model.scale(tree) for tree in range(n)]))
    steps = graph.add(
        "CumSum", graph.add("Gather", scales, places, axis=0), graph.constant(np.array(1))
    )
    last = graph.add("Gather", steps, graph.constant(np.array([n - 1])), axis=1)
    half = graph.add("Mul", last, graph.constant(np.array(0.5)))
    there = graph.cast(graph.add("GreaterOrEqual", steps, half), np.float64)
    return graph.add(
        "GatherElements", values, graph.add("ArgMax", there, axis=1, keepdims=1), axis=1
    )
