"""Pictures of partial dependence: a curve with lines of single rows, points beside categories, a map of two columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._render.charts import ticks
from treewright._render.shapes import Path, Rectangle, Shape, ShapePicture, Stroke, TextLine
from treewright._render.svg_frame import COLORS
from treewright._render.svg_text import text_width, wrap

__all__ = ["Axis", "draw_categories", "draw_curve", "draw_heat_map"]

Numbers = NDArray[np.float64]

WIDTH, HEIGHT = 720.0, 420.0
LEFT, RIGHT, TOP, BOTTOM = 72.0, 20.0, 44.0, 56.0
LINE = 24.0  # of a category
MAX_INDIVIDUAL = 60  # lines of single rows
MAX_NAME = 180.0
GRID = Stroke(opacity=0.15)
AXIS = Stroke(opacity=0.6)
MAX_CELL_TEXTS = 120  # cells of a map that have their number in them


@dataclass(frozen=True, slots=True)
class Axis:
    """A numeric column: its name, its values, whether nothing changes between two of them, and its ends in the rows."""

    name: str
    values: Numbers
    has_steps: bool
    span: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class _Plane:
    """The ends of both axes, and where numbers stand between them."""

    low: float
    high: float
    bottom: float
    top: float

    def x(self, value: float) -> float:
        return LEFT + (value - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        share = (value - self.bottom) / (self.top - self.bottom)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def axes(self, name: str) -> list[Shape]:
        shapes: list[Shape] = []
        for value in ticks(self.bottom, self.top):
            y = self.y(value)
            shapes.append(Path((((LEFT, y), (WIDTH - RIGHT, y)),), GRID))
            shapes.append(TextLine(LEFT - 8, y + 4, f"{value:g}", "end"))
        base = HEIGHT - BOTTOM
        shapes.append(Path((((LEFT, base), (WIDTH - RIGHT, base)),), AXIS))
        for value in ticks(self.low, self.high):
            x = self.x(value)
            shapes.append(Path((((x, base), (x, base + 5)),), AXIS))
            shapes.append(TextLine(x, base + 20, f"{value:g}"))
        middle = (LEFT + WIDTH - RIGHT) / 2
        return [*shapes, TextLine(middle, HEIGHT - 12, _fit(name, 500), bold=True)]

    def line(self, axis: Axis, values: Numbers) -> tuple[tuple[float, float], ...]:
        """Return the points of a line; with steps each value holds from the one before it, the last one to the end."""
        x = axis.values
        if axis.has_steps:
            inner = x[:-1].tolist()
            pairs = zip([self.low, *inner], [*inner, self.high], strict=True)
            x, values = np.array([end for pair in pairs for end in pair]), np.repeat(values, 2)
        points = zip(x.tolist(), values.tolist(), strict=True)
        return tuple((self.x(a), self.y(b)) for a, b in points)


def draw_curve(
    title: str,
    axis: Axis,
    average: Numbers,
    names: Sequence[str],
    individual: Numbers | None,
) -> ShapePicture:
    """Draw the average over a numeric column."""
    ends = [float(axis.values[0]), float(axis.values[-1]), *(axis.span or ())]
    low, high = min(ends), max(ends)
    margin = 0.05 * (high - low or 1.0)
    rows = _spread(individual)
    bottom, top = _range(average if rows is None else np.concatenate([average[None], rows]))
    plane = _Plane(low - margin, high + margin, bottom, top)
    shapes = plane.axes(axis.name)
    outputs = range(average.shape[1])
    if rows is not None:
        for k in outputs:
            lines = tuple(plane.line(axis, row[:, k]) for row in rows)
            shapes.append(Path(lines, Stroke(COLORS[k % len(COLORS)], 1.0, 0.25)))
    for k in outputs:
        line = plane.line(axis, average[:, k])
        shapes.append(Path((line,), Stroke(COLORS[k % len(COLORS)], 2.5)))
    return ShapePicture(WIDTH, HEIGHT, title, [*shapes, *_legend(names)])


def draw_categories(
    title: str,
    column: str,
    texts: Sequence[str],
    average: Numbers,
    names: Sequence[str],
    individual: Numbers | None,
) -> ShapePicture:
    """Draw the average at each category as a point, and the single rows as ticks beside it."""
    left = min(MAX_NAME, max(text_width(text) for text in texts)) + 24
    rows = _spread(individual)
    low, high = _range(average if rows is None else np.concatenate([average[None], rows]))

    def place(value: float) -> float:
        return left + (value - low) / (high - low) * (WIDTH - left - RIGHT)

    base = TOP + LINE * len(texts) + 4
    shapes: list[Shape] = [TextLine(left - 8, TOP - 8, _fit(column, left - 12), "end", bold=True)]
    for value in ticks(low, high):
        shapes.append(Path((((place(value), TOP), (place(value), base)),), GRID))
        shapes.append(TextLine(place(value), base + 18, f"{value:g}"))
    for i, text in enumerate(texts):
        middle = TOP + LINE * (i + 0.5)
        shapes.append(TextLine(left - 8, middle + 4, _fit(text, MAX_NAME), "end"))
        for k in range(average.shape[1]):
            color = COLORS[k % len(COLORS)]
            if rows is not None:
                marks = tuple(
                    ((place(v), middle - 6), (place(v), middle + 6)) for v in rows[:, i, k].tolist()
                )
                shapes.append(Path(marks, Stroke(color, 1.0, 0.3)))
            at = place(float(average[i, k]))
            shapes.append(Rectangle(at - 5, middle - 5, 10, 10, fill=color, radius=5))
    return ShapePicture(WIDTH, base + 36, title, [*shapes, *_legend(names, left)])


def draw_heat_map(
    title: str,
    columns: Sequence[str],
    texts: tuple[Sequence[str], Sequence[str]],
    average: Numbers,
    name: str,
) -> ShapePicture:
    """Draw the average of each pair of values as a shade; the first column goes down, the second across."""
    left = min(MAX_NAME, max(text_width(text) for text in texts[0])) + 24
    low, high = float(average.min()), float(average.max())
    width = (WIDTH - left - RIGHT) / len(texts[1])
    height = max(18.0, min(36.0, 320.0 / len(texts[0])))
    room = max(text_width(text) for text in texts[1]) + 10
    has_numbers = average.size <= MAX_CELL_TEXTS and width > 44
    shapes: list[Shape] = [
        TextLine(left - 8, TOP + 10, _fit(columns[0], left - 12), "end", bold=True)
    ]
    top = TOP + 20
    for i, text in enumerate(texts[0]):
        y = top + height * i
        shapes.append(TextLine(left - 8, y + height / 2 + 4, _fit(text, MAX_NAME), "end"))
        for j in range(len(texts[1])):
            share = (float(average[i, j]) - low) / (high - low) if high > low else 0.5
            x = left + width * j
            shapes.append(
                Rectangle(x, y, width - 1, height - 1, fill=COLORS[0], opacity=0.08 + 0.87 * share)
            )
            if has_numbers:
                shapes.append(TextLine(x + width / 2, y + height / 2 + 4, f"{average[i, j]:.3g}"))
    base = top + height * len(texts[0])
    step = max(1, int(np.ceil(room / width)))
    shapes += [
        TextLine(left + width * (j + 0.5), base + 18, _fit(texts[1][j], 120))
        for j in range(0, len(texts[1]), step)
    ]
    shapes.append(TextLine((left + WIDTH - RIGHT) / 2, base + 40, _fit(columns[1], 500), bold=True))
    legend = f"{name}: {low:.4g} (light) to {high:.4g} (dark)"
    shapes.append(TextLine(left, 24, _fit(legend, 500), "start"))
    return ShapePicture(WIDTH, base + 52, title, shapes)


def _spread(individual: Numbers | None) -> Numbers | None:
    """Return the predictions of at most so many rows, evenly chosen."""
    if individual is None or len(individual) <= MAX_INDIVIDUAL:
        return individual
    rows = np.linspace(0, len(individual) - 1, MAX_INDIVIDUAL).round().astype(int)
    return np.asarray(individual[rows])


def _range(values: Numbers) -> tuple[float, float]:
    """Return the ends of an axis for numbers, with a margin."""
    low, high = float(values.min()), float(values.max())
    margin = 0.05 * (high - low) or 0.05 * abs(high) or 0.5
    return low - margin, high + margin


def _legend(names: Sequence[str], x: float = 12.0) -> list[Shape]:
    """Return the names of the outputs; a single one needs no color."""
    shapes: list[Shape] = []
    for k, name in enumerate(names):
        if len(names) > 1:
            color = COLORS[k % len(COLORS)]
            shapes.append(Rectangle(x, 12, 12, 12, fill=color, radius=2))
            x += 18
        text = _fit(name, 140)
        shapes.append(TextLine(x, 23, text, "start"))
        x += text_width(text) + 16
        if x > WIDTH - 100:
            break
    return shapes


def _fit(text: str, room: float) -> str:
    return wrap(text, room, 1)[0]
