"""The cuts of a numeric column as a table."""

from __future__ import annotations

from treewright._render.document import Block, Column, Table, Text
from treewright._render.formula import Number
from treewright.arithmetic.model import Split
from treewright.arithmetic.page_parts import PAPER, Parts
from treewright.arithmetic.pen import Pen
from treewright.draw.figures import plural
from treewright.schema import label

__all__ = ["cut_table"]


def cut_table(
    split: Split, parts: Parts, pen: Pen, *, written_out: bool, sheet: bool
) -> list[Block]:
    """Return the cuts of a column, and how many more there are."""
    cuts = sorted(split.cuts, key=lambda c: c.below) if sheet else split.cuts
    middle = [label((c.below + c.above) / 2) for c in cuts]
    compared = [label(c.threshold) for c in cuts]
    columns = [
        Column("", tuple(f"{label(c.below)} to {label(c.above)}" for c in cuts), left=True),
        Column("midpoint", tuple(map(Number, middle))),
    ]
    if compared != middle:
        columns.append(Column("compares with", tuple(map(Number, compared))))
    columns.append(Column(parts.work.law.short, tuple(pen.number("gain", c.gain) for c in cuts)))
    rest = split.n_cuts - len(cuts)
    more: list[Block] = [Text(f"… {plural(rest, 'more cut')}")] if rest > 0 else []
    return [Table(tuple(columns), f"Cuts of {PAPER.name(split.column)}"), *more]
