"""Shapes on axes of matplotlib: the same picture as the SVG, for papers, slides and PNG files.

The axes count the pixels of the picture, so everything keeps its place at any size of the axes. Texts are scaled when
they are drawn, because a window may have been resized since.
"""

from __future__ import annotations

from typing import Any

from matplotlib import rcParams
from matplotlib.colors import to_rgba
from matplotlib.patches import BoxStyle, FancyBboxPatch, Patch, PathPatch
from matplotlib.path import Path as Outline
from matplotlib.text import Text

from treewright._render.shapes import Group, Path, Rectangle, Shape, ShapePicture, Stroke, TextLine

__all__ = ["draw"]

ANCHORS = {"start": "left", "middle": "center", "end": "right"}
POINTS = 0.75  # of a pixel


def draw(picture: ShapePicture, ax: Any) -> None:
    """Draw a picture on axes, which it fills."""
    ax.set_xlim(0, picture.width)
    ax.set_ylim(picture.height, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    for shape in picture.shapes:
        _add(ax, shape, rcParams["text.color"])


def _add(ax: Any, shape: Shape, ink: str) -> None:
    match shape:
        case Group(_, shapes):
            for part in shapes:
                _add(ax, part, ink)
        case Rectangle():
            corners: Any = BoxStyle("Square", pad=0)
            if shape.radius:
                corners = BoxStyle("Round", pad=0, rounding_size=shape.radius)
            box = FancyBboxPatch((shape.x, shape.y), shape.width, shape.height, boxstyle=corners)
            _paint(box, shape.fill, shape.opacity, shape.stroke, ink)
            ax.add_patch(box)
        case Path():
            path = PathPatch(Outline.make_compound_path(*(Outline(line) for line in shape.lines)))
            _paint(path, shape.fill, shape.opacity, shape.stroke, ink)
            ax.add_patch(path)
        case TextLine():
            ax.add_artist(_ScaledText(shape, ink))


def _paint(patch: Patch, fill: str | None, opacity: float, stroke: Stroke | None, ink: str) -> None:
    patch.set_facecolor("none" if fill == "none" else to_rgba(fill or ink, opacity))
    if stroke is None:
        patch.set_edgecolor("none")
        return
    patch.set_edgecolor(to_rgba(stroke.color or ink, stroke.opacity))
    patch.set_linewidth(stroke.width * POINTS)
    if stroke.dashes:
        patch.set_linestyle((0, stroke.dashes))


class _ScaledText(Text):
    """A text whose size is told in units of its axes."""

    def __init__(self, line: TextLine, ink: str) -> None:
        self._size_in_axes = line.size
        super().__init__(
            line.x,
            line.y,
            line.text,
            color=ink,
            alpha=line.opacity,
            horizontalalignment=ANCHORS[line.anchor],
            verticalalignment="baseline",
            fontweight="bold" if line.bold else "normal",
            parse_math=False,  # a dollar sign in a name begins no formula
            zorder=3,
        )

    def _scale(self) -> None:
        if self.axes is not None and self.figure is not None:
            ends = self.axes.transData.transform([(0, 0), (0, self._size_in_axes)])
            height = abs(float(ends[1][1] - ends[0][1]))
            self.set_fontsize(max(0.1, height * 72 / self.figure.dpi))

    def draw(self, renderer: Any) -> None:
        self._scale()
        super().draw(renderer)

    def get_window_extent(self, renderer: Any = None, dpi: float | None = None) -> Any:
        self._scale()
        return super().get_window_extent(renderer, dpi)
