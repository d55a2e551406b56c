"""Charts as data: lines over an axis, stacked bars over an axis; drawn as SVG and as TikZ."""

from __future__ import annotations

from dataclasses import dataclass

from treewright._render import svg_chart as chart
from treewright._render import svg_stacks as stacks

__all__ = ["BarChart", "LineChart"]


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines through points over one axis, with named marks on them.

    Parameters
    ----------
    x : tuple of float
        Where the points of every line stand.
    lines : tuple of (name, heights)
        The lines.
    marks : tuple of (name, x, y)
        Places with a name.
    title : str
        What it shows.
    axes : tuple of two str
        The names of the axes.
    """

    x: tuple[float, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    marks: tuple[tuple[str, float, float], ...]
    title: str
    axes: tuple[str, str]

    def svg(self) -> str:
        """Draw it as SVG."""
        lines = [chart.Line(name, heights) for name, heights in self.lines]
        marks = [chart.Mark(*mark) for mark in self.marks]
        return chart.render(self.x, lines, marks, self.title, self.axes, even=True)


@dataclass(frozen=True, slots=True)
class BarChart:
    """Stacked bars between numbers, with a line where they are cut.

    Parameters
    ----------
    edges : tuple of float
        The borders of the bars.
    names : tuple of str
        What is stacked, the first at the bottom.
    amounts : tuple of tuples of float
        For each bar, how much of each.
    cut : float or None
        Where the line stands.
    title : str
        What it shows.
    axes : tuple of two str
        The names of the axes.
    """

    edges: tuple[float, ...]
    names: tuple[str, ...]
    amounts: tuple[tuple[float, ...], ...]
    cut: float | None
    title: str
    axes: tuple[str, str]

    def svg(self) -> str:
        """Draw it as SVG."""
        bars = [
            stacks.Stack(low, high, held)
            for low, high, held in zip(self.edges, self.edges[1:], self.amounts, strict=False)
        ]
        return stacks.render(bars, list(self.names), self.cut, self.title, self.axes)
