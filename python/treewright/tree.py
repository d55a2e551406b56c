"""One fitted tree, as read-only columns with names.

Row ``i`` of every column of the node table is node ``i``, node 0 is the root, and the children of a node are
consecutive rows after it. This module adds the schema (names, levels, classes) and ways to read the table; it never
changes it. The core decides where a row goes.

Glossary: the *answer* of a node is its prediction; a node is *tied* if two classes have the same weight there, or with
costs the same expected cost, and the first one is predicted; *errors* is the weight of the other classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._model.decision import EQUAL, decide, expected_costs
from treewright._model.node import Branch, Competitor, Node, Surrogate
from treewright._model.smoothing import smooth_shares
from treewright.schema import Column, Level, Schema

if TYPE_CHECKING:
    from treewright.table import Table

__all__ = ["Branch", "Competitor", "Node", "Surrogate", "Tree"]

STOP, SHARE = _core.STOP, _core.SHARE


@public
class Tree:
    """A fitted tree: the node table with names.

    Estimators make it; get it from their ``tree_`` attribute.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> tree = ID3Classifier().fit(X, y).tree_
    >>> tree.n_nodes, tree.n_leaves, tree.depth
    (8, 5, 2)
    >>> tree.path(X[:1])
    [0, 1, 4]
    """

    def __init__(self, forest: _core.Forest, index: int, schema: Schema) -> None:
        self._forest = forest
        self._index = index
        self._table = forest.tree(index)
        self.schema = schema

    def __getattr__(self, name: str) -> Any:
        # The columns of the node table: first_child, n_children, feature, threshold, ...
        if name in COLUMNS:
            return getattr(self._table, name)
        if name in SKLEARN_NAMES:
            raise AttributeError(
                f'{name!r} belongs to the trees of scikit-learn: export(model, "sklearn") gives one, '
                "for plot_tree, dtreeviz, shap and other tools that read them"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *COLUMNS})

    def __repr__(self) -> str:
        return f"<Tree: {self.n_nodes} nodes, {self.n_leaves} leaves, depth {self.depth}>"

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return self._table.n_nodes

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return int(np.count_nonzero(self._table.n_children == 0))

    @property
    def depth(self) -> int:
        """The number of splits on the longest path."""
        return int(self.depths.max())

    @cached_property
    def parents(self) -> NDArray[np.int64]:
        """The parent of each node; -1 for the root."""
        children = self._table.n_children.astype(np.int64)
        branches = np.flatnonzero(children)
        parents = np.full(self.n_nodes, -1, dtype=np.int64)
        # The children of a node are consecutive: repeat its number for each of them.
        order = np.argsort(self._table.first_child[branches], kind="stable")
        parents[1:] = np.repeat(branches[order], children[branches[order]])
        return parents

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """The depth of each node; 0 for the root."""
        above = np.maximum(self.parents, 0)
        depths = (self.parents >= 0).astype(np.int64)
        # Each round doubles the distance to the ancestor: log2(depth) rounds.
        while (further := depths[above]).any():
            depths += further
            above = above[above]
        return depths

    @cached_property
    def outputs(self) -> NDArray[np.float64]:
        """What each node predicts: ``value``, with class probabilities smoothed if the model smooths them."""
        if self.schema.smoothing is None:
            return self._table.value
        table = self._table
        return smooth_shares(table.value, table.weight, self.parents, self.schema.smoothing)

    @cached_property
    def answers(self) -> NDArray[np.int64]:
        """The class of each node as a position in ``schema.classes``; ties go to the first."""
        return decide(self.outputs, self.schema)

    def class_weights(self, node: int) -> NDArray[np.float64]:
        """Return the training weight of each class at a node, in the order of ``schema.classes``."""
        return _rounded(self._table.value[node] * self._table.weight[node])

    def answer(self, node: int) -> Level:
        """Return what a node predicts: a class, or a number."""
        if self.schema.classes:
            return self.schema.classes[int(self.answers[node])]
        return float(self._table.value[node, 0])

    def errors(self, node: int) -> float:
        """Return the weight of the classes that a node does not predict; for a number, its cost."""
        if not self.schema.classes:
            return float(self._table.cost[node])
        return float(self.errors_of(np.array([node]))[0])

    def errors_of(self, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return :meth:`errors` for several nodes."""
        if not self.schema.classes:
            return np.asarray(self._table.cost[nodes])
        weights = _rounded(self._table.value[nodes] * self._table.weight[nodes, None])
        right = weights[np.arange(len(nodes)), self.answers[nodes]]
        return np.asarray(weights.sum(axis=1) - right)

    def tied(self, node: int) -> bool:
        """Return whether another class has the same weight as the predicted one, or the same expected cost."""
        if not self.schema.classes:
            return False
        expected = expected_costs(self.outputs[node : node + 1], self.schema)
        least = expected.min() * (1 + EQUAL) if self.schema.costs else expected.min()
        return int(np.count_nonzero(expected <= least)) > 1

    def branches(self, node: int) -> tuple[Branch, ...]:
        """Return the branches of a node, in the order of its values; empty for a leaf."""
        table = self._table
        n, first = int(table.n_children[node]), int(table.first_child[node])
        if n == 0:
            return ()
        column = self.schema.columns[table.feature[node]]
        missing = int(table.missing[node])
        if column.kind == "numeric":
            return _number_branches(column.name, float(table.threshold[node]), n, first, missing)
        start = int(table.route_start[node])
        route = table.route[start : start + len(column.levels)].tolist()
        return _level_branches(column, route, n, first, missing)

    def competitors(self, node: int) -> tuple[Competitor, ...]:
        """Return the splits that a node could have had instead, best first; most algorithms store none."""
        return tuple(
            Competitor(branches, merit, count)
            for role, branches, merit, _, count in self._spares(node)
            if role == 0
        )

    def surrogates(self, node: int) -> tuple[Surrogate, ...]:
        """Return the surrogate splits of a node, in the order in which they are used."""
        return tuple(
            Surrogate(branches, merit, adjusted, count)
            for role, branches, merit, adjusted, count in self._spares(node)
            if role == 1
        )

    def _spares(self, node: int) -> Iterator[tuple[int, tuple[Branch, ...], float, float, int]]:
        spares = self._table.spares()
        if spares is None:
            return
        start, first = spares["start"], int(self._table.first_child[node])
        end = int(start[node + 1]) if node + 1 < len(start) else len(spares["role"])
        for i in range(int(start[node]), end):
            role = int(spares["role"][i])
            column = self.schema.columns[spares["feature"][i]]
            if column.kind == "numeric":
                below = int(spares["below"][i])
                cut, children = float(spares["threshold"][i]), (first + below, first + 1 - below)
                ways = [
                    Branch(column.name, op, cut, child)
                    for op, child in zip(("<=", ">"), children, strict=True)
                ]
            else:
                at = int(spares["route_start"][i])
                route = spares["route"][at : at + len(column.levels)].tolist()
                ways = [
                    b for b in _level_branches(column, route, 2, first, STOP) if b.op != "missing"
                ]
            if role == 0:
                ways = [replace(branch, child=-1) for branch in ways]
            merit, adjusted = float(spares["merit"][i]), float(spares["adjusted"][i])
            yield role, tuple(ways), merit, adjusted, int(spares["count"][i])

    def node(self, node: int) -> Node:
        """Return one node as plain values."""
        table, parent = self._table, int(self.parents[node])
        return Node(
            id=node,
            parent=None if parent < 0 else parent,
            depth=int(self.depths[node]),
            count=int(table.count[node]),
            weight=float(table.weight[node]),
            value=tuple(table.value[node].tolist()),
            cost=float(table.cost[node]),
            gain=float(table.gain[node]),
            answer=self.answer(node),
            tied=self.tied(node),
            errors=self.errors(node),
            branches=self.branches(node),
        )

    def nodes(self) -> Iterator[Node]:
        """Go through the nodes in the order of the table."""
        return (self.node(i) for i in range(self.n_nodes))

    def nested(self) -> dict[str, Any]:
        """Return the tree as nested dictionaries.

        A leaf is ``{"class", "cases", "errors"}``, or ``{"mean", "cases", "errors"}`` for a number; a branch is
        ``{"attribute", "branches": [[test, node], ...]}`` with tests ``{"<=": t}``, ``{">": t}``,
        ``{"=": value}``, ``{"in": [values]}`` and, for a branch of missing values alone, ``{"missing": True}``
        (``False`` for a branch of all other values).

        Examples
        --------
        >>> from treewright import ZeroRClassifier, datasets
        >>> ZeroRClassifier().fit(*datasets.play_tennis()).tree_.nested()
        {'class': 'Yes', 'cases': 14.0, 'errors': 5.0}
        """
        built: list[dict[str, Any]] = [{}] * self.n_nodes
        for i in reversed(range(self.n_nodes)):  # children come after their parent
            branches = self.branches(i)
            if branches:
                ways = [[_test(b), built[b.child]] for b in branches]
                built[i] = {"attribute": branches[0].column, "branches": ways}
            else:
                key = "class" if self.schema.classes else "mean"
                weight = float(self._table.weight[i])
                built[i] = {key: self.answer(i), "cases": weight, "errors": self.errors(i)}
        return built[0]

    def _says(self, columns: Any) -> NDArray[np.float64]:
        """Return the output of this tree for the first row of coded columns, as one row of numbers."""
        outputs = np.zeros((1, self._table.n_outputs))
        for node, share in self._forest.parts(self._index, columns):
            outputs += share * self.outputs[node]
        return outputs

    def path(self, row: Table | Any) -> list[int]:
        """Return the nodes on the path of one row, from the root to its end.

        Parameters
        ----------
        row : one-row table, mapping of column names to values, or sequence of values
            The row; columns that a mapping leaves out are missing.
        """
        from treewright._input.encoding import encode, one_row

        node = int(
            self._forest.apply(self._index, encode(one_row(row, self.schema), self.schema))[0]
        )
        path = [node]
        while node:
            node = int(self.parents[node])
            path.append(node)
        return path[::-1]

    def to_frame(self) -> Any:
        """Return the node table as a pandas DataFrame, one row per node (needs pandas)."""
        import pandas as pd

        return pd.DataFrame(list(self.records())).astype({"parent": "Int64"})

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the nodes as dictionaries of plain values."""
        for node in self.nodes():
            column = node.branches[0].column if node.branches else None
            yield {
                "node": node.id,
                "parent": node.parent,
                "depth": node.depth,
                "column": column,
                "threshold": float(self._table.threshold[node.id]),
                "children": len(node.branches),
                "count": node.count,
                "weight": node.weight,
                "cost": node.cost,
                "gain": node.gain,
                "answer": node.answer,
                "errors": node.errors,
            }


COLUMNS = (
    "first_child",
    "n_children",
    "feature",
    "threshold",
    "route_start",
    "missing",
    "value",
    "weight",
    "count",
    "cost",
    "gain",
    "route",
)


# Attributes of a scikit-learn tree that tools for such trees look for.
SKLEARN_NAMES = frozenset(
    {
        "capacity",
        "children_left",
        "children_right",
        "compute_feature_importances",
        "impurity",
        "max_depth",
        "max_n_classes",
        "missing_go_to_left",
        "n_classes",
        "n_features",
        "n_node_samples",
        "n_outputs",
        "node_count",
        "weighted_n_node_samples",
    }
)


def _number_branches(
    column: str, cut: float, n: int, first: int, missing: int
) -> tuple[Branch, ...]:
    missing_branch = Branch(column, "missing", None, first + n - 1, True)
    if cut == np.inf:  # known values against missing ones
        return Branch(column, "known", None, first), missing_branch
    branches = tuple(
        Branch(column, op, cut, first + child, missing == child)
        for child, op in enumerate(("<=", ">"))
    )
    return branches if n == 2 else (*branches, missing_branch)


def _level_branches(
    column: Column, route: list[int], n: int, first: int, missing: int
) -> tuple[Branch, ...]:
    # In the order of their first levels; a branch for missing values alone comes last.
    groups: dict[int, list[Level]] = {}
    for child, level in zip(route, column.levels, strict=True):
        if child < n:
            groups.setdefault(child, []).append(level)
    for child in range(n):
        groups.setdefault(child, [])
    return tuple(
        _category_branch(column.name, levels, first + child, missing == child)
        for child, levels in groups.items()
    )


def _category_branch(column: str, levels: list[Level], child: int, missing: bool) -> Branch:
    if not levels:
        return Branch(column, "missing", None, child, missing)
    if len(levels) == 1:
        return Branch(column, "=", levels[0], child, missing)
    return Branch(column, "in", tuple(levels), child, missing)


def _test(branch: Branch) -> dict[str, Any]:
    if branch.op in ("known", "missing"):
        return {"missing": branch.op == "missing"}
    value = list(branch.value) if isinstance(branch.value, tuple) else branch.value
    return {branch.op: value}


def _rounded(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return products of fractions and weights, with integers restored."""
    rounded = np.round(weights)
    is_integer = abs(weights - rounded) <= 1e-9 + 1e-12 * abs(rounded)
    return np.where(is_integer, rounded, weights)
