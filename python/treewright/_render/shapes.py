"""A picture as shapes: boxes, lines and texts with positions, which SVG and matplotlib draw alike.

A color of None is that of the text around the picture, so that it works on dark and light pages. Lengths are in pixels,
from the top left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright._render.svg_text import FONT

__all__ = ["Group", "Path", "Rectangle", "ShapePicture", "Stroke", "TextLine"]


@dataclass(frozen=True, slots=True)
class Stroke:
    """The look of a line."""

    color: str | None = None
    width: float = 1.0
    opacity: float = 1.0
    dashes: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A box; without a stroke it has no border."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = "none"
    opacity: float = 1.0  # of the fill
    stroke: Stroke | None = None
    radius: float = 0.0  # of the corners


@dataclass(frozen=True, slots=True)
class Path:
    """Lines through points, each a sequence of its own; filled where they have a fill."""

    lines: tuple[tuple[tuple[float, float], ...], ...]
    stroke: Stroke | None = None
    fill: str | None = "none"
    opacity: float = 1.0  # of the fill


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text; ``y`` is that of its baseline."""

    x: float
    y: float
    text: str
    anchor: str = "middle"  # or "start", "end"
    bold: bool = False
    opacity: float = 1.0
    size: float = FONT


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together, and the text that a browser shows where the pointer rests on them."""

    title: str
    shapes: tuple[Shape, ...]


Shape = Rectangle | Path | TextLine | Group


@dataclass(frozen=True, slots=True)
class ShapePicture:
    """A picture: its size, its title for readers who cannot see it, and its shapes.

    Examples
    --------
    >>> dot = ShapePicture(10, 10, "dot", (Rectangle(4, 4, 2, 2, fill="#0072B2"),))
    >>> dot.svg().endswith('<rect x="4.0" y="4.0" width="2.0" height="2.0" fill="#0072B2"/></svg>')
    True
    """

    width: float
    height: float
    title: str
    shapes: Sequence[Shape]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.width, self.height

    def svg(self, *, alone: bool = True) -> str:
        """Draw it as SVG; ``alone`` makes it a file of its own."""
        from treewright._render import svg_shapes

        return svg_shapes.draw(self, alone=alone)
