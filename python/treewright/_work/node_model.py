"""The data of a node's work: the node, its candidates, and how one was chosen.

Numbers are exact and per unit of weight; entropies are in the requested unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from treewright._model.decision import expected_costs
from treewright._work.criteria import Criterion, Unit
from treewright._work.row_group import Group
from treewright._work.split_choice import Choice, Write, joined, verdict_sentence
from treewright._work.stopping import StopReason
from treewright.schema import Level, label
from treewright.tree import Tree

__all__ = ["Cut", "NodeWork", "Split"]

FEW_CLASSES = 4  # keep the order that they have at the root


@dataclass(frozen=True, slots=True)
class Cut:
    """A threshold of a numeric column."""

    below: float  # the values of the node next to the threshold
    above: float
    threshold: float
    gain: float  # before the MDL penalty
    # The rows below and above, without those whose value is missing; empty where a file does not hold them.
    sides: tuple[Group, ...] = ()

    @property
    def midpoint(self) -> float:
        """The middle of the two values next to the threshold."""
        return self.below / 2 + self.above / 2


@dataclass(frozen=True, slots=True)
class Split:
    """A column with its best split."""

    column: str
    threshold: float | None  # of a numeric column
    groups: tuple[Group, ...]  # the branches, without rows whose value is missing
    known: Group  # the rows of all branches
    unknown: Group | None  # the rows whose value is missing, where they do not count for the gain
    remaining: float  # the impurity after the split, per unit of the node's weight
    gain: float  # before the MDL penalty
    price: float  # the MDL penalty of C4.5 for numeric columns
    # The entropy of the branch sizes, and the adjusted gain divided by it.
    split_info: float | None
    ratio: float | None
    gini: float | None  # the decrease of the Gini index, for comparison
    verdict: str  # "chosen", "gain below average", "too few rows", ... or nothing
    admissible: bool  # whether it could be chosen at all
    # The thresholds of a numeric column in order of value; of many, those with the largest gains.
    cuts: tuple[Cut, ...] = ()
    n_cuts: int = 0  # how many thresholds are admissible, and how many were tried
    tries: int = 0
    wide: bool = False  # whether it has too many values to count in the average gain of C4.5
    # The minimum weight of either side of a threshold; 0 where there is none.
    least_side: float = 0.0
    rule: Mapping[str, Any] | None = None  # how rows leave the node, in the numbers of the core

    @property
    def net(self) -> float:
        """The adjusted gain: the gain minus the MDL penalty."""
        return self.gain - self.price

    @property
    def best_cut(self) -> Cut | None:
        """The threshold that is or would be used: the first of those with the largest gain."""
        most = max((cut.gain for cut in self.cuts), default=0.0)
        chosen = (cut for cut in self.cuts if cut.threshold == self.threshold)
        return next(chosen, next((cut for cut in self.cuts if cut.gain >= most - 1e-9), None))

    def threshold_note(self, write: Any = label) -> str:
        """Return why the threshold is not the midpoint, in one sentence; nothing where it is the midpoint."""
        cut = self.best_cut
        if cut is None or self.threshold is None or self.threshold in (cut.midpoint, math.inf):
            return ""
        return (
            f"C4.5 uses the threshold {write(self.threshold)}, the largest value of the training table that is not "
            f"above {write(cut.midpoint)}, the midpoint of {write(cut.below)} and {write(cut.above)}."
        )


@dataclass(frozen=True, slots=True)
class NodeWork:
    """A node, its candidates from the best to the worst, and how one was chosen."""

    tree: Tree
    node: int
    method: str  # the algorithm: "ID3", "C4.5" or "CART"
    criterion: Criterion
    unit: Unit  # of entropies
    group: Group  # the rows of the node
    # All columns that could be split on: those that compete with the best first, in the order of the columns where
    # they are tied; then those that do not compete; last those without an admissible split.
    splits: tuple[Split, ...]
    asked: tuple[str, ...]  # columns already used on the path that cannot be used again
    chosen: str | None  # the column of the split; None for a leaf
    # What each algorithm would choose by its own rules; first the algorithm of the model.
    choices: tuple[Choice, ...]
    stop: StopReason | None = None  # why the node is a leaf
    notes: tuple[str, ...] = ()
    by_hand: bool = False  # whether the algorithm would have chosen another split

    @property
    def own(self) -> Choice:
        """What the algorithm of the model would choose."""
        return self.choices[0]

    @property
    def by_ratio(self) -> bool:
        """Whether candidates are compared by gain ratio."""
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
        """The classes that have rows in the node, in the order of the page.

        Few classes have the order of the root, so that all pages of a tree look alike; of many, the most frequent of
        the node come first.
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
        expected = expected_costs(self.tree.value[self.node : self.node + 1], self.tree.schema)[0]
        least = expected.min() * (1 + 1e-12) if self.tree.schema.costs else expected.min()
        return tuple(
            c for c, e in zip(self.tree.schema.classes, expected, strict=True) if e <= least
        )

    def tie_sentence(self, name: Any = label) -> str:
        """Return which classes are tied, in one sentence; nothing where none are."""
        tied = self.tied_classes
        if not tied:
            return ""
        names = joined([str(name(level)) for level in tied])
        return f"{names} are tied: the node predicts the first class, {name(tied[0])}."

    def rules(self, write: Write, name: Any = str) -> list[str]:
        """Return how each algorithm chooses, one sentence each."""
        return [choice.rule(write, name) for choice in self.choices]

    def verdicts(self, write: Write, name: Any = str) -> list[str]:
        """Return why the node is a leaf or what is chosen, and the ties, one sentence each."""
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

    def to_dict(
        self,
        *,
        candidates: int | None = None,
        children: int | None = None,
        cuts: int | None = None,
    ) -> dict[str, Any]:
        """Return everything as plain values, or at most so many candidates, branches and thresholds of each."""
        classes = self.tree.schema.classes
        own = self.own
        node = self.node
        first = int(self.tree.first_child[node])

        def group(of: Group) -> dict[str, Any]:
            return of.to_dict(self.criterion, self.unit, classes)

        return {
            "target": self.tree.schema.target,
            "classes": list(classes),
            "node": node,
            "children": list(range(first, first + int(self.tree.n_children[node]))),
            "method": self.method,
            "criterion": self.criterion.key,
            "unit": self.unit.name if self.criterion.key == "entropy" else None,
            **group(self.group),
            "prediction": self.prediction,
            "tied_classes": list(self.tied_classes),
            "average_gain": self.average,
            "chosen": self.chosen,
            "by_hand": self.by_hand,
            "tied": list(own.tied),
            "stop_reason": None if self.stop is None else self.stop.to_dict(),
            "would_choose": self.others,
            "choices": [choice.to_dict() for choice in self.choices],
            "asked_above": list(self.asked),
            "n_candidates": len(self.splits),
            "candidates": [
                _split(split, group, children, cuts) for split in self.splits[:candidates]
            ],
            "notes": list(self.notes),
        }


def _split(
    split: Split,
    group: Callable[[Group], dict[str, Any]],
    children: int | None = None,
    cuts: int | None = None,
) -> dict[str, Any]:
    record: dict[str, Any] = {
        "column": split.column,
        "threshold": None if split.threshold in (None, math.inf) else split.threshold,
        "rule": None if split.rule is None else dict(split.rule),
        "n_children": len(split.groups),
        "children": [each.way() | group(each) for each in split.groups[:children]],
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
        listed = split.cuts
        if cuts is not None and len(listed) > cuts:
            best = sorted(range(len(listed)), key=lambda i: (-listed[i].gain, i))[:cuts]
            listed = tuple(listed[i] for i in sorted(best))
        record["cuts"] = [_cut(cut, group) for cut in listed]
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
