"""Aligned columns of text, measured in terminal cells. A cell may have several lines."""

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

NARROW = 60  # on a page below this width, a table that does not fit is written row by row


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column: its heading, a cell for each row, its alignment, and the space before it."""

    head: str
    body: Sequence[str]
    left: bool = False
    gap: int = 3

    @property
    def width(self) -> int:
        """Its width without the space before it."""
        return max(cells(line) for text in (self.head, *self.body) for line in text.split("\n"))


def width(columns: Sequence[TableColumn]) -> int:
    """Return the width of columns side by side."""
    return sum(column.gap + column.width for column in columns)


def align_columns(columns: Sequence[TableColumn], room: int | None = None) -> list[str]:
    """Write columns side by side, the headings first; on a narrow page each row as a few lines."""
    if room is not None and room < NARROW and width(columns) > room:
        return _write_row_by_row(columns, room)
    wide = [column.width for column in columns]
    lines = []
    for row in zip(*((column.head, *column.body) for column in columns), strict=True):
        parts = [text.split("\n") for text in row]
        for i in range(max(map(len, parts))):
            padded = (
                " " * column.gap + pad(part[i] if i < len(part) else "", size, left=column.left)
                for column, part, size in zip(columns, parts, wide, strict=True)
            )
            lines.append("".join(padded).rstrip())
    return lines


def wrap_sentence(text: str, room: int) -> list[str]:
    """Break a sentence into lines on a narrow page."""
    if room >= NARROW or cells(text) <= room:
        return [text]
    return textwrap.wrap(text, max(20, room), subsequent_indent="    ", break_on_hyphens=False) or [
        text
    ]


def terminal_width() -> int:
    """Return the width of the terminal."""
    return shutil.get_terminal_size().columns


def _write_row_by_row(columns: Sequence[TableColumn], room: int) -> list[str]:
    """Write each row on its own: its name, then each number behind its heading."""
    first, *others = columns
    lines = [first.head.strip()] if first.head.strip() else []
    for i, name in enumerate(first.body):
        parts = [
            f"{_single(column.head)} {_single(column.body[i])}".strip()
            for column in others
            if column.body[i].strip()
        ]
        title, content = _single(name).strip(), ", ".join(parts)
        sentence = f"{title}: {content}" if title and content else title or content
        lines += textwrap.wrap(
            sentence,
            max(20, room),
            initial_indent="  ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )
    return lines


def _single(text: str) -> str:
    # Line breaks and padding are for terminals.
    return re.sub(r"\s+", " ", text)


def escape_markdown(text: str) -> str:
    """Escape a text for Markdown."""
    # A point between digits makes no link, and numbers stay readable in the source.
    return re.sub(r"([\\`*_{}\[\]<>()#+\-!|$~&]|(?<!\d)\.|\.(?!\d))", r"\\\1", _single(text))
