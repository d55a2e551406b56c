"""The work of a pruning decision: what a node costs as a leaf, what its subtree costs, and which of the two stays.

How the figures are found is in ``pruned``.

Glossary: *pessimistic* compares the errors to expect on new rows, *cost complexity* finds the price of a leaf up to
which the subtree pays, *reduced error* compares the errors on validation rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright._render.document import Document
from treewright._work.error_bound import Bound
from treewright._work.pruning_page import prune_document
from treewright._work.split_choice import Write
from treewright._work.work_result import WorkResult
from treewright.tree import Tree

__all__ = ["Child", "PruneWork"]

GRACE = 0.1  # a leaf may be expected to err this much more often than the subtree


@dataclass(frozen=True, slots=True)
class Child:
    """A branch of the node: what leads there, what it holds, and what it is taken to cost.

    Parameters
    ----------
    way : str
        What leads there.
    node : int
        The node.
    weight, errors : float
        The weight of its training rows, and of those that it gets wrong.
    cost : float
        What it is taken to cost: expected errors, impurity by row, or errors on the validation rows.
    becomes : str
        What its own decision was, in words.
    bound : Bound or None, default=None
        How the errors of a leaf to expect are found; only of leaves, by pessimistic pruning.
    validation : tuple of float, default=()
        The weight of each class among the validation rows that come here; of numbers their weight.
    """

    way: str
    node: int
    weight: float
    errors: float
    cost: float
    becomes: str
    bound: Bound | None = None
    validation: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class PruneWork(WorkResult):
    """The work of a pruning decision, made by :func:`treewright.work` with ``what="prune"``.

    Parameters
    ----------
    tree : Tree
        The tree: the model's own, or the one before the pruning where a trace was given.
    node : int
        The node.
    method : str
        Who decides: "pessimistic", "cost complexity", "reduced error", "collapse" or "snip".
    figures : dict
        What was compared, by name: ``leaf`` and ``subtree`` are what they cost, ``decision`` is "keep", "leaf" or
        "raise"; besides what the method looks at.
    children : tuple of Child
        The branches of the node; none where it is a leaf.
    bound : Bound or None, default=None
        How the errors of the node as a leaf to expect are found; of pessimistic pruning.
    validation : tuple of float, default=()
        The weight of each class among the validation rows of the node, by reduced-error pruning; of numbers their
        weight.
    unit : str, default=""
        What ``leaf`` and ``subtree`` count.
    digits : int, default=3
        The decimals that are shown.
    width, ascii : int or None, bool or None, default=None
        Columns of text, and whether to write with ASCII signs only.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets, work
    >>> clf = C45Classifier(prune=None, min_cases=1).fit(*datasets.play_tennis())
    >>> work(clf, 1, what="prune").to_dict()["decision"]
    'keep'
    """

    tree: Tree
    node: int
    method: str
    figures: dict[str, Any]
    children: tuple[Child, ...]
    bound: Bound | None = None
    validation: tuple[float, ...] = ()
    unit: str = ""
    digits: int = 3
    width: int | None = None
    ascii: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        branches = [
            {
                "way": child.way,
                "node": child.node,
                "weight": child.weight,
                "errors": child.errors,
                "cost": child.cost,
                "becomes": child.becomes,
                "bound": None if child.bound is None else child.bound.to_dict(),
                "validation": list(child.validation),
            }
            for child in self.children
        ]
        own = {"node": self.node, "method": self.method, "unit": self.unit}
        more = {
            "bound": None if self.bound is None else self.bound.to_dict(),
            "validation": list(self.validation),
            "branches": branches,
        }
        return own | self.figures | more

    def verdict(self, write: Write) -> list[str]:
        """Return what is compared and what follows, one sentence each.

        Parameters
        ----------
        write : callable
            Writes a figure.
        """
        f = self.figures
        if "subtree" not in f:
            return ["A leaf: there is nothing to decide."]
        leaf, below, keeps = write(f["leaf"]), write(f["subtree"]), f["decision"] == "keep"
        end = "the subtree stays" if keeps else "a leaf takes its place"
        if f["decision"] == "raise":
            end = "its largest branch takes its place"
        if self.method == "pessimistic":
            return [
                "A leaf takes the place of a subtree where it is not expected to make more errors, "
                f"by a grace of {GRACE}.",
                f"{leaf} {'>' if f['leaf'] > f['subtree'] + GRACE else '≤'} {below} + {GRACE}: {end}.",
            ]
        if self.method == "cost complexity":
            return self._price(write)
        sign = ">" if f["leaf"] > f["subtree"] + 1e-9 else "≤"
        rule = {
            "reduced error": "A leaf takes the place of a subtree that is not better on the validation rows.",
            "collapse": "A leaf takes the place of leaves that all predict the same.",
        }.get(self.method, "A leaf takes the place of a subtree that was named.")
        if self.method == "reduced error" and not f["rows"]:
            return [rule, f"No validation row comes here: {end}."]
        return [rule, f"{leaf} {sign} {below} ({self.unit}): {end}."]

    def _price(self, write: Write) -> list[str]:
        f = self.figures
        leaf, below = write(f["leaf"]), write(f["subtree"])
        leaves, price = f["leaves"], write(f["price"])
        said = [f"({leaf} − {below}) / ({leaves:,} − 1) = {price}: what its question saves a leaf."]
        goes = f"a price (ccp_alpha) of {write(f['goes_at'])} a leaf"
        if f["goes_at"] < f["price"] - 1e-12:
            return [*said, f"It goes at {goes} already, when a node above it does."]
        if f["goes_at"] > f["price"] + 1e-12:
            return [*said, f"Cheaper questions below it go first; it pays up to {goes}."]
        return [*said, f"It pays up to {goes}."]

    def _pages(self, *, worksheet: bool = False) -> Document:
        return prune_document(self, worksheet=worksheet)
