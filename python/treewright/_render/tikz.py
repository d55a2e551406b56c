r"""Charts for LaTeX's TikZ, in plain coordinates: nothing besides ``\usepackage{tikz}`` is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treewright._render.charts import BarChart, LineChart
from treewright._render.latex_text import tex
from treewright._render.svg_chart import ticks
from treewright._render.svg_frame import COLOURS, OTHER

__all__ = ["draw"]

WIDTH, HEIGHT = 11.0, 6.0  # centimetres
DASHES = ("", ", dashed", ", densely dotted", ", dash dot")
LABEL = 0.45  # between the lines of names
Place = Callable[[float], float]


def draw(chart: LineChart | BarChart) -> str:
    """Draw a chart as a ``tikzpicture``."""
    body = _lines(chart) if isinstance(chart, LineChart) else _bars(chart)
    colours = "".join(
        rf"\definecolor{{treewright{i}}}{{HTML}}{{{colour.removeprefix('#')}}}" + "\n"
        for i, colour in enumerate((*COLOURS, OTHER))
    )
    return (
        colours + "\\begin{tikzpicture}[font=\\small]\n" + "\n".join(body) + "\n\\end{tikzpicture}"
    )


def _lines(chart: LineChart) -> list[str]:
    most = max((y for _, heights in chart.lines for y in heights), default=1.0) * 1.05 or 1.0
    x, y = _scale(chart.x[0], chart.x[-1], WIDTH), _scale(0.0, most, HEIGHT)
    body = _axes(x, y, ticks(chart.x[0], chart.x[-1]), ticks(0.0, most), chart.axes)
    for i, (_, heights) in enumerate(chart.lines):
        points = " ".join(f"({x(a):.3f},{y(b):.3f})" for a, b in zip(chart.x, heights, strict=True))
        body.append(rf"\draw[thick, treewright{i}{DASHES[i % 4]}] plot coordinates {{{points}}};")
    body += _legend([name for name, _ in chart.lines], line=True)
    places: dict[tuple[float, float], list[str]] = {}
    for name, a, b in chart.marks:
        places.setdefault((a, b), []).append(name)
    for i, ((a, b), names) in enumerate(sorted(places.items())):
        # Names of places that are close to each other stand above and below by turns.
        side = f"{'below' if i % 2 else 'above'} {'left' if x(a) > WIDTH * 0.6 else 'right'}"
        label = tex(", ".join(names))
        body.append(rf"\fill ({x(a):.3f},{y(b):.3f}) circle (1.8pt) node[{side}] {{{label}}};")
    return body


def _bars(chart: BarChart) -> list[str]:
    most = max((sum(held) for held in chart.amounts), default=0.0) or 1.0
    low, high = chart.edges[0], chart.edges[-1]
    x, y = _scale(low, high, WIDTH), _scale(0.0, most * 1.05, HEIGHT)
    only_rows = all(float(n).is_integer() for held in chart.amounts for n in held)
    marks = [tick for tick in ticks(0.0, most) if not only_rows or float(tick).is_integer()]
    body = _axes(x, y, ticks(low, high, 8), marks, chart.axes)
    for left, right, held in zip(chart.edges, chart.edges[1:], chart.amounts, strict=False):
        below = 0.0
        for i, amount in enumerate(held):
            if amount > 0:
                corner = f"({x(left) + 0.02:.3f},{y(below):.3f})"
                other = f"({x(right) - 0.02:.3f},{y(below + amount):.3f})"
                body.append(rf"\fill[{_colour(i)}] {corner} rectangle {other};")
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
    x: Place, y: Place, across: Sequence[float], up: Sequence[float], names: tuple[str, str]
) -> list[str]:
    body = [rf"\draw ({WIDTH},0) -- (0,0) -- (0,{HEIGHT});"]
    for value in across:
        at = f"{x(value):.3f}"
        body.append(rf"\draw ({at},0) -- ({at},-0.1) node[below] {{{tex(f'{value:g}')}}};")
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
            style = f"thick, {_colour(i)}{DASHES[i % 4]}"
            body.append(rf"\draw[{style}] ({left:.3f},{top:.3f}) -- ++(0.6,0);")
        else:
            body.append(
                rf"\fill[{_colour(i)}] ({left + 0.2:.3f},{top - 0.12:.3f}) rectangle ++(0.25,0.25);"
            )
        body.append(rf"\node[right] at ({left + 0.65:.3f},{top:.3f}) {{{tex(name)}}};")
    return body


def _colour(i: int) -> str:
    return f"treewright{min(i, len(COLOURS))}"
