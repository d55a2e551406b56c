"""One tree in PMML: nodes inside each other, each with the predicate that leads to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._export.pmml.text import Document, number, value
from treewright._model.paths.ordered_tests import DIVIDED, Among, BranchTests, OrderedTests, Test

__all__ = ["Way", "write_tree"]


@dataclass(frozen=True, slots=True)
class Way:
    """How a tree is written.

    Parameters
    ----------
    divided : str, default=None
        What becomes of rows that are divided: "null" or "weighted".
    numbers : ndarray, default=None
        What the nodes say, where a tree of a model of classes says a number.
    alone : bool, default=True
        Whether the tree is the whole model, and its answer the target.
    """

    divided: str | None = None
    numbers: NDArray[np.float64] | None = None
    alone: bool = True


def write_tree(document: Document, splits: OrderedTests, way: Way) -> None:
    """Write a tree."""
    _Tree(document, splits, way).write()


class _Tree:
    """One tree in the making."""

    def __init__(self, document: Document, splits: OrderedTests, way: Way) -> None:
        self.document, self.splits, self.tree, self.way = document, splits, splits.tree, way

    def write(self) -> None:
        """Write everything."""
        document, schema = self.document, self.document.schema
        document.open(
            "TreeModel",
            functionName="regression" if self.way.numbers is not None else document.function(),
            splitCharacteristic="multiSplit",
            missingValueStrategy=self.strategy(),
            noTrueChildStrategy="returnLastPrediction",
        )
        # A value never seen is as good as missing where rows are divided or have surrogates; elsewhere no test holds.
        as_missing = self.splits.divides or self.splits.has_surrogates
        document.fields(
            schema.names if self.way.alone else self.asked(),
            "asMissing" if as_missing else "asIs",
            target=self.way.alone,
        )
        self.nodes()
        document.close("TreeModel")

    def asked(self) -> list[str]:
        """Return the columns that the tree asks about."""
        asked = set(self.tree.feature[self.tree.n_children > 0].tolist())
        if self.splits.has_surrogates:
            return list(self.document.schema.names)
        return [name for i, name in enumerate(self.document.schema.names) if i in asked]

    def strategy(self) -> str:
        """Return what happens where a predicate is unknown."""
        if self.splits.divides:
            return "weightedConfidence" if self.way.divided == "weighted" else "nullPrediction"
        # With surrogates none ever is: they end in True or False.
        return "lastPrediction" if self.splits.has_surrogates else "none"

    def nodes(self) -> None:
        """Write the nodes from a list of what is still to come: a tree may be deeper than any stack."""
        waiting: list[tuple[int, tuple[BranchTests, ...] | None]] = [(0, (BranchTests((), 0),))]
        while waiting:
            node, ways = waiting.pop()
            if ways is None:
                self.document.close("Node")
                continue
            self.node(node, ways)
            waiting.append((node, None))
            if self.tree.n_children[node]:
                waiting += reversed(list(self.children(node)))

    def children(self, node: int) -> Iterator[tuple[int, tuple[BranchTests, ...]]]:
        """Give the children of a node, each with the splits that lead there; a walk that stops needs no node."""
        ways: dict[int, list[BranchTests]] = {}
        for branch in self.splits.of(node):
            if branch.goes == DIVIDED:
                # A child that no level leads to has its share of divided rows all the same.
                first = int(self.tree.first_child[node])
                for child in range(first, first + int(self.tree.n_children[node])):
                    never = BranchTests((Among(int(self.tree.feature[node]), ()),), child)
                    ways.setdefault(child, [never])
            elif branch.goes != node:
                ways.setdefault(branch.goes, []).append(branch)
        return ((child, tuple(splits)) for child, splits in ways.items())

    def node(self, node: int, ways: tuple[BranchTests, ...]) -> None:
        """Open a node: its answer, the predicate that leads to it, and what it knows of the classes."""
        tree, numbers, classes = self.tree, self.way.numbers, self.document.schema.classes
        said = value(tree.answer(node)) if numbers is None else number(numbers[node])
        records = number(tree.weight[node])
        self.document.open("Node", id=str(node), score=said, recordCount=records)
        self.predicate(node, ways)
        if not classes or numbers is not None:
            return
        weights = tree.class_weights(node)
        for k, c in enumerate(classes):
            share = number(tree.value[node, k])
            self.document.empty(
                "ScoreDistribution",
                value=value(c),
                recordCount=number(weights[k]),
                confidence=share,
                probability=share,
            )

    def predicate(self, node: int, ways: tuple[BranchTests, ...]) -> None:
        """Write what must hold to come to a node."""
        parent = int(self.tree.parents[node])
        if len(ways) > 1 or (parent >= 0 and self.splits.has_surrogates):
            self.surrogates(parent, node)
        else:
            self.document.one_of(ways[0].tests)

    def surrogates(self, parent: int, node: int) -> None:
        """Write one side of a question with surrogates: the first one that is known decides."""
        asked = self.splits.of(parent)
        self.document.open("CompoundPredicate", booleanOperator="surrogate")
        seen: set[int] = set()
        for branch in asked[:-1]:
            feature = branch.tests[0].feature
            here = [
                a for a in asked if a.goes == node and a.tests and a.tests[0].feature == feature
            ]
            if feature not in seen:
                seen.add(feature)
                self.document.test(here[0].tests[0] if here else _never(branch.tests[0]))
        self.document.empty("True" if asked[-1].goes == node else "False")
        self.document.close("CompoundPredicate")


def _never(test: Test) -> Test:
    """Return a test of the same column that never holds, and is unknown where the value is."""
    return Among(test.feature, ()) if isinstance(test, Among) else test
