"""The distribution of a numeric column in a node, by class, with the threshold of the node.

Glossary: a *bin* holds the numbers above its lower edge, up to its upper edge, as a split is ``x <= threshold``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from treewright.tree import Tree

__all__ = ["Distribution", "distribution_of"]

MAX_BINS = 12
MAX_CLASSES = 8  # with a column of their own
BAR_WIDTH = 30
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, repr=False)
class Distribution(WorkResult):
    """The distribution of a numeric column in a node, made by :func:`treewright.work` with ``what="distribution"``.

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
    edges: Numbers  # of the bins
    # The weight of each class in each bin; one column for a numeric target.
    amounts: Numbers
    cut: float | None  # the threshold of the node, where it splits on this column
    missing: float  # the weight of the rows with a missing value

    def to_dict(self) -> dict[str, Any]:
        """Return the bins as plain values."""
        return {
            "node": self.node,
            "column": self.column,
            "cut": self.cut,
            "edges": self.edges.tolist(),
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
        picture = Picture(self._chart(names, amounts, None if worksheet else self.cut), "counts")
        return Document(title, (picture, table, *sentences), ("counts", "cut"))

    def _columns(self, names: list[str], amounts: Numbers) -> tuple[Column, ...]:
        bins = tuple(
            f"{low:.6g} < x ≤ {high:.6g}"
            for low, high in zip(self.edges, self.edges[1:], strict=False)
        )
        columns = [Column(NAMES.name(self.column), bins, "bin", left=True)]
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
    asks = bool(tree.n_children[node])
    at = _feature(tree, node, column)
    here = members(tree, node, rows)
    values = rows.columns[at][here]
    weight = np.ones(len(rows.target)) if rows.weights is None else rows.weights
    known = ~np.isnan(values)
    if not known.any():
        raise DataError(
            f'column "{tree.schema.columns[at].name}" has no value in node {node}',
            slug="work.no-values",
        )
    cut = float(tree.threshold[node]) if asks and int(tree.feature[node]) == at else None
    cut = None if cut is None or not np.isfinite(cut) else cut
    edges = _edges(values[known], cut)
    classes = max(1, len(tree.schema.classes))
    codes = rows.target[here][known] if tree.schema.classes else np.zeros(int(known.sum()), int)
    places = np.clip(np.searchsorted(edges, values[known], side="left") - 1, 0, len(edges) - 2)
    amounts = np.zeros((len(edges) - 1, classes))
    np.add.at(amounts, (places, codes.astype(np.int64)), weight[here][known])
    missing = float(weight[here][~known].sum())
    name = tree.schema.columns[at].name
    return Distribution(tree, node, name, edges, amounts, cut, missing, **page)


def _feature(tree: Tree, node: int, column: str | None) -> int:
    if column is None and tree.n_children[node]:
        at = int(tree.feature[node])
        if tree.schema.columns[at].kind == "numeric":
            return at
    numeric = [c.name for c in tree.schema.columns if c.kind == "numeric"]
    if column is None or column not in numeric:
        what = (
            f"node {node} does not split on a numeric column"
            if column is None
            else f'"{column}" is not a numeric column'
        )
        raise UsageError(
            f"no numeric column given for the distribution: {what}",
            slug="work.no-such-column",
            hints=[f"numeric columns: {', '.join(numeric) or 'none'}"],
        )
    return tree.schema.names.index(column)


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
