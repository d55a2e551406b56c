"""One tree in PMML: nested nodes, each with the predicate that leads to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._export.pmml.text import Document, number, value
from treewright._model.paths import DIVIDED, Among, BranchTests, OrderedTests, Test

__all__ = ["TreeOptions", "write_tree"]


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """How a tree is written.

    Parameters
    ----------
    divided : str, default=None
        How fractional rows are handled: "null" or "weighted".
    numbers : ndarray, default=None
        Values of the nodes, where a tree of a classifier outputs a number.
    alone : bool, default=True
        Whether the tree is the only one, and its prediction the target.
    """

    divided: str | None = None
    numbers: NDArray[np.float64] | None = None
    alone: bool = True


def write_tree(document: Document, splits: OrderedTests, options: TreeOptions) -> None:
    """Write a tree."""
    _Tree(document, splits, options).write()


class _Tree:
    """A tree while it is written."""

    def __init__(self, document: Document, splits: OrderedTests, options: TreeOptions) -> None:
        self.document, self.splits, self.tree, self.options = document, splits, splits.tree, options

    def write(self) -> None:
        """Write the tree."""
        document, schema = self.document, self.document.schema
        # An unseen category is treated as missing by fractional rows and surrogates; elsewhere no test holds.
        as_missing = self.splits.divides or self.splits.has_surrogates
        numbers = self.options.numbers is not None
        with document.element(
            "TreeModel",
            functionName="regression" if numbers else document.function,
            splitCharacteristic="multiSplit",
            missingValueStrategy=self.missing_value_strategy(),
            noTrueChildStrategy="returnLastPrediction",
        ):
            document.write_fields(
                schema.names if self.options.alone else self.tested(),
                "asMissing" if as_missing else "asIs",
                target=self.options.alone,
            )
            self.write_nodes()

    def tested(self) -> list[str]:
        """Return the columns that the tree tests."""
        names = self.document.schema.names
        tested = set(self.tree.feature[self.tree.n_children > 0].tolist())
        return [n for i, n in enumerate(names) if i in tested or self.splits.has_surrogates]

    def missing_value_strategy(self) -> str:
        """Return what happens where a predicate is unknown."""
        if self.splits.divides:
            return "weightedConfidence" if self.options.divided == "weighted" else "nullPrediction"
        # With surrogates no predicate is unknown: they end in True or False.
        return "lastPrediction" if self.splits.has_surrogates else "none"

    def write_nodes(self) -> None:
        """Write the nodes, from a list of those to come: a tree may be deeper than the stack."""
        waiting: list[tuple[int, tuple[BranchTests, ...] | None]] = [(0, (BranchTests((), 0),))]
        while waiting:
            node, branches = waiting.pop()
            if branches is None:
                self.document.close("Node")
                continue
            self.write_node(node, branches)
            waiting.append((node, None))
            if self.tree.n_children[node]:
                waiting += reversed(list(self.children(node)))

    def children(self, node: int) -> Iterator[tuple[int, tuple[BranchTests, ...]]]:
        """Yield the children of a node with the branches that lead there; a path that stops needs no node."""
        leads: dict[int, list[BranchTests]] = {}
        for branch in self.splits.of(node):
            if branch.goes == DIVIDED:
                # A child that no level leads to still gets its fraction of divided rows.
                first = int(self.tree.first_child[node])
                for child in range(first, first + int(self.tree.n_children[node])):
                    never = BranchTests((Among(int(self.tree.feature[node]), ()),), child)
                    leads.setdefault(child, [never])
            elif branch.goes != node:
                leads.setdefault(branch.goes, []).append(branch)
        return ((child, tuple(branches)) for child, branches in leads.items())

    def write_node(self, node: int, branches: tuple[BranchTests, ...]) -> None:
        """Open a node: its prediction, the predicate that leads to it, and the class probabilities."""
        tree, numbers, classes = self.tree, self.options.numbers, self.document.schema.classes
        score = value(tree.answer(node)) if numbers is None else number(numbers[node])
        records = number(tree.weight[node])
        self.document.open("Node", id=str(node), score=score, recordCount=records)
        self.write_predicate(node, branches)
        if not classes or numbers is not None:
            return
        weights = tree.class_weights(node)
        for k, c in enumerate(classes):
            self.document.write_score(c, weights[k], tree.outputs[node, k])

    def write_predicate(self, node: int, branches: tuple[BranchTests, ...]) -> None:
        """Write what must hold to reach a node."""
        parent = int(self.tree.parents[node])
        if len(branches) > 1 or (parent >= 0 and self.splits.has_surrogates):
            self.write_surrogates(parent, node)
        else:
            self.document.write_one_of(branches[0].tests)

    def write_surrogates(self, parent: int, node: int) -> None:
        """Write one side of a split with surrogates: the first test with a known value decides."""
        branches = self.splits.of(parent)
        first: dict[int, Test] = {}
        here: dict[int, Test] = {}
        for branch in branches[:-1]:
            test = branch.tests[0]
            first.setdefault(test.feature, test)
            if branch.goes == node:
                here.setdefault(test.feature, test)
        with self.document.element("CompoundPredicate", booleanOperator="surrogate"):
            for feature, test in first.items():
                self.document.write_test(here.get(feature) or _never(test))
            self.document.empty("True" if branches[-1].goes == node else "False")


def _never(test: Test) -> Test:
    """Return a test of the same column that never holds, and is unknown if the value is missing."""
    return Among(test.feature, ()) if isinstance(test, Among) else test
