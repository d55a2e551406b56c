"""The work of a pruning decision: what a node costs as a leaf, what its subtree costs, and which of the two stays.

How the figures are found is in ``pruned``.

Glossary: *pessimistic* compares the errors to expect on new rows, *cost complexity* finds the price of a leaf up to
which the subtree pays, *reduced error* compares the errors on validation rows.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

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
from treewright._render.sentences import Sentences
from treewright._work.error_bound import Bound
from treewright._work.lecture_rounding import Rounding
from treewright._work.split_choice import Write
from treewright._work.work_result import NAMES, WorkResult
from treewright.tree import Tree

STAGES = ("counts", "cost", CHOICE)
ONE = Number("1")

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
    digits, width, ascii : optional
        How it is written.

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

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        branches = [
            asdict(child) | {"validation": list(child.validation)} for child in self.children
        ]
        own = {"node": self.node, "method": self.method, "unit": self.unit}
        more = {
            "bound": None if self.bound is None else asdict(self.bound),
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
        saving = f"({leaf} − {below}) / ({leaves:,} − 1) = {price}: what its question saves a leaf."
        goes = f"a price (ccp_alpha) of {write(f['goes_at'])} a leaf"
        if f["goes_at"] < f["price"] - 1e-12:
            return [saving, f"It goes at {goes} already, when a node above it does."]
        if f["goes_at"] > f["price"] + 1e-12:
            return [saving, f"Cheaper questions below it go first; it pays up to {goes}."]
        return [saving, f"It pays up to {goes}."]

    def _pages(self, *, worksheet: bool = False) -> Document:
        blocks = self._leaf_blocks()
        blocks += [self._subtree_table(worksheet)] if self.children else []
        blocks += [Text(words, apart=True) for words in self._verdict_words(worksheet)]
        target = self.tree.schema.target
        name = () if target is None else (NAMES.name(target),)
        rows = plural(int(self.tree.count[self.node]), "row")
        title = (f"Node #{self.node}", *name, rows, f"{self.method} pruning")
        return Document(title, tuple(blocks), STAGES)

    def _cost(self, value: float) -> Number:
        """Write what something costs."""
        return self._number("cost", value)

    def _errors(self, value: float) -> Number:
        """Write a number of errors."""
        return Number(weights([value])[0], "counts", value)

    # ---- as a leaf

    def _leaf_blocks(self) -> list[Block]:
        """Return what the node costs as a leaf."""
        f = self.figures
        answer = self.tree.answer(self.node)
        classes = bool(self.tree.schema.classes)
        prediction = NAMES.level(answer) if classes else Rounding(self.digits).shown(float(answer))
        heading = Heading(f"As a leaf ({prediction})")
        rows = self._validation_blocks(self.validation)
        if self.bound is None:
            return [heading, *rows, Text((f"{self.unit}: ", self._cost(f["leaf"])))]
        (weight,) = weights([self.bound.rows])
        wrong, extra = self._errors(f["errors"]), self._cost(self.bound.extra)
        total = Sum(((1, wrong), (1, extra)))
        equations = (
            ("more to expect", Equation((self._bound_formula(self.bound), extra))),
            ("errors to expect", Equation((total, self._cost(f["leaf"])))),
        )
        return [heading, Text(("errors seen: ", wrong, f" of {weight}")), Equations(equations)]

    def _validation_blocks(self, amounts: tuple[float, ...]) -> list[Block]:
        """Return the validation rows of the node."""
        if not amounts:
            return []
        classes = self.tree.schema.classes
        if len(amounts) != len(classes):
            return [Text(("validation rows: ", self._errors(sum(amounts))))]
        pieces: list[str | Formula] = ["validation rows: "]
        for i, (name, amount) in enumerate(zip(classes, amounts, strict=True)):
            pieces += [", "] if i else []
            pieces += [self._errors(amount), f" {NAMES.level(name, 20)}"]
        return [Text(tuple(pieces))]

    def _bound_formula(self, bound: Bound) -> Formula:
        """Return how many more errors are to be expected than were seen."""
        (n,) = map(Number, weights([bound.rows]))
        e = self._errors(bound.errors)
        if bound.kind == "power":
            power = Power(Number(f"{bound.confidence:g}"), Ratio("1", n.text))
            return Product((n, Parentheses(Sum(((1, ONE), (-1, power))))), wide=True)
        if bound.kind == "share":
            rest = Parentheses(Sum(((1, n), (-1, e))))
            return Product((Number(f"{bound.share:g}"), rest), wide=True)
        if bound.kind == "normal":
            return self._normal(bound, n, e)
        if bound.kind == "between":
            none, one = (self._cost(x) for x in bound.ends())
            rise = Parentheses(Sum(((1, one), (-1, none))))
            return Sum(((1, none), (1, Product((e, rise), wide=True))))
        return Number("0")

    def _normal(self, bound: Bound, n: Number, e: Number) -> Formula:
        s = Number(f"{bound.errors + 0.5:g}", "counts", bound.errors + 0.5)
        z = Power(Number(Rounding(self.digits).shown(bound.z)))
        spread = Product((s, Parentheses(Sum(((1, ONE), (-1, Quotient(s, n)))))), wide=True)
        inside = Parentheses(Sum(((1, spread), (1, Quotient(z, Number("4"))))))
        root = Root(Product((z, inside), wide=True))
        top = Parentheses(Sum(((1, s), (1, Quotient(z, Number("2"))), (1, root))))
        share = Quotient(Product((n, top), wide=True), Parentheses(Sum(((1, n), (1, z)))))
        return Sum(((1, share), (-1, e)))

    # ---- as a subtree

    def _subtree_table(self, worksheet: bool) -> Table:
        """Return what the branches cost."""
        kids, tree = self.children, self.tree
        head = (
            "to expect"
            if self.method == "pessimistic"
            else self.figures.get("risk", "errors there")
        )
        at = tree.schema.columns[tree.feature[self.node]]
        asks = question(at, float(tree.threshold[self.node]), NAMES)
        costs: list[Cell] = [self._cost(child.cost) for child in kids]
        together: Cell = self._cost(self.figures["subtree"]) if "subtree" in self.figures else ""
        becomes = (Name(child.becomes, CHOICE, vanishes=True) for child in kids)
        columns = [
            Column(asks, (*(child.way for child in kids), "together"), "branch", left=True),
            Column("node", (*(f"#{child.node}" for child in kids), ""), left=True),
            Column("rows", (*map(Number, weights([child.weight for child in kids])), "")),
            Column("errors", (*(self._errors(child.errors) for child in kids), "")),
        ]
        columns += self._validation_columns()
        columns.append(Column(head, (*costs, together), "cost"))
        columns += [] if worksheet else self._bound_columns()
        columns.append(Column("", (*becomes, ""), "becomes", left=True))
        if not tree.schema.classes:
            del columns[3]
        return Table(tuple(columns), "Its subtree", total=True, key="branches")

    def _validation_columns(self) -> list[Column]:
        """Return the validation rows of the branches."""
        kids = self.children
        if not any(child.validation for child in kids):
            return []
        rows = (self._errors(sum(child.validation)) for child in kids)
        return [Column("validation rows", (*rows, ""))]

    def _bound_columns(self) -> list[Column]:
        """Return how the errors to expect of leaves are found."""
        kids = self.children
        if not any(child.bound is not None for child in kids):
            return []
        cells: list[Cell] = []
        for child in kids:
            if child.bound is None:
                cells.append("")
                continue
            seen = self._errors(child.bound.errors)
            more = self._bound_formula(child.bound)
            cells.append(Sum(((1, seen), (1, more))) if child.bound.errors else more)
        return [Column("found by", (*cells, ""), "formula", left=True)]

    # ---- which of them stays

    def _verdict_words(self, worksheet: bool) -> list[Words]:
        """Say which of the two stays; on a worksheet the sentence is an answer."""
        sentences = Sentences(self._cost, NAMES.name, CHOICE)
        words = [sentences.words(sentence) for sentence in self.verdict(sentences.figure)]
        if "subtree" not in self.figures or not worksheet:
            return words
        winner = "subtree" if self.figures["decision"] == "keep" else "leaf"
        line = ("What stays: ", Name(f"the {winner}", CHOICE), ".")
        rule = words[:1] if self.method != "cost complexity" else []
        last = words[len(rule) :]
        return [*rule, line, *(Name(plain(w), CHOICE, vanishes=True) for w in last)]
