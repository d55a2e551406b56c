"""ID3 in plain Python: read this first.

This is the slow twin of :class:`treewright.ID3Classifier`: the same rules and the same trees, written to be understood
in five minutes and compared with the fast one by the tests. It needs only the standard library and is not meant for
large tables.

A tree is grown from the root. Find the split that tells most about the class, divide the rows among its branches, and
repeat with each branch:

1. A split tests one attribute, with one branch for each *possible* value: the levels that are passed in, or those seen
   anywhere in the table. A missing value (None) is one more possible value, listed last, if the column has one in
   training. An attribute with fewer than two possible values is never tested.
2. The best split is the one with the largest information gain. Gains that differ by at most 1e-9 bits are equal, and
   the first column wins.
3. An attribute is tested at most once on a path.
4. A node becomes a leaf if all its rows have one class, if no attribute is left, if the best gain is not above
   ``min_gain`` (if given), if the fraction of its majority class reaches ``sufficient_majority``, or at the limits
   ``max_depth`` and ``min_samples_split``. Without ``min_gain``, a gain of 0 is enough: in XOR each attribute alone
   tells nothing, and both together tell all.
5. A node predicts its majority class; ties go to the first class. A branch without rows predicts the class of its
   parent.
6. To predict, follow the branches. A value without a branch stops the row at that node, whose majority class is
   predicted.

Glossary: *rows* are dictionaries from attribute to value, *labels* their classes; the *levels* of
an attribute are its possible values; the *counts* of a node are its rows of each class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, log2
from typing import Any

__all__ = ["Node", "entropy", "gain", "id3", "nested", "predict"]

TIE = 1e-9  # bits

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Node:
    """A leaf, or a split with a branch for each value.

    Parameters
    ----------
    counts : dict
        The rows of each class, in the order of the classes.
    cases : int
        How many training rows reached it; 0 if the counts are the parent's.
    attribute : str or None, default=None
        What is tested; None for a leaf.
    branches : dict, default={}
        The node that each possible value leads to.

    Examples
    --------
    >>> Node({"no": 5, "yes": 9}, 14).answer
    'yes'
    """

    counts: dict[Any, int]
    cases: int
    attribute: str | None = None
    branches: dict[Any, Node] = field(default_factory=dict)

    @property
    def answer(self) -> Any:
        """The majority class; ties go to the first."""
        return max(self.counts, key=self.counts.__getitem__)


def entropy(labels: Sequence[Any]) -> float:
    """Return the entropy of the classes in bits.

    Examples
    --------
    >>> entropy(["heads", "tails"])
    1.0
    """
    shares = [labels.count(label) / len(labels) for label in dict.fromkeys(labels)]
    return sum(share * log2(1 / share) for share in shares)


def gain(rows: Sequence[Row], labels: Sequence[Any], attribute: str) -> float:
    """Return the information gain: the decrease of the entropy once the value of an attribute is known.

    Examples
    --------
    >>> gain([{"sky": "blue"}, {"sky": "gray"}], ["dry", "wet"], "sky")
    1.0
    """
    branches: dict[Any, list[Any]] = {}
    for row, label in zip(rows, labels, strict=True):
        branches.setdefault(row[attribute], []).append(label)
    after = sum(len(branch) / len(labels) * entropy(branch) for branch in branches.values())
    return entropy(labels) - after


def id3(
    rows: Sequence[Row],
    labels: Sequence[Any],
    *,
    levels: Mapping[str, Sequence[Any]] | None = None,
    classes: Sequence[Any] | None = None,
    min_gain: float | None = None,
    max_depth: int | None = None,
    min_samples_split: int = 2,
    sufficient_majority: float = 1.0,
) -> Node:
    """Grow a tree.

    Parameters
    ----------
    rows : sequence of mappings
        Attribute to value, None for missing; the first row gives the attributes and their order.
    labels : sequence
        The class of each row.
    levels : mapping, optional
        The possible values of an attribute, in the order of its branches; by default those seen,
        sorted.
    classes : sequence, optional
        The classes in the order that decides ties; by default those seen, sorted.
    min_gain : float, optional
        A node whose best gain is not above this is a leaf.
    max_depth : int, optional
        Maximum number of splits on a path.
    min_samples_split : int, default=2
        A node with fewer rows is a leaf.
    sufficient_majority : float, default=1.0
        A node whose majority class has this fraction of its rows is a leaf.

    Returns
    -------
    Node
        The root of the tree.

    Examples
    --------
    >>> rows = [{"A": a, "B": b} for a in (0, 1) for b in (0, 1)]
    >>> xor = id3(rows, [row["A"] ^ row["B"] for row in rows])
    >>> [predict(xor, row) for row in rows]
    [0, 1, 1, 0]
    """
    if not rows or len(rows) != len(labels):
        raise ValueError(f"id3 needs rows and a label for each, not {len(rows)} and {len(labels)}")
    classes = order_values(set(labels), classes)
    levels = levels or {}
    values = {name: order_values({row[name] for row in rows}, levels.get(name)) for name in rows[0]}

    def grow(rows: list[Row], labels: list[Any], untested: list[str], depth: int) -> Node:
        counts = {label: labels.count(label) for label in classes}
        leaf = Node(counts, len(rows))
        pure = max(counts.values()) >= sufficient_majority * len(rows) - TIE
        if pure or not untested or depth == max_depth or len(rows) < min_samples_split:
            return leaf

        best, best_gain = "", -inf
        for name in untested:
            if (its_gain := gain(rows, labels, name)) > best_gain + TIE:
                best, best_gain = name, its_gain
        if min_gain is not None and best_gain <= min_gain + TIE:
            return leaf

        others = [name for name in untested if name != best]
        branches = {}
        for value in values[best]:
            part = [i for i, row in enumerate(rows) if row[best] == value]
            its_rows, its_labels = [rows[i] for i in part], [labels[i] for i in part]
            child = grow(its_rows, its_labels, others, depth + 1) if part else Node(counts, 0)
            branches[value] = child
        return Node(counts, len(rows), best, branches)

    untested = [name for name in values if len(values[name]) > 1]
    return grow(list(rows), list(labels), untested, 0)


def order_values(seen: set[Any], order: Sequence[Any] | None) -> list[Any]:
    """Return values in the given order, which must contain all that were seen, or sorted; None is last."""
    known = sorted(seen - {None}) if order is None else list(order)
    if unknown := seen - {None, *known}:
        raise ValueError(f"{sorted(unknown, key=repr)} not among the possible values {known}")
    return known + [None] * (None in seen)


def predict(tree: Node, row: Row) -> Any:
    """Return the class of a row; an attribute that it lacks is missing.

    Examples
    --------
    >>> tree = Node({"dry": 2, "wet": 1}, 3, "sky", {"gray": Node({"dry": 0, "wet": 1}, 1)})
    >>> predict(tree, {"sky": "gray"}), predict(tree, {"sky": "green"})
    ('wet', 'dry')
    """
    while tree.attribute is not None and row.get(tree.attribute) in tree.branches:
        tree = tree.branches[row.get(tree.attribute)]
    return tree.answer


def nested(tree: Node) -> dict[str, Any]:
    """Return the tree as nested dictionaries, in the form of :meth:`treewright.tree.Tree.nested`.

    Examples
    --------
    >>> nested(Node({"no": 5, "yes": 9}, 14))
    {'class': 'yes', 'cases': 14, 'errors': 5}
    """
    if tree.attribute is None:
        # A branch without rows has the counts of its parent and no errors.
        errors = tree.cases - tree.counts[tree.answer] if tree.cases else 0
        return {"class": tree.answer, "cases": tree.cases, "errors": errors}
    ways = [
        [{"missing": True} if value is None else {"=": value}, nested(node)]
        for value, node in tree.branches.items()
    ]
    return {"attribute": tree.attribute, "branches": ways}
