"""`compare_trees`: two trees side by side, their sizes and errors, and where they differ."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._draw import text_tree
from treewright._draw.conditions import condition_text, conditions_of, write_levels, write_test
from treewright._draw.node_figures import prediction
from treewright._input.containers import as_table
from treewright._input.encoding import encode
from treewright._optimal.any_tree import any_tree
from treewright._render.document import (
    Block,
    Column,
    Document,
    Heading,
    Note,
    Table,
    Text,
    Verbatim,
)
from treewright._render.numbers import amounts, count, decimals, fixed, plural
from treewright._render.page_format import NAME, PageFormat
from treewright._render.result import Result
from treewright._render.safe_text import cells
from treewright._utils.validation import check_lengths
from treewright.errors import UsageError
from treewright.tree import Branch, Tree

__all__ = ["Difference", "TreeComparison", "compare_trees"]

GAP = 4  # columns of text between two drawings
INDENT = 2  # of preformatted lines in text
MAX_DIFFERENCES = 20  # that are listed


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where two trees, equal above it, go on differently.

    Parameters
    ----------
    nodes : tuple of int
        The node of either tree.
    """

    nodes: tuple[int, int]


@public
@dataclass(frozen=True, eq=False, repr=False)
class TreeComparison(Result):
    """Two trees side by side.

    Parameters
    ----------
    trees : tuple of Tree
        The trees.
    names : tuple of str
        Their names.
    errors : tuple of float
        The errors of either tree on the rows of the comparison, or on its training rows: the weight of the rows that it
        predicts wrongly, for a numeric target the sum of squared errors.
    rows : int or None
        The rows of the comparison; None if it has none.
    changed : int or None
        For how many of them the predictions of the trees differ.
    differences : tuple of Difference
        Where they differ; what is below such a place is not compared.

    Examples
    --------
    >>> from treewright import ID3Classifier, OneRClassifier, compare_trees, datasets
    >>> X, y = datasets.play_tennis()
    >>> comparison = compare_trees(OneRClassifier().fit(X, y), ID3Classifier().fit(X, y))
    >>> comparison.errors, len(comparison.differences)
    ((4.0, 0.0), 2)
    """

    _noun = "a comparison of trees"

    trees: tuple[Tree, Tree]
    names: tuple[str, str]
    errors: tuple[float, float]
    rows: int | None
    changed: int | None
    differences: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Whether the trees have the same splits and predictions."""
        return not self.differences

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values."""
        trees = [
            {
                "name": name,
                "nodes": tree.n_nodes,
                "leaves": tree.n_leaves,
                "depth": tree.depth,
                "columns": _used(tree),
                "errors": errors,
            }
            for name, tree, errors in zip(self.names, self.trees, self.errors, strict=True)
        ]
        page = self._page_of_files()
        differences = [
            {
                "path": self._write_path(difference, page),
                "nodes": list(difference.nodes),
                "here": [self._write_node(i, difference, page) for i in (0, 1)],
            }
            for difference in self.differences
        ]
        return {
            "trees": trees,
            "rows": self.rows,
            "changed": self.changed,
            "differences": differences,
        }

    def _document(self, page: PageFormat) -> Document:
        title = f"{page.name(self.names[0])} and {page.name(self.names[1])}"
        blocks: list[Block] = [self._sizes(page), *self._differences(page)]
        blocks += [Heading("The trees"), *self._drawings(page)]
        return Document((title,), tuple(blocks), name=title)

    def _sizes(self, page: PageFormat) -> Table:
        columns = []
        is_class = bool(self.trees[0].schema.classes)
        most = max(self.errors)
        for name, tree, errors in zip(self.names, self.trees, self.errors, strict=True):
            written = amounts([errors])[0] if is_class else fixed(errors, decimals(most, 4))
            used = _used(tree)
            columns.append(
                Column(
                    page.name(name),
                    (
                        count(tree.n_nodes),
                        count(tree.n_leaves),
                        count(tree.depth),
                        written,
                        count(len(used)),
                    ),
                    values=(tree.n_nodes, tree.n_leaves, tree.depth, errors, len(used)),
                )
            )
        where = "" if self.rows is None else f" on {plural(self.rows, 'row')}"
        words = ("errors" if is_class else "squared error") + (where or " in training")
        heads = ("nodes", "leaves", "depth", words, "columns used")
        return Table((Column("", heads, key="measure", left=True), *columns), key="sizes")

    def _differences(self, page: PageFormat) -> Iterator[Text | Table | Note]:
        if self.same:
            yield Text("The trees are the same.", apart=True)
            return
        if self.changed is not None and self.rows is not None:
            yield Text(
                f"Their predictions differ for {count(self.changed)} of {plural(self.rows, 'row')}.",
                apart=True,
            )
        listed = self.differences[:MAX_DIFFERENCES]
        yield Table(
            (
                Column("where", tuple(self._write_path(d, page) for d in listed), left=True),
                *(
                    Column(
                        page.name(name),
                        tuple(self._write_node(i, d, page) for d in listed),
                        left=True,
                    )
                    for i, name in enumerate(self.names)
                ),
            ),
            title="Where they differ",
            key="differences",
        )
        left = len(self.differences) - len(listed)
        if left:
            yield Note(f"… {plural(left, 'more difference')}")

    def _write_path(self, difference: Difference, page: PageFormat) -> str:
        conditions = conditions_of(self.trees[0], difference.nodes[0])
        if not conditions:
            return "at the root"
        return " and ".join(condition_text(condition, page) for condition in conditions)

    def _write_node(self, which: int, difference: Difference, page: PageFormat) -> str:
        tree, node = self.trees[which], difference.nodes[which]
        branches = tree.branches(node)
        if not branches:
            return f"{page.glyphs.arrow} {prediction(tree, node, page.name)}"
        column, sets = tree.schema.columns[tree.feature[node]], [b.value for b in branches]
        if column.kind == "numeric" or not any(isinstance(levels, tuple) for levels in sets):
            return write_test(column, float(tree.threshold[node]), page)
        levels: Any = sets[0] if isinstance(sets[0], tuple) else (sets[0],)
        return f"{page.name(column.name)} {write_levels(levels, page, NAME)}?"

    def _drawings(self, page: PageFormat) -> Iterator[Verbatim]:
        """Draw the trees side by side, or below each other where the page is too narrow."""
        drawn = [text_tree.outline(tree, page) for tree in self.trees]
        names = [page.name(name) for name in self.names]
        width = max(map(cells, [names[0], *drawn[0]]))
        if width + max(map(cells, [names[1], *drawn[1]])) + GAP + INDENT <= page.width:
            yield Verbatim("\n".join(_side_by_side(names, drawn, width)))
            return
        narrow = replace(page, width=page.width - INDENT)
        for name, tree in zip(names, self.trees, strict=True):
            yield Verbatim("\n".join([name, "", *text_tree.outline(tree, narrow)]))


def _side_by_side(names: list[str], drawn: list[list[str]], width: int) -> list[str]:
    first, second = ([name, "", *lines] for name, lines in zip(names, drawn, strict=True))
    height = max(len(first), len(second))
    pairs = zip(
        first + [""] * (height - len(first)), second + [""] * (height - len(second)), strict=True
    )
    return [f"{one}{' ' * (width + GAP - cells(one))}{other}".rstrip() for one, other in pairs]


def compare_trees(
    a: Any, b: Any, X: Any = None, y: Any = None, *, names: tuple[str, str] | None = None
) -> TreeComparison:
    """Compare two trees: draw them side by side, and show their sizes, their errors and where they differ.

    Parameters
    ----------
    a, b : fitted estimators, Pipelines or Trees
        Trees of this package or of scikit-learn.
    X, y : table and array-like, optional
        Rows on which errors and predictions are compared; without them, errors are those of training.
    names : pair of str, optional
        The names of the trees; by default those of their algorithms.

    Returns
    -------
    TreeComparison
        Text by ``str()``; Markdown, LaTeX, HTML, plain values and files as of every result.

    Examples
    --------
    >>> from treewright import compare_trees, datasets, smallest_tree
    >>> X = {"a": [0, 0, 1, 1, 0, 0, 1, 1], "b": [0, 1, 0, 1, 0, 1, 0, 1], "c": [0, 1, 1, 0, 0, 1, 0, 1]}
    >>> result = smallest_tree(X, [0, 1, 1, 0, 0, 1, 1, 0])
    >>> compare_trees(result.greedy, result, names=("ID3", "smallest")).errors
    (0.0, 0.0)
    """
    (a, name_a), (b, name_b) = _open(a), _open(b)
    named_trees = any_tree(a), any_tree(b)
    trees = named_trees[0][0], named_trees[1][0]
    if bool(trees[0].schema.classes) != bool(trees[1].schema.classes):
        raise UsageError("one tree predicts classes and the other numbers", slug="compare.tasks")
    named = (
        _check_names(names)
        if names is not None
        else _names(name_a or named_trees[0][1], name_b or named_trees[1][1])
    )
    errors, rows, changed = _errors((a, b), trees, X, y)
    differences = tuple(_differences(*trees))
    return TreeComparison(trees, named, errors, rows, changed, differences)


def _open(model: Any) -> tuple[Any, str]:
    """Return the model of a result such as that of `smallest_tree`, and its name; of anything else no name."""
    return (model.model, model.model_name) if hasattr(model, "model_name") else (model, "")


def _check_names(names: Any) -> tuple[str, str]:
    pair = tuple(names) if isinstance(names, (list, tuple)) else ()
    if len(pair) != 2 or not all(isinstance(name, str) for name in pair):
        raise UsageError(f"names must be two texts; got {names!r}", slug="usage.parameter")
    return pair[0], pair[1]


def _names(first: str, second: str) -> tuple[str, str]:
    if first != second:
        return first, second
    return f"{first}, first", f"{second}, second"


def _errors(
    models: tuple[Any, Any], trees: tuple[Tree, Tree], X: Any, y: Any
) -> tuple[tuple[float, float], int | None, int | None]:
    """Return the errors of the trees, the number of rows, and for how many the predictions differ."""
    if X is None and y is None:
        first, second = (_training_errors(tree) for tree in trees)
        return (first, second), None, None
    if X is None or y is None:
        raise UsageError("errors on rows need X and y", slug="usage.parameter")
    one, other = (_predict(m, tree, X) for m, tree in zip(models, trees, strict=True))
    truth = np.asarray(y)
    check_lengths(len(one), len(truth))
    if trees[0].schema.classes:
        errors = float(np.sum(one != truth)), float(np.sum(other != truth))
    else:
        errors = float(np.sum((one - truth) ** 2)), float(np.sum((other - truth) ** 2))
    return errors, len(truth), int(np.sum(one != other))


def _predict(model: Any, tree: Tree, X: Any) -> NDArray[Any]:
    if hasattr(model, "predict"):
        return np.asarray(model.predict(X))
    nodes = tree._forest.apply(tree._index, encode(as_table(X), tree.schema))
    return np.array([tree.answer(int(node)) for node in nodes])


def _training_errors(tree: Tree) -> float:
    leaves = np.flatnonzero(np.asarray(tree.n_children) == 0)
    return float(tree.errors_of(leaves).sum())


def _used(tree: Tree) -> list[str]:
    """Return the names of the columns that the tree splits on, in the order of the table."""
    inner = np.asarray(tree.n_children) > 0
    return [tree.schema.names[i] for i in np.unique(np.asarray(tree.feature)[inner]).tolist()]


def _differences(first: Tree, second: Tree) -> Iterator[Difference]:
    """Go down both trees together as long as they are equal."""
    todo = [(0, 0)]
    while todo:
        nodes = todo.pop()
        here, there = first.branches(nodes[0]), second.branches(nodes[1])
        if list(map(_test, here)) != list(map(_test, there)):
            yield Difference(nodes)
            continue
        if not here and not _equal(first.answer(nodes[0]), second.answer(nodes[1])):
            yield Difference(nodes)
        pairs = zip(reversed(here), reversed(there), strict=True)
        todo.extend((one.child, other.child) for one, other in pairs)


def _test(branch: Branch) -> tuple[Any, ...]:
    return branch.column, branch.op, branch.value


def _equal(one: Any, other: Any) -> bool:
    """Return whether predictions are the same; the last digits of means depend on the order of additions."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)
