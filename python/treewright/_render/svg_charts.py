"""Charts as plain SVG: no script, no background, no external program.

Letters and axes take the color of the text around them. Lines and classes differ in color, and lines in dashes, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from treewright._render.charts import BarChart, LineChart, NamedBars, NamedIntervals, ticks
from treewright._render.svg_frame import COLORS, OTHER, framed
from treewright._render.svg_text import FONT as BASE_FONT
from treewright._render.svg_text import text_width, wrap

__all__ = ["draw_bars", "draw_intervals", "draw_lines", "draw_stacks"]

WIDTH, HEIGHT, FONT = 720.0, 420.0, 13.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 16.0, 40.0, 52.0
INNER_WIDTH, BASE = WIDTH - LEFT - RIGHT, HEIGHT - BOTTOM
DASHES = ("", "6 4", "2 3", "8 3 2 3")
LINE_SAMPLE = 22.0  # length of a line in the legend
LEGEND_COLUMNS, LEGEND_LINE, LEGEND_SQUARE = 4, 16.0, 15.0
BAR_LINE, BAR_TOP, BAR_LENGTH = 22.0, 34.0, 360.0
Place = Callable[[float], float]


def draw_lines(chart: LineChart) -> str:
    """Draw lines with their bands and named points."""

    def x(value: float) -> float:
        return LEFT + chart.place(value) * INNER_WIDTH

    def y(value: float) -> float:
        return BASE - value / chart.top * (BASE - TOP)

    parts = [_axes(x, y, chart.x_ticks(), ticks(0.0, chart.top), chart.axes)]
    for i, (name, values) in enumerate(chart.lines):
        color, dashes = COLORS[i % len(COLORS)], DASHES[i % len(DASHES)]
        style = f'stroke="{color}" stroke-width="2"'
        style += f' stroke-dasharray="{dashes}"' if dashes else ""
        points = list(zip(chart.x, values, strict=True))
        band = chart.bands[i] if i < len(chart.bands) else ()
        if band:
            edge = [(a, b + c) for (a, b), c in zip(points, band, strict=True)]
            low = [(a, max(0.0, b - c)) for (a, b), c in zip(points, band, strict=True)]
            path = _path([*edge, *reversed(low)], x, y)
            parts.append(f'<path d="{path}Z" fill="{color}" fill-opacity="0.15"/>')
        parts.append(f'<path d="{_path(points, x, y)}" fill="none" {style}/>')
        left = LEFT + i * 168.0
        parts.append(f'<path d="M{left:.0f} 18h{LINE_SAMPLE}" {style}/>')
        parts.append(_text(left + LINE_SAMPLE + 6, 22, name, "start"))
    for i, (name, a, b) in enumerate(chart.merged_marks()):
        parts.append(_mark(name, x(a), y(b), TOP + 14 + 17 * i))
    return framed(WIDTH, HEIGHT, FONT, chart.title, "".join(parts))


def _path(points: Sequence[tuple[float, float]], x: Place, y: Place) -> str:
    return "M" + "L".join(f"{x(a):.1f} {y(b):.1f}" for a, b in points)


def _mark(name: str, x: float, y: float, level: float) -> str:
    anchor, shift = ("end", -7) if x > WIDTH * 0.6 else ("start", 7)
    stroke = 'stroke="currentColor" stroke-opacity="0.5" stroke-dasharray="2 2"'
    return (
        f'<path d="M{x:.1f} {level - 8:.1f}V{y:.1f}" {stroke}/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>{_text(x + shift, level, name, anchor)}'
    )


def draw_stacks(chart: BarChart) -> str:
    """Draw stacked bars and the threshold."""
    low, high = chart.edges[0], chart.edges[-1]
    rows = -(-len(chart.names) // LEGEND_COLUMNS)
    top = TOP + 14 + LEGEND_LINE * max(0, rows - 1)  # below the legend

    def x(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return LEFT + min(1.0, max(0.0, share)) * INNER_WIDTH

    def y(amount: float) -> float:
        return BASE - amount / chart.top * (BASE - top)

    across = [(value, f"{value:g}") for value in ticks(low, high, 8)]
    parts = [_axes(x, y, across, chart.y_ticks(), chart.axes)]
    for left, right, amounts in zip(chart.edges, chart.edges[1:], chart.amounts, strict=False):
        parts.append(_stack(x(left) + 0.75, x(right) - 0.75, amounts, y))
    parts += [_legend(i, name) for i, name in enumerate(chart.names)]
    if chart.cut is not None and low <= chart.cut <= high:
        at = x(chart.cut)
        style = 'stroke="currentColor" stroke-width="2" stroke-dasharray="5 3"'
        parts.append(f'<path d="M{at:.1f} {top - 6:.1f}V{BASE}" {style}/>')
        anchor = "end" if at > WIDTH / 2 else "start"
        parts.append(_text(at, top - 10, f"≤ {chart.cut:g}", anchor))
    return framed(WIDTH, HEIGHT, FONT, chart.title, "".join(parts))


def _stack(left: float, right: float, amounts: Sequence[float], y: Place) -> str:
    below, parts = 0.0, []
    for i, amount in enumerate(amounts):
        if amount > 0:
            bottom, top = y(below), y(below + amount)
            parts.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(1.0, right - left):.1f}" '
                f'height="{bottom - top:.1f}" fill="{_color(i)}"/>'
            )
            below += amount
    return "".join(parts)


def _legend(i: int, name: str) -> str:
    row, column = divmod(i, LEGEND_COLUMNS)
    room = INNER_WIDTH / LEGEND_COLUMNS
    left, top = LEFT + column * room, 10.0 + row * LEGEND_LINE
    [name] = wrap(name, (room - LEGEND_SQUARE - 8) * BASE_FONT / FONT, 1)
    square = f'<rect x="{left:.1f}" y="{top:.1f}" width="11" height="11" fill="{_color(i)}"/>'
    return square + _text(left + LEGEND_SQUARE, top + 10, name, "start")


def _color(i: int) -> str:
    return COLORS[i] if i < len(COLORS) else OTHER


def draw_bars(chart: NamedBars) -> str:
    """Draw bars below each other, the longest over the full width."""
    bars = chart.bars
    longest = max((bar.length for bar in bars), default=0.0)
    groups = list(dict.fromkeys(bar.group for bar in bars))
    left = 16 + max((_width(bar.name) for bar in bars), default=0.0)
    width = left + BAR_LENGTH + 16 + max((_width(bar.text) for bar in bars), default=0.0)
    parts = [_text(8, 20, chart.title, "start")]
    for i, bar in enumerate(bars):
        y = BAR_TOP + BAR_LINE * i
        length = BAR_LENGTH * max(0.0, bar.length) / longest if longest > 0 else 0.0
        color = COLORS[groups.index(bar.group) % len(COLORS)]
        parts += [
            _text(left - 6, y + 15, bar.name, "end"),
            f'<rect x="{left:.1f}" y="{y + 3:.1f}" width="{length:.1f}" height="{BAR_LINE - 6:.1f}" '
            f'fill="{color}"><title>{escape(bar.group)}</title></rect>',
            _text(left + length + 6, y + 15, bar.text, "start"),
        ]
    height = BAR_TOP + BAR_LINE * len(bars) + 8
    return framed(width, height, FONT, chart.title, "".join(parts))


def draw_intervals(chart: NamedIntervals) -> str:
    """Draw a dot with a line from low to high for each name, above a common axis."""
    rows, (low, high) = chart.intervals, chart.ends
    left = 20 + max(_width(row.name) for row in rows)
    right = left + BAR_LENGTH
    width = right + 20 + max(_width(row.text) for row in rows)
    bottom = BAR_TOP + BAR_LINE * len(rows)

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * BAR_LENGTH

    parts = [_text(8, 20, chart.title, "start")]
    for value in ticks(low, high):
        at = x(value)
        style = 'stroke="currentColor" stroke-opacity="0.15"'
        parts.append(f'<path d="M{at:.1f} {BAR_TOP:.1f}V{bottom:.1f}" {style}/>')
        parts.append(_text(at, bottom + 16, f"{value:g}", "middle"))
    for i, row in enumerate(rows):
        y = BAR_TOP + BAR_LINE * i + BAR_LINE / 2
        line = (
            f'd="M{x(row.low):.1f} {y:.1f}H{x(row.high):.1f}" stroke="{COLORS[0]}" stroke-width="2"'
        )
        parts += [
            _text(left - 10, y + 4, row.name, "end"),
            f"<path {line}/>",
            f'<circle cx="{x(row.middle):.1f}" cy="{y:.1f}" r="4.5" fill="{COLORS[0]}"/>',
            _text(right + 10, y + 4, row.text, "start"),
        ]
    parts.append(_text((left + right) / 2, bottom + 36, chart.axis, "middle"))
    return framed(width, bottom + 46, FONT, chart.title, "".join(parts))


def _width(text: str) -> float:
    return text_width(text) * FONT / BASE_FONT


def _axes(
    x: Place,
    y: Place,
    across: Sequence[tuple[float, str]],
    up: Sequence[float],
    names: tuple[str, str],
) -> str:
    parts = []
    for value in up:
        style = 'stroke="currentColor" stroke-opacity="0.15"'
        parts.append(f'<path d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" {style}/>')
        parts.append(_text(LEFT - 8, y(value) + 4, f"{value:g}", "end"))
    style = 'stroke="currentColor" stroke-opacity="0.6"'
    for value, label in across:
        parts.append(f'<path d="M{x(value):.1f} {BASE}v5" {style}/>')
        parts.append(_text(x(value), BASE + 19, label, "middle"))
    parts.append(f'<path d="M{LEFT} {BASE}H{WIDTH - RIGHT}" {style}/>')
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, names[0], "middle"))
    rotated = f'<g transform="translate(16 {(TOP + BASE) / 2:.1f}) rotate(-90)">'
    return "".join([*parts, f"{rotated}{_text(0, 0, names[1], 'middle')}</g>"])


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
