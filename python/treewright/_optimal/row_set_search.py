"""The search for a smallest tree without errors: every split of every set of rows, each set once.

Splits are those of ID3: a branch for each value of a column. A set of rows is an integer with a bit for each row, so
sets are divided and compared by single operations, and the result of a set is reused wherever the set occurs.

The search runs in rounds. A round has a *budget* of nodes and either finds a tree within it, which is then a smallest
one, or proves a larger lower bound, which is the budget of the next round.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._utils.cancellation import check_canceled

__all__ = ["RowSetSearch", "TimeUpError", "TreeSize"]

NEVER = 1 << 60  # more nodes than any tree has
CALLS_PER_CHECK = 256  # between two looks at the clock


class TimeUpError(Exception):
    """The time limit was reached before the search ended."""


@dataclass(frozen=True, slots=True)
class TreeSize:
    """The size of a best tree that is known, and what is proven about all others."""

    best: int
    lower_bound: int

    @property
    def proven(self) -> bool:
        """Whether no tree is smaller."""
        return self.best == self.lower_bound


@dataclass(frozen=True, slots=True)
class _Candidate:
    bound: int  # nodes that a tree with this split has at least
    column: int
    parts: tuple[int, ...]  # the rows of each value that occurs, the most rows first
    fixed: int  # the node itself, and a leaf for each value that does not occur here


class RowSetSearch:
    """Smallest trees of sets of rows.

    Parameters
    ----------
    columns : sequence of arrays of int
        The value of each row, coded, by column.
    classes : array of int
        The class of each row, coded.
    deadline : float or None
        When to stop, by ``time.monotonic``.
    branches : sequence of int
        The branches of a split on each column: one for each value that the column has anywhere, since ID3 makes a leaf
        of a value without rows. By default the values that occur in the table.

    Examples
    --------
    >>> a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> search = RowSetSearch([a, b], a ^ b)
    >>> search.fewest_nodes()
    TreeSize(best=7, lower_bound=7)
    >>> search.least_depth()
    TreeSize(best=2, lower_bound=2)
    """

    def __init__(
        self,
        columns: Sequence[NDArray[np.integer]],
        classes: NDArray[np.integer],
        deadline: float | None = None,
        branches: Sequence[int] = (),
    ) -> None:
        self._columns = [_row_sets(values) for values in columns]
        self._branches = list(branches) if branches else [len(sets) for sets in self._columns]
        self._classes = _row_sets(classes)
        self._deadline = deadline
        self._calls = 0
        # By set of rows and depth that is left: the fewest nodes, or if False a lower bound of them.
        self._sizes: dict[tuple[int, int], tuple[int, bool]] = {}
        self._splits: dict[int, list[_Candidate]] = {}
        # By set of rows: the greatest depth that is too small, and the least that is enough.
        self._depths: dict[int, tuple[int, int]] = {}
        self.all_rows = (1 << len(classes)) - 1
        self.max_depth = len(self._columns)  # a path asks about no column twice

    # ---- the two searches

    def fewest_nodes(self, max_depth: int | None = None) -> TreeSize:
        """Return the fewest nodes of a tree without errors, within a depth if one is given.

        If the time is up, the best tree so far is a greedy one, which may be deeper.
        """
        depth = self.max_depth if max_depth is None else max_depth
        budget = self._lower_bound(self.all_rows)
        try:
            while True:
                nodes = self._fewest(self.all_rows, depth, budget)
                if nodes <= budget:
                    return TreeSize(nodes, nodes)
                budget = nodes
        except TimeUpError:
            return TreeSize(self._greedy_size(self.all_rows), budget)

    def least_depth(self) -> TreeSize:
        """Return the least depth of a tree without errors."""
        depth = 0
        try:
            while not self._fits(self.all_rows, depth):
                depth += 1
        except TimeUpError:
            return TreeSize(self._greedy_depth(self.all_rows), depth)
        return TreeSize(depth, depth)

    def split_of(self, rows: int, depth: int) -> int | None:
        """Return the column that a smallest tree of these rows and this depth splits on; None for a leaf.

        Rows that the search has not finished are split greedily.
        """
        if self._is_pure(rows):
            return None
        size, exact = self._sizes.get((rows, depth), (0, False))
        if exact:
            for candidate in self._candidates(rows):
                known = [self._known_size(part, depth - 1) for part in candidate.parts]
                if None not in known and candidate.fixed + sum(n or 0 for n in known) == size:
                    return candidate.column
        return self._candidates(rows)[0].column

    def parts(self, rows: int, column: int) -> Iterator[int]:
        """Yield the rows of each value of a column, in the order of the values, without empty ones."""
        return (rows & value for value in self._columns[column] if rows & value)

    # ---- one set of rows

    def _fewest(self, rows: int, depth: int, budget: int) -> int:
        """Return the fewest nodes if they are within the budget, otherwise a lower bound above it."""
        if self._is_pure(rows):
            return 1
        if depth == 0:
            return NEVER
        size, exact = self._sizes.get((rows, depth), (0, False))
        if exact or size > budget:
            return size
        self._check_time()
        fewest, lowest = 0, NEVER
        for candidate in self._candidates(rows):
            if candidate.bound > budget:
                lowest = min(lowest, candidate.bound)
                break  # the others have no smaller bound
            nodes = self._size_of_split(candidate, depth - 1, budget)
            if nodes <= budget:
                fewest, budget = nodes, nodes - 1
            else:
                lowest = min(lowest, nodes)
        size = fewest or lowest
        self._sizes[rows, depth] = size, bool(fewest)
        return size

    def _size_of_split(self, candidate: _Candidate, depth: int, budget: int) -> int:
        """Return the fewest nodes of a tree with this split, or a lower bound above the budget."""
        nodes = candidate.bound
        for part in candidate.parts:
            least = self._lower_bound(part)
            nodes += self._fewest(part, depth, budget - nodes + least) - least
            if nodes > budget:
                break
        return nodes

    def _fits(self, rows: int, depth: int) -> bool:
        """Return whether a tree of this depth makes no error."""
        if self._is_pure(rows):
            return True
        too_small, enough = self._depths.get(rows, (0, NEVER))
        if depth <= too_small or depth >= enough:
            return depth >= enough
        self._check_time()
        fits = any(
            all(self._fits(part, depth - 1) for part in candidate.parts)
            for candidate in self._candidates(rows)
        )
        self._depths[rows] = (too_small, depth) if fits else (depth, enough)
        return fits

    def _candidates(self, rows: int) -> list[_Candidate]:
        """Return the splits of a set, those with the smallest bounds first."""
        known = self._splits.get(rows)
        if known is not None:
            return known
        candidates = []
        for column in range(len(self._columns)):
            parts = tuple(self.parts(rows, column))
            if len(parts) > 1:
                fixed = 1 + self._branches[column] - len(parts)
                bound = fixed + sum(map(self._lower_bound, parts))
                ordered = tuple(sorted(parts, key=int.bit_count, reverse=True))
                candidates.append(_Candidate(bound, column, ordered, fixed))
        candidates.sort(key=lambda candidate: (candidate.bound, candidate.column))
        self._splits[rows] = candidates
        return candidates

    def _lower_bound(self, rows: int) -> int:
        """Return a number of nodes that every tree of these rows has: a leaf for each class, and a root."""
        classes = sum(1 for members in self._classes if rows & members)
        return 1 if classes <= 1 else 1 + classes

    def _known_size(self, rows: int, depth: int) -> int | None:
        if self._is_pure(rows):
            return 1
        size, exact = self._sizes.get((rows, depth), (0, False))
        return size if exact else None

    def _is_pure(self, rows: int) -> bool:
        return any(rows & members == rows for members in self._classes)

    def _greedy_size(self, rows: int) -> int:
        if self._is_pure(rows):
            return 1
        candidate = self._candidates(rows)[0]
        return candidate.fixed + sum(map(self._greedy_size, candidate.parts))

    def _greedy_depth(self, rows: int) -> int:
        if self._is_pure(rows):
            return 0
        return 1 + max(map(self._greedy_depth, self._candidates(rows)[0].parts))

    def _check_time(self) -> None:
        self._calls += 1
        if self._calls % CALLS_PER_CHECK == 0:
            check_canceled()
            if self._deadline is not None and time.monotonic() > self._deadline:
                raise TimeUpError


def _row_sets(codes: NDArray[np.integer]) -> list[int]:
    """Return the set of rows of each value, in the order of the values."""
    sets = []
    for value in np.unique(codes).tolist():
        bits = np.packbits(codes == value, bitorder="little")
        sets.append(int.from_bytes(bits.tobytes(), "little"))
    return sets
