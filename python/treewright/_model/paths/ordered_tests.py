"""The questions of a tree as ordered tests: what every export writes in its own language.

A branch node becomes a list of *arms*. The first arm of which a test holds says where the row goes; the last arm has no
test and takes all other rows. No test holds for a missing value except ``Missing``, and none for a value never seen in
training. So an ``if`` ... ``else``, a ``CASE`` or a list of PMML nodes, one for each arm, decides as the core does.

Not here: deciding where a row goes. That is the core's work; the tests run every export and compare.

Glossary: an arm *goes* to a child, to the node itself where the walk stops there, or to ``DIVIDED`` where the row is
divided among all children by their weight. A *surrogate* arm asks about another column than the node does.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from treewright import _core
from treewright.tree import Tree

__all__ = ["DIVIDED", "Above", "Among", "Arm", "Arms", "AtMost", "Missing", "Test"]

DIVIDED = -1
SURROGATE = 1
LARGEST = sys.float_info.max


@dataclass(frozen=True, slots=True)
class AtMost:
    """The value is known and not above the cut."""

    feature: int
    cut: float


@dataclass(frozen=True, slots=True)
class Above:
    """The value is known and above the cut."""

    feature: int
    cut: float


@dataclass(frozen=True, slots=True)
class Among:
    """The value is one of these levels, which are given by their positions."""

    feature: int
    codes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no value."""

    feature: int


Test = AtMost | Above | Among | Missing


@dataclass(frozen=True, slots=True)
class Arm:
    """Where a row goes for which one of the tests holds; without tests, where all others go."""

    tests: tuple[Test, ...]
    goes: int


class Arms:
    """The arms of one tree's branch nodes."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        # As lists, whose entries cost a tenth of an array's.
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
        """Whether some row may be divided."""
        tree = self.tree
        branches = tree.n_children > 0
        return bool(
            np.any(tree.missing[branches] == _core.SHARE) or np.any(tree.route == _core.SHARE)
        )

    @cached_property
    def substitutes(self) -> bool:
        """Whether some node has surrogates."""
        return self._spares is not None and bool(np.any(self._spares["role"] == SURROGATE))

    @cached_property
    def skips(self) -> bool:
        """Whether some question, or some surrogate, has no answer for some level."""
        routes = [self.tree.route, *([] if self._spares is None else [self._spares["route"]])]
        return any(bool(np.any(route == _core.STOP)) for route in routes)

    def feature(self, node: int) -> int:
        """Return the column that a branch node asks about."""
        return self._feature[node]

    def of(self, node: int) -> list[Arm]:
        """Return the arms of a branch node."""
        feature = self._feature[node]
        numeric = self._numeric[feature]
        missing = self._goes(node, self._missing[node])
        own = (self._number if numeric else self._levels)(node, feature, missing)
        asked = self._surrogates(node)
        if self._spares is None or (numeric and not asked):
            return own
        if numeric:
            return [*self._sides(node, feature), *asked, Arm((), missing)]
        # Where a tree has spare questions no level stops at a node: it is as good as missing.
        known = [
            Arm(tests, arm.goes)
            for arm in own
            if (tests := tuple(t for t in arm.tests if isinstance(t, Among))) and arm.goes != node
        ]
        return [*known, *asked, Arm((), missing)]

    def _goes(self, node: int, child: int) -> int:
        if child == _core.STOP:
            return node
        return DIVIDED if child == _core.SHARE else self._first[node] + child

    def _sides(self, node: int, feature: int) -> list[Arm]:
        # An infinite cut tells known values from missing ones: no value is above the largest number.
        first, cut = self._first[node], min(self._cut[node], LARGEST)
        return [Arm((AtMost(feature, cut),), first), Arm((Above(feature, cut),), first + 1)]

    def _number(self, node: int, feature: int, missing: int) -> list[Arm]:
        at_most, above = self._sides(node, feature)
        if self._cut[node] == np.inf:
            return [Arm((Missing(feature),), missing), Arm((), at_most.goes)]
        if missing == above.goes:
            return [at_most, Arm((), missing)]
        if missing == at_most.goes:
            return [above, Arm((), missing)]
        return [at_most, above, Arm((), missing)]

    def _levels(self, node: int, feature: int, missing: int) -> list[Arm]:
        tree = self.tree
        start, levels = int(tree.route_start[node]), len(tree.schema.columns[feature].levels)
        groups: dict[int, list[int]] = {}
        for code, child in enumerate(tree.route[start : start + levels].tolist()):
            groups.setdefault(self._goes(node, child), []).append(code)
        # A value never seen is as good as missing where rows are divided; elsewhere the walk stops.
        unseen = DIVIDED if missing == DIVIDED else node
        groups.pop(unseen, None)
        arms = []
        for goes, codes in groups.items():
            tests: tuple[Test, ...] = (Among(feature, tuple(codes)),)
            arms.append(Arm((*tests, Missing(feature)) if goes == missing else tests, goes))
        if missing not in (unseen, *groups):
            arms.append(Arm((Missing(feature),), missing))
        return [*arms, Arm((), unseen)]

    def _surrogates(self, node: int) -> list[Arm]:
        spares, first = self._spares, int(self.tree.first_child[node])
        if spares is None:
            return []
        start = spares["start"]
        end = int(start[node + 1]) if node + 1 < len(start) else len(spares["role"])
        arms: list[Arm] = []
        for i in range(int(start[node]), end):
            if spares["role"][i] != SURROGATE:
                continue
            feature = int(spares["feature"][i])
            column = self.tree.schema.columns[feature]
            if column.kind == "numeric":
                cut, below = float(spares["threshold"][i]), int(spares["below"][i])
                arms.append(Arm((AtMost(feature, cut),), first + below))
                arms.append(Arm((Above(feature, cut),), first + 1 - below))
                continue
            at = int(spares["route_start"][i])
            route = spares["route"][at : at + len(column.levels)]
            for child in (0, 1):
                codes = tuple(np.flatnonzero(route == child).tolist())
                if codes:
                    arms.append(Arm((Among(feature, codes),), first + child))
        return arms
