"""The work of a node: its impurity, the candidates that are written out, the table of all candidates, the thresholds.

This file puts the blocks in their order. ``split_formulas`` writes the calculations, ``node_words`` the names of
branches and candidates and the sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from treewright._input.short_numbers import write_between, write_value
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
from treewright._work.lecture_rounding import Rounding
from treewright._work.node_model import Cut, NodeWork, Split
from treewright._work.node_words import NodeWords
from treewright._work.row_group import Group
from treewright._work.split_formulas import STAGES, SplitFormulas
from treewright._work.work_result import NAMES, WorkResult
from treewright.schema import Column as SchemaColumn

__all__ = ["Work"]

MAX_BRANCHES = 8  # whose impurities are written out
MAX_WRITTEN_OUT = 6  # candidates of a worksheet; of more, the first one only
MAX_THRESHOLDS = 5  # listed for a column that is not written out
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


@dataclass(frozen=True, slots=True, repr=False)
class Work(WorkResult):
    """The arithmetic behind a node, made by :func:`treewright.work`.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> X, y = datasets.play_tennis()
    >>> work(ID3Classifier().fit(X, y), 0).to_dict()["chosen"]
    'Outlook'
    """

    node: NodeWork  # the numbers
    # The candidate that is written out: ``"all"`` for every one, the chosen one where None.
    column: str | None
    rounding: Rounding  # how many decimals, and when numbers are rounded

    def to_dict(
        self,
        *,
        candidates: int | None = None,
        children: int | None = None,
        cuts: int | None = None,
    ) -> dict[str, Any]:
        """Return everything as plain values: exact numbers and full names.

        Parameters
        ----------
        candidates, children, cuts : int, default=None
            The maximum number of candidates, of branches of each, and of thresholds of each; None is all.
        """
        return self.node.to_dict(candidates=candidates, children=children, cuts=cuts)

    def _pages(self, *, worksheet: bool = False) -> Document:
        return _Page(self.node, self.rounding, self.column, worksheet).document()


@dataclass(frozen=True, slots=True)
class _Page:
    work: NodeWork
    rounding: Rounding
    column: str | None
    worksheet: bool

    @property
    def formulas(self) -> SplitFormulas:
        work = self.work
        return SplitFormulas(
            work.criterion, work.unit, work.group, self.words.order, self.rounding, self.worksheet
        )

    @property
    def words(self) -> NodeWords:
        return NodeWords(self.work, self.worksheet)

    def document(self) -> Document:
        """Return all blocks."""
        blocks: list[Block] = [*self.own()]
        detail = self.detail()
        for split in detail:
            blocks += self.split(split)
        splits = self.ordered()
        verdicts = self.words.verdicts(self.formulas)
        if splits:
            blocks += [self.candidates(splits), *map(Text, self.words.rules(self.formulas))]
            blocks += map(Text, verdicts)
        cut = [split for split in splits if len(split.cuts) > 1]
        for split in cut:
            blocks += self.cuts(split, split in detail, split is cut[0])
        closing = self.words.closing() if splits else [*verdicts, *self.words.closing()]
        blocks += [Text(words, apart=True) for words in closing]
        return Document(self.words.title(self.formulas), tuple(blocks), STAGES)

    def ordered(self) -> list[Split]:
        """Return the candidates: the best first, on a worksheet in the order of the columns."""
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
        """Return what a worksheet writes out: all columns, or the first of many, so that none stands out.

        If one numeric column has no admissible threshold, and so no branches, no numeric column is written out.
        """
        cut = [split for split in self.work.splits if self.words.stage(split) == "cut"]
        if not all(split.groups for split in cut):
            able = [split for split in able if split not in cut]
        return able if len(able) <= MAX_WRITTEN_OUT else able[:1]

    # ---- the blocks

    def own(self) -> list[Block]:
        """Return the impurity of the node."""
        criterion = self.work.criterion
        other = criterion.key == "entropy" and self.work.unit.base != "2"
        unit = f" in {self.work.unit.name}" if other else ""
        head = criterion.noun[0].upper() + criterion.noun[1:]
        equation = self.formulas.own(self.work.group, Name(criterion.symbol))
        return [Heading(f"{head} of this node{unit}"), Equations((("", equation),))]

    def split(self, split: Split) -> list[Block]:
        """Return one candidate written out."""
        formulas, criterion, stage = self.formulas, self.work.criterion, self.words.stage(split)
        blocks: list[Block] = [self.branches(split)]
        if split.unknown is not None:
            one = split.unknown.count == 1
            rest = self.words.rows(split.unknown)
            blocks.append(Text(f"{rest} with a missing value {'is' if one else 'are'} left out."))
        own = [
            ("", formulas.own(g, Call(criterion.symbol, self.words.group_name(split, g)), stage))
            for g in split.groups
            if self.shows(g)
        ]
        if own and len(split.groups) <= MAX_BRANCHES:
            blocks.append(Equations(tuple(own)))
        rows: Rows = [(criterion.gain, formulas.gain(split))]
        if split.price:
            rows.append(
                (f"MDL penalty ({plural(split.tries, 'threshold')})", formulas.price(split))
            )
            rows.append(("adjusted gain", formulas.net(split)))
        if self.shows_ratio and split.split_info is not None:
            rows.append(("split information", formulas.information(split, stage)))
        if self.shows_ratio and (split.ratio is not None or self.worksheet):
            rows.append(("gain ratio", formulas.ratio(split)))
        return [*blocks, Equations(tuple(rows))]

    def shows(self, group: Group) -> bool:
        """Whether the impurity of a branch is written out: not of a pure one, except on a worksheet."""
        return group.weight > 0 and (self.worksheet or group.impurity > 1e-12)

    def branches(self, split: Split) -> Table:
        """Return the branches of a candidate as a table."""
        formulas, criterion, groups = self.formulas, self.work.criterion, split.groups
        stage = self.words.stage(split)
        names: list[Cell] = [self.words.group(split, g) for g in groups]
        columns = [Column("", (*names, criterion.remaining), left=True, key="branch")]
        for head, cells in self.words.branch_columns(groups, formulas, stage):
            columns.append(Column(head, (*cells, ""), gap=2))
        zero = self.words.zero(groups)
        parts: list[Cell] = []
        for k, group in enumerate(groups):
            term = formulas.branch_term(group, stage)
            note = Name("   (0·log 0 = 0)", "entropy", vanishes=True)
            parts.append((term, note) if k == zero else term)
        cells = (*parts, formulas.remaining(split))
        columns.append(Column(f"weight × {criterion.noun}", cells, left=True))
        title = ("Split on ", *self.words.candidate(split))
        return Table(tuple(columns), title, total=True)

    @property
    def shows_ratio(self) -> bool:
        """Whether split information and ratio belong to the page."""
        return self.work.criterion.key == "entropy" and self.work.method != "CART"

    def candidates(self, splits: Sequence[Split]) -> Table:
        """Return the table of all candidates."""
        formulas, criterion = self.formulas, self.work.criterion
        names = tuple(split.column for split in splits)
        columns = [
            Column("", tuple(map(self.words.candidate, splits)), "column", left=True, values=names),
            self._numbers(
                criterion.after, "remaining", splits, lambda s: s.groups, formulas.remaining
            ),
            self._numbers(
                criterion.short, "gain", splits, _measured, lambda s: _end(formulas.gain(s))
            ),
        ]
        if any(s.price for s in splits):
            columns += [
                self._numbers("MDL penalty", "price", splits, lambda s: s.price, self._penalty),
                self._numbers(
                    "adjusted gain", "net", splits, _measured, lambda s: _end(formulas.net(s))
                ),
            ]
        if self.shows_ratio:
            columns += [
                self._numbers(
                    "split info", "split_information", splits,
                    lambda s: s.split_info is not None, lambda s: _end(formulas.information(s)),
                ),
                self._numbers(
                    "ratio", "gain_ratio", splits,
                    lambda s: s.ratio is not None, lambda s: _end(formulas.ratio(s)),
                ),
                self._numbers(
                    "Gini decrease", "gini_decrease", splits,
                    lambda s: s.gini is not None, lambda s: formulas.number("gain", s.gini or 0.0),
                ),
            ]  # fmt: skip
        verdicts = tuple(Name(s.verdict, CHOICE, vanishes=True) for s in splits)
        columns.append(Column("", verdicts, "verdict", left=True))
        chosen = next((i for i, s in enumerate(splits) if s.column == self.work.chosen), None)
        return Table(tuple(columns), "All candidates", chosen, key="candidates")

    def _numbers(
        self,
        head: str,
        key: str,
        splits: Sequence[Split],
        has: Callable[[Split], object],
        write: Callable[[Split], Number],
    ) -> Column:
        # A worksheet must not show which candidates have no number: they have a blank like the others.
        none = Name("·", STAGE_OF[key]) if self.worksheet else None
        return Column(head, tuple(write(s) if has(s) else none for s in splits), key)

    def _penalty(self, split: Split) -> Number:
        return self.formulas.number("gain", split.price)

    def cuts(self, split: Split, written_out: bool, noted: bool) -> list[Block]:
        """Return the thresholds of a numeric column; ``noted`` adds why the threshold is not the midpoint."""
        return cut_table(split, self.words, self.formulas, written_out=written_out, noted=noted)


def _measured(split: Split) -> bool:
    return bool(split.groups or split.cuts)


def _end(equation: Equation) -> Number:
    """Return the result of a calculation without the footnote mark of its formula."""
    result = equation.result
    assert result is not None
    return Number(result.text, result.stage, result.value)


def _cut_cell(cut: float, above: float, column: SchemaColumn) -> Cell:
    text = write_between(cut, above, column)
    return text if column.in_words else Number(text)


def cut_table(
    split: Split, words: NodeWords, formulas: SplitFormulas, *, written_out: bool, noted: bool
) -> list[Block]:
    """Return the thresholds of a column with both sides, and how many more there are.

    A column that is not written out has the best few, except on a worksheet, where all columns look alike.
    """
    cuts = split.cuts if written_out or words.worksheet else _best(split.cuts)
    compared, column = [c.threshold for c in cuts], words.column(split.column)
    columns = [
        Column(
            "",
            tuple(
                f"{write_value(c.below, column)} to {write_value(c.above, column)}" for c in cuts
            ),
            left=True,
        ),
        Column("midpoint", tuple(_cut_cell(c.midpoint, c.above, column) for c in cuts)),
    ]
    if compared != [c.midpoint for c in cuts]:
        columns.append(
            Column(
                "threshold used",
                tuple(_cut_cell(c.threshold, c.above, column) for c in cuts),
            )
        )
    if all(c.sides for c in cuts):
        columns += [Column(sign, _sides(cuts, i, words, formulas), left=True) for i, sign in SIDES]
    gains: tuple[Cell, ...] = tuple(formulas.number("gain", c.gain) for c in cuts)
    columns.append(Column(words.work.criterion.short, gains))
    columns.append(Column("", ("",) * len(cuts), left=True))
    best = next((i for i, c in enumerate(cuts) if c is split.best_cut), None)
    table = Table(tuple(columns), f"Thresholds of {NAMES.name(split.column)}", best)
    rest = split.n_cuts - len(cuts)
    blocks: list[Block] = [table]
    blocks += [Text(f"… {plural(rest, 'more threshold')}")] if rest > 0 else []
    note = split.threshold_note() if noted and not words.worksheet else ""
    return [*blocks, Text(note)] if note else blocks


SIDES = ((0, "below"), (1, "above"))


def _best(cuts: Sequence[Cut]) -> tuple[Cut, ...]:
    """Return the thresholds with the largest gains, in order of value."""
    best = sorted(range(len(cuts)), key=lambda i: (-cuts[i].gain, i))[:MAX_THRESHOLDS]
    return tuple(cuts[i] for i in sorted(best))


def _sides(
    cuts: Sequence[Cut], side: int, words: NodeWords, formulas: SplitFormulas
) -> tuple[Cell, ...]:
    return tuple(words.contents(cut.sides[side], formulas) for cut in cuts)
