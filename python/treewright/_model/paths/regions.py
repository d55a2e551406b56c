"""What a row must hold to end at a node: for each column that the path asks about, a set of values.

The sets of one path are a *box*; the boxes of all ends of a tree that neither divides rows nor has surrogates cover
every row exactly once.

Glossary: an *end* is a leaf, or a branch where some walk stops. A set of numbers is an interval ``low < x <= high``; a
set of categories is a mask with a bit for each level; both say besides whether a missing value belongs to them, the
second also whether a value never seen does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from treewright._model.paths.ordered_tests import DIVIDED, Above, Among, Arm, Arms, AtMost, Test
from treewright.schema import Column

__all__ = ["Box", "Codes", "Span", "Values", "everything", "walk_boxes"]


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers above ``low`` and not above ``high``, and perhaps no number at all."""

    low: float = -math.inf
    high: float = math.inf
    missing: bool = True

    def __bool__(self) -> bool:
        return self.missing or self.low < self.high

    def cut(self, test: Test) -> tuple[Span, Span]:
        """Return the part for which a test holds, and the rest."""
        match test:
            case AtMost(cut=cut):
                below = Span(self.low, min(self.high, cut), False)
                return below, Span(max(self.low, cut), self.high, self.missing)
            case Above(cut=cut):
                above = Span(max(self.low, cut), self.high, False)
                return above, Span(self.low, min(self.high, cut), self.missing)
            case _:
                return Span(0, 0, self.missing), replace(self, missing=False)

    def join(self, other: Span) -> Span:
        """Return the values of both; they touch, or one has no numbers."""
        missing = self.missing or other.missing
        if self.low >= self.high:
            return replace(other, missing=missing)
        if other.low >= other.high:
            return replace(self, missing=missing)
        return Span(min(self.low, other.low), max(self.high, other.high), missing)


@dataclass(frozen=True, slots=True)
class Codes:
    """Levels by their bits, and perhaps a value never seen, and perhaps none."""

    mask: int
    unseen: bool = True
    missing: bool = True

    def __bool__(self) -> bool:
        return self.missing or self.unseen or bool(self.mask)

    def cut(self, test: Test) -> tuple[Codes, Codes]:
        """Return the part for which a test holds, and the rest."""
        if isinstance(test, Among):
            named = sum(1 << code for code in test.codes)
            return Codes(self.mask & named, False, False), replace(self, mask=self.mask & ~named)
        return Codes(0, False, self.missing), replace(self, missing=False)

    def join(self, other: Codes) -> Codes:
        """Return the values of both."""
        return Codes(
            self.mask | other.mask, self.unseen or other.unseen, self.missing or other.missing
        )

    def has(self, code: int) -> bool:
        """Whether a level belongs to the set."""
        return bool(self.mask >> code & 1)


Values = Span | Codes
Box = dict[int, Values]


def everything(column: Column) -> Values:
    """Return the set of all values that a column may hold."""
    return Span() if column.kind == "numeric" else Codes((1 << len(column.levels)) - 1)


def walk_boxes(arms: Arms) -> Iterator[tuple[int, Box]]:
    """Give the ends of a tree in reading order, each with the box of the rows that end there.

    Ends that no row can reach are left out, and so are rows that are divided. Surrogates are not asked: a node decides
    by its own question alone.
    """
    tree = arms.tree
    open_: list[tuple[int, Box, bool]] = [(0, {}, False)]
    while open_:
        node, box, stopped = open_.pop()
        if stopped or not tree.n_children[node]:
            yield node, box
            continue
        feature = int(tree.feature[node])
        rest = box.get(feature) or everything(tree.schema.columns[feature])
        ways = []
        for arm in arms.of(node):
            part, rest = taken(arm, rest)
            if part and arm.goes != DIVIDED:
                ways.append((arm.goes, box | {feature: part}, arm.goes == node))
        open_ += reversed(ways)


def taken(arm: Arm, values: Values) -> tuple[Values, Values]:
    """Return the values that an arm takes, and those that it leaves to the next."""
    if not arm.tests:
        return values, _nothing(values)
    part = _nothing(values)
    for test in arm.tests:
        more, values = values.cut(test)
        part = part.join(more)  # type: ignore[arg-type]
    return part, values


def _nothing(values: Values) -> Values:
    return Span(0, 0, False) if isinstance(values, Span) else Codes(0, False, False)
