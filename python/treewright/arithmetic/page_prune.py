"""The page of a pruning decision as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright._render.document import (
    CHOICE,
    Block,
    Cell,
    Column,
    Document,
    Equations,
    Heading,
    Table,
    Text,
    Words,
)
from treewright._render.formula import (
    Equation,
    Formula,
    Group,
    Name,
    Number,
    Power,
    Product,
    Quotient,
    Ratio,
    Sum,
)
from treewright.arithmetic.rounding import Rounding
from treewright.draw.conditions import question
from treewright.draw.figures import plural, weights
from treewright.draw.paper import Paper
from treewright.schema import label

if TYPE_CHECKING:
    from treewright.arithmetic.decision import PruneWork

__all__ = ["prune_document"]

STAGES = ("errors", "cost", CHOICE)
PAPER = Paper(width=200)


def prune_document(work: PruneWork) -> Document:
    """Return the page of a decision."""
    return _Page(work).document()


class _Page:
    def __init__(self, work: PruneWork) -> None:
        self.work, self.write = work, Rounding(work.digits).shown

    def document(self) -> Document:
        """Return all blocks."""
        work, blocks = self.work, self.leaf()
        if work.children:
            blocks += [self.subtree(), *self.verdict()]
        else:
            blocks.append(Text("A leaf: there is nothing to decide.", apart=True))
        target = work.tree.schema.target
        name = () if target is None else (PAPER.name(target),)
        rows = plural(int(work.tree.count[work.node]), "row")
        title = (f"Node #{work.node}", *name, rows, f"{work.method} pruning")
        return Document(title, tuple(blocks), STAGES)

    def cost(self, value: float, stage: str = "cost") -> Number:
        """Write what something costs."""
        return Number(self.write(value), stage, value)

    def errors(self, value: float) -> Number:
        """Write a number of errors."""
        return Number(weights([value])[0], "errors", value)

    def leaf(self) -> list[Block]:
        """Return what the node costs as a leaf."""
        f, work = self.work.figures, self.work
        answer = work.tree.answer(work.node)
        said = self.write(answer) if isinstance(answer, float) else PAPER.name(label(answer))
        heading = Heading(f"As a leaf ({said})")
        (rows,) = weights([float(work.tree.weight[work.node])])
        if work.method == "cost complexity":
            words = (f"{f['risk']} by row of the whole table: ", self.cost(f["leaf"]))
            return [heading, Text(words)]
        wrong, extra = self.errors(f["errors"]), f["leaf"] - f["errors"]
        more: tuple[Formula, ...] = ()
        if f["errors"] < 1e-6:
            power = Power(Number(f"{f['confidence']:g}"), Ratio("1", rows))
            more = (
                Product((Number(rows), Group(Sum(((1, Number("1")), (-1, power))))), wide=True),
            )
        total = Sum(((1, wrong), (1, self.cost(extra))))
        equations = Equations(
            (
                (
                    f"more to expect (confidence {f['confidence']:g})",
                    _equal(*more, self.cost(extra)),
                ),
                ("errors to expect", Equation((total, self.cost(f["leaf"])))),
            )
        )
        return [heading, Text(("errors seen: ", wrong, f" of {rows}")), equations]

    def subtree(self) -> Table:
        """Return what the branches cost."""
        work, kids, tree = self.work, self.work.children, self.work.tree
        head = "to expect" if work.method == "pessimistic" else work.figures["risk"]
        at = tree.schema.columns[tree.feature[work.node]]
        asks = question(at, float(tree.threshold[work.node]), PAPER)
        costs: list[Cell] = [self.cost(child.cost) for child in kids]
        becomes = (Name(child.becomes, CHOICE, vanishes=True) for child in kids)
        columns = [
            Column(asks, (*(child.way for child in kids), "together"), "branch", left=True),
            Column("node", (*(f"#{child.node}" for child in kids), ""), left=True),
            Column("rows", (*map(Number, weights([child.weight for child in kids])), "")),
            Column("errors", (*(self.errors(child.errors) for child in kids), "")),
            Column(head, (*costs, self.cost(work.figures["subtree"])), "cost"),
            Column("", (*becomes, ""), "becomes", left=True),
        ]
        if not tree.schema.classes:
            del columns[3]
        return Table(tuple(columns), "Its subtree", total=True, key="branches")

    def verdict(self) -> list[Block]:
        """Say which of the two stays."""
        f = self.work.figures
        leaf, below = self.cost(f["leaf"]), self.cost(f["subtree"])
        if self.work.method == "pessimistic":
            return self.grace(leaf, below)
        top = Group(Sum(((1, leaf), (-1, below))))
        bottom = Group(Sum(((1, Number(f"{f['leaves']:,}")), (-1, Number("1")))))
        price = Equation((Quotient(top, bottom), self.cost(f["price"])))
        return [
            Text((price, ": what its question saves a leaf."), apart=True),
            Text(self.goes(), apart=True),
        ]

    def goes(self) -> Words:
        """Say at which price of a leaf the question goes."""
        f = self.work.figures
        at = self.cost(f["goes_at"], CHOICE)
        if f["goes_at"] < f["price"] - 1e-12:
            said = (
                "It goes at a price (ccp_alpha) of ",
                " a leaf already, when a node above it does.",
            )
        elif f["goes_at"] > f["price"] + 1e-12:
            said = (
                "Cheaper questions below it go first; it pays up to a price (ccp_alpha) of ",
                " a leaf.",
            )
        else:
            said = ("It pays up to a price (ccp_alpha) of ", " a leaf.")
        return (Name(said[0], CHOICE), at, Name(said[1], CHOICE, vanishes=True))

    def grace(self, leaf: Number, below: Number) -> list[Block]:
        """Say whether a leaf is expected to make more errors."""
        from treewright.arithmetic.decision import GRACE

        keeps = self.work.figures["decision"] == "keep"
        sign, end = (">", "the subtree stays") if keeps else ("≤", "a leaf takes its place")
        rule = (
            "A leaf takes the place of a subtree where it is not expected to make more errors, "
            f"by a grace of {GRACE}."
        )
        right = Sum(((1, below), (1, Number(str(GRACE)))))
        compared = (leaf, Name(f" {sign} ", CHOICE), right, ": ", Name(end, CHOICE), ".")
        return [Text(rule, apart=True), Text(compared, apart=True)]


def _equal(*sides: Formula) -> Formula:
    return Equation(sides) if len(sides) > 1 else sides[0]
