"""A chart of a few lines as plain SVG: no script, no background, no external program.

Letters and axes take the colour of the text around them. A line is told by its colour, its dashes and its name.

Glossary: a *line* goes through points from left to right; its *band* is how sure it is, above and below; a *mark* is a
place on a line that has a name.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from treewright._render.svg_frame import COLOURS, framed

__all__ = ["Line", "Mark", "render", "ticks"]

WIDTH, HEIGHT = 720.0, 420.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 16.0, 40.0, 52.0
FONT = 13.0
DASHES = ("", "6 4", "2 3", "8 3 2 3")
LEGEND = 22.0


@dataclass(frozen=True, slots=True)
class Line:
    """Points to connect: places on both axes, and how far the band goes to either side."""

    name: str
    y: Sequence[float]
    band: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on a line that has a name."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class _Scale:
    """From numbers to places on the paper; x is logarithmic unless it is even."""

    low: float
    high: float
    least: float
    most: float
    even: bool = False

    def x(self, value: float) -> float:
        if self.high <= self.low:
            return (LEFT + WIDTH - RIGHT) / 2
        if self.even:
            share = (value - self.low) / (self.high - self.low)
        else:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        share = (value - self.least) / (self.most - self.least)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Return round numbers between two others, about as many as wanted.

    Examples
    --------
    >>> ticks(0.02, 0.47)
    [0.1, 0.2, 0.3, 0.4]
    """
    if not high > low:
        return [low]
    rough = (high - low) / wanted
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * m for m in (1, 2, 2.5, 5, 10) if size * m >= rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def powers(low: float, high: float) -> list[float]:
    """Return 1, 2, 5, 10, ... between two numbers; only powers of ten where these are many."""
    tens = [10**k for k in range(int(math.log10(high)) + 1)] if high >= 1 else []
    steps = (1, 2, 5) if len(tens) <= 3 else (1,)
    return [float(t * m) for t in tens for m in steps if low <= t * m <= high] or [low]


def render(
    x: Sequence[float],
    lines: Sequence[Line],
    marks: Sequence[Mark],
    title: str,
    axes: tuple[str, str],
    *,
    even: bool = False,
) -> str:
    """Draw lines over a logarithmic axis, or over an even one."""
    tops = [
        y + b for line in lines for y, b in zip(line.y, line.band or [0.0] * len(x), strict=True)
    ]
    most = max(tops, default=1.0) or 1.0
    scale = _Scale(min(x), max(x), 0.0, most * 1.05, even)
    drawn = [_axes(scale, axes)]
    for i, line in enumerate(lines):
        drawn.append(_line(x, line, scale, COLOURS[i % len(COLOURS)], DASHES[i % len(DASHES)]))
        drawn.append(_legend(i, line.name))
    drawn += [_mark(mark, scale, i) for i, mark in enumerate(_merged(marks))]
    return framed(WIDTH, HEIGHT, FONT, title, "".join(drawn))


def _axes(scale: _Scale, names: tuple[str, str]) -> str:
    base, parts = HEIGHT - BOTTOM, []
    for value in ticks(scale.least, scale.most):
        y = scale.y(value)
        parts.append(
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity="0.15"/>'
        )
        parts.append(_text(LEFT - 8, y + 4, f"{value:g}", "end"))
    for value in ticks(scale.low, scale.high) if scale.even else powers(scale.low, scale.high):
        x = scale.x(value)
        parts.append(f'<path d="M{x:.1f} {base}v5" stroke="currentColor" stroke-opacity="0.6"/>')
        said = f"{value:g}" if scale.even else f"{value:,.0f}"
        parts.append(_text(x, base + 19, said, "middle"))
    parts.append(
        f'<path d="M{LEFT} {base}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity="0.6"/>'
    )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(_text(middle, HEIGHT - 12, names[0], "middle"))
    turned = f'<g transform="translate(16 {(TOP + base) / 2:.1f}) rotate(-90)">'
    parts.append(f"{turned}{_text(0, 0, names[1], 'middle')}</g>")
    return "".join(parts)


def _line(x: Sequence[float], line: Line, scale: _Scale, colour: str, dashes: str) -> str:
    places = [(scale.x(a), scale.y(b)) for a, b in zip(x, line.y, strict=True)]
    band = ""
    if line.band:
        up = [(scale.x(a), scale.y(b + c)) for a, b, c in zip(x, line.y, line.band, strict=True)]
        down = [
            (scale.x(a), scale.y(max(0.0, b - c)))
            for a, b, c in zip(x, line.y, line.band, strict=True)
        ]
        band = f'<path d="{_path([*up, *reversed(down)])}Z" fill="{colour}" fill-opacity="0.15"/>'
    style = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'{band}<path d="{_path(places)}" fill="none" stroke="{colour}" stroke-width="2"{style}/>'
    )


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _legend(i: int, name: str) -> str:
    x = LEFT + i * 168.0
    style = f' stroke-dasharray="{DASHES[i % len(DASHES)]}"' if DASHES[i % len(DASHES)] else ""
    stroke = f'stroke="{COLOURS[i % len(COLOURS)]}" stroke-width="2"{style}'
    return f'<path d="M{x:.0f} 18h{LEGEND}" {stroke}/>{_text(x + LEGEND + 6, 22, name, "start")}'


def _merged(marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks with one name for those in one place."""
    places: dict[tuple[float, float], list[str]] = {}
    for mark in marks:
        places.setdefault((mark.x, mark.y), []).append(mark.name)
    # From left to right: each name then stands above where the lines of the others begin.
    return [Mark(", ".join(names), *place) for place, names in sorted(places.items())]


def _mark(mark: Mark, scale: _Scale, i: int) -> str:
    x, y = scale.x(mark.x), scale.y(mark.y)
    level = TOP + 14 + 17 * i
    anchor = "end" if x > WIDTH * 0.6 else "start"
    shift = -7 if anchor == "end" else 7
    stroke = 'stroke="currentColor" stroke-opacity="0.5" stroke-dasharray="2 2"'
    return (
        f'<path d="M{x:.1f} {level - 8:.1f}V{y:.1f}" {stroke}/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>{_text(x + shift, level, mark.name, anchor)}'
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
