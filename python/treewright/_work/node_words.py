"""The words on the page of a node: its classes, branches and candidates, how one is chosen and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright._draw.conditions import write_levels
from treewright._input.short_numbers import write_between, write_cut
from treewright._render.document import CHOICE, Cell, Words, plain
from treewright._render.formula import Formula, Name, Number
from treewright._render.numbers import plural, weights
from treewright._render.safe_text import clip
from treewright._render.sentences import Sentences
from treewright._work.node_model import NodeWork, Split
from treewright._work.row_group import Group
from treewright._work.split_formulas import SplitFormulas
from treewright._work.work_result import NAMES
from treewright.schema import Column

__all__ = ["NodeWords"]

ARGUMENT_WIDTH = 36  # of the name of a branch in a formula
MAX_CLASSES = 4  # with a column of their own; of more classes the first three and the others


@dataclass(frozen=True, slots=True)
class NodeWords:
    """The words of one node's page."""

    work: NodeWork
    worksheet: bool = False

    @property
    def order(self) -> tuple[int, ...]:
        """The classes that have rows in the node, the most frequent first; all classes on a worksheet."""
        if self.worksheet:
            return tuple(range(len(self.work.tree.schema.classes)))
        return self.work.class_order

    def title(self, formulas: SplitFormulas) -> tuple[Words, ...]:
        """Return the node, the target, and the rows of the node."""
        target, group = self.work.tree.schema.target, self.work.group
        name = () if target is None else (NAMES.name(target),)
        return (
            f"Node #{self.work.node}",
            *name,
            (f"{self.rows(group)}: ", *self.contents(group, formulas)),
        )

    def rows(self, group: Group) -> str:
        """Write how many rows a group has, and their weight where it differs."""
        text = plural(group.count, "row")
        if abs(group.weight - group.count) > 1e-9 * max(1.0, group.weight):
            text += f" (weight {weights([group.weight])[0]})"
        return text

    def contents(
        self, group: Group, formulas: SplitFormulas, stage: str = "counts"
    ) -> tuple[str | Formula, ...]:
        """Write the classes of a group, ``9 Yes, 5 No``, or its mean."""
        if not group.amounts:
            return ("mean ", formulas.number(stage, group.mean or 0.0))
        order = [i for i in self.order if self.worksheet or group.amounts[i] > 0]
        classes, named = self.work.tree.schema.classes, order[: MAX_CLASSES + 2]
        pieces: list[str | Formula] = []
        amounts = formulas.amounts([group.amounts[i] for i in named], stage)
        for amount, i in zip(amounts, named, strict=True):
            pieces += [", "] if pieces else []
            pieces += [amount, f" {NAMES.level(classes[i], 20)}"]
        rest = len(order) - len(named)
        return (*pieces, *([f", +{rest} others"] if rest > 0 else []))

    # ---- candidates and their branches

    def stage(self, split: Split) -> str:
        """Return the stage of a candidate's counts: they may depend on its threshold or on grouped categories."""
        joined = any(len(group.levels or ()) > 1 for group in split.groups)
        return "cut" if joined or self.cut(split) is not None else "counts"

    def cut(self, split: Split) -> float | None:
        """Return the threshold."""
        if split.threshold is None and split.best_cut is not None:
            return split.best_cut.threshold
        return split.threshold

    def column(self, name: str) -> Column:
        """Return a column of the schema, which holds how its numbers are written."""
        return next(column for column in self.work.tree.schema.columns if column.name == name)

    def threshold(self, split: Split) -> Number | Name:
        """Write the threshold: the shortest number that separates the same rows."""
        cut, column = self.cut(split) or 0.0, self.column(split.column)
        above = next((c.above for c in split.cuts if c.threshold == cut), None)
        if above is None or split.verdict == "chosen":
            return self._cut(write_cut(cut, column), column, cut)
        return self._cut(write_between(cut, above, column), column, cut)

    @staticmethod
    def _cut(text: str, column: Column, cut: float) -> Number | Name:
        return Name(text, "cut") if column.in_words else Number(text, "cut", cut)

    def candidate(self, split: Split) -> tuple[str | Formula, ...]:
        """Write a candidate: the column, with the threshold of a numeric one."""
        cut, name = self.cut(split), NAMES.name(split.column)
        if cut is None:
            return (name,)
        if cut == float("inf"):
            return (f"{name} known?",)
        return (f"{name} ≤ ", self.threshold(split))

    def group(self, split: Split, group: Group) -> tuple[str | Formula, ...]:
        """Write the condition of a branch: ``Sunny``, ``≤ 75``, ``missing``."""
        also = (" or missing",) if group.missing and self.column(split.column).missing else ()
        if group.bound is not None:
            sign = "≤" if group.bound[0] == "<=" else ">"
            return (f"{sign} ", self.threshold(split), *also)
        if group.levels:
            text = write_levels(group.levels, NAMES, 20).removeprefix("= ")
            return (text if len(group.levels) == 1 else Name(text, "cut"), *also)
        return ("missing" if group.missing else "known",)

    def group_name(self, split: Split, group: Group) -> Formula:
        """Write the condition of a branch as the argument of a function."""
        pieces = self.group(split, group)
        text = "".join(p if isinstance(p, str) else getattr(p, "text", "") for p in pieces)
        is_answer = group.bound is not None or len(group.levels or ()) > 1
        return Name(clip(text, ARGUMENT_WIDTH, "…"), "cut" if is_answer else "")

    def branch_columns(
        self, groups: Sequence[Group], formulas: SplitFormulas, stage: str
    ) -> list[tuple[Words, tuple[Cell, ...]]]:
        """Return the columns of a table of branches: rows, classes or mean, impurity."""
        counts = formulas.counts([g.count for g in groups], stage)
        columns: list[tuple[Words, tuple[Cell, ...]]] = [("rows", tuple(counts))]
        total = sum(g.weight for g in groups)
        if any(abs(g.weight - g.count) > 1e-9 * max(1.0, total) for g in groups):
            columns.append(("weight", tuple(formulas.amounts([g.weight for g in groups], stage))))
        if self.work.tree.schema.classes:
            columns += self._classes(groups, formulas, stage)
        else:
            means = (formulas.number(stage, g.mean or 0.0) if g.weight else None for g in groups)
            columns.append(("mean", tuple(means)))
        columns.append((self.work.criterion.noun, tuple(map(formulas.impurity, groups))))
        return columns

    def _classes(
        self, groups: Sequence[Group], formulas: SplitFormulas, stage: str
    ) -> list[tuple[Words, tuple[Cell, ...]]]:
        order, classes = self.order, self.work.tree.schema.classes
        named = len(order) if len(order) <= MAX_CLASSES else MAX_CLASSES - 1
        written = formulas.amounts([g.amounts[i] for g in groups for i in order], stage)
        width = len(order)
        columns: list[tuple[Words, tuple[Cell, ...]]] = [
            (NAMES.level(classes[i], 12), tuple(written[k::width]))
            for k, i in enumerate(order[:named])
        ]
        if named < width:
            rest = [sum(g.amounts[i] for i in order[named:]) for g in groups]
            columns.append((f"+{width - named} others", tuple(formulas.amounts(rest, stage))))
        return columns

    def zero(self, groups: Sequence[Group]) -> int | None:
        """Return the first branch without rows of some class, where 0·log 0 = 0 is used."""
        if self.work.criterion.key != "entropy":
            return None
        empty = (
            k
            for k, g in enumerate(groups)
            if g.weight > 0 and any(not g.amounts[i] for i in self.order)
        )
        return next(empty, None)

    # ---- how one is chosen

    def sentences(self, formulas: SplitFormulas) -> Sentences:
        """Return the writer of sentences: numbers in them are gains, and names are answers."""
        return Sentences(lambda x: formulas.number("gain", x), NAMES.name, CHOICE)

    def rules(self, formulas: SplitFormulas) -> list[Words]:
        """Write how each algorithm chooses."""
        sentences = self.sentences(formulas)
        rules = self.work.rules(sentences.figure, sentences.name)
        return [sentences.words(rule) for rule in rules]

    def verdicts(self, formulas: SplitFormulas) -> list[Words]:
        """Write why the node is a leaf, or which column is chosen; on a worksheet, lines to write that on."""
        sentences = self.sentences(formulas)
        finished = self.work.verdicts(sentences.figure, sentences.name)
        verdicts = [sentences.words(verdict) for verdict in finished]
        if not self.worksheet:
            return verdicts
        answers = [
            (f"{c.algorithm} chooses ", self.choice(c.chosen), ".") for c in self.work.choices
        ]
        end = "split" if self.work.stop is None else "leaf"
        lines = [*answers, ("Split or leaf? ", Name(end, CHOICE), ".")]
        return [*lines, *(_vanishing(verdict) for verdict in verdicts)]

    def choice(self, column: str | None) -> Name:
        """Write a column that a worksheet hides."""
        return Name("no column" if column is None else NAMES.name(column), CHOICE)

    def closing(self) -> list[Words]:
        """Write the columns used above, and the notes."""
        above = [NAMES.name(name) for name in self.work.asked]
        questions: list[Words] = (
            [f"Already used on this path: {', '.join(above)}."] if above else []
        )
        return [*questions, *(f"Note: {note}." for note in self.work.notes)]


def _vanishing(words: Words) -> Words:
    """Return words that a worksheet leaves out."""
    return Name(plain(words), CHOICE, vanishes=True)
