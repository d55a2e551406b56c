"""Trees that divide rows or have surrogates, as arithmetic: the part of each row that arrives at each node.

The part is a product along the path, as in SQL: 1 where the row goes that way, 0 where it goes another, and a share
where it is divided. Every node costs a few operators over all rows, so large trees are refused.
"""

from __future__ import annotations

import numpy as np

from treewright._export.combined_model import CombinedModel, refuse
from treewright._export.onnx.graph import Graph
from treewright._model.paths.ends import ends
from treewright._model.paths.ordered_tests import DIVIDED, Above, Among, AtMost, OrderedTests, Test

__all__ = ["Arithmetic", "refuse_large"]

QUESTIONS = 2000


def refuse_large(model: CombinedModel) -> None:
    """Refuse a model of too many questions."""
    questions = sum(int((splits.tree.n_children > 0).sum()) for splits in model.trees)
    if questions > QUESTIONS:
        reason = f"it divides rows, or has surrogates, at {questions:,} questions"
        raise refuse("ONNX", reason, f"there is room for {QUESTIONS:,}; a smaller tree fits")


class Arithmetic:
    """The arithmetic of one tree; every tensor is rows by 1 until values are multiplied in."""

    def __init__(self, graph: Graph, splits: OrderedTests) -> None:
        self.graph, self.splits, self.tree = graph, splits, splits.tree
        self.one, self.zero = (graph.constant(np.array([[x]])) for x in (1.0, 0.0))
        self.goes: dict[int, str] = {}
        self.parts: dict[tuple[int, int], str] = {}

    def add_to(self, total: str, scale: float = 1.0) -> str:
        """Add what the tree says to a sum, end by end, in the order of the core; to none where it is empty."""
        graph = self.graph
        for node, path in ends(self.splits):
            value = graph.constant(self.tree.value[node].reshape(1, -1).copy())
            part = self.part(path)
            if scale != 1.0:
                part = graph.add("Mul", part, graph.constant(np.array(scale)))
            said = graph.add("Mul", part, value)
            total = graph.add("Add", total, said) if total else said
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
        """Multiply the part that arrives at a node with the share that goes on by a step."""
        graph, (node, goes) = self.graph, step
        chosen = self._chosen(node)
        taken = graph.add("Equal", chosen, graph.constant(np.array(float(goes))))
        share = whole = ""
        other = self.zero
        if goes != node and any(branch.goes == DIVIDED for branch in self.splits.of(node)):
            divided = graph.add("Equal", chosen, graph.constant(np.array(float(DIVIDED))))
            share, whole = (graph.constant(np.array([[self.tree.weight[n]]])) for n in (goes, node))
            other = graph.add("Where", divided, share, self.zero)
            whole = graph.add("Where", divided, whole, self.one)
        factor = graph.add("Where", taken, self.one, other)
        product = graph.add("Mul", part, factor) if part else factor
        return graph.add("Div", product, whole) if whole else product

    def _chosen(self, node: int) -> str:
        """Add the number of the node that each row goes to: that of the first branch whose test holds."""
        if node not in self.goes:
            graph = self.graph
            *asked, last = self.splits.of(node)
            chosen = graph.constant(np.array([[float(last.goes)]]))
            for branch in reversed(asked):
                holds = ""
                for test in branch.tests:
                    one = self._test(test)
                    holds = graph.add("Or", holds, one) if holds else one
                goes = graph.constant(np.array([[float(branch.goes)]]))
                chosen = graph.add("Where", holds, goes, chosen)
            self.goes[node] = chosen
        return self.goes[node]

    def _test(self, test: Test) -> str:
        graph, x = self.graph, self.graph.feature(test.feature)
        match test:
            case AtMost(threshold=threshold):
                return graph.add("LessOrEqual", x, graph.constant(np.array(threshold)))
            case Above(threshold=threshold):
                return graph.add("Greater", x, graph.constant(np.array(threshold)))
            case Among(codes=codes):
                levels = np.array([codes], dtype=np.float64)
                equal = graph.cast(graph.add("Equal", x, graph.constant(levels)), np.float64)
                axis = graph.constant(np.array([1]))
                return graph.cast(graph.add("ReduceMax", equal, axis, keepdims=1), np.bool_)
            case _:
                return graph.add("IsNaN", x)
