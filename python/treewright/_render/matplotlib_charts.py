"""Charts on axes of matplotlib: ordinary lines, bars and labels that a user may change afterwards."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from treewright._render.charts import BarChart, LineChart, NamedBars, NamedIntervals
from treewright._render.svg_frame import COLORS, OTHER

__all__ = ["draw_bars", "draw_intervals", "draw_lines", "draw_stacks"]

DASHES = ("-", "--", ":", "-.")


def draw_lines(chart: LineChart, ax: Any) -> None:
    """Draw lines with their bands and named points."""
    for i, (name, values) in enumerate(chart.lines):
        color = COLORS[i % len(COLORS)]
        ax.plot(chart.x, values, color=color, linestyle=DASHES[i % len(DASHES)], label=name)
        band = chart.bands[i] if i < len(chart.bands) else ()
        if band:
            low = [max(0.0, y - b) for y, b in zip(values, band, strict=True)]
            high = [y + b for y, b in zip(values, band, strict=True)]
            ax.fill_between(chart.x, low, high, color=color, alpha=0.15, linewidth=0)
    for name, x, y in chart.merged_marks():
        ax.plot([x], [y], "o", color="black", markersize=5)
        ax.annotate(name, (x, y), xytext=(5, 6), textcoords="offset points", parse_math=False)
    if chart.log:
        ax.set_xscale("log")
    _name_axes(ax, chart.title, chart.axes)
    ax.set_ylim(bottom=0.0)
    ax.legend(frameon=False)


def draw_stacks(chart: BarChart, ax: Any) -> None:
    """Draw stacked bars and the threshold."""
    edges, below = chart.edges, [0.0] * len(chart.amounts)
    widths = [high - low for low, high in pairwise(edges)]
    for i, name in enumerate(chart.names):
        sizes = [parts[i] for parts in chart.amounts]
        color = COLORS[i] if i < len(COLORS) else OTHER
        ax.bar(edges[:-1], sizes, widths, below, align="edge", color=color, label=name)
        below = [b + size for b, size in zip(below, sizes, strict=True)]
    if chart.cut is not None:
        ax.axvline(chart.cut, color="black", linestyle="--", label="threshold")
    _name_axes(ax, chart.title, chart.axes)
    ax.legend(frameon=False)


def draw_bars(chart: NamedBars, ax: Any) -> None:
    """Draw bars below each other."""
    groups = list(dict.fromkeys(bar.group for bar in chart.bars))
    colors = [COLORS[groups.index(bar.group) % len(COLORS)] for bar in chart.bars]
    places = range(len(chart.bars))
    drawn = ax.barh(places, [max(0.0, bar.length) for bar in chart.bars], color=colors)
    ax.bar_label(drawn, [bar.text for bar in chart.bars], padding=4, parse_math=False)
    ax.set_yticks(places, [bar.name for bar in chart.bars], parse_math=False)
    ax.invert_yaxis()
    ax.set_title(chart.title, parse_math=False)
    ax.margins(x=0.15)


def draw_intervals(chart: NamedIntervals, ax: Any) -> None:
    """Draw a dot with a line from low to high for each name."""
    rows, places = chart.intervals, range(len(chart.intervals))
    middles = [row.middle for row in rows]
    spread = [[row.middle - row.low for row in rows], [row.high - row.middle for row in rows]]
    ax.errorbar(middles, places, xerr=spread, fmt="o", color=COLORS[0])
    ax.set_yticks(places, [row.name for row in rows], parse_math=False)
    ax.invert_yaxis()
    ax.set_title(chart.title, parse_math=False)
    ax.set_xlabel(chart.axis, parse_math=False)


def _name_axes(ax: Any, title: str, names: tuple[str, str]) -> None:
    ax.set_title(title, parse_math=False)
    ax.set_xlabel(names[0], parse_math=False)
    ax.set_ylabel(names[1], parse_math=False)
