"""The page of a split as a document: the node, the candidates that are written out, all candidates, the cuts.

``page_parts`` names groups and candidates; this file puts the blocks in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
)
from treewright._render.formula import Call, Equation, Formula, Name, Number
from treewright._render.numbers import plural
from treewright._work.cuts_table import cut_table
from treewright._work.figure_format import STAGES, Pen
from treewright._work.lecture_rounding import Rounding
from treewright._work.node_model import NodeWork, Split
from treewright._work.node_words import Parts
from treewright._work.row_group import Group

__all__ = ["split_document"]

BRANCHES = 8  # whose impurity is written out
WRITTEN_OUT = (
    6  # candidates of a worksheet that are written out: all, or the first where there are more
)
Rows = list[tuple[str, Formula]]
STAGE_OF = {
    "remaining": "remainder",
    "gain": "gain",
    "price": "gain",
    "net": "gain",
    "split_information": "ratio",
    "gain_ratio": "ratio",
    "gini_decrease": "gain",
}


def split_document(
    work: NodeWork, rounding: Rounding, column: str | None, *, worksheet: bool = False
) -> Document:
    """Return the page of a node.

    Parameters
    ----------
    work : NodeWork
        The figures.
    rounding : Rounding
        How many decimals, and when figures are rounded.
    column : str or None
        The candidate that is written out; ``"all"`` for every one.
    worksheet : bool
        Whether the order of everything must not tell which candidate is the best.
    """
    return _Page(work, rounding, column, worksheet).document()


@dataclass(frozen=True, slots=True)
class _Page:
    work: NodeWork
    rounding: Rounding
    column: str | None
    worksheet: bool

    @property
    def pen(self) -> Pen:
        work = self.work
        return Pen(work.law, work.unit, work.group, self.parts.order, self.rounding, self.worksheet)

    @property
    def parts(self) -> Parts:
        return Parts(self.work, self.worksheet)

    def document(self) -> Document:
        """Return all blocks."""
        blocks: list[Block] = [*self.own()]
        detail = self.detail()
        for split in detail:
            blocks += self.split(split)
        splits = self.ordered()
        verdicts = self.parts.verdicts(self.pen)
        if splits:
            blocks += [self.candidates(splits), *map(Text, self.parts.rules(self.pen))]
            blocks += map(Text, verdicts)
        cut = [split for split in splits if len(split.cuts) > 1]
        for split in cut:
            blocks += self.cuts(split, split in detail, split is cut[0])
        closing = self.parts.closing() if splits else [*verdicts, *self.parts.closing()]
        blocks += [Text(words, apart=True) for words in closing]
        return Document(self.parts.title(self.pen), tuple(blocks), STAGES)

    def ordered(self) -> list[Split]:
        """Return the candidates: the best first, or in the order of the columns where that would tell."""
        names = self.work.tree.schema.names
        splits = list(self.work.splits)
        return sorted(splits, key=lambda s: names.index(s.column)) if self.worksheet else splits

    def detail(self) -> list[Split]:
        """Return the candidates that are written out."""
        able = [split for split in self.ordered() if split.groups]
        names = [split.column for split in self.work.splits]
        column = self.column
        if column is None and self.worksheet:
            return self.sheet_detail(able)
        if column is None:
            column = self.work.chosen if self.work.chosen is not None else (names or [""])[0]
        if column == "all" and "all" not in names:
            return able
        return [split for split in able if split.column == column]

    def sheet_detail(self, able: list[Split]) -> list[Split]:
        """Return what a worksheet writes out: all columns, or the first of many; no column may be told from others.

        A number that has no admissible cut has no branches to write out, so then no number has.
        """
        cut = [split for split in self.work.splits if self.parts.stage(split) == "cut"]
        if not all(split.groups for split in cut):
            able = [split for split in able if split not in cut]
        return able if len(able) <= WRITTEN_OUT else able[:1]

    # ---- the blocks

    def own(self) -> list[Block]:
        """Return the impurity of the node."""
        law = self.work.law
        other = law.key == "entropy" and self.work.unit.base != "2"
        unit = f" in {self.work.unit.name}" if other else ""
        head = law.noun[0].upper() + law.noun[1:]
        equation = self.pen.own(self.work.group, Name(law.symbol))
        return [Heading(f"{head} of this node{unit}"), Equations((("", equation),))]

    def split(self, split: Split) -> list[Block]:
        """Return one candidate written out."""
        pen, law, stage = self.pen, self.work.law, self.parts.stage(split)
        blocks: list[Block] = [self.branches(split)]
        if split.unknown is not None:
            one = split.unknown.count == 1
            rest = self.parts.rows(split.unknown)
            blocks.append(Text(f"{rest} with a missing value {'is' if one else 'are'} left out."))
        own = [
            ("", pen.own(g, Call(law.symbol, self.parts.group_name(split, g)), stage))
            for g in split.groups
            if self.shows(g)
        ]
        if own and len(split.groups) <= BRANCHES:
            blocks.append(Equations(tuple(own)))
        rows: Rows = [(law.gain, pen.gain(split))]
        if split.price:
            rows.append((f"price of {plural(split.tries, 'cut')}", pen.price(split)))
            rows.append((f"{law.short} less price", pen.net(split)))
        if self.shows_ratio and split.split_info is not None:
            rows.append(("split information", pen.information(split, stage)))
        if self.shows_ratio and (split.ratio is not None or self.worksheet):
            rows.append(("gain ratio", pen.ratio(split)))
        return [*blocks, Equations(tuple(rows))]

    def shows(self, group: Group) -> bool:
        """Whether the impurity of a branch is worth a line: not of a pure one, but a worksheet must not tell."""
        return group.weight > 0 and (self.worksheet or group.impurity > 1e-12)

    def branches(self, split: Split) -> Table:
        """Return the branches of a candidate as a table."""
        pen, law, groups = self.pen, self.work.law, split.groups
        stage = self.parts.stage(split)
        names: list[Cell] = [self.parts.group(split, g) for g in groups]
        columns = [Column("", (*names, law.remaining), left=True, key="branch")]
        for head, cells in self.parts.figures(groups, pen, stage):
            columns.append(Column(head, (*cells, ""), gap=2))
        zero = self.parts.zero(groups)
        parts: list[Cell] = []
        for k, group in enumerate(groups):
            term = pen.part(group, stage)
            note = Name("   (0·log 0 = 0)", "entropy", vanishes=True)
            parts.append((term, note) if k == zero else term)
        cells = (*parts, pen.remaining(split))
        columns.append(Column(f"weight × {law.noun}", cells, left=True))
        title = ("Split on ", *self.parts.candidate(split))
        return Table(tuple(columns), title, total=True)

    @property
    def shows_ratio(self) -> bool:
        """Whether split information and ratio belong to the page."""
        return self.work.law.key == "entropy" and self.work.method != "CART"

    def candidates(self, splits: Sequence[Split]) -> Table:
        """Return the table of all candidates."""
        pen, law = self.pen, self.work.law
        names = tuple(split.column for split in splits)
        columns = [
            Column("", tuple(map(self.parts.candidate, splits)), "column", left=True, values=names),
            self._figures("remaining", "remaining", splits, lambda s: s.groups, pen.remaining),
            self._figures(law.short, "gain", splits, _measured, lambda s: _end(pen.gain(s))),
        ]
        if any(s.price for s in splits):
            columns += [
                self._figures("price", "price", splits, lambda s: s.price, self._price),
                self._figures("net", "net", splits, _measured, lambda s: _end(pen.net(s))),
            ]
        if self.shows_ratio:
            columns += [
                self._figures(
                    "split info", "split_information", splits,
                    lambda s: s.split_info is not None, lambda s: _end(pen.information(s)),
                ),
                self._figures(
                    "ratio", "gain_ratio", splits,
                    lambda s: s.ratio is not None, lambda s: _end(pen.ratio(s)),
                ),
                self._figures(
                    "Gini decrease", "gini_decrease", splits,
                    lambda s: s.gini is not None, lambda s: pen.number("gain", s.gini or 0.0),
                ),
            ]  # fmt: skip
        verdicts = tuple(Name(s.verdict, CHOICE, vanishes=True) for s in splits)
        columns.append(Column("", verdicts, "verdict", left=True))
        chosen = next((i for i, s in enumerate(splits) if s.column == self.work.chosen), None)
        return Table(tuple(columns), "All candidates", chosen, key="candidates")

    def _figures(
        self,
        head: str,
        key: str,
        splits: Sequence[Split],
        has: Callable[[Split], object],
        write: Callable[[Split], Number],
    ) -> Column:
        # Which candidates have no figure is an answer: on a worksheet they have a blank like the others.
        none = Name("·", STAGE_OF[key]) if self.worksheet else None
        return Column(head, tuple(write(s) if has(s) else none for s in splits), key)

    def _price(self, split: Split) -> Number:
        return self.pen.number("gain", split.price)

    def cuts(self, split: Split, written_out: bool, noted: bool) -> list[Block]:
        """Return the cuts of a numeric column; why it compares with what it does is said once."""
        return cut_table(split, self.parts, self.pen, written_out=written_out, noted=noted)


def _measured(split: Split) -> bool:
    return bool(split.groups or split.cuts)


def _end(equation: Equation) -> Number:
    """Return the result of a calculation without the mark that belongs to its formula."""
    result = equation.result
    assert result is not None
    return Number(result.text, result.stage, result.value)
