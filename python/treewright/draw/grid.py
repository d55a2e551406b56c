"""Aligned columns: as text measured in terminal cells, as a Markdown table, as an HTML table.

It knows nothing of trees. Cells are texts that may be shown (see ``names``); the escaping that a form needs is done
here, once, for every cell. A cell may have several lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from treewright.draw.names import cells, pad
from treewright.draw.tex import tex

__all__ = ["Lane", "escaped", "html", "latex", "markdown", "rows", "width"]


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
        return max(cells(line) for text in (self.head, *self.body) for line in text.split("\n"))


def width(lanes: Sequence[Lane]) -> int:
    """Return the cells that lanes take side by side."""
    return sum(lane.gap + lane.width for lane in lanes)


def rows(lanes: Sequence[Lane]) -> list[str]:
    """Write lanes side by side: the headings, then every row."""
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


def markdown(lanes: Sequence[Lane]) -> str:
    """Write lanes as a Markdown table; no cell can end it or start a tag, a formula or a link."""
    lines = [
        [escaped(lane.head) for lane in lanes],
        [":--" if lane.left else "--:" for lane in lanes],
        *(
            [escaped(text) for text in row]
            for row in zip(*(lane.body for lane in lanes), strict=True)
        ),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def latex(lanes: Sequence[Lane]) -> str:
    """Write lanes as a LaTeX table; the preamble must load ``booktabs``."""
    sides = "".join("l" if lane.left else "r" for lane in lanes)
    heads = " & ".join(tex(_single(lane.head)) for lane in lanes)
    body = "".join(
        " & ".join(tex(_single(text)) for text in row) + " \\\\\n"
        for row in zip(*(lane.body for lane in lanes), strict=True)
    )
    return (
        f"\\begin{{tabular}}{{{sides}}}\n\\toprule\n{heads} \\\\\n\\midrule\n{body}"
        "\\bottomrule\n\\end{tabular}"
    )


def html(lanes: Sequence[Lane]) -> str:
    """Write lanes as an HTML table; names keep their own direction of writing."""
    head = "".join(f'<th scope="col">{escape(lane.head)}</th>' for lane in lanes)
    body = []
    for row in zip(*(lane.body for lane in lanes), strict=True):
        cells_ = (
            f"<td{_side(lane)}><bdi>{escape(_single(text))}</bdi></td>"
            for lane, text in zip(lanes, row, strict=True)
        )
        body.append(f"<tr>{''.join(cells_)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def _side(lane: Lane) -> str:
    return ' align="left"' if lane.left else ' align="right"'


def _single(text: str) -> str:
    # Line breaks and filling are for terminals.
    return re.sub(r"\s+", " ", text)


def escaped(text: str) -> str:
    """Write a text so that Markdown shows it and does nothing else."""
    # A point between digits makes no link, and figures are to be read in the source too.
    return re.sub(r"([\\`*_{}\[\]<>()#+\-!|$~&]|(?<!\d)\.|\.(?!\d))", r"\\\1", _single(text))
