"""The cuts of a numeric column as a table, in order of value."""

from __future__ import annotations

from collections.abc import Sequence

from treewright._input.short_numbers import write_between, write_value
from treewright._render.document import Block, Cell, Column, Table, Text
from treewright._render.formula import Number
from treewright._render.numbers import plural
from treewright._work.figure_format import Pen
from treewright._work.node_model import Cut, Split
from treewright._work.node_words import PAPER, Parts

__all__ = ["cut_table"]

FEW = 5  # cuts of a column that is not written out
CLASSES = 4  # in the words of a side


def cut_table(
    split: Split, parts: Parts, pen: Pen, *, written_out: bool, noted: bool
) -> list[Block]:
    """Return the cuts of a column with both sides, why it compares with what it does, and how many more there are.

    Of a column that is not written out these are the best few; a worksheet must not tell them from others.
    """
    cuts = split.cuts if written_out or parts.worksheet else _best(split.cuts)
    compared, column = [c.threshold for c in cuts], parts.column(split.column)
    columns = [
        Column(
            "",
            tuple(
                f"{write_value(c.below, column)} to {write_value(c.above, column)}" for c in cuts
            ),
            left=True,
        ),
        Column("midpoint", tuple(Number(write_between(c.midpoint, c.above, column)) for c in cuts)),
    ]
    if compared != [c.midpoint for c in cuts]:
        columns.append(
            Column(
                "compares with",
                tuple(Number(write_between(c.threshold, c.above, column)) for c in cuts),
            )
        )
    if all(c.sides for c in cuts):
        columns += [Column(sign, _sides(cuts, i, parts, pen), left=True) for i, sign in SIDES]
    gains: tuple[Cell, ...] = tuple(pen.number("gain", c.gain) for c in cuts)
    columns.append(Column(parts.work.law.short, gains))
    columns.append(Column("", ("",) * len(cuts), left=True))
    best = next((i for i, c in enumerate(cuts) if c is split.best_cut), None)
    table = Table(tuple(columns), f"Cuts of {PAPER.name(split.column)}", best)
    rest = split.n_cuts - len(cuts)
    blocks: list[Block] = [table]
    blocks += [Text(f"… {plural(rest, 'more cut')}")] if rest > 0 else []
    note = split.threshold_note() if noted and not parts.worksheet else ""
    return [*blocks, Text(note)] if note else blocks


SIDES = ((0, "below"), (1, "above"))


def _best(cuts: Sequence[Cut]) -> tuple[Cut, ...]:
    """Return the cuts that save most, in order of value."""
    best = sorted(range(len(cuts)), key=lambda i: (-cuts[i].gain, i))[:FEW]
    return tuple(cuts[i] for i in sorted(best))


def _sides(cuts: Sequence[Cut], side: int, parts: Parts, pen: Pen) -> tuple[Cell, ...]:
    return tuple(parts.held(cut.sides[side], pen) for cut in cuts)
