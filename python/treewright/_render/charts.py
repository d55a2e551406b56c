"""Pictures of a document: charts as data, and drawings that are made elsewhere.

A picture has a form for every writer: ``svg()`` for HTML, ``latex()`` for LaTeX, ``draw_on()`` for matplotlib, and
``text`` for formats without pictures. A ``text`` of None says that a table of the document holds the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from treewright._render.shapes import ShapePicture

__all__ = [
    "Bar",
    "BarChart",
    "Chart",
    "Drawing",
    "Interval",
    "LineChart",
    "NamedBars",
    "NamedIntervals",
    "powers",
    "ticks",
]


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines over one axis, with named points."""

    kind: ClassVar[str] = "lines"
    text: ClassVar[str | None] = None

    x: tuple[float, ...]  # of the points of every line
    lines: tuple[tuple[str, tuple[float, ...]], ...]  # name and y values of each line
    marks: tuple[tuple[str, float, float], ...]  # name, x and y of each named point
    title: str
    axes: tuple[str, str]  # their names
    bands: tuple[tuple[float, ...], ...] = ()  # for each line, how far its band goes up and down
    log: bool = False  # whether the x axis is logarithmic
    # The ends of the x axis; None for the least and the largest x.
    span: tuple[float, float] | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the x axis."""
        return (min(self.x), max(self.x)) if self.span is None else self.span

    @property
    def top(self) -> float:
        """The top of the y axis."""
        heights = [y for _, values in self.lines for y in values]
        for (_, values), band in zip(self.lines, self.bands, strict=False):
            heights += [y + b for y, b in zip(values, band, strict=False)]
        return (max(heights, default=1.0) or 1.0) * 1.05

    def place(self, x: float) -> float:
        """Return where a number is on the x axis, from 0 to 1."""
        low, high = self.ends
        if high <= low:
            return 0.5
        if self.log:
            return math.log(x / low) / math.log(high / low)
        return (x - low) / (high - low)

    def x_ticks(self) -> list[tuple[float, str]]:
        """Return the numbers at the x axis."""
        if self.log:
            return [(x, f"{x:,.0f}") for x in powers(*self.ends)]
        return [(x, f"{x:g}") for x in ticks(*self.ends)]

    def merged_marks(self) -> list[tuple[str, float, float]]:
        """Return the marks from left to right, with one name for those at the same point."""
        names: dict[tuple[float, float], list[str]] = {}
        for name, x, y in self.marks:
            names.setdefault((x, y), []).append(name)
        return [(", ".join(group), *point) for point, group in sorted(names.items())]

    def svg(self) -> str:
        """Draw it as SVG."""
        from treewright._render import svg_charts

        return svg_charts.draw_lines(self)

    def draw_on(self, ax: Any) -> None:
        """Draw it on axes of matplotlib."""
        from treewright._render import matplotlib_charts

        matplotlib_charts.draw_lines(self, ax)

    def latex(self) -> str:
        """Draw it with TikZ."""
        from treewright._render import tikz

        return tikz.draw(self)


@dataclass(frozen=True, slots=True)
class BarChart:
    """Stacked bars between numbers, with a line at a threshold."""

    kind: ClassVar[str] = "bars"
    text: ClassVar[str | None] = None

    edges: tuple[float, ...]  # of the bars
    names: tuple[str, ...]  # of the parts of a bar, the first at the bottom
    amounts: tuple[tuple[float, ...], ...]  # for each bar, the size of each part
    cut: float | None  # the threshold
    title: str
    axes: tuple[str, str]  # their names

    @property
    def top(self) -> float:
        """The height of the highest bar."""
        return max((sum(parts) for parts in self.amounts), default=0.0) or 1.0

    def y_ticks(self) -> list[float]:
        """Return the numbers at the y axis; whole numbers where all amounts are whole."""
        whole_numbers = all(float(n).is_integer() for parts in self.amounts for n in parts)
        return [y for y in ticks(0.0, self.top) if not whole_numbers or float(y).is_integer()]

    def svg(self) -> str:
        """Draw it as SVG."""
        from treewright._render import svg_charts

        return svg_charts.draw_stacks(self)

    def draw_on(self, ax: Any) -> None:
        """Draw it on axes of matplotlib."""
        from treewright._render import matplotlib_charts

        matplotlib_charts.draw_stacks(self, ax)

    def latex(self) -> str:
        """Draw it with TikZ."""
        from treewright._render import tikz

        return tikz.draw(self)


@dataclass(frozen=True, slots=True)
class Bar:
    """A name, a length, the text at its end, and a group that gives it its color."""

    name: str
    length: float
    text: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class NamedBars:
    """Bars beside names, from top to bottom; a negative length is drawn as none. LaTeX has no such chart."""

    kind: ClassVar[str] = "bars"
    text: ClassVar[str | None] = None

    bars: tuple[Bar, ...]
    title: str

    def svg(self) -> str:
        """Draw it as SVG."""
        from treewright._render import svg_charts

        return svg_charts.draw_bars(self)

    def draw_on(self, ax: Any) -> None:
        """Draw it on axes of matplotlib."""
        from treewright._render import matplotlib_charts

        matplotlib_charts.draw_bars(self, ax)

    def latex(self) -> str:
        """Return nothing: the table beside it has the numbers."""
        return ""


@dataclass(frozen=True, slots=True)
class Interval:
    """A name, a number with an interval around it, and the text at its end."""

    name: str
    low: float
    middle: float
    high: float
    text: str


@dataclass(frozen=True, slots=True)
class NamedIntervals:
    """Numbers with intervals beside names, from top to bottom. LaTeX has no such chart."""

    kind: ClassVar[str] = "intervals"
    text: ClassVar[str | None] = None

    intervals: tuple[Interval, ...]
    title: str
    axis: str  # the name of the numbers

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the axis."""
        low = min(interval.low for interval in self.intervals)
        high = max(interval.high for interval in self.intervals)
        return (low, high) if high > low else (low - 0.5, high + 0.5)

    def svg(self) -> str:
        """Draw it as SVG."""
        from treewright._render import svg_charts

        return svg_charts.draw_intervals(self)

    def draw_on(self, ax: Any) -> None:
        """Draw it on axes of matplotlib."""
        from treewright._render import matplotlib_charts

        matplotlib_charts.draw_intervals(self, ax)

    def latex(self) -> str:
        """Return nothing: the table beside it has the numbers."""
        return ""


@dataclass(frozen=True, slots=True)
class Drawing:
    r"""A picture that is drawn elsewhere, such as a tree.

    Examples
    --------
    >>> from treewright._render.shapes import ShapePicture
    >>> dot = Drawing("a dot", lambda: ShapePicture(1, 1, "a dot", ()), text=".")
    >>> dot.svg()[:4], dot.latex()
    ('<svg', '')
    """

    kind: ClassVar[str] = "drawing"

    title: str
    draw: Callable[[], ShapePicture]  # called only where a picture is written
    text: str | None = None  # the same as preformatted lines, for formats without pictures
    draw_latex: Callable[[], str] | None = None  # where None, LaTeX has the text
    latex_packages: tuple[str, ...] = ()  # that its LaTeX needs besides ``tikz``
    draw_html: Callable[[], str] | None = None  # where None, HTML has the SVG

    def svg(self) -> str:
        """Draw it as SVG."""
        return self.draw().svg()

    def draw_on(self, ax: Any) -> None:
        """Draw it on axes of matplotlib."""
        from treewright._render import matplotlib_shapes

        matplotlib_shapes.draw(self.draw(), ax)

    def latex(self) -> str:
        """Draw it for LaTeX; nothing where it has only a text."""
        return self.draw_latex() if self.draw_latex else ""


Chart = LineChart | BarChart | NamedBars | NamedIntervals | Drawing


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
