"""What the printers of a node's work have in common: the names of groups, the columns of tables, the closing lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright.arithmetic.formula import text
from treewright.arithmetic.group import Group
from treewright.arithmetic.model import NodeWork, Split
from treewright.arithmetic.pen import Pen
from treewright.draw.conditions import among
from treewright.draw.figures import count, plural, weights
from treewright.draw.paper import Paper
from treewright.schema import label

__all__ = ["Page", "named_classes"]

CLASSES = 4  # columns of a table; of more classes the first three and the others
CUTS = 5


@dataclass(frozen=True, slots=True)
class Page:
    """One node to be printed: its work, how figures are written, on what.

    Parameters
    ----------
    work : NodeWork
        What is printed.
    pen : Pen
        How figures are written.
    paper : Paper
        What text can hold.
    detail : tuple of Split
        The candidates whose arithmetic is written out.
    """

    work: NodeWork
    pen: Pen
    paper: Paper
    detail: tuple[Split, ...]

    def name(self, column: str) -> str:
        """Write the name of a column."""
        return self.paper.name(column)

    def title(self) -> str:
        """Write the target, or what it is."""
        target = self.work.tree.schema.target
        return "" if target is None else self.paper.name(target)

    def group(self, group: Group) -> str:
        """Write what leads to a group: ``Sunny``, ``≤ 75``, ``missing``."""
        also = " or missing" if group.missing else ""
        if group.bound is not None:
            sign = self.paper.glyphs.at_most if group.bound[0] == "<=" else ">"
            return f"{sign} {label(group.bound[1])}{also}"
        if group.levels:
            return among(group.levels, self.paper, 20).removeprefix("= ") + also
        return "missing" if group.missing else "known"

    def candidate(self, split: Split) -> str:
        """Write a candidate: the column, and for a number its cut."""
        cut = split.threshold
        if cut is None and split.best_cut is not None:
            cut = split.best_cut.threshold
        name = self.name(split.column)
        if cut is None:
            return name
        if cut == float("inf"):
            return f"{name} known?"
        return f"{name} {self.paper.glyphs.at_most} {label(cut)}"

    def held(self, group: Group) -> str:
        """Write what a group holds: ``9 Yes, 5 No``, or its mean."""
        if not group.amounts:
            return f"mean {self.pen.rounding.shown(group.mean or 0.0)}"
        classes = self.work.tree.schema.classes
        order = self.work.class_order
        shown = [i for i in order if group.amounts[i] > 0][: CLASSES + 2]
        amounts = weights([group.amounts[i] for i in shown])
        parts = [
            f"{n} {self.paper.level(classes[i], 20)}" for n, i in zip(amounts, shown, strict=True)
        ]
        rest = sum(1 for n in group.amounts if n > 0) - len(shown)
        return ", ".join([*parts, *([f"+{rest} others"] if rest > 0 else [])])

    def rows(self, group: Group) -> str:
        """Write how many rows a group has, and their weight where it differs."""
        said = plural(group.count, "row")
        if abs(group.weight - group.count) > 1e-9 * max(1.0, group.weight):
            said += f" (weight {weights([group.weight])[0]})"
        return said

    def table(self, groups: Sequence[Group]) -> list[tuple[str, list[str]]]:
        """Return the columns of figures of groups: rows, classes or mean, impurity."""
        columns = [("rows", [count(g.count) for g in groups])]
        total = sum(g.weight for g in groups)
        if any(abs(g.weight - g.count) > 1e-9 * max(1.0, total) for g in groups):
            columns.append(("weight", weights([g.weight for g in groups])))
        tree = self.work.tree
        if tree.schema.classes:
            columns += self._classes(groups)
        else:
            columns.append(
                (
                    "mean",
                    [self.pen.rounding.shown(g.mean or 0.0) if g.weight else "·" for g in groups],
                )
            )
        columns.append((self.work.law.noun, [self.pen.impurity(g) for g in groups]))
        return columns

    def _classes(self, groups: Sequence[Group]) -> list[tuple[str, list[str]]]:
        tree = self.work.tree
        order, named = named_classes(self.work)
        flat = [g.amounts[i] for g in groups for i in order]
        written = weights(flat)
        width = len(order)
        columns = [
            (self.paper.level(tree.schema.classes[i], 12), written[k::width])
            for k, i in enumerate(order[:named])
        ]
        if named < width:
            rest = [sum(g.amounts[i] for i in order[named:]) for g in groups]
            columns.append((f"+{width - named} others", weights(rest)))
        return columns

    def zero(self, groups: Sequence[Group]) -> int | None:
        """Return the first group that has none of some class: where 0·log 0 is used."""
        if self.work.law.key != "entropy":
            return None
        present = [i for i, n in enumerate(self.work.group.amounts) if n > 0]
        empty = (
            k
            for k, g in enumerate(groups)
            if g.weight > 0 and any(not g.amounts[i] for i in present)
        )
        return next(empty, None)

    def footnotes(self) -> list[str]:
        """Say which of the calculations that are written out a reader would end otherwise."""
        figures = [self.pen.own(self.work.group)[1]]
        for split in self.detail:
            figures.append(self.pen.gain(split))
            if split.price:
                figures.append(self.pen.net(split))
            if split.ratio is not None and self.shows_ratio:
                figures.append(self.pen.ratio(split))
        odd = dict.fromkeys(
            f"{text(figure.formula)} evaluates to {figure.differs}"
            for figure in figures
            if figure.differs
        )
        said = "; ".join(odd)
        return [f"† from unrounded values: {said}, as their figures were rounded."] if said else []

    @property
    def shows_ratio(self) -> bool:
        """Whether split information and ratio belong to the page."""
        return self.work.law.key == "entropy" and self.work.method != "CART"

    def rules(self) -> list[str]:
        """Say how the choice is made, and what came of it."""
        work, shown = self.work, self.pen.rounding.shown
        said = work.rules(lambda x: self.pen.write("gain", shown(x)), self.name)
        return said if self.pen.hidden("ratio") else [*said, *work.verdicts(shown, self.name)]

    def verdict(self, split: Split) -> str:
        """Write what became of a candidate; the choice itself is an answer of a worksheet."""
        answers = ("chosen", "best", "below average gain", "tied; the first column wins")
        return "" if self.pen.hidden("ratio") and split.verdict in answers else split.verdict

    def closing(self) -> list[str]:
        """Say what a reader should know besides: columns asked above, notes."""
        asked = [self.name(name) for name in self.work.asked]
        said = [] if self.work.splits else self.work.verdicts(self.pen.rounding.shown, self.name)
        said += [f"Asked above: {', '.join(asked)}."] if asked else []
        return [*said, *(f"Note: {note}." for note in self.work.notes)]


def named_classes(work: NodeWork) -> tuple[list[int], int]:
    """Return the classes, the commonest of the node first, and how many of them have a column of their own."""
    order = list(work.class_order)
    return order, len(order) if len(order) <= CLASSES else CLASSES - 1
