"""Categories that were not seen in training: how many rows have one, and what the model does with them.

Glossary: a row *stops* at a node that tests a column with an unseen category, and gets the prediction of that node.
Other models treat the category as a *missing* value: the row is split fractionally, or a surrogate split decides.
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

__all__ = ["UnseenReport"]

MAX_NAMES = 3
MAX_CATEGORIES = 1000  # unseen categories counted by name for each column: memory stays bounded


class UnseenReport:
    """The unseen categories of each column."""

    def __init__(self, model: Any) -> None:
        self._model, self._tree = model, getattr(model, "tree_", None)
        self._values: dict[str, Counter[str]] = {}
        self._totals: Counter[str] = Counter()
        self._stops: dict[str, Counter[int]] = {}
        self._as_missing: Counter[str] = Counter()
        self._tests = cache(lambda column: _find_tests(model.tree_, column))

    def count(self, batch: Batch) -> None:
        """Add the rows of a batch."""
        if not batch.unseen:
            return
        nodes = None if self._tree is None else self._model.apply(batch.table)
        for name, rows in batch.unseen.items():
            self._totals[name] += int(rows.sum())
            values, cells = self._values.setdefault(name, Counter()), batch.cells[name]
            for row in np.flatnonzero(rows).tolist():
                if cells[row] in values or len(values) < MAX_CATEGORIES:
                    values[cells[row]] += 1
            if self._tree is not None and nodes is not None:
                self._follow(self._tree, name, nodes[rows])

    def _follow(self, tree: Tree, name: str, ends: NDArray[np.int64]) -> None:
        """Count how the unseen category of a column decided the rows that ended at some nodes."""
        above, here, below = (where[ends] for where in self._tests(self._names.index(name)))
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
        """Give a note about each column; the last one with advice. ``total`` is the number of all rows."""
        advice = "To stop instead: --unseen error. To mark these rows: --unseen mark"
        for name, values in self._values.items():
            rows = self._totals[name]
            common = [f'"{visible(v)}" ×{count(n)}' for v, n in values.most_common(MAX_NAMES)]
            more = ["…"] if len(values) > MAX_NAMES else []
            sentences = [
                f"{count(rows)} of {plural(total, 'row')} {'has' if rows == 1 else 'have'} a category of "
                f'"{visible(name)}" that was not seen in training ({", ".join([*common, *more])}).',
                *self._consequences(name, rows),
            ]
            is_last = name == list(self._values)[-1]
            yield " ".join([*sentences, advice] if is_last and advise else sentences)

    def _consequences(self, name: str, rows: int) -> Iterator[str]:
        if self._model._kind == "neighbors":
            yield "It counts as different from every training row."
            return
        if self._tree is None:
            yield "Rules that test this column do not match these rows."
            return
        stops, missing = self._stops[name], self._as_missing[name]
        stopped = stops.total()
        if stopped:
            where = f"node #{next(iter(stops))}" if len(stops) == 1 else "the node that tests it"
            prediction = "majority class" if self._model.schema_.classes else "mean"
            who, s = _subject(stopped, rows), "s" if stopped == 1 else ""
            yield f"{who} get{s} the {prediction} of {where}."
        if missing == rows:
            yield "The category is treated as missing."
        elif missing:
            yield f"For {count(missing)} of them it is treated as missing."
        if not stopped and not missing:
            yield "The column was not tested for these rows, so the predictions do not depend on it."


def _find_tests(tree: Tree, column: int) -> tuple[NDArray[np.bool_], ...]:
    """Return for each node whether a node above it, it, or one below it tests a column."""
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
