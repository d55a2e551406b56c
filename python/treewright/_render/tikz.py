r"""Charts for LaTeX's TikZ, in plain coordinates: nothing besides ``\usepackage{tikz}`` is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treewright._render.charts import BarChart, LineChart, ticks
from treewright._render.latex_text import tex
from treewright._render.svg_frame import COLORS, OTHER

__all__ = ["draw"]

WIDTH, HEIGHT = 11.0, 6.0  # centimeters
DASHES = ("", ", dashed", ", densely dotted", ", dash dot")
LABEL = 0.45  # between the lines of names
Place = Callable[[float], float]


def draw(chart: LineChart | BarChart) -> str:
    """Draw a chart as a ``tikzpicture``."""
    body = _lines(chart) if isinstance(chart, LineChart) else _bars(chart)
    colors = "".join(
        rf"\definecolor{{treewright{i}}}{{HTML}}{{{color.removeprefix('#')}}}" + "\n"
        for i, color in enumerate((*COLORS, OTHER))
    )
    return (
        colors + "\\begin{tikzpicture}[font=\\small]\n" + "\n".join(body) + "\n\\end{tikzpicture}"
    )


def _lines(chart: LineChart) -> list[str]:
    def x(value: float) -> float:
        return chart.place(value) * WIDTH

    y = _scale(0.0, chart.top, HEIGHT)
    body = _axes(x, y, chart.x_ticks(), ticks(0.0, chart.top), chart.axes)
    for i, (_, heights) in enumerate(chart.lines):
        band = chart.bands[i] if i < len(chart.bands) else ()
        if band:
            edge = [(a, b + c) for a, b, c in zip(chart.x, heights, band, strict=True)]
            low = [(a, max(0.0, b - c)) for a, b, c in zip(chart.x, heights, band, strict=True)]
            points = _points([*edge, *reversed(low)], x, y)
            body.append(rf"\fill[treewright{i}, opacity=0.15] plot coordinates {{{points}}};")
        points = _points(list(zip(chart.x, heights, strict=True)), x, y)
        body.append(rf"\draw[thick, treewright{i}{DASHES[i % 4]}] plot coordinates {{{points}}};")
    body += _legend([name for name, _ in chart.lines], line=True)
    for i, (name, a, b) in enumerate(chart.merged_marks()):
        # Names of places that are close to each other stand above and below by turns.
        side = f"{'below' if i % 2 else 'above'} {'left' if x(a) > WIDTH * 0.6 else 'right'}"
        body.append(rf"\fill ({x(a):.3f},{y(b):.3f}) circle (1.8pt) node[{side}] {{{tex(name)}}};")
    return body


def _points(points: list[tuple[float, float]], x: Place, y: Place) -> str:
    return " ".join(f"({x(a):.3f},{y(b):.3f})" for a, b in points)


def _bars(chart: BarChart) -> list[str]:
    low, high = chart.edges[0], chart.edges[-1]
    x, y = _scale(low, high, WIDTH), _scale(0.0, chart.top * 1.05, HEIGHT)
    across = [(value, f"{value:g}") for value in ticks(low, high, 8)]
    body = _axes(x, y, across, chart.y_ticks(), chart.axes)
    for left, right, held in zip(chart.edges, chart.edges[1:], chart.amounts, strict=False):
        below = 0.0
        for i, amount in enumerate(held):
            if amount > 0:
                corner = f"({x(left) + 0.02:.3f},{y(below):.3f})"
                other = f"({x(right) - 0.02:.3f},{y(below + amount):.3f})"
                body.append(rf"\fill[{_color(i)}] {corner} rectangle {other};")
                below += amount
    body += _legend(chart.names, line=False)
    if chart.cut is not None and low <= chart.cut <= high:
        at, side = x(chart.cut), "left" if x(chart.cut) > WIDTH / 2 else "right"
        label = tex(f"≤ {chart.cut:g}")
        body.append(
            rf"\draw[thick, dashed] ({at:.3f},0) -- ({at:.3f},{HEIGHT}) node[below {side}] {{{label}}};"
        )
    return body


def _scale(low: float, high: float, size: float) -> Place:
    return lambda value: (value - low) / (high - low) * size if high > low else size / 2


def _axes(
    x: Place,
    y: Place,
    across: Sequence[tuple[float, str]],
    up: Sequence[float],
    names: tuple[str, str],
) -> list[str]:
    body = [rf"\draw ({WIDTH},0) -- (0,0) -- (0,{HEIGHT});"]
    for value, label in across:
        at = f"{x(value):.3f}"
        body.append(rf"\draw ({at},0) -- ({at},-0.1) node[below] {{{tex(label)}}};")
    for value in up:
        at = f"{y(value):.3f}"
        body.append(rf"\draw[black!15] (0,{at}) -- ({WIDTH},{at});")
        body.append(rf"\node[left] at (-0.05,{at}) {{{tex(f'{value:g}')}}};")
    body.append(rf"\node at ({WIDTH / 2},-0.95) {{{tex(names[0])}}};")
    body.append(rf"\node[rotate=90] at (-1.1,{HEIGHT / 2}) {{{tex(names[1])}}};")
    return body


def _legend(names: Sequence[str], *, line: bool) -> list[str]:
    body = []
    for i, name in enumerate(names):
        row, column = divmod(i, 3)
        left, top = column * WIDTH / 3, HEIGHT + 0.4 + LABEL * row
        if line:
            style = f"thick, {_color(i)}{DASHES[i % 4]}"
            body.append(rf"\draw[{style}] ({left:.3f},{top:.3f}) -- ++(0.6,0);")
        else:
            body.append(
                rf"\fill[{_color(i)}] ({left + 0.2:.3f},{top - 0.12:.3f}) rectangle ++(0.25,0.25);"
            )
        body.append(rf"\node[right] at ({left + 0.65:.3f},{top:.3f}) {{{tex(name)}}};")
    return body


def _color(i: int) -> str:
    return f"treewright{min(i, len(COLORS))}"
