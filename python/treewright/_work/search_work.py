"""The work of a node of an optimal tree: the errors as a leaf, those of each branch, and what was proven.

An optimal tree is not the result of one split after another, so there is no table of candidates: a split is right if
the best trees below its branches make the fewest errors together. The numbers are those of the node table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._draw.conditions import branch_text, write_test
from treewright._render.document import CHOICE, Block, Column, Document, Equations, Table, Text
from treewright._render.formula import Equation, Number, Sum
from treewright._render.numbers import weights
from treewright._work.work_result import NAMES, WorkResult
from treewright.tree import Tree

__all__ = ["BranchErrors", "SearchWork", "search_work"]

STAGES = ("counts", "errors", CHOICE)


@dataclass(frozen=True, slots=True)
class BranchErrors:
    """One branch of a split: its rows, its errors as a leaf, and those of the tree below it."""

    way: str
    rows: float
    errors: float
    tree_errors: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "way": self.way,
            "weight": self.rows,
            "errors": self.errors,
            "tree_errors": self.tree_errors,
        }


@dataclass(frozen=True, slots=True, repr=False)
class SearchWork(WorkResult):
    """The work of a node of an optimal tree, made by :func:`treewright.work`.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier, datasets, work
    >>> result = work(OptimalTreeClassifier(2).fit(*datasets.play_tennis()))
    >>> result.errors, [branch.tree_errors for branch in result.branches]
    (5.0, [0.0, 2.0])
    """

    node: int
    weight: float  # of the rows of the node
    errors: float  # of the node as a leaf
    by_class: bool  # whether errors are rows; otherwise they are squared
    test: str  # the split; empty for a leaf
    branches: tuple[BranchErrors, ...]
    depth: int  # that is left below the node
    proven: bool

    @property
    def tree_errors(self) -> float:
        """The errors of the tree below the node."""
        return sum(branch.tree_errors for branch in self.branches) if self.test else self.errors

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "node": self.node,
            "weight": self.weight,
            "errors": self.errors,
            "tree_errors": self.tree_errors,
            "split": self.test or None,
            "depth_left": self.depth,
            "proven": self.proven,
            "branches": [branch.to_dict() for branch in self.branches],
        }

    def _pages(self, *, worksheet: bool = False) -> Document:
        word = "errors" if self.by_class else "squared error"
        leaf = self._amount("counts", self.errors)
        blocks: list[Block] = [Text((f"As a leaf, this node has {word}: ", leaf, "."))]
        if self.test:
            blocks += [self._table(word), self._sum(word)]
        blocks.append(Text(self._verdict(word), apart=True))
        (rows,) = weights([self.weight])
        return Document((f"Node #{self.node}", f"{rows} rows"), tuple(blocks), STAGES)

    def _amount(self, stage: str, value: float) -> Number:
        if not self.by_class:
            return self._number(stage, value)
        return Number(weights([value])[0], stage, value)

    def _table(self, word: str) -> Table:
        branches = self.branches
        return Table(
            (
                Column("", tuple(b.way for b in branches), "branch", left=True),
                Column(
                    "rows", tuple(Number(weights([b.rows])[0], "counts", b.rows) for b in branches)
                ),
                Column(
                    f"{word} as a leaf", tuple(self._amount("counts", b.errors) for b in branches)
                ),
                Column(
                    f"{word} of the tree below",
                    tuple(self._amount("errors", b.tree_errors) for b in branches),
                ),
            ),
            f"Split: {self.test}",
            key="branches",
        )

    def _sum(self, word: str) -> Equations:
        parts = tuple((1, self._amount("errors", branch.tree_errors)) for branch in self.branches)
        total = self._amount("errors", self.tree_errors)
        return Equations(((f"{word} below", Equation((Sum(parts), total))),))

    def _verdict(self, word: str) -> str:
        less = "fewer" if self.by_class else "less"
        splits = "split" if self.depth == 1 else "splits"
        tree = f"No tree with {self.depth} more {splits} on a path" if self.depth else "No leaf"
        if not self.proven:
            return f"This is the best that the search has found. It did not end, so {less} may be possible."
        return f"{tree} has {less} {word} on these rows: the search has considered every one."


def search_work(model: Any, node: int, **page: Any) -> SearchWork:
    """Return the work of a node of an optimal tree."""
    tree: Tree = model.tree_
    column = tree.schema.columns[int(tree.feature[node])]
    branches = tree.branches(node)
    test = write_test(column, float(tree.threshold[node]), NAMES) if branches else ""
    below = _tree_errors(tree)
    cost = np.asarray(tree.cost)
    return SearchWork(
        node=node,
        weight=float(tree.weight[node]),
        errors=float(cost[node]),
        by_class=bool(tree.schema.classes),
        test=test,
        branches=tuple(
            BranchErrors(
                branch_text(branch, NAMES, tree),
                float(tree.weight[branch.child]),
                float(cost[branch.child]),
                float(below[branch.child]),
            )
            for branch in branches
        ),
        depth=int(model.max_depth) - int(tree.depths[node]),
        proven=bool(model.proven_) and not model.leaf_cost,
        **page,
    )


def _tree_errors(tree: Tree) -> Any:
    """Return the errors of the leaves below each node."""
    errors = np.where(np.asarray(tree.n_children) == 0, np.asarray(tree.cost), 0.0)
    for node in range(tree.n_nodes - 1, 0, -1):  # children stand after their parent
        errors[int(tree.parents[node])] += errors[node]
    return errors
