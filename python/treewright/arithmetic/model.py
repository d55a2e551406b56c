"""A node and all that it had to choose from, as plain values: what every printer reads.

Figures are exact and per unit of weight; entropies are in the unit that was asked for. Nothing here is text for a
reader but names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright.arithmetic.laws import Law, Unit
from treewright.schema import Level
from treewright.tree import Tree

__all__ = ["Cut", "Group", "NodeWork", "Split"]


@dataclass(frozen=True, slots=True)
class Group:
    """A set of rows: a node, a child, the rows that a question cannot be asked.

    Parameters
    ----------
    levels : tuple or None
        The categories that lead here.
    bound : tuple of (str, float) or None
        The comparison that leads here: ``("<=", 75.0)``.
    missing : bool
        Whether missing values come here.
    count, weight : int, float
        Rows and their weight.
    amounts : tuple of float
        The weight of each class, in the order of the classes; empty where a number is predicted.
    mean : float or None
        The mean, where a number is predicted.
    impurity : float
        Entropy, Gini index or variance.
    """

    levels: tuple[Level, ...] | None
    bound: tuple[str, float] | None
    missing: bool
    count: int
    weight: float
    amounts: tuple[float, ...]
    mean: float | None
    impurity: float


@dataclass(frozen=True, slots=True)
class Cut:
    """One way to cut a numeric column: the numbers around it, what the question compares with, what it saves."""

    below: float
    above: float
    threshold: float
    gain: float


@dataclass(frozen=True, slots=True)
class Split:
    """A column with its best split.

    Parameters
    ----------
    column : str
        The column.
    threshold : float or None
        What a number is compared with.
    groups : tuple of Group
        The children, of the rows that can answer.
    known : Group
        These rows together.
    unknown : Group or None
        The rows that cannot answer and that the split is not judged by.
    remaining : float
        What is left of the impurity, per unit of the node's weight.
    gain : float
        What is saved, before any price.
    price : float
        What choosing among many cuts costs.
    split_info, ratio : float or None
        The entropy of the division itself, and the gain, less the price, by it.
    gini : float or None
        What is saved of Gini's index, for comparison.
    verdict : str
        "chosen", "tied", "below average gain", "too few cases", ... or nothing.
    admissible : bool
        Whether it could be chosen at all.
    cuts : tuple of Cut
        The best cuts of a numeric column, the best first.
    n_cuts, tries : int
        How many cuts are admissible, and how many were tried.
    """

    column: str
    threshold: float | None
    groups: tuple[Group, ...]
    known: Group
    unknown: Group | None
    remaining: float
    gain: float
    price: float
    split_info: float | None
    ratio: float | None
    gini: float | None
    verdict: str
    admissible: bool
    cuts: tuple[Cut, ...] = ()
    n_cuts: int = 0
    tries: int = 0

    @property
    def net(self) -> float:
        """The gain less the price: what is compared."""
        return self.gain - self.price


@dataclass(frozen=True, slots=True)
class NodeWork:
    """A node, its candidates in the order of their worth, and how one was chosen.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        The node.
    method : str
        The algorithm: "ID3", "C4.5" or "CART".
    law : Law
        What the node is judged by.
    unit : Unit
        The unit of entropies.
    group : Group
        The node itself.
    splits : tuple of Split
        All columns that could be asked, the best first; those without an admissible split last.
    asked : tuple of str
        Columns that were asked above and cannot be asked again.
    average : float or None
        The average gain, which a ratio needs to reach.
    chosen : str or None
        The column that is asked.
    others : dict
        What other algorithms would choose: by name.
    by_ratio : bool
        Whether the choice is by gain ratio.
    notes : tuple of str
        What a reader should know besides.
    """

    tree: Tree
    node: int
    method: str
    law: Law
    unit: Unit
    group: Group
    splits: tuple[Split, ...]
    asked: tuple[str, ...]
    average: float | None
    chosen: str | None
    others: dict[str, str | None]
    by_ratio: bool = False
    notes: tuple[str, ...] = ()

    def split(self, column: str | None) -> Split | None:
        """Return the split of a column; of the chosen one where None is given."""
        name = self.chosen if column is None else column
        return next((s for s in self.splits if s.column == name), None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "target": self.tree.schema.target,
            "classes": list(self.tree.schema.classes),
            "node": self.node,
            "method": self.method,
            "criterion": self.law.key,
            "unit": self.unit.name if self.law.key == "entropy" else None,
            **_group(self.group),
            "average_gain": self.average,
            "chosen": self.chosen,
            "would_choose": dict(self.others),
            "asked_above": list(self.asked),
            "candidates": [_split(split) for split in self.splits],
            "notes": list(self.notes),
        }


def _group(group: Group) -> dict[str, Any]:
    record: dict[str, Any] = {
        "rows": group.count,
        "weight": group.weight,
        "impurity": group.impurity,
    }
    if group.amounts:
        record["class_weights"] = list(group.amounts)
    if group.mean is not None:
        record["mean"] = group.mean
    return record


def _way(group: Group) -> dict[str, Any]:
    record: dict[str, Any] = {"missing": group.missing}
    if group.levels is not None:
        record["in"] = list(group.levels)
    if group.bound is not None:
        record[{"<=": "at_most", ">": "above"}[group.bound[0]]] = group.bound[1]
    return record | _group(group)


def _split(split: Split) -> dict[str, Any]:
    record: dict[str, Any] = {
        "column": split.column,
        "children": [_way(group) for group in split.groups],
        "unknown": None if split.unknown is None else _group(split.unknown),
        "remaining": split.remaining,
        "gain": split.gain,
        "price": split.price,
        "split_information": split.split_info,
        "gain_ratio": split.ratio,
        "gini_decrease": split.gini,
        "verdict": split.verdict,
        "admissible": split.admissible,
    }
    if split.cuts or split.tries:
        record["cuts"] = [
            {"below": c.below, "above": c.above, "threshold": c.threshold, "gain": c.gain}
            for c in split.cuts
        ]
        record |= {"n_cuts": split.n_cuts, "tries": split.tries}
    return record
