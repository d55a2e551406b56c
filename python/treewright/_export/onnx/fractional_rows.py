"""Trees with fractional rows or surrogates in ONNX, as arithmetic: the part of each row that arrives at each node.

The part is a product along the path, as in SQL: 1 where the row goes that way, 0 where it goes another, a fraction
where it is divided. Every node costs a few operators over all rows, so large trees raise an error.
"""

from __future__ import annotations

import numpy as np

from treewright._export.combined_model import CombinedModel, refuse
from treewright._export.onnx.graph import Graph
from treewright._model.paths import DIVIDED, Above, Among, AtMost, OrderedTests, Test, ends

__all__ = ["Arithmetic", "refuse_large"]

MAX_SPLITS = 2000


def refuse_large(model: CombinedModel) -> None:
    """Raise an error for a model with too many splits."""
    n_splits = sum(int((splits.tree.n_children > 0).sum()) for splits in model.trees)
    if n_splits > MAX_SPLITS:
        reason = f"it divides rows, or has surrogates, at {n_splits:,} splits"
        raise refuse("ONNX", reason, f"there is room for {MAX_SPLITS:,}; a smaller tree fits")


class Arithmetic:
    """The arithmetic of one tree; every tensor is rows by 1 until values are multiplied in."""

    def __init__(self, graph: Graph, splits: OrderedTests) -> None:
        self.graph, self.splits, self.tree = graph, splits, splits.tree
        self.one, self.zero = (graph.constant(np.array([[x]])) for x in (1.0, 0.0))
        self.goes: dict[int, str] = {}
        self.parts: dict[tuple[int, int], str] = {}

    def add_to(self, total: str, scale: float = 1.0) -> str:
        """Add the output of the tree to a sum (empty: start one), end by end, in the order of the core."""
        graph = self.graph
        for node, path in ends(self.splits):
            part = self.part(path)
            if scale != 1.0:
                part = graph.add("Mul", part, scale)
            output = graph.add("Mul", part, self.tree.outputs[node].reshape(1, -1).copy())
            total = graph.add("Add", total, output) if total else output
        return total

    def part(self, path: list[tuple[int, int]]) -> str:
        """Add the part of each row that takes all steps of a path."""
        part = ""
        for step in path:
            if step not in self.parts:
                self.parts[step] = self._step(part, step)
            part = self.parts[step]
        if part:
            return part
        rows = self.graph.feature(0)  # a tree of one node: 1 for every row
        return self.graph.add("Where", self.graph.add("IsNaN", rows), self.one, self.one)

    def _step(self, part: str, step: tuple[int, int]) -> str:
        """Multiply the part that arrives at a node by the fraction of it that takes a step."""
        graph, (node, goes) = self.graph, step
        chosen = self._next_node(node)
        takes_step = graph.add("Equal", chosen, float(goes))
        total, other = "", self.zero
        if goes != node and any(branch.goes == DIVIDED for branch in self.splits.of(node)):
            divided = graph.add("Equal", chosen, float(DIVIDED))
            weight = self.tree.weight
            other = graph.add("Where", divided, np.array([[weight[goes]]]), self.zero)
            total = graph.add("Where", divided, np.array([[weight[node]]]), self.one)
        factor = graph.add("Where", takes_step, self.one, other)
        product = graph.add("Mul", part, factor) if part else factor
        return graph.add("Div", product, total) if total else product

    def _next_node(self, node: int) -> str:
        """Add the number of the node that each row goes to: that of the first branch whose test holds."""
        if node not in self.goes:
            graph = self.graph
            *branches, last = self.splits.of(node)
            chosen = graph.constant(np.array([[float(last.goes)]]))
            for branch in reversed(branches):
                holds = ""
                for test in branch.tests:
                    one = self._test(test)
                    holds = graph.add("Or", holds, one) if holds else one
                chosen = graph.add("Where", holds, np.array([[float(branch.goes)]]), chosen)
            self.goes[node] = chosen
        return self.goes[node]

    def _test(self, test: Test) -> str:
        graph, x = self.graph, self.graph.feature(test.feature)
        match test:
            case AtMost(threshold=threshold):
                return graph.add("LessOrEqual", x, threshold)
            case Above(threshold=threshold):
                return graph.add("Greater", x, threshold)
            case Among(codes=codes):
                return graph.add_among(x, codes)
            case _:
                return graph.add("IsNaN", x)
