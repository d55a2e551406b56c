"""Bars beside names as plain SVG: no script, no background, no external program. A negative length is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from treewright._render.svg_frame import COLOURS, framed
from treewright._render.svg_text import FONT as SIZE
from treewright._render.svg_text import text_width

__all__ = ["Bar", "render"]

FONT, LINE, TOP = 13.0, 22.0, 34.0
LENGTH = 360.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A name, a length, what is written at its end, and a group that gives it its colour."""

    name: str
    length: float
    text: str
    group: str = ""


def render(bars: Sequence[Bar], title: str) -> str:
    """Draw bars under each other, the longest over the whole width."""
    most = max((bar.length for bar in bars), default=0.0)
    groups = list(dict.fromkeys(bar.group for bar in bars))
    left = 16 + max((_width(bar.name) for bar in bars), default=0.0)
    width = left + LENGTH + 16 + max((_width(bar.text) for bar in bars), default=0.0)
    height = TOP + LINE * len(bars) + 8
    drawn = [_text(8, 20, title, "start")]
    for i, bar in enumerate(bars):
        y = TOP + LINE * i
        long = LENGTH * max(0.0, bar.length) / most if most > 0 else 0.0
        colour = COLOURS[groups.index(bar.group) % len(COLOURS)]
        drawn += [
            _text(left - 6, y + 15, bar.name, "end"),
            f'<rect x="{left:.1f}" y="{y + 3:.1f}" width="{long:.1f}" height="{LINE - 6:.1f}" '
            f'fill="{colour}"><title>{escape(bar.group)}</title></rect>',
            _text(left + long + 6, y + 15, bar.text, "start"),
        ]
    return framed(width, height, FONT, title, "".join(drawn))


def _width(text: str) -> float:
    return text_width(text) * FONT / SIZE


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
