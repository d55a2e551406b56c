"""The distribution of a column in a node, by class: numbers in bins with the threshold of the node, or categories.

Glossary: a *bin* holds the numbers above its lower edge, up to its upper edge, as a split is ``x <= threshold``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._draw.node_figures import class_order
from treewright._input.short_numbers import write_cut
from treewright._learners.trees.training_record import Rows
from treewright._render.charts import BarChart, ticks
from treewright._render.document import Block, Cell, Column, Document, Picture, Table, Text
from treewright._render.formula import Formula, Name, Number
from treewright._render.numbers import plural, weights
from treewright._work.data_table import members
from treewright._work.work_result import NAMES, WorkResult
from treewright.errors import DataError, UsageError
from treewright.schema import Level
from treewright.tree import Tree

__all__ = ["Distribution", "distribution_of"]

MAX_BINS = 12
MAX_CLASSES = 8  # with a column of their own
BAR_WIDTH = 30
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, repr=False)
class Distribution(WorkResult):
    """The distribution of a column in a node, made by :func:`treewright.work` with ``what="distribution"``.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets, work
    >>> X, y = datasets.golf()
    >>> result = work(C45Classifier().fit(X, y), 1, X, y, what="distribution")
    >>> result.to_dict()["column"], result.to_dict()["cut"]
    ('humidity', 75.0)
    """

    tree: Tree
    node: int
    column: str
    edges: Numbers  # of the bins; empty for categories
    # The weight of each class in each bin or category; one column for a numeric target.
    amounts: Numbers
    cut: float | None  # the threshold of the node, where it splits on this column
    missing: float  # the weight of the rows with a missing value
    levels: tuple[Level, ...] = ()  # the categories
    # The branch of each category, where the node splits on this column; -1 for none.
    branches: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the bins as plain values."""
        kind: dict[str, Any] = {"cut": self.cut, "edges": self.edges.tolist()}
        if self.levels:
            branches = [None if b < 0 else b for b in self.branches] if self.branches else None
            kind = {"levels": list(self.levels), "branches": branches}
        return {
            "node": self.node,
            "column": self.column,
            **kind,
            "classes": list(self.tree.schema.classes),
            "amounts": self.amounts.tolist(),
            "missing": self.missing,
        }

    def _class_columns(self) -> tuple[list[str], Numbers]:
        """Return the most frequent classes, each with a column of its own, and the others as one column."""
        if not self.tree.schema.classes:
            return ["rows"], self.amounts
        order = class_order(self.tree)
        names = [NAMES.level(self.tree.schema.classes[i], 16) for i in order[:MAX_CLASSES]]
        amounts = self.amounts[:, order[:MAX_CLASSES]]
        if len(order) > MAX_CLASSES:
            rest = self.amounts[:, order[MAX_CLASSES:]].sum(axis=1, keepdims=True)
            return [*names, f"+{len(order) - MAX_CLASSES} others"], np.hstack([amounts, rest])
        return names, amounts

    def _pages(self, *, worksheet: bool = False) -> Document:
        names, amounts = self._class_columns()
        table = Table(self._columns(names, amounts), key="bins")
        sentences: list[Block] = []
        if self.cut is not None:
            about = next(c for c in self.tree.schema.columns if c.name == self.column)
            text = write_cut(self.cut, about)
            number = Name(text, "cut") if about.in_words else Number(text, "cut", self.cut)
            sentences.append(Text(("The threshold of the node is ", number, ".")))
        if self.missing:
            (gone,) = weights([self.missing])
            sentences.append(Text(("Missing in ", Number(gone, "counts"), " of the node's rows.")))
        rows = plural(int(self.tree.count[self.node]), "row")
        title = (f"Node #{self.node}", f"{NAMES.name(self.column)} in {rows}")
        # On a worksheet the line at the threshold is an answer, also where the bars are not.
        if self.levels:
            return Document(title, (table, *sentences), ("counts", "cut"))
        picture = Picture(self._chart(names, amounts, None if worksheet else self.cut), "counts")
        return Document(title, (picture, table, *sentences), ("counts", "cut"))

    def _columns(self, names: list[str], amounts: Numbers) -> tuple[Column, ...]:
        bins = tuple(NAMES.level(level, 40) for level in self.levels) or tuple(
            f"{low:.6g} < x ≤ {high:.6g}"
            for low, high in zip(self.edges, self.edges[1:], strict=False)
        )
        key = "category" if self.levels else "bin"
        columns = [Column(NAMES.name(self.column), bins, key, left=True)]
        for i, name in enumerate(names):
            written = zip(weights(amounts[:, i]), amounts[:, i].tolist(), strict=True)
            columns.append(Column(name, tuple(Number(text, "counts", n) for text, n in written)))
        totals = amounts.sum(axis=1)
        most = float(totals.max()) or 1.0
        bars: list[Cell] = []
        for i, total in enumerate(totals.tolist()):
            bar = Name("█" * round(total / most * BAR_WIDTH), "counts", vanishes=True)
            bars.append((bar, *self._mark(i)))
        return (*columns, Column("", tuple(bars), left=True, drawn=True))

    def _mark(self, i: int) -> tuple[Formula, ...]:
        """Return the mark of the threshold, in the bin that ends with it."""
        if self.branches and self.branches[i] >= 0:
            return (Name(f"  branch {self.branches[i] + 1}", "cut", vanishes=True),)
        if self.cut is None or int(np.searchsorted(self.edges[1:], self.cut)) != i:
            return ()
        return (Name(f"  ◀ threshold {self.cut:.6g}", "cut", vanishes=True),)

    def _chart(self, names: list[str], amounts: Numbers, cut: float | None) -> BarChart:
        column = NAMES.name(self.column)
        held = tuple(tuple(row) for row in amounts.tolist())
        title, axes = f"{column} in node #{self.node}", (column, "rows")
        return BarChart(tuple(self.edges.tolist()), tuple(names), held, cut, title, axes)


def distribution_of(
    model: Any,
    node: int,
    rows: Rows,
    column: str | None = None,
    **page: Any,
) -> Distribution:
    """Return the distribution of a column, by default the one that the node splits on."""
    tree: Tree = model.tree_
    at = _feature(tree, node, column)
    about = tree.schema.columns[at]
    here = members(tree, node, rows)
    values = rows.columns[at][here]
    weight = (np.ones(len(rows.target)) if rows.weights is None else rows.weights)[here]
    known = ~np.isnan(values) if about.kind == "numeric" else values != _core.MISSING
    if not known.any():
        raise DataError(f'column "{about.name}" has no value in node {node}', slug="work.no-values")
    cut = _cut(tree, node, at)
    if about.kind == "numeric":
        edges = _edges(values[known], cut)
        places = np.clip(np.searchsorted(edges, values[known], side="left") - 1, 0, len(edges) - 2)
        size = len(edges) - 1
    else:
        edges, places, size = np.zeros(0), values[known].astype(np.int64), len(about.levels)
    codes = rows.target[here][known] if tree.schema.classes else np.zeros(int(known.sum()), int)
    amounts = np.zeros((size, max(1, len(tree.schema.classes))))
    np.add.at(amounts, (places, codes.astype(np.int64)), weight[known])
    missing, name = float(weight[~known].sum()), about.name
    more = (about.levels, _branches(tree, node, at))
    return Distribution(tree, node, name, edges, amounts, cut, missing, *more, **page)


def _cut(tree: Tree, node: int, at: int) -> float | None:
    """Return the threshold of the node, where it has one for this column."""
    asks = bool(tree.n_children[node]) and int(tree.feature[node]) == at
    cut = float(tree.threshold[node])
    return cut if asks and np.isfinite(cut) else None


def _branches(tree: Tree, node: int, at: int) -> tuple[int, ...]:
    """Return the branch of each category, where the node splits on this column."""
    levels = len(tree.schema.columns[at].levels)
    if not levels or not tree.n_children[node] or int(tree.feature[node]) != at:
        return ()
    start = int(tree.route_start[node])
    route = tree.route[start : start + levels].tolist()
    return tuple(child if child < tree.n_children[node] else -1 for child in route)


def _feature(tree: Tree, node: int, column: str | None) -> int:
    names = tree.schema.names
    if column is None and tree.n_children[node]:
        return int(tree.feature[node])
    if column is None or column not in names:
        what = f"node {node} is a leaf" if column is None else f'there is no column "{column}"'
        raise UsageError(
            f"no column given for the distribution: {what}",
            slug="work.no-such-column",
            hints=[f"columns: {', '.join(names)}"],
        )
    return names.index(column)


def _edges(values: Numbers, cut: float | None) -> Numbers:
    """Return equally spaced edges: round numbers, or such that the threshold is one of them."""
    low, high = float(values.min()), float(values.max())
    if high <= low:
        return np.array([low - 0.5, low + 0.5])
    places = ticks(low, high, MAX_BINS)
    step = places[1] - places[0] if len(places) > 1 else (high - low) / 2
    origin = places[0] if cut is None else cut
    first = math.ceil((low - origin) / step) - 1  # an edge is not part of the bin above it
    last = max(first + 1, math.ceil((high - origin) / step - 1e-9))
    return np.array([origin + i * step for i in range(first, last + 1)])
