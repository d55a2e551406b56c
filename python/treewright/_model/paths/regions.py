"""The region of a node: for each column that its path tests, the set of values that lead there.

If a tree has neither fractional rows nor surrogates, the regions of all ends cover every row exactly once.

Glossary: an *end* is a leaf, or an inner node where a path may stop. A set of numbers is an interval
``low < x <= high``, a set of categories a mask with one bit per level. Both also state whether a missing value belongs
to the set, ``Codes`` also whether an unseen category does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from treewright._model.paths.ordered_tests import (
    DIVIDED,
    Above,
    Among,
    AtMost,
    BranchTests,
    OrderedTests,
    Test,
)
from treewright.schema import Column

__all__ = ["Codes", "Interval", "Region", "Values", "all_values", "walk_regions"]


@dataclass(frozen=True, slots=True)
class Interval:
    """Numbers above ``low`` and at most ``high``; with ``missing``, also missing values."""

    low: float = -math.inf
    high: float = math.inf
    missing: bool = True

    def __bool__(self) -> bool:
        return self.missing or self.low < self.high

    def split(self, test: Test) -> tuple[Interval, Interval]:
        """Return the part for which a test holds, and the rest."""
        match test:
            case AtMost(threshold=threshold):
                below = Interval(self.low, min(self.high, threshold), False)
                return below, Interval(max(self.low, threshold), self.high, self.missing)
            case Above(threshold=threshold):
                above = Interval(max(self.low, threshold), self.high, False)
                return above, Interval(self.low, min(self.high, threshold), self.missing)
            case _:
                return Interval(0, 0, self.missing), replace(self, missing=False)

    def join(self, other: Interval) -> Interval:
        """Return the union; the intervals touch, or one holds no numbers."""
        missing = self.missing or other.missing
        if self.low >= self.high:
            return replace(other, missing=missing)
        if other.low >= other.high:
            return replace(self, missing=missing)
        return Interval(min(self.low, other.low), max(self.high, other.high), missing)


@dataclass(frozen=True, slots=True)
class Codes:
    """Levels by their bits; with ``unseen`` and ``missing``, also unseen categories and missing values."""

    mask: int
    unseen: bool = True
    missing: bool = True

    def __bool__(self) -> bool:
        return self.missing or self.unseen or bool(self.mask)

    def split(self, test: Test) -> tuple[Codes, Codes]:
        """Return the part for which a test holds, and the rest."""
        if isinstance(test, Among):
            mask = sum(1 << code for code in test.codes)
            return Codes(self.mask & mask, False, False), replace(self, mask=self.mask & ~mask)
        return Codes(0, False, self.missing), replace(self, missing=False)

    def join(self, other: Codes) -> Codes:
        """Return the union."""
        return Codes(
            self.mask | other.mask, self.unseen or other.unseen, self.missing or other.missing
        )

    def has(self, code: int) -> bool:
        """Whether a level belongs to the set."""
        return bool(self.mask >> code & 1)


Values = Interval | Codes
Region = dict[int, Values]


def all_values(column: Column) -> Values:
    """Return the set of all values of a column."""
    return Interval() if column.kind == "numeric" else Codes((1 << len(column.levels)) - 1)


def walk_regions(splits: OrderedTests) -> Iterator[tuple[int, Region]]:
    """Yield the ends of a tree in reading order, each with the region of the rows that end there.

    Ends that no row can reach are left out, and so are fractional rows. Surrogates are ignored.
    """
    tree = splits.tree
    open_: list[tuple[int, Region, bool]] = [(0, {}, False)]
    while open_:
        node, region, stopped = open_.pop()
        if stopped or not tree.n_children[node]:
            yield node, region
            continue
        feature = int(tree.feature[node])
        rest = region.get(feature) or all_values(tree.schema.columns[feature])
        open_branches = []
        for branch in splits.of(node):
            part, rest = take_values(branch, rest)
            if part and branch.goes != DIVIDED:
                open_branches.append((branch.goes, region | {feature: part}, branch.goes == node))
        open_ += reversed(open_branches)


def take_values(branch: BranchTests, values: Values) -> tuple[Values, Values]:
    """Return the values that follow a branch, and those that are left for the next one."""
    if not branch.tests:
        return values, _nothing(values)
    part = _nothing(values)
    for test in branch.tests:
        more, values = values.split(test)
        part = part.join(more)  # type: ignore[arg-type]
    return part, values


def _nothing(values: Values) -> Values:
    return Interval(0, 0, False) if isinstance(values, Interval) else Codes(0, False, False)
