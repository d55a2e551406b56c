"""The account of values that a model never met in training: how many there were, and what became of their rows.

Glossary: a row *stops* at a node that asks about a value it does not know, and gets that node's answer. In some models
such a value is *as good as missing*: the row is divided among the branches, or another question decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._render.numbers import count, plural
from treewright._render.safe_text import visible
from treewright.cli.tables.batches import Batch
from treewright.tree import SHARE, Tree

__all__ = ["Unseen"]

NAMED = 3
MOST_VALUES = 1000  # different unseen values counted by name for each column: memory stays flat


class Unseen:
    """What a model did not know, by column."""

    def __init__(self, model: Any) -> None:
        self._model, self._tree = model, getattr(model, "tree_", None)
        self._values: dict[str, Counter[str]] = {}
        self._totals: Counter[str] = Counter()
        self._stops: dict[str, Counter[int]] = {}
        self._as_missing: Counter[str] = Counter()
        self._ways = cache(lambda column: _ways(model.tree_, column))

    def count(self, batch: Batch) -> None:
        """Add the rows of a batch."""
        if not batch.unseen:
            return
        nodes = None if self._tree is None else self._model.apply(batch.table)
        for name, rows in batch.unseen.items():
            self._totals[name] += int(rows.sum())
            values, cells = self._values.setdefault(name, Counter()), batch.cells[name]
            for row in np.flatnonzero(rows).tolist():
                if cells[row] in values or len(values) < MOST_VALUES:
                    values[cells[row]] += 1
            if self._tree is not None and nodes is not None:
                self._follow(self._tree, name, nodes[rows])

    def _follow(self, tree: Tree, name: str, ends: NDArray[np.int64]) -> None:
        """Find out what the value of a column did to the rows that ended at some nodes."""
        above, here, below = (where[ends] for where in self._ways(self._names.index(name)))
        divided = (tree.n_children[ends] > 0) & (tree.missing[ends] == SHARE)
        stopped = here & ~divided
        self._stops.setdefault(name, Counter()).update(ends[stopped].tolist())
        as_missing = ~stopped & (above | (divided & (here | below)))
        self._as_missing[name] += int(as_missing.sum())

    @property
    def _names(self) -> tuple[str, ...]:
        names: tuple[str, ...] = tuple(self._model.schema_.names)
        return names

    def notes(self, total: int, *, advise: bool) -> Iterator[str]:
        """Give a sentence about each column, of so many rows in all; the last one with advice."""
        advice = "--unseen error refuses such rows, --unseen mark adds a column."
        for name, values in self._values.items():
            rows = self._totals[name]
            common = [f'"{visible(v)}" ×{count(n)}' for v, n in values.most_common(NAMED)]
            more = ["…"] if len(values) > NAMED else []
            said = [
                f"{count(rows)} of {plural(total, 'row')} {'has' if rows == 1 else 'have'} "
                f"{_article(name)} {visible(name)} never seen in training "
                f"({', '.join([*common, *more])}).",
                *self._consequences(name, rows),
            ]
            last = name == list(self._values)[-1]
            yield " ".join([*said, advice] if last and advise else said)

    def _consequences(self, name: str, rows: int) -> Iterator[str]:
        if self._model._kind == "neighbors":
            yield "It differs from every value that training rows have."
            return
        if self._tree is None:
            yield "A rule that asks about it does not match such a row."
            return
        stops, missing = self._stops[name], self._as_missing[name]
        stopped = stops.total()
        if stopped:
            where = (
                f"node #{next(iter(stops))}" if len(stops) == 1 else "the node that asks about it"
            )
            answer = "majority class" if self._model.schema_.classes else "mean"
            who, s = _subject(stopped, rows), "s" if stopped == 1 else ""
            yield f"{who} stop{s} at {where} and get{s} its {answer}."
        if missing:
            who, verb = _subject(missing, rows), "is" if missing == 1 else "are"
            yield f"{who} {verb} treated as if the value were missing."
        if not stopped and not missing:
            yield "No question about it was met, so the answers do not depend on it."


def _ways(tree: Tree, column: int) -> tuple[NDArray[np.bool_], ...]:
    """Return for each node whether a node above it, it, or one below it asks about a column."""
    here = (tree.n_children > 0) & (tree.feature == column)
    above, below = np.zeros_like(here), np.zeros_like(here)
    parents = tree.parents.tolist()
    for node in range(1, tree.n_nodes):
        above[node] = above[parents[node]] or here[parents[node]]
    for node in range(tree.n_nodes - 1, 0, -1):
        below[parents[node]] |= below[node] or here[node]
    return above, here, below


def _subject(some: int, rows: int) -> str:
    if some < rows:
        return f"{count(some)} of them"
    return "It" if rows == 1 else "They"


def _article(noun: str) -> str:
    return "an" if noun[:1].lower() in "aeiou" else "a"
