"""ID3 in plain Python: read this first.

This is the slow twin of :class:`treewright.ID3Classifier`: the same rules and the same trees,
written to be understood in five minutes, and held against the fast one by the tests. It needs
nothing but the standard library, and it is no learner for large tables.

A tree is grown from the top. Ask the question whose answer tells most about the class, deal the
rows out by their answers, and do the same again with each pile:

1. A question is "what is the value of this attribute?", with one branch for each *possible* value:
   the levels that are passed in, or those seen anywhere in the table. A missing value (None) is one
   more possible value, listed last, if the column has one in training. An attribute with fewer
   than two possible values is never asked about.
2. The best question is the one with the largest information gain. Gains that differ by no more than
   1e-9 bits are equal, and the first column wins.
3. An attribute is asked about at most once on a path.
4. A node stops growing and becomes a leaf when all its rows have one class, when no attribute is
   left, when the best gain is not above ``min_gain`` (if that is given), when its majority has the
   share ``sufficient_majority`` (if that is given), or at the limits ``max_depth`` and
   ``min_samples_split``. Without ``min_gain`` a gain of 0 is good enough: in XOR each attribute
   alone tells nothing, and both together tell all.
5. A node answers with its majority; between equals, the first class wins. A branch that no row took
   answers what its parent answers.
6. To predict, follow the branches. A value that has no branch stops the row at that node, whose
   majority is the answer.

Glossary: *rows* are dictionaries from attribute to value, *labels* their classes; the *levels* of
an attribute are its possible values; the *counts* of a node are how many rows of each class it had.
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
    """A leaf, or a question with a branch for each answer.

    Parameters
    ----------
    counts : dict
        How many rows of each class it answers with, in the order of the classes.
    cases : int
        How many training rows came here; 0 where the counts are the parent's.
    attribute : str or None, default=None
        What is asked; None for a leaf.
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
        """The majority; between equals, the first class."""
        return max(self.counts, key=self.counts.__getitem__)


def entropy(labels: Sequence[Any]) -> float:
    """Return how uncertain the class of one of these rows is, in bits.

    Examples
    --------
    >>> entropy(["heads", "tails"])
    1.0
    """
    shares = [labels.count(label) / len(labels) for label in dict.fromkeys(labels)]
    return sum(share * log2(1 / share) for share in shares)


def gain(rows: Sequence[Row], labels: Sequence[Any], attribute: str) -> float:
    """Return how much of that uncertainty the value of an attribute takes away, on average.

    Examples
    --------
    >>> gain([{"sky": "blue"}, {"sky": "grey"}], ["dry", "wet"], "sky")
    1.0
    """
    piles: dict[Any, list[Any]] = {}
    for row, label in zip(rows, labels, strict=True):
        piles.setdefault(row[attribute], []).append(label)
    left = sum(len(pile) / len(labels) * entropy(pile) for pile in piles.values())
    return entropy(labels) - left


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
    """Learn a tree.

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
        The classes in the order in which ties go to the first; by default those seen, sorted.
    min_gain : float, optional
        A node whose best gain is not above this is a leaf.
    max_depth : int, optional
        The most questions on a path.
    min_samples_split : int, default=2
        A node with fewer rows is a leaf.
    sufficient_majority : float, default=1.0
        A node whose most frequent class has this share of its rows is a leaf.

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
    classes = listed(set(labels), classes)
    levels = levels or {}
    values = {name: listed({row[name] for row in rows}, levels.get(name)) for name in rows[0]}

    def grow(rows: list[Row], labels: list[Any], unasked: list[str], depth: int) -> Node:
        counts = {label: labels.count(label) for label in classes}
        leaf = Node(counts, len(rows))
        pure = max(counts.values()) >= sufficient_majority * len(rows) - TIE
        if pure or not unasked or depth == max_depth or len(rows) < min_samples_split:
            return leaf

        best, best_gain = "", -inf
        for name in unasked:
            if (its_gain := gain(rows, labels, name)) > best_gain + TIE:
                best, best_gain = name, its_gain
        if min_gain is not None and best_gain <= min_gain + TIE:
            return leaf

        others = [name for name in unasked if name != best]
        branches = {}
        for value in values[best]:
            pile = [i for i, row in enumerate(rows) if row[best] == value]
            its_rows, its_labels = [rows[i] for i in pile], [labels[i] for i in pile]
            below = grow(its_rows, its_labels, others, depth + 1) if pile else Node(counts, 0)
            branches[value] = below
        return Node(counts, len(rows), best, branches)

    unasked = [name for name in values if len(values[name]) > 1]
    return grow(list(rows), list(labels), unasked, 0)


def listed(seen: set[Any], order: Sequence[Any] | None) -> list[Any]:
    """List values in a given order, which must name all that were seen, or sorted; None is last."""
    known = sorted(seen - {None}) if order is None else list(order)
    if strange := seen - {None, *known}:
        raise ValueError(f"{sorted(strange, key=repr)} not among the possible values {known}")
    return known + [None] * (None in seen)


def predict(tree: Node, row: Row) -> Any:
    """Return the class of a row; an attribute that it lacks is missing.

    Examples
    --------
    >>> tree = Node({"dry": 2, "wet": 1}, 3, "sky", {"grey": Node({"dry": 0, "wet": 1}, 1)})
    >>> predict(tree, {"sky": "grey"}), predict(tree, {"sky": "green"})
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
        # The counts of a branch that no row took are its parent's, so no row is wrong there.
        errors = tree.cases - tree.counts[tree.answer] if tree.cases else 0
        return {"class": tree.answer, "cases": tree.cases, "errors": errors}
    ways = [
        [{"missing": True} if value is None else {"=": value}, nested(node)]
        for value, node in tree.branches.items()
    ]
    return {"attribute": tree.attribute, "branches": ways}
