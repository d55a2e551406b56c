"""Aligned columns of text, measured in terminal cells.

It knows nothing of trees. Cells are texts that may be shown (see ``names``); the escaping that a form needs is done
here, once, for every cell. A cell may have several lines.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from treewright._render.safe_text import cells, pad

__all__ = [
    "TableColumn",
    "align_columns",
    "escape_markdown",
    "terminal_width",
    "width",
    "wrap_sentence",
]

NARROW = 60  # paper on which a table that is too wide is written row by row


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column: its heading, a cell for each row, where text stands, and the space before it."""

    head: str
    body: Sequence[str]
    left: bool = False
    gap: int = 3

    @property
    def width(self) -> int:
        """The cells that it takes, without the space before it."""
        return max(cells(line) for text in (self.head, *self.body) for line in text.split("\n"))


def width(lanes: Sequence[TableColumn]) -> int:
    """Return the cells that lanes take side by side."""
    return sum(lane.gap + lane.width for lane in lanes)


def align_columns(lanes: Sequence[TableColumn], room: int | None = None) -> list[str]:
    """Write lanes side by side: the headings, then every row; on narrow paper each row as a few lines."""
    if room is not None and room < NARROW and width(lanes) > room:
        return _stacked(lanes, room)
    wide = [lane.width for lane in lanes]
    lines = []
    for row in zip(*((lane.head, *lane.body) for lane in lanes), strict=True):
        parts = [text.split("\n") for text in row]
        for i in range(max(map(len, parts))):
            said = (
                " " * lane.gap + pad(part[i] if i < len(part) else "", size, left=lane.left)
                for lane, part, size in zip(lanes, parts, wide, strict=True)
            )
            lines.append("".join(said).rstrip())
    return lines


def wrap_sentence(text: str, room: int) -> list[str]:
    """Break a sentence into lines where the paper is narrow."""
    if room >= NARROW or cells(text) <= room:
        return [text]
    return textwrap.wrap(text, max(20, room), subsequent_indent="    ", break_on_hyphens=False) or [
        text
    ]


def terminal_width() -> int:
    """Return the columns of the terminal."""
    return shutil.get_terminal_size().columns


def _stacked(lanes: Sequence[TableColumn], room: int) -> list[str]:
    """Write each row by itself: its name, then its figures, each behind its heading."""
    first, *others = lanes
    lines = [first.head.strip()] if first.head.strip() else []
    for i, name in enumerate(first.body):
        parts = [
            f"{_single(lane.head)} {_single(lane.body[i])}".strip()
            for lane in others
            if lane.body[i].strip()
        ]
        said = _single(name).strip()
        whole = f"{said}: {', '.join(parts)}" if said and parts else said or ", ".join(parts)
        lines += textwrap.wrap(
            whole,
            max(20, room),
            initial_indent="  ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )
    return lines


def _single(text: str) -> str:
    # Line breaks and filling are for terminals.
    return re.sub(r"\s+", " ", text)


def escape_markdown(text: str) -> str:
    """Write a text so that Markdown shows it and does nothing else."""
    # A point between digits makes no link, and figures are to be read in the source too.
    return re.sub(r"([\\`*_{}\[\]<>()#+\-!|$~&]|(?<!\d)\.|\.(?!\d))", r"\\\1", _single(text))
