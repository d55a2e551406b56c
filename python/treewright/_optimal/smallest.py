"""`smallest_tree`: a tree without errors that no other one beats in size, with a proof.

Greedy algorithms such as ID3 do not promise a small tree, and finding a smallest one is NP-hard: this is for small
tables, such as those of lectures.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._draw.caption import Caption
from treewright._estimator.training_data import TrainingData
from treewright._growing.growing import Growing
from treewright._learners.trees.id3 import ID3Classifier
from treewright._optimal.row_set_search import RowSetSearch, TreeSize
from treewright._render.document import Document, Text
from treewright._render.numbers import format_seconds, plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._show.tree_view import View
from treewright._utils.validation import check_choice, check_number
from treewright.errors import DataError
from treewright.tree import Tree

__all__ = ["SmallestTree", "smallest_tree"]

OBJECTIVES = ("nodes", "depth")
MAX_COLUMNS = 400  # the search goes into a branch for each


@public
@dataclass(frozen=True, eq=False, repr=False)
class SmallestTree(Result):
    """A tree without errors, and whether a smaller one exists.

    Parameters
    ----------
    model : ID3Classifier
        The tree as a fitted model; to the views it is a tree of ID3 that was grown by hand.
    minimize : {"nodes", "depth"}
        What is least.
    size : int
        The nodes of the tree, or its depth.
    lower_bound : int
        No tree without errors has fewer nodes, or less depth.
    proven : bool
        Whether no tree is smaller: ``size == lower_bound``.
    greedy : ID3Classifier
        The tree of ID3, for comparison.
    seconds : float
        The time of the search.

    Examples
    --------
    >>> from treewright import datasets, smallest_tree
    >>> result = smallest_tree(*datasets.contact_lenses())
    >>> result.size, result.proven, result.greedy.tree_.n_nodes
    (15, True, 15)
    """

    _noun = "a smallest tree"

    model: ID3Classifier
    minimize: str
    size: int
    lower_bound: int
    proven: bool
    greedy: ID3Classifier
    seconds: float

    model_name = "smallest tree"  # in a comparison

    @property
    def tree_(self) -> Tree:
        """The tree."""
        return self.model.tree_

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, with both trees nested."""
        return {
            "minimize": self.minimize,
            "size": self.size,
            "lower_bound": self.lower_bound,
            "proven": self.proven,
            "seconds": self.seconds,
            "nodes": self.tree_.n_nodes,
            "leaves": self.tree_.n_leaves,
            "depth": self.tree_.depth,
            "greedy_nodes": self.greedy.tree_.n_nodes,
            "greedy_depth": self.greedy.tree_.depth,
            "tree": self.tree_.nested(),
            "greedy_tree": self.greedy.tree_.nested(),
        }

    def _document(self, page: PageFormat) -> Document:
        least = "least depth" if self.minimize == "depth" else "fewest nodes"
        caption = Caption(f"smallest tree ({least})", "entropy")
        drawn = View(self.tree_, caption)._document(page)
        texts = (Text(self._verdict(), apart=True), Text(self._comparison(), apart=True))
        return Document(drawn.title, (*drawn.blocks, *texts), name="Smallest tree")

    def _verdict(self) -> str:
        seconds = format_seconds(self.seconds)
        if self.minimize == "depth":
            ours, bound = f"depth {self.size}", f"less than depth {self.lower_bound}"
        else:
            ours, bound = plural(self.size, "node"), f"fewer than {self.lower_bound:,}"
        if self.proven:
            least = "least depth" if self.minimize == "depth" else "fewest nodes"
            return f"The {least} of any tree without errors: {ours} (proven in {seconds})."
        return (
            f"Not proven: the search stopped after {seconds}. This tree has {ours}; no tree without errors has "
            f"{bound}."
        )

    def _comparison(self) -> str:
        greedy = self.greedy.tree_
        by_depth = self.minimize == "depth"
        word = f"has depth {greedy.depth}" if by_depth else f"has {plural(greedy.n_nodes, 'node')}"
        if _size(greedy, self.minimize) == self.size:
            return f"The tree of ID3 {word}, too."
        return f"The tree of ID3 {word}: choosing the best split at each node is not the best tree."


def smallest_tree(
    X: Any, y: Any, *, minimize: str = "nodes", time_limit: float | None = 10.0
) -> SmallestTree:
    """Find a smallest tree without errors, and prove that none is smaller.

    Splits are those of ID3: a branch for each value of a column, each column at most once on a path. Every tree is
    considered; sets of rows that occur in several trees are searched once, and bounds leave out what cannot be smaller.
    The time grows exponentially with the number of columns: tables of lectures take milliseconds, 16 columns may take
    too long.

    Parameters
    ----------
    X : table
        The rows. Each different number is a value of its own; a missing value is a value, too.
    y : array-like
        The class of each row. Rows that are equal in all columns must have the same class.
    minimize : {"nodes", "depth"}, default="nodes"
        Find a tree with the fewest nodes, or one of the least depth and among those one with the fewest nodes.
    time_limit : float or None, default=10.0
        Stop after so many seconds. The result then has the best tree so far, and says that it is not proven.

    Returns
    -------
    SmallestTree
        The tree as ``model`` and ``tree_``, its ``size``, the ``lower_bound``, and whether it is ``proven``.

    Examples
    --------
    >>> from treewright import smallest_tree
    >>> X = {"a": [0, 0, 0, 0, 1, 1, 1, 1], "b": [0, 0, 1, 1, 0, 0, 1, 1], "c": [0, 0, 1, 1, 1, 0, 1, 0]}
    >>> result = smallest_tree(X, [0, 0, 1, 1, 1, 1, 0, 0])  # a xor b, and ID3 begins with c
    >>> result.size, result.greedy.tree_.n_nodes
    (7, 11)
    """
    minimize = check_choice("minimize", minimize, OBJECTIVES)
    limit = check_number("time_limit", time_limit, minimum=0, optional=True)
    start = time.monotonic()
    growing = Growing(ID3Classifier(), X, y)
    data = growing._prepared.data
    codes, classes = _codes(data), np.asarray(data.labels)
    _refuse_contradiction(codes, classes)
    if len(codes) > MAX_COLUMNS:
        raise DataError(
            f"the table has {len(codes):,} columns; the search takes at most {MAX_COLUMNS}",
            slug="optimal.too-large",
            hints=["leave out columns", "or use OptimalTreeClassifier"],
        )
    # ID3 makes a branch of each value that the column has anywhere.
    branches = [len(s.levels) + bool(s.missing().any()) for s in data.table.series]
    search = RowSetSearch(codes, classes, None if limit is None else start + limit, branches)
    size, depth = _search(search, minimize)
    _split_all(growing, search, depth)
    greedy = ID3Classifier().fit(X, y)
    # The tree of ID3 may be smaller where the time was up.
    model = min((growing.model(), greedy), key=lambda each: _size(each.tree_, minimize))
    size_found = _size(model.tree_, minimize)
    proven, seconds = size_found == size.lower_bound, time.monotonic() - start
    return SmallestTree(model, minimize, size_found, size.lower_bound, proven, greedy, seconds)


def _size(tree: Tree, minimize: str) -> int:
    return int(tree.depth if minimize == "depth" else tree.n_nodes)


def _search(search: RowSetSearch, minimize: str) -> tuple[TreeSize, int]:
    """Return what is proven, and the depth of the trees that were searched."""
    if minimize == "nodes":
        return search.fewest_nodes(), search.max_depth
    size = search.least_depth()
    if size.proven:
        search.fewest_nodes(size.best)  # among the trees of this depth
    return size, size.best


def _split_all(growing: Growing, search: RowSetSearch, depth: int) -> None:
    """Split the nodes of a tree as the search found it."""
    columns = growing._prepared.data.columns
    todo = [(search.all_rows, depth)]  # the rows of a node, and the depth below it
    while todo:
        rows, left = todo.pop()
        column = search.split_of(rows, left)
        if column is not None:
            first_row = (rows & -rows).bit_length() - 1
            node = growing._stage.forest.apply(0, columns)[first_row]
            growing.split_on(int(node), column)
            todo.extend((part, left - 1) for part in search.parts(rows, column))


def _codes(data: TrainingData) -> list[NDArray[np.int64]]:
    """Return the value of each row of each column, a missing one being a value of its own."""
    return [np.unique(series.data, return_inverse=True)[1] for series in data.table.series]


def _refuse_contradiction(codes: list[NDArray[np.int64]], classes: NDArray[Any]) -> None:
    """Raise an error if rows are equal in all columns and differ in their class."""
    first: dict[tuple[int, ...], int] = {}
    for row, values in enumerate(zip(*(c.tolist() for c in codes), strict=True)):
        before = first.setdefault(values, row)
        if classes[before] != classes[row]:
            raise DataError(
                f"rows {before + 1} and {row + 1} are equal in all columns and have different classes: every tree "
                "makes an error",
                slug="optimal.contradiction",
                hints=["leave out such rows, or use OptimalTreeClassifier, which counts errors"],
            )
