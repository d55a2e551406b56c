"""The distribution of a numeric column in a node, by class, with the place where the node cuts it.

Glossary: a *bin* is the numbers between two edges, the lower one left out (a question is ``x <= cut``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._kept import Rows
from treewright.arithmetic.sheet import Part, Sheet, Shown, saved
from treewright.draw import stacks
from treewright.draw.chart import ticks
from treewright.draw.conditions import path_to
from treewright.draw.facts import class_order
from treewright.draw.figures import plural, weights
from treewright.draw.frame import inline
from treewright.draw.glyphs import ASCII
from treewright.draw.grid import Lane
from treewright.draw.paper import Paper
from treewright.errors import DataError, UsageError
from treewright.schema import label
from treewright.tree import Tree

__all__ = ["Distribution", "distribution_of"]

BINS = 12
NAMED = 8
BAR = 30
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, repr=False)
class Distribution(Shown):
    """How a numeric column is distributed in a node, made by :func:`treewright.work` with ``what="distribution"``.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        The node.
    column : str
        The column.
    edges : ndarray
        The borders of the bins.
    amounts : ndarray of shape (bins, classes)
        The weight of each class in each bin; of one column where a number is predicted.
    cut : float or None
        What the node compares the column with, where it asks about it.
    missing : float
        The weight of the rows whose value is missing.
    width, ascii : int or None, bool or None, default=None
        Columns of text, and whether to write with ASCII signs only.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets, work
    >>> X, y = datasets.golf()
    >>> shown = work(C45Classifier().fit(X, y), 1, X, y, what="distribution")
    >>> shown.to_dict()["column"], shown.to_dict()["cut"]
    ('humidity', 75.0)
    """

    tree: Tree
    node: int
    column: str
    edges: Numbers
    amounts: Numbers
    cut: float | None
    missing: float
    width: int | None = None
    ascii: bool | None = None

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

    def to_svg(self) -> str:
        """Return the distribution as a picture."""
        paper = Paper(width=200)
        names, amounts = self._named(paper)
        found = [
            stacks.Stack(float(low), float(high), held.tolist())
            for low, high, held in zip(self.edges, self.edges[1:], amounts, strict=False)
        ]
        column = paper.name(self.column)
        title = f"{column} in node #{self.node}"
        return stacks.render(found, names, self.cut, title, (column, "rows"))

    def text(self, stream: Any = None) -> str:
        """Return the bins with bars as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.
        """
        paper = Paper.of(stream, width=self.width, ascii=self.ascii)
        return self._sheet(paper, drawn=True).text(paper)

    def to_html(self) -> str:
        """Return the picture and the bins as an HTML fragment without scripts."""
        return f"<div>{inline(self.to_svg())}{self._sheet(Paper(width=200)).html()}</div>"

    def save(self, path: str | Path) -> None:
        """Write the distribution to a file; its suffix says how: .svg, .txt, .md, .tex, .html or .json."""
        saved(self, path, f"node {self.node}", {".svg": lambda: self.to_svg() + "\n"})

    def _named(self, paper: Paper) -> tuple[list[str], Numbers]:
        """Return the classes that have a column of their own, the commonest first, and the others as one."""
        if not self.tree.schema.classes:
            return ["rows"], self.amounts
        order = class_order(self.tree)
        names = [paper.level(self.tree.schema.classes[i], 16) for i in order[:NAMED]]
        amounts = self.amounts[:, order[:NAMED]]
        if len(order) > NAMED:
            rest = self.amounts[:, order[NAMED:]].sum(axis=1, keepdims=True)
            return [*names, f"+{len(order) - NAMED} others"], np.hstack([amounts, rest])
        return names, amounts

    def _sheet(self, paper: Paper, *, drawn: bool = False) -> Sheet:
        names, amounts = self._named(paper)
        sign = paper.glyphs.at_most
        bins = [
            f"{low:.6g} < x {sign} {high:.6g}"
            for low, high in zip(self.edges, self.edges[1:], strict=False)
        ]
        lanes = [Lane(paper.name(self.column), bins, left=True, gap=0)]
        lanes += [Lane(name, weights(amounts[:, i])) for i, name in enumerate(names)]
        if drawn:
            totals = amounts.sum(axis=1)
            most = float(totals.max()) or 1.0
            marks = [paper.glyphs.full * round(float(total) / most * BAR) for total in totals]
            if self.cut is not None:
                at = int(np.searchsorted(self.edges[1:], self.cut))
                if at < len(marks):
                    arrow = "<-" if paper.glyphs is ASCII else "◀"
                    marks[at] += f"  {arrow} cut at {self.cut:.6g}"
            lanes.append(Lane("", marks, left=True))
        said = []
        if self.cut is not None:
            said.append(f"The node asks whether it is at most {label(self.cut)}.")
        if self.missing:
            (gone,) = weights([self.missing])
            said.append(f"Missing in {gone} of the node's rows.")
        count = plural(int(self.tree.count[self.node]), "row")
        title = f"Node #{self.node}   {paper.name(self.column)} in {count}"
        return Sheet(title, [Part("", lanes, said)])


def distribution_of(
    model: Any,
    node: int,
    rows: Rows,
    column: str | None = None,
    *,
    width: int | None = None,
    ascii: bool | None = None,
) -> Distribution:
    """Return the distribution of a column: of the one that the node asks about, where none is named."""
    tree: Tree = model.tree_
    asks = bool(tree.n_children[node])
    at = _feature(tree, node, column)
    here = _members(tree, node, rows)
    values = rows.columns[at][here]
    weight = np.ones(len(rows.target)) if rows.weights is None else rows.weights
    known = ~np.isnan(values)
    if not known.any():
        raise DataError(
            f'no row of node {node} has a "{tree.schema.columns[at].name}"', slug="work.no-values"
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
    return Distribution(tree, node, name, edges, amounts, cut, missing, width, ascii)


def _feature(tree: Tree, node: int, column: str | None) -> int:
    if column is None and tree.n_children[node]:
        at = int(tree.feature[node])
        if tree.schema.columns[at].kind == "numeric":
            return at
    numeric = [c.name for c in tree.schema.columns if c.kind == "numeric"]
    if column is None or column not in numeric:
        what = f"node {node} asks about no number" if column is None else f'"{column}" is no number'
        raise UsageError(
            f"{what}: which column should be drawn?",
            slug="work.no-such-column",
            hints=[f"numeric columns: {', '.join(numeric) or 'none'}"],
        )
    return tree.schema.names.index(column)


def _members(tree: Tree, node: int, rows: Rows) -> NDArray[np.bool_]:
    """Say which rows come to a node; one that is divided above it does not."""
    ends = tree._forest.apply(tree._index, rows.columns)
    below = {int(end): node in path_to(tree, int(end)) for end in np.unique(ends)}
    return np.array([below[int(end)] for end in ends], dtype=bool)


def _edges(values: Numbers, cut: float | None) -> Numbers:
    """Choose borders of bins that are equally wide: round numbers, or so that the cut is one of them."""
    low, high = float(values.min()), float(values.max())
    if high <= low:
        return np.array([low - 0.5, low + 0.5])
    found = ticks(low, high, BINS)
    step = found[1] - found[0] if len(found) > 1 else (high - low) / 2
    origin = found[0] if cut is None else cut
    first = math.ceil((low - origin) / step) - 1  # a border is not a part of the bin above it
    last = max(first + 1, math.ceil((high - origin) / step - 1e-9))
    return np.array([origin + i * step for i in range(first, last + 1)])
