"""The work of a pruning decision: what a node costs as a leaf, what its subtree costs, and which of the two stays.

How the figures are found is in ``pruned``.

Glossary: *pessimistic* compares the errors to expect on new rows, *cost complexity* finds the price of a leaf up to
which the subtree pays, *reduced error* compares the errors on validation rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treewright.arithmetic.bound import Bound
from treewright.arithmetic.choice import Write
from treewright.arithmetic.sheet import Part, Sheet, Shown, saved
from treewright.draw.conditions import question
from treewright.draw.figures import fixed, plural, weights
from treewright.draw.grid import Lane
from treewright.draw.paper import Paper
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
class PruneWork(Shown):
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
        if self.tree.schema.classes:
            leaf, below = weights([f["leaf"], f["subtree"]])
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

    def save(self, path: str | Path) -> None:
        """Write the work to a file; its suffix says how: .txt, .md, .tex, .html or .json."""
        saved(self, path, f"node {self.node}")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {
            "text/plain": str(self),
            "text/markdown": self.to_markdown(),
            "text/html": self.to_html(),
        }

    # ---- the page

    def _sheet(self, paper: Paper) -> Sheet:
        parts = [self._leaf(paper)]
        if self.children:
            parts.append(self._subtree(paper))
        parts.append(Part("", lines=self.verdict(self._shown)))
        return Sheet(self._title(paper), parts)

    def _title(self, paper: Paper) -> str:
        tree, target = self.tree, self.tree.schema.target
        name = "" if target is None else f"   {paper.name(target)}"
        said = f"Node #{self.node}{name}   {plural(int(tree.count[self.node]), 'row')}"
        return f"{said}   {self.method} pruning"

    def _leaf(self, paper: Paper) -> Part:
        f = self.figures
        said = self.tree.answer(self.node)
        answer = paper.level(said) if self.tree.schema.classes else self._shown(float(said))
        heading = f"As a leaf ({answer})"
        (rows,) = weights([float(self.tree.weight[self.node])])
        if self.method == "cost complexity":
            what = {"impurity": "impurity", "errors": "errors"}[f["risk"]]
            return Part(
                heading, lines=[f"{what} by row of the whole table: {self._shown(f['leaf'])}"]
            )
        if self.bound is None:
            cost = weights([f["leaf"]])[0] if self.tree.schema.classes else self._shown(f["leaf"])
            return Part(heading, lines=[f"{self.unit}: {cost}"])
        (wrong,) = weights([f["errors"]])
        extra = self._shown(self.bound.extra)
        return Part(
            heading,
            lines=[
                f"errors seen: {wrong} of {rows}",
                f"more to expect: {self.bound.formula(self._shown)} = {extra}",
                f"errors to expect: {wrong} + {extra} = {self._shown(f['leaf'])}",
            ],
        )

    def _subtree(self, paper: Paper) -> Part:
        kids = self.children
        head = (
            "to expect"
            if self.method == "pessimistic"
            else self.figures.get("risk", "errors there")
        )
        at = self.tree.schema.columns[self.tree.feature[self.node]]
        column = question(at, float(self.tree.threshold[self.node]), paper)
        lanes = [
            Lane(column, [*(child.way for child in kids), "together"], left=True, gap=0),
            Lane("node", [*(f"#{child.node}" for child in kids), ""], left=True),
            Lane("rows", [*weights([child.weight for child in kids]), ""]),
            Lane("errors", [*weights([child.errors for child in kids]), ""]),
            Lane(
                head,
                [
                    *(self._shown(child.cost) for child in kids),
                    self._shown(self.figures["subtree"]),
                ],
            ),
            Lane("", [*(child.becomes for child in kids), ""], left=True),
        ]
        if not self.tree.schema.classes:
            del lanes[3]
        return Part("Its subtree", lanes)

    def _shown(self, x: float) -> str:
        return fixed(x, self.digits)
