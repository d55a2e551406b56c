"""`Growing`: a tree that is grown by hand, one step after another, with undo."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._growing.prepared_rows import prepare
from treewright._growing.question import read_column, read_cut
from treewright._growing.rows_at_node import NodeRows
from treewright._growing.stage import (
    BY_HAND,
    OPEN,
    SPLIT,
    Action,
    Stage,
    act,
    first_stage,
    prune_stage,
)
from treewright._render.document import Document, Text
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._work.dispatch import check_node
from treewright.errors import DataError, UsageError
from treewright.tree import Tree

__all__ = ["Growing"]

# Why a node is a leaf, in words.
REASONS = {
    "no_rows": "no training rows reach it",
    "pure": "all its rows are alike",
    "min_rows": "it has too few rows to be split",
    "max_depth": "it is at the maximum depth",
    "majority": "enough of its rows have one class",
    "no_split": "no split of its rows is within the limits",
    "min_gain": "the best split does not gain enough",
    "chance": "chance may divide the classes as its best split does",
    "max_leaves": "the tree has as many leaves as allowed",
    "pruned": "pruning replaced a subtree by it",
    "by_hand": "it was made a leaf by hand",
}


@public
class Growing(Result):
    """A tree that is grown by hand: split a node, force another question, undo, compare.

    It begins with one node. Every step gives the children exactly the numbers that ``fit`` would give them: if all
    nodes are split by their best questions and the tree is then pruned, :meth:`model` is the model of ``fit``. Nodes
    are numbered in the order in which they were made; where a subtree is dropped, later numbers close up. A finished
    model is numbered as ``fit`` does it.

    Parameters
    ----------
    estimator : ID3Classifier, C45Classifier, CARTClassifier or CARTRegressor
        The learner with its parameters. It is not changed.
    X : table
        The training rows.
    y : array-like
        The class or the number of each row.
    sample_weight : array-like, optional
        A weight for each row.

    Examples
    --------
    >>> from treewright import Growing, ID3Classifier, datasets
    >>> growing = Growing(ID3Classifier(), *datasets.play_tennis())
    >>> growing.split(0).open
    [1, 3]
    >>> growing.split_on(1, "Wind").open
    [3, 4, 5]
    >>> growing.undo().grow()
    Growing(ID3Classifier(), 8 nodes)
    >>> growing.model().tree_
    <Tree: 8 nodes, 5 leaves, depth 2>
    """

    _noun = "a tree that is grown by hand"

    def __init__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> None:
        self._prepared = prepare(estimator, X, y, sample_weight)
        self._stages = [first_stage(self._prepared)]
        self._undone: list[Stage] = []

    # ---- what there is

    @property
    def _stage(self) -> Stage:
        return self._stages[-1]

    @property
    def tree(self) -> Tree:
        """The tree as it is now."""
        tree: Tree = self._stage.fitted(self._prepared, finished=False).tree_
        return tree

    @property
    def open(self) -> list[int]:
        """The nodes that can be split."""
        return self._stage.open

    @property
    def nodes(self) -> list[dict[str, Any]]:
        """The nodes as plain values: their numbers, what they are, and why a leaf is one."""
        stage = self._stage
        nodes = []
        for record in self.tree.records():
            cut = record["threshold"]
            known = {"threshold": None if cut is None or math.isnan(cut) else cut}
            nodes.append(record | known | self._mark(stage, record["node"]))
        return nodes

    def _mark(self, stage: Stage, node: int) -> dict[str, Any]:
        state = stage.states[node]
        is_leaf = state not in (SPLIT, OPEN)
        return {
            "state": "leaf" if is_leaf else state,
            "reason": state if is_leaf else None,
            "by_hand": node in stage.by_hand or state == BY_HAND,
        }

    def work(self, node: int | str = 0, **options: Any) -> Any:
        """Show the calculation behind a node: see :func:`treewright.work`, whose options it takes.

        Parameters
        ----------
        node : int or "all", default=0
            The node.
        **options
            The options of :func:`treewright.work`.

        Returns
        -------
        Work
            The candidates of the node, and which of them the algorithm would choose.
        """
        from treewright._work import work

        if node != "all":
            self._check_node(node)
        return work(self._stage.fitted(self._prepared, finished=False), node, **options)

    def rows(self, node: int = 0) -> NodeRows:
        """Return the training rows of a node: their positions in X, and the fraction of each that is there.

        Parameters
        ----------
        node : int, default=0
            The node.

        Returns
        -------
        NodeRows
            ``positions`` and ``fractions``; C4.5 divides rows with a missing value among several nodes.
        """
        self._check_node(node)
        rows, fractions = self._prepared.hand.rows_of(self._stage.forest, node)
        positions: NDArray[np.int64] = self._prepared.positions[rows]
        return NodeRows(positions, fractions)

    def model(self) -> Any:
        """Return the tree as it is now as a fitted estimator.

        Where something was decided by hand, or the learner's own pruning was left out, the model has the attribute
        ``by_hand_``, and its file says so, too.

        Returns
        -------
        fitted estimator
            A model like any other: predict with it, show, save, export and explain it.
        """
        return self._stage.fitted(self._prepared, finished=True)

    # ---- actions

    def split(self, node: int = 0) -> Self:
        """Split a node by the question that the algorithm chooses.

        Parameters
        ----------
        node : int, default=0
            The node; what is below it is dropped.

        Returns
        -------
        Growing
            The same object.
        """
        state = self._stage.states[self._check_node(node)]
        if state not in (SPLIT, OPEN, BY_HAND):
            raise UsageError(
                f"node {node} cannot be split: {REASONS.get(state, state)}",
                slug="grow.no-split",
                hints=[f"nodes that can: {_listed(self.open)}", "or ask by hand: split_on"],
            )
        return self._act([(node, "split", None, None, None)])

    def split_on(self, node: int, column: str | int, cut: Any = None) -> Self:
        """Split a node by a column of your choice.

        Limits such as ``min_samples_leaf`` do not count: by hand, one row on either side is enough.

        Parameters
        ----------
        node : int
            The node; what is below it is dropped.
        column : str or int
            The column, by name or position.
        cut : number, date or category, optional
            The threshold of a numeric column: values up to it go to the first branch. Without it, the best one. For
            ordered categories, the last category of the first branch.

        Returns
        -------
        Growing
            The same object.
        """
        self._check_node(node)
        schema = self._prepared.data.schema
        feature = read_column(schema, column)
        cut = read_cut(schema.columns[feature], cut)
        try:
            return self._act([(node, "split_on", feature, cut, None)])
        except DataError as error:
            raise self._no_question(error, node, schema.names[feature]) from None

    def leaf(self, node: int) -> Self:
        """Make a node a leaf: what is below it is dropped, and it is not split by :meth:`grow`.

        Parameters
        ----------
        node : int
            The node.

        Returns
        -------
        Growing
            The same object.
        """
        state = self._stage.states[self._check_node(node)]
        if state not in (SPLIT, OPEN):
            raise UsageError(
                f"node {node} is a leaf already: {REASONS.get(state, state)}", slug="grow.leaf"
            )
        return self._act([(node, "leaf", None, None, None)])

    def grow(self, node: int = 0) -> Self:
        """Split the open nodes below a node, and theirs, until the algorithm would stop.

        Parameters
        ----------
        node : int, default=0
            The node; by default the root, so that the whole tree is grown. A leaf that was made by hand is split only
            if it is this node.

        Returns
        -------
        Growing
            The same object.
        """
        state = self._stage.states[self._check_node(node)]
        nodes = [node] if state == BY_HAND else [n for n in self._below(node) if n in self.open]
        return self._act([(n, "grow", None, None, None) for n in nodes]) if nodes else self

    def prune(self) -> Self:
        """Prune the tree as a fit of the estimator does; nodes are numbered anew.

        Returns
        -------
        Growing
            The same object.
        """
        return self._go_on(prune_stage(self._prepared, self._stage))

    def undo(self) -> Self:
        """Take back the last step.

        Returns
        -------
        Growing
            The same object.
        """
        if len(self._stages) == 1:
            raise UsageError("there is no step to take back", slug="grow.no-step")
        self._undone.append(self._stages.pop())
        return self

    def redo(self) -> Self:
        """Take the last step that was taken back once more.

        Returns
        -------
        Growing
            The same object.
        """
        if not self._undone:
            raise UsageError("no step was taken back", slug="grow.no-step")
        self._stages.append(self._undone.pop())
        return self

    def _act(self, actions: list[Action]) -> Self:
        return self._go_on(act(self._prepared, self._stage, actions))

    def _go_on(self, stage: Stage) -> Self:
        self._stages.append(stage)
        self._undone.clear()
        return self

    def _below(self, node: int) -> list[int]:
        """Return a node and all nodes below it."""
        tree, nodes = self.tree, {node}
        for each in range(node + 1, tree.n_nodes):
            if int(tree.parents[each]) in nodes:
                nodes.add(each)
        return sorted(nodes)

    def _check_node(self, node: Any) -> int:
        return check_node(node, len(self._stage.states) - 1)

    def _no_question(self, error: DataError, node: int, name: str) -> UsageError:
        messages = {
            "grow.column": f'node {node} cannot ask about "{name}": it was asked about above, or has one value',
            "grow.one-branch": f'all rows of node {node} would go to one branch of "{name}"',
            "grow.no-question": f'"{name}" has no threshold within the limits at node {node}',
        }
        hints = ["give a threshold"] if error.slug == "grow.no-question" else []
        return UsageError(messages.get(error.slug, str(error)), slug=error.slug, hints=hints)

    # ---- views

    def show(self, style: str = "tree", **options: Any) -> Any:
        """Draw the tree as it is now: see :func:`treewright.show`.

        Parameters
        ----------
        style : str, default="tree"
            How it is drawn.
        **options
            The options of :func:`treewright.show`.

        Returns
        -------
        View
            Text by ``str()``, a picture in a notebook, a file by ``save()``.
        """
        from treewright._show import show

        return show(self._stage.fitted(self._prepared, finished=False), style, **options)

    def __repr__(self) -> str:
        nodes = self._stage.forest.tree(0).n_nodes
        count = f"{nodes:,} node{'s' if nodes > 1 else ''}"
        count += f", {len(self.open):,} open" if self.open else ""
        return f"Growing({self._prepared.model!r}, {count})"

    def _document(self, page: PageFormat) -> Document:
        drawn = self.show()._document(page)
        note = f"open: {_listed(self.open)}" if self.open else "no node is open"
        return Document(drawn.title, (*drawn.blocks, Text(note, apart=True)), drawn.stages)

    def _repr_html_(self) -> str:
        return str(self.show()._repr_html_())

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as plain values."""
        model = self._prepared.model
        return {
            "estimator": type(model).__name__,
            "open": self.open,
            "pruned": self._stage.is_pruned,
            "nodes": self.nodes,
        }


def _listed(nodes: list[int]) -> str:
    numbers = ", ".join(str(node) for node in nodes[:20])
    return numbers + (", …" if len(nodes) > 20 else "") if nodes else "none"
