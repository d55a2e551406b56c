"""The page of a pruning decision as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright._draw.conditions import question
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
    plain,
)
from treewright._render.formula import (
    Equation,
    Formula,
    Name,
    Number,
    Parentheses,
    Power,
    Product,
    Quotient,
    Ratio,
    Root,
    Sum,
)
from treewright._render.numbers import plural, weights
from treewright._render.page_format import PageFormat
from treewright._render.sentences import Sentences
from treewright._work.lecture_rounding import Rounding

if TYPE_CHECKING:
    from treewright._work.error_bound import Bound
    from treewright._work.pruning_decision import PruneWork

__all__ = ["prune_document"]

STAGES = ("counts", "cost", CHOICE)
PAPER = PageFormat(width=200)
ONE = Number("1")


def prune_document(work: PruneWork, *, worksheet: bool = False) -> Document:
    """Return the page of a decision."""
    return _Page(work, worksheet).document()


class _Page:
    def __init__(self, work: PruneWork, worksheet: bool) -> None:
        self.work, self.worksheet, self.write = work, worksheet, Rounding(work.digits).shown

    def document(self) -> Document:
        """Return all blocks."""
        work, blocks = self.work, self.leaf()
        blocks += [self.subtree()] if work.children else []
        blocks += [Text(words, apart=True) for words in self.verdict()]
        target = work.tree.schema.target
        name = () if target is None else (PAPER.name(target),)
        rows = plural(int(work.tree.count[work.node]), "row")
        title = (f"Node #{work.node}", *name, rows, f"{work.method} pruning")
        return Document(title, tuple(blocks), STAGES)

    def cost(self, value: float) -> Number:
        """Write what something costs."""
        return Number(self.write(value), "cost", value)

    def errors(self, value: float) -> Number:
        """Write a number of errors."""
        return Number(weights([value])[0], "counts", value)

    # ---- as a leaf

    def leaf(self) -> list[Block]:
        """Return what the node costs as a leaf."""
        work, f = self.work, self.work.figures
        answer = work.tree.answer(work.node)
        classes = bool(work.tree.schema.classes)
        prediction = PAPER.level(answer) if classes else self.write(float(answer))
        heading = Heading(f"As a leaf ({prediction})")
        held = self.validation(work.validation)
        if work.bound is None:
            return [heading, *held, Text((f"{work.unit}: ", self.cost(f["leaf"])))]
        (rows,) = weights([work.bound.rows])
        wrong, extra = self.errors(f["errors"]), self.cost(work.bound.extra)
        total = Sum(((1, wrong), (1, extra)))
        equations = (
            ("more to expect", Equation((self.formula(work.bound), extra))),
            ("errors to expect", Equation((total, self.cost(f["leaf"])))),
        )
        return [heading, Text(("errors seen: ", wrong, f" of {rows}")), Equations(equations)]

    def validation(self, amounts: tuple[float, ...]) -> list[Block]:
        """Return the validation rows of the node."""
        if not amounts:
            return []
        classes = self.work.tree.schema.classes
        if len(amounts) != len(classes):
            return [Text(("validation rows: ", self.errors(sum(amounts))))]
        pieces: list[str | Formula] = ["validation rows: "]
        for i, (name, amount) in enumerate(zip(classes, amounts, strict=True)):
            pieces += [", "] if i else []
            pieces += [self.errors(amount), f" {PAPER.level(name, 20)}"]
        return [Text(tuple(pieces))]

    def formula(self, bound: Bound) -> Formula:
        """Return how many more errors are to be expected than were seen."""
        (n,) = map(Number, weights([bound.rows]))
        e = self.errors(bound.errors)
        if bound.kind == "power":
            power = Power(Number(f"{bound.confidence:g}"), Ratio("1", n.text))
            return Product((n, Parentheses(Sum(((1, ONE), (-1, power))))), wide=True)
        if bound.kind == "share":
            rest = Parentheses(Sum(((1, n), (-1, e))))
            return Product((Number(f"{bound.share:g}"), rest), wide=True)
        if bound.kind == "normal":
            return self._normal(bound, n, e)
        if bound.kind == "between":
            none, one = (self.cost(x) for x in bound.ends())
            rise = Parentheses(Sum(((1, one), (-1, none))))
            return Sum(((1, none), (1, Product((e, rise), wide=True))))
        return Number("0")

    def _normal(self, bound: Bound, n: Number, e: Number) -> Formula:
        s = Number(f"{bound.errors + 0.5:g}", "counts", bound.errors + 0.5)
        z = Power(Number(self.write(bound.z)))
        spread = Product((s, Parentheses(Sum(((1, ONE), (-1, Quotient(s, n)))))), wide=True)
        inside = Parentheses(Sum(((1, spread), (1, Quotient(z, Number("4"))))))
        root = Root(Product((z, inside), wide=True))
        top = Parentheses(Sum(((1, s), (1, Quotient(z, Number("2"))), (1, root))))
        share = Quotient(Product((n, top), wide=True), Parentheses(Sum(((1, n), (1, z)))))
        return Sum(((1, share), (-1, e)))

    # ---- as a subtree

    def subtree(self) -> Table:
        """Return what the branches cost."""
        work, kids, tree = self.work, self.work.children, self.work.tree
        head = (
            "to expect"
            if work.method == "pessimistic"
            else work.figures.get("risk", "errors there")
        )
        at = tree.schema.columns[tree.feature[work.node]]
        asks = question(at, float(tree.threshold[work.node]), PAPER)
        costs: list[Cell] = [self.cost(child.cost) for child in kids]
        together: Cell = self.cost(work.figures["subtree"]) if "subtree" in work.figures else ""
        becomes = (Name(child.becomes, CHOICE, vanishes=True) for child in kids)
        columns = [
            Column(asks, (*(child.way for child in kids), "together"), "branch", left=True),
            Column("node", (*(f"#{child.node}" for child in kids), ""), left=True),
            Column("rows", (*map(Number, weights([child.weight for child in kids])), "")),
            Column("errors", (*(self.errors(child.errors) for child in kids), "")),
        ]
        columns += self.held()
        columns.append(Column(head, (*costs, together), "cost"))
        columns += [] if self.worksheet else self.bounds()
        columns.append(Column("", (*becomes, ""), "becomes", left=True))
        if not tree.schema.classes:
            del columns[3]
        return Table(tuple(columns), "Its subtree", total=True, key="branches")

    def held(self) -> list[Column]:
        """Return the validation rows of the branches."""
        kids = self.work.children
        if not any(child.validation for child in kids):
            return []
        rows = (self.errors(sum(child.validation)) for child in kids)
        return [Column("validation rows", (*rows, ""))]

    def bounds(self) -> list[Column]:
        """Return how the errors to expect of leaves are found."""
        kids = self.work.children
        if not any(child.bound is not None for child in kids):
            return []
        cells: list[Cell] = []
        for child in kids:
            if child.bound is None:
                cells.append("")
                continue
            seen = self.errors(child.bound.errors)
            more = self.formula(child.bound)
            cells.append(Sum(((1, seen), (1, more))) if child.bound.errors else more)
        return [Column("found by", (*cells, ""), "formula", left=True)]

    # ---- which of them stays

    def verdict(self) -> list[Words]:
        """Say which of the two stays; on a worksheet the sentence is an answer."""
        sentences = Sentences(self.cost, PAPER.name, CHOICE)
        words = [sentences.words(sentence) for sentence in self.work.verdict(sentences.figure)]
        if "subtree" not in self.work.figures or not self.worksheet:
            return words
        winner = "subtree" if self.work.figures["decision"] == "keep" else "leaf"
        line = ("What stays: ", Name(f"the {winner}", CHOICE), ".")
        rule = words[:1] if self.work.method != "cost complexity" else []
        last = words[len(rule) :]
        return [*rule, line, *(Name(plain(w), CHOICE, vanishes=True) for w in last)]
