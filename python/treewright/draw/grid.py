"""Aligned columns of text: measures in terminal cells, knows nothing of trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright.draw.names import cells, pad

__all__ = ["Lane", "rows", "width"]


@dataclass(frozen=True, slots=True)
class Lane:
    """One column: its heading, a cell for each row, where text stands, and the space before it."""

    head: str
    body: Sequence[str]
    left: bool = False
    gap: int = 3

    @property
    def width(self) -> int:
        """The cells that it takes, without the space before it."""
        return max(map(cells, (self.head, *self.body)))


def width(lanes: Sequence[Lane]) -> int:
    """Return the cells that lanes take side by side."""
    return sum(lane.gap + lane.width for lane in lanes)


def rows(lanes: Sequence[Lane]) -> list[str]:
    """Write lanes side by side: the headings, then every row."""
    columns = []
    for lane in lanes:
        wide = lane.width
        columns.append([" " * lane.gap + pad(t, wide, left=lane.left) for t in (lane.head, *lane.body)])
    return ["".join(line).rstrip() for line in zip(*columns, strict=True)]
