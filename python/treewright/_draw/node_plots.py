"""The rows of a node inside its box: a histogram of the column that it splits on, or points of a numeric target.

Both are plain values, counted elsewhere; here they become shapes of the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from treewright._render.shapes import Path, Rectangle, Stroke, TextLine
from treewright._render.svg_frame import COLORS
from treewright._render.svg_text import FONT, text_width

__all__ = ["Histogram", "NodePlot", "Plots", "Points"]

SMALL = 9.0  # size of the letters
AXIS = 12.0  # height of the names below a plot
FAINT = Stroke(opacity=0.45)
THRESHOLD = Stroke(width=1.5, dashes=(3, 2))
MEAN = Stroke(COLORS[1], 2.0)
DOT = 2.4
Shapes = list[Rectangle | TextLine | Path]


@dataclass(frozen=True, slots=True)
class Histogram:
    """Stacked bars: for each bin, or each category, the weight of each class.

    Parameters
    ----------
    amounts : tuple of tuple of float
        For each bar the weight of each class.
    labels : tuple of str
        The text below the first and below the last bar.
    threshold : float or None, default=None
        Where a line shows the threshold, in bars from the left.
    """

    amounts: tuple[tuple[float, ...], ...]
    labels: tuple[str, str]
    threshold: float | None = None

    def draw(
        self, x: float, y: float, width: float, height: float, colors: Mapping[int, str]
    ) -> Shapes:
        """Draw it into a part of a picture."""
        base, bar = y + height - AXIS, width / len(self.amounts)
        top = max((sum(parts) for parts in self.amounts), default=0.0) or 1.0
        unit = (height - AXIS - 2) / top
        gap = 1.0 if bar > 4 else 0.0
        marks: Shapes = []
        for i, parts in enumerate(self.amounts):
            level = base
            for color, amount in _by_color(parts, colors).items():
                if amount > 0:
                    level -= amount * unit
                    marks.append(
                        Rectangle(x + i * bar, level, bar - gap, amount * unit, color, opacity=0.85)
                    )
        marks.append(_line(x, base, x + width, base, FAINT))
        marks += _labels(self.labels, x, base, width)
        if self.threshold is not None:
            at = x + self.threshold * bar
            marks.append(_line(at, y, at, base + 3, THRESHOLD))
        return marks


@dataclass(frozen=True, slots=True)
class Points:
    """Rows as points: a column across, a numeric target up, and the mean on each side of the threshold.

    Parameters
    ----------
    points : tuple of pairs
        Places of the rows, each from 0 to 1 on both axes.
    means : tuple of triples
        Lines: from where to where on the horizontal axis, and how high.
    labels : tuple of str
        The text below the left and below the right end.
    threshold : float or None, default=None
        Where a line shows the threshold, from 0 to 1.
    """

    points: tuple[tuple[float, float], ...]
    means: tuple[tuple[float, float, float], ...]
    labels: tuple[str, str]
    threshold: float | None = None

    def draw(
        self, x: float, y: float, width: float, height: float, colors: Mapping[int, str]
    ) -> Shapes:
        """Draw it into a part of a picture."""
        base = y + height - AXIS
        inner = height - AXIS - 4

        def up(share: float) -> float:
            return base - 2 - share * inner

        marks: Shapes = [
            Rectangle(
                x + across * (width - DOT),
                up(high) - DOT / 2,
                DOT,
                DOT,
                COLORS[0],
                0.5,
                radius=DOT / 2,
            )
            for across, high in self.points
        ]
        marks += [
            _line(x + start * width, up(high), x + end * width, up(high), MEAN)
            for start, end, high in self.means
        ]
        marks.append(_line(x, base, x + width, base, FAINT))
        marks += _labels(self.labels, x, base, width)
        if self.threshold is not None:
            at = x + self.threshold * width
            marks.append(_line(at, y, at, base + 3, THRESHOLD))
        return marks


NodePlot = Histogram | Points
Plots = Callable[[int], NodePlot | None]  # from a node to the plot of its rows


def _by_color(parts: tuple[float, ...], colors: Mapping[int, str]) -> dict[str, float]:
    """Add up classes that share a color, in the order of the colors."""
    sums = dict.fromkeys((color for color in (*COLORS, *colors.values())), 0.0)
    for i, amount in enumerate(parts):
        sums[colors[i]] += amount
    return sums


def _line(x: float, y: float, to_x: float, to_y: float, stroke: Stroke) -> Path:
    return Path((((x, y), (to_x, to_y)),), stroke)


def _labels(labels: tuple[str, str], x: float, base: float, width: float) -> list[TextLine]:
    """Write the texts at both ends of an axis, where there is room for both."""
    left, right = labels
    if sum(text_width(text) for text in labels) * SMALL / FONT > width - 8:
        return []
    y = base + AXIS - 2
    return [
        TextLine(x, y, left, "start", opacity=0.8, size=SMALL),
        TextLine(x + width, y, right, "end", opacity=0.8, size=SMALL),
    ]
