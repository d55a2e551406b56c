"""A node and all that it had to choose from, as plain values: what every printer reads.

Figures are exact and per unit of weight; entropies are in the unit that was asked for. Nothing here is text for a
reader but names.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treewright._model.decision import burdens
from treewright._work.criteria import Criterion, Unit
from treewright._work.row_group import Group
from treewright._work.split_choice import Choice, Write, joined, verdict_sentence
from treewright._work.stopping import StopReason
from treewright.schema import Level, label
from treewright.tree import Tree

__all__ = ["Cut", "NodeWork", "Split"]

FEW_CLASSES = 4  # fit a page beside each other


@dataclass(frozen=True, slots=True)
class Cut:
    """One way to cut a numeric column.

    Parameters
    ----------
    below, above : float
        The numbers of the node around it.
    threshold : float
        What the question compares with.
    gain : float
        What it saves, before any price.
    sides : tuple of Group, default=()
        The rows below and above it; rows without a number are in neither. Empty where a file does not hold them.
    """

    below: float
    above: float
    threshold: float
    gain: float
    sides: tuple[Group, ...] = ()

    @property
    def midpoint(self) -> float:
        """Half way between the numbers around it."""
        return self.below / 2 + self.above / 2


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
        The cuts of a numeric column in order of value; of many, those that save most.
    n_cuts, tries : int
        How many cuts are admissible, and how many were tried.
    wide : bool
        Whether it has too many values to count in the average gain of C4.5.
    least_side : float
        The weight that either side of a cut must have; 0 where nothing is asked of it.
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
    wide: bool = False
    least_side: float = 0.0

    @property
    def net(self) -> float:
        """The gain less the price: what is compared."""
        return self.gain - self.price

    @property
    def best_cut(self) -> Cut | None:
        """The cut that is asked, or would be: the first of those that save most."""
        most = max((cut.gain for cut in self.cuts), default=0.0)
        chosen = (cut for cut in self.cuts if cut.threshold == self.threshold)
        return next(chosen, next((cut for cut in self.cuts if cut.gain >= most - 1e-9), None))

    def threshold_note(self, write: Any = label) -> str:
        """Return why the threshold is not the midpoint, in one sentence; nothing where it is."""
        cut = self.best_cut
        if cut is None or self.threshold is None or self.threshold in (cut.midpoint, math.inf):
            return ""
        return (
            f"C4.5 compares with {write(self.threshold)}, the greatest value of the training table that is not above "
            f"the midpoint {write(cut.midpoint)} of {write(cut.below)} and {write(cut.above)}."
        )


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
    criterion : Criterion
        What the node is judged by.
    unit : Unit
        The unit of entropies.
    group : Group
        The node itself.
    splits : tuple of Split
        All columns that could be asked: the best first, the first column first where they are tied; those that do not
        compete after them, those without an admissible split last.
    asked : tuple of str
        Columns that were asked above and cannot be asked again.
    chosen : str or None
        The column that is asked; None for a leaf.
    choices : tuple of Choice
        What each algorithm would choose by its own rules, its own one first.
    stop : StopReason or None
        Why it is a leaf.
    notes : tuple of str
        What a reader should know besides.
    """

    tree: Tree
    node: int
    method: str
    criterion: Criterion
    unit: Unit
    group: Group
    splits: tuple[Split, ...]
    asked: tuple[str, ...]
    chosen: str | None
    choices: tuple[Choice, ...]
    stop: StopReason | None = None
    notes: tuple[str, ...] = ()

    @property
    def own(self) -> Choice:
        """What its own algorithm would choose."""
        return self.choices[0]

    @property
    def by_ratio(self) -> bool:
        """Whether the choice is by gain ratio."""
        return self.own.by == "gain ratio"

    @property
    def average(self) -> float | None:
        """The average gain that C4.5 compares with."""
        return next((c.average for c in self.choices if c.by == "gain ratio"), None)

    @property
    def others(self) -> dict[str, str | None]:
        """What each algorithm would choose: by name."""
        return {choice.algorithm: choice.chosen for choice in self.choices}

    @property
    def class_order(self) -> tuple[int, ...]:
        """The classes that have rows in the node, in the order in which they are written.

        Few stand as in the whole tree, the most frequent at the root first, so that pages of one tree look alike; of
        many the most frequent of the node come first.
        """
        amounts = self.group.amounts
        present = [i for i, n in enumerate(amounts) if n > 0]
        by = amounts if len(present) > FEW_CLASSES else tuple(self.tree.value[0].tolist())
        return tuple(sorted(present, key=lambda i: (-by[i], i)))

    @property
    def prediction(self) -> Level:
        """What the node predicts."""
        return self.tree.answer(self.node)

    @property
    def tied_classes(self) -> tuple[Level, ...]:
        """The classes that are tied for the prediction, which is the first of them; empty where none are."""
        if not self.group.amounts or not self.group.weight or not self.tree.tied(self.node):
            return ()
        expected = burdens(self.tree.value[self.node : self.node + 1], self.tree.schema)[0]
        least = expected.min() * (1 + 1e-12) if self.tree.schema.costs else expected.min()
        return tuple(
            c for c, e in zip(self.tree.schema.classes, expected, strict=True) if e <= least
        )

    def tie_sentence(self, name: Any = label) -> str:
        """Return which classes are tied and that the first wins, in one sentence; nothing where none are."""
        tied = self.tied_classes
        if not tied:
            return ""
        names = joined([str(name(level)) for level in tied])
        return f"{names} are tied; the first class wins: the node predicts {name(tied[0])}."

    def rules(self, write: Write, name: Any = str) -> list[str]:
        """Return how the choice is made, by each algorithm, one sentence each."""
        return [choice.rule(write, name) for choice in self.choices]

    def verdicts(self, write: Write, name: Any = str) -> list[str]:
        """Return what came of it, one sentence each: why it is a leaf, or who chooses what, and the ties."""
        sentences = [] if self.stop is None else [self.stop.sentence(write, name)]
        if self.stop is None:
            sentences.append(verdict_sentence(self.choices, name))
            sentences += [
                tie if i == 0 else f"{choice.algorithm}: {tie}"
                for i, choice in enumerate(self.choices)
                if (tie := choice.tie_sentence(name))
            ]
        return [sentence for sentence in [*sentences, self.tie_sentence()] if sentence]

    def split(self, column: str | None) -> Split | None:
        """Return the split of a column; of the chosen one where None is given."""
        name = self.chosen if column is None else column
        return next((s for s in self.splits if s.column == name), None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        classes = self.tree.schema.classes
        own = self.own

        def group(of: Group) -> dict[str, Any]:
            return of.to_dict(self.criterion, self.unit, classes)

        return {
            "target": self.tree.schema.target,
            "classes": list(classes),
            "node": self.node,
            "method": self.method,
            "criterion": self.criterion.key,
            "unit": self.unit.name if self.criterion.key == "entropy" else None,
            **group(self.group),
            "prediction": self.prediction,
            "tied_classes": list(self.tied_classes),
            "average_gain": self.average,
            "chosen": self.chosen,
            "tied": list(own.tied),
            "stop_reason": None if self.stop is None else self.stop.to_dict(),
            "would_choose": self.others,
            "choices": [choice.to_dict() for choice in self.choices],
            "asked_above": list(self.asked),
            "candidates": [_split(split, group) for split in self.splits],
            "notes": list(self.notes),
        }


def _split(split: Split, group: Callable[[Group], dict[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {
        "column": split.column,
        "threshold": None if split.threshold in (None, math.inf) else split.threshold,
        "children": [each.way() | group(each) for each in split.groups],
        "unknown": None if split.unknown is None else group(split.unknown),
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
        record["cuts"] = [_cut(cut, group) for cut in split.cuts]
        record |= {"n_cuts": split.n_cuts, "tries": split.tries, "least_side": split.least_side}
    return record


def _cut(cut: Cut, group: Callable[[Group], dict[str, Any]]) -> dict[str, Any]:
    return {
        "below": cut.below,
        "above": cut.above,
        "midpoint": cut.midpoint,
        "threshold": cut.threshold,
        "gain": cut.gain,
        "sides": [group(side) for side in cut.sides],
    }
