"""The work of a pruning decision: the error of a node as a leaf, the error of its subtree, and which of them is kept.

``pruning_work`` computes the numbers.

Glossary: *pessimistic* pruning compares estimated errors on new rows, *cost complexity* finds the penalty per leaf
(alpha) up to which the subtree is kept, *reduced error* compares the errors on validation rows.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from treewright._draw.conditions import write_test
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

TOLERANCE = 0.1  # a leaf may have this many more estimated errors than the subtree


@dataclass(frozen=True, slots=True)
class Child:
    """A branch of the node with its error."""

    way: str  # the condition of the branch
    node: int
    weight: float  # the weight of the training rows, and of the training errors
    errors: float
    # The error: estimated errors, impurity per row, or errors on the validation rows.
    cost: float
    becomes: str  # its own pruning decision, in words
    # How the estimated errors are computed; only for leaves in pessimistic pruning.
    bound: Bound | None = None
    # The weight of each class among the validation rows; their weight for a numeric target.
    validation: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class PruneWork(WorkResult):
    """The work of a pruning decision, made by :func:`treewright.work` with ``what="prune"``.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets, work
    >>> clf = C45Classifier(prune=None, min_cases=1).fit(*datasets.play_tennis())
    >>> work(clf, 1, what="prune").to_dict()["decision"]
    'keep'
    """

    tree: Tree  # the tree of the model, or the tree before pruning for a trace
    node: int
    # "pessimistic", "cost complexity", "reduced error", "collapse" or "snip".
    method: str
    # The numbers by name: ``leaf`` and ``subtree`` are their errors, ``decision`` is "keep", "leaf" or "raise".
    figures: dict[str, Any]
    children: tuple[Child, ...]  # empty for a leaf
    # How the estimated errors of the node as a leaf are computed, in pessimistic pruning.
    bound: Bound | None = None
    # The weight of each class among the validation rows, in reduced-error pruning.
    validation: tuple[float, ...] = ()
    unit: str = ""  # of ``leaf`` and ``subtree``

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
        """Return the rule and the decision, one sentence each; ``write`` writes a number."""
        f = self.figures
        if "subtree" not in f:
            return ["This node is a leaf: there is nothing to prune."]
        leaf, below, keeps = write(f["leaf"]), write(f["subtree"]), f["decision"] == "keep"
        end = "the subtree is kept" if keeps else "the subtree is replaced by a leaf"
        if f["decision"] == "raise":
            end = "the subtree is replaced by its largest branch"
        if self.method == "pessimistic":
            return [
                "A subtree is replaced by a leaf unless the estimated errors of the leaf exceed those of the subtree "
                f"by more than {TOLERANCE}.",
                f"{leaf} {'>' if f['leaf'] > f['subtree'] + TOLERANCE else '≤'} {below} + {TOLERANCE}: {end}.",
            ]
        if self.method == "cost complexity":
            return self._alpha_sentences(write)
        sign = ">" if f["leaf"] > f["subtree"] + 1e-9 else "≤"
        rule = {
            "reduced error": "A subtree that is not better than a leaf on the validation rows is replaced by a leaf.",
            "collapse": "Leaves with the same prediction are joined to one leaf.",
        }.get(self.method, "The given subtrees are replaced by leaves.")
        if self.method == "reduced error" and not f["rows"]:
            return [rule, f"No validation rows reach this node: {end}."]
        return [rule, f"{leaf} {sign} {below} ({self.unit}): {end}."]

    def _alpha_sentences(self, write: Write) -> list[str]:
        f = self.figures
        leaf, below = write(f["leaf"]), write(f["subtree"])
        leaves, price = f["leaves"], write(f["price"])
        saving = (
            f"({leaf} − {below}) / ({leaves:,} − 1) = {price}: the decrease per additional leaf."
        )
        limit = f"alpha = {write(f['goes_at'])} (ccp_alpha)"
        if f["goes_at"] < f["price"] - 1e-12:
            return [saving, f"It is kept up to {limit}, where a node above it is pruned."]
        if f["goes_at"] > f["price"] + 1e-12:
            return [saving, f"Splits below it are pruned first; it is kept up to {limit}."]
        return [saving, f"It is kept up to {limit}."]

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
        """Write an error."""
        return self._number("cost", value)

    def _errors(self, value: float) -> Number:
        """Write a number of errors."""
        return Number(weights([value])[0], "counts", value)

    # ---- the page: as a leaf

    def _leaf_blocks(self) -> list[Block]:
        """Return the error of the node as a leaf."""
        f = self.figures
        answer = self.tree.answer(self.node)
        classes = bool(self.tree.schema.classes)
        prediction = (
            NAMES.level(answer) if classes else Rounding(self.digits).round_off(float(answer))
        )
        heading = Heading(f"As a leaf ({prediction})")
        rows = self._validation_blocks(self.validation)
        if self.bound is None:
            return [heading, *rows, Text((f"{self.unit}: ", self._cost(f["leaf"])))]
        (weight,) = weights([self.bound.rows])
        wrong, extra = self._errors(f["errors"]), self._cost(self.bound.extra)
        total = Sum(((1, wrong), (1, extra)))
        equations = (
            ("correction", Equation((self._bound_formula(self.bound), extra))),
            ("estimated errors", Equation((total, self._cost(f["leaf"])))),
        )
        return [heading, Text(("training errors: ", wrong, f" of {weight}")), Equations(equations)]

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
        """Return the correction of the training errors."""
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
        z = Power(Number(Rounding(self.digits).round_off(bound.z)))
        spread = Product((s, Parentheses(Sum(((1, ONE), (-1, Quotient(s, n)))))), wide=True)
        inside = Parentheses(Sum(((1, spread), (1, Quotient(z, Number("4"))))))
        root = Root(Product((z, inside), wide=True))
        top = Parentheses(Sum(((1, s), (1, Quotient(z, Number("2"))), (1, root))))
        share = Quotient(Product((n, top), wide=True), Parentheses(Sum(((1, n), (1, z)))))
        return Sum(((1, share), (-1, e)))

    # ---- as a subtree

    def _subtree_table(self, worksheet: bool) -> Table:
        """Return the errors of the branches."""
        kids, tree = self.children, self.tree
        head = (
            "estimated errors"
            if self.method == "pessimistic"
            else self.figures.get("risk", "validation errors")
        )
        at = tree.schema.columns[tree.feature[self.node]]
        asks = write_test(at, float(tree.threshold[self.node]), NAMES)
        costs: list[Cell] = [self._cost(child.cost) for child in kids]
        together: Cell = self._cost(self.figures["subtree"]) if "subtree" in self.figures else ""
        becomes = (Name(child.becomes, CHOICE, vanishes=True) for child in kids)
        columns = [
            Column(asks, (*(child.way for child in kids), "total"), "branch", left=True),
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
        return Table(tuple(columns), "As a subtree", total=True, key="branches")

    def _validation_columns(self) -> list[Column]:
        """Return the validation rows of the branches."""
        kids = self.children
        if not any(child.validation for child in kids):
            return []
        rows = (self._errors(sum(child.validation)) for child in kids)
        return [Column("validation rows", (*rows, ""))]

    def _bound_columns(self) -> list[Column]:
        """Return how the estimated errors of leaves are computed."""
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
        return [Column("computed by", (*cells, ""), "formula", left=True)]

    # ---- which of them stays

    def _verdict_words(self, worksheet: bool) -> list[Words]:
        """Write which of the two is kept; on a worksheet the sentence is an answer."""
        sentences = Sentences(self._cost, NAMES.name, CHOICE)
        words = [sentences.words(sentence) for sentence in self.verdict(sentences.figure)]
        if "subtree" not in self.figures or not worksheet:
            return words
        winner = "subtree" if self.figures["decision"] == "keep" else "leaf"
        line = ("Kept: ", Name(f"the {winner}", CHOICE), ".")
        rule = words[:1] if self.method != "cost complexity" else []
        last = words[len(rule) :]
        return [*rule, line, *(Name(plain(w), CHOICE, vanishes=True) for w in last)]
