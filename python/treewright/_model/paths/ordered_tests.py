"""The splits of a tree as ordered tests, which every export writes in its own language.

The split of a node becomes a list of ``BranchTests``. A row follows the first branch of which a test holds; the last
branch has no test and takes all other rows. Only ``Missing`` holds for a missing value, and no test holds for an unseen
category. So an ``if`` ... ``else``, a ``CASE`` or a list of PMML nodes, one per branch, decides as the core does.

The core decides where a row goes, not this module; the tests run every export and compare.

Glossary: a branch *goes* to a child, to the node itself where the path stops, or to ``DIVIDED`` where the row is
divided among all children in proportion to their weights (a fractional row). A *surrogate* branch tests another column
than the node does. 1, 1.0 and True are the same category, as in ``predict``.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from treewright import _core
from treewright.tree import Tree

__all__ = ["DIVIDED", "Above", "Among", "AtMost", "BranchTests", "Missing", "OrderedTests", "Test"]

DIVIDED = -1
SURROGATE = 1
LARGEST = sys.float_info.max


@dataclass(frozen=True, slots=True)
class AtMost:
    """The value is known and at most the threshold."""

    feature: int
    threshold: float


@dataclass(frozen=True, slots=True)
class Above:
    """The value is known and above the threshold."""

    feature: int
    threshold: float


@dataclass(frozen=True, slots=True)
class Among:
    """The value is one of these levels, named by their codes."""

    feature: int
    codes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """The value is missing."""

    feature: int


Test = AtMost | Above | Among | Missing


@dataclass(frozen=True, slots=True)
class BranchTests:
    """Where a row goes if one of the tests holds; without tests, where all other rows go."""

    tests: tuple[Test, ...]
    goes: int


class OrderedTests:
    """The splits of one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        # Lists: reading an entry costs a tenth of reading one from an array.
        self._first: list[int] = tree.first_child.tolist()
        self._feature: list[int] = tree.feature.tolist()
        self._missing: list[int] = tree.missing.tolist()
        self._cut: list[float] = tree.threshold.tolist()
        self._numeric = [column.kind == "numeric" for column in tree.schema.columns]

    @cached_property
    def _spares(self) -> dict[str, Any] | None:
        return self.tree._table.spares()

    @cached_property
    def divides(self) -> bool:
        """Whether the tree has fractional rows."""
        tree = self.tree
        branches = tree.n_children > 0
        return bool(
            np.any(tree.missing[branches] == _core.SHARE) or np.any(tree.route == _core.SHARE)
        )

    @cached_property
    def has_surrogates(self) -> bool:
        """Whether some node has surrogates."""
        return self._spares is not None and bool(np.any(self._spares["role"] == SURROGATE))

    @cached_property
    def has_unrouted_levels(self) -> bool:
        """Whether some split or surrogate has no branch for some level."""
        routes = [self.tree.route, *([] if self._spares is None else [self._spares["route"]])]
        return any(bool(np.any(route == _core.STOP)) for route in routes)

    def feature(self, node: int) -> int:
        """Return the column that a node tests."""
        return self._feature[node]

    def of(self, node: int) -> list[BranchTests]:
        """Return the branches of an inner node, in the order of their tests."""
        feature = self._feature[node]
        numeric = self._numeric[feature]
        missing = self._goes(node, self._missing[node])
        own = (self._number if numeric else self._levels)(node, feature, missing)
        surrogates = self._surrogates(node)
        if self._spares is None or (numeric and not surrogates):
            return own
        if numeric:
            return [*self._sides(node, feature), *surrogates, BranchTests((), missing)]
        # With surrogates, a level without a branch is treated as missing.
        known = [
            BranchTests(tests, branch.goes)
            for branch in own
            if (tests := tuple(t for t in branch.tests if isinstance(t, Among)))
            and branch.goes != node
        ]
        return [*known, *surrogates, BranchTests((), missing)]

    def _goes(self, node: int, child: int) -> int:
        if child == _core.STOP:
            return node
        return DIVIDED if child == _core.SHARE else self._first[node] + child

    def _sides(self, node: int, feature: int) -> list[BranchTests]:
        # An infinite threshold separates known values from missing ones: no value is above the largest number.
        first, threshold = self._first[node], min(self._cut[node], LARGEST)
        return [
            BranchTests((AtMost(feature, threshold),), first),
            BranchTests((Above(feature, threshold),), first + 1),
        ]

    def _number(self, node: int, feature: int, missing: int) -> list[BranchTests]:
        at_most, above = self._sides(node, feature)
        if self._cut[node] == np.inf:
            return [BranchTests((Missing(feature),), missing), BranchTests((), at_most.goes)]
        if missing == above.goes:
            return [at_most, BranchTests((), missing)]
        if missing == at_most.goes:
            return [above, BranchTests((), missing)]
        return [at_most, above, BranchTests((), missing)]

    def _levels(self, node: int, feature: int, missing: int) -> list[BranchTests]:
        tree = self.tree
        start, levels = int(tree.route_start[node]), len(tree.schema.columns[feature].levels)
        groups: dict[int, list[int]] = {}
        for code, child in enumerate(tree.route[start : start + levels].tolist()):
            groups.setdefault(self._goes(node, child), []).append(code)
        # An unseen category is treated as missing where rows are divided; elsewhere the path stops here.
        unseen = DIVIDED if missing == DIVIDED else node
        groups.pop(unseen, None)
        branches = []
        for goes, codes in groups.items():
            tests: tuple[Test, ...] = (Among(feature, tuple(codes)),)
            branches.append(
                BranchTests((*tests, Missing(feature)) if goes == missing else tests, goes)
            )
        if missing not in (unseen, *groups):
            branches.append(BranchTests((Missing(feature),), missing))
        return [*branches, BranchTests((), unseen)]

    def _surrogates(self, node: int) -> list[BranchTests]:
        spares, first = self._spares, int(self.tree.first_child[node])
        if spares is None:
            return []
        start = spares["start"]
        end = int(start[node + 1]) if node + 1 < len(start) else len(spares["role"])
        branches: list[BranchTests] = []
        for i in range(int(start[node]), end):
            if spares["role"][i] != SURROGATE:
                continue
            feature = int(spares["feature"][i])
            column = self.tree.schema.columns[feature]
            if column.kind == "numeric":
                threshold, below = float(spares["threshold"][i]), int(spares["below"][i])
                branches.append(BranchTests((AtMost(feature, threshold),), first + below))
                branches.append(BranchTests((Above(feature, threshold),), first + 1 - below))
                continue
            at = int(spares["route_start"][i])
            route = spares["route"][at : at + len(column.levels)]
            for child in (0, 1):
                codes = tuple(np.flatnonzero(route == child).tolist())
                if codes:
                    branches.append(BranchTests((Among(feature, codes),), first + child))
        return branches
