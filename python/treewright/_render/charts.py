"""Pictures of a document: charts as data, and drawings that are made elsewhere.

A picture has a form for every writer: ``svg()`` for HTML, ``latex()`` for LaTeX, and ``text`` for forms without
pictures. A ``text`` of None says that a table of the document holds the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from treewright._render.svg_bars import Bar


__all__ = ["BarChart", "Chart", "Drawing", "LineChart", "NamedBars"]


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

    kind: ClassVar[str] = "lines"
    text: ClassVar[str | None] = None

    x: tuple[float, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    marks: tuple[tuple[str, float, float], ...]
    title: str
    axes: tuple[str, str]

    def svg(self) -> str:
        """Draw it as SVG."""
        from treewright._render import svg_chart as chart

        lines = [chart.Line(name, heights) for name, heights in self.lines]
        marks = [chart.Mark(*mark) for mark in self.marks]
        return chart.render(self.x, lines, marks, self.title, self.axes, even=True)

    def latex(self) -> str:
        """Draw it with TikZ."""
        from treewright._render import tikz

        return tikz.draw(self)


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

    kind: ClassVar[str] = "bars"
    text: ClassVar[str | None] = None

    edges: tuple[float, ...]
    names: tuple[str, ...]
    amounts: tuple[tuple[float, ...], ...]
    cut: float | None
    title: str
    axes: tuple[str, str]

    def svg(self) -> str:
        """Draw it as SVG."""
        from treewright._render import svg_stacks as stacks

        bars = [
            stacks.Stack(low, high, held)
            for low, high, held in zip(self.edges, self.edges[1:], self.amounts, strict=False)
        ]
        return stacks.render(bars, list(self.names), self.cut, self.title, self.axes)

    def latex(self) -> str:
        """Draw it with TikZ."""
        from treewright._render import tikz

        return tikz.draw(self)


@dataclass(frozen=True, slots=True)
class NamedBars:
    """Bars beside names, one below the other; LaTeX has none.

    Parameters
    ----------
    bars : tuple of Bar
        The bars from top to bottom.
    title : str
        What it shows.
    """

    kind: ClassVar[str] = "bars"
    text: ClassVar[str | None] = None

    bars: tuple[Bar, ...]
    title: str

    def svg(self) -> str:
        """Draw it as SVG."""
        from treewright._render import svg_bars

        return svg_bars.render(self.bars, self.title)

    def latex(self) -> str:
        """Return nothing: the table beside it has the numbers."""
        return ""


@dataclass(frozen=True, slots=True)
class Drawing:
    r"""A picture that is drawn elsewhere, such as a tree.

    Parameters
    ----------
    title : str
        What it shows.
    draw_svg : callable
        Returns it as SVG; called only where a picture is written.
    text : str or None
        The same for forms without pictures, as preformatted lines.
    draw_latex : callable or None
        Returns it for LaTeX; where None, the text is written.
    latex_packages : tuple of str
        What its LaTeX needs besides ``tikz``.
    draw_html : callable or None
        Returns it for HTML; where None, its SVG is written.

    Examples
    --------
    >>> dot = Drawing("a dot", lambda: "<svg/>", text=".")
    >>> dot.svg(), dot.latex()
    ('<svg/>', '')
    """

    kind: ClassVar[str] = "drawing"

    title: str
    draw_svg: Callable[[], str]
    text: str | None = None
    draw_latex: Callable[[], str] | None = None
    latex_packages: tuple[str, ...] = ()
    draw_html: Callable[[], str] | None = None

    def svg(self) -> str:
        """Draw it as SVG."""
        return self.draw_svg()

    def latex(self) -> str:
        """Draw it for LaTeX; nothing where it has only a text."""
        return self.draw_latex() if self.draw_latex else ""


Chart = LineChart | BarChart | NamedBars | Drawing
