"""The layout of a picture: leaves side by side, parents centered above their children.

Every node has a slot as wide as itself or its children, whichever is wider, and slots of siblings do not touch, so
nothing ever overlaps, whatever the number of branches or the length of names. It knows only sizes and positions.

Glossary: the *way* is the text of the branch into a node, written above its box. Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright._render.svg_text import text_width

__all__ = ["Box", "Place", "arrange"]

LEADING = 16.0
GAP = 14.0
RISE = 30.0
MARGIN = 8.0
PADDING = 8.0
BAR = 6.0


@dataclass(frozen=True, slots=True)
class Box:
    """The texts of one node, before it has a position."""

    parent: int
    depth: int
    way: Sequence[str]
    title: Sequence[str]
    body: Sequence[str]
    bar: bool

    @property
    def width(self) -> float:
        """The width of the box, or of the way above it."""
        titles = (text_width(line, bold=True) for line in self.title)
        inside = max((*titles, *map(text_width, self.body)), default=0.0) + 2 * PADDING
        return max(48.0, inside, max(map(text_width, self.way), default=0.0))

    @property
    def above(self) -> float:
        """The height of the way."""
        return len(self.way) * LEADING

    @property
    def height(self) -> float:
        """The height of the box without the way."""
        lines = len(self.title) + len(self.body)
        return lines * LEADING + PADDING + (BAR + 4 if self.bar else 0)


@dataclass(frozen=True, slots=True)
class Place:
    """Left edge, bend of the line from the parent, top of the way, top of the box, width and height."""

    x: float
    bend: float
    way: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """The horizontal center."""
        return self.x + self.width / 2


def arrange(boxes: Sequence[Box]) -> tuple[list[Place], float, float]:
    """Place boxes, each after its parent; return their places and the size of the picture."""
    below = [0.0] * len(boxes)
    slots = [0.0] * len(boxes)
    for i in reversed(range(len(boxes))):
        slots[i] = max(boxes[i].width, below[i] - GAP)
        if boxes[i].parent >= 0:
            below[boxes[i].parent] += slots[i] + GAP
    levels = _levels(boxes)
    places = []
    following = [0.0] * len(boxes)  # where the next child of each node begins
    for i, box in enumerate(boxes):
        left = MARGIN if box.parent < 0 else following[box.parent]
        if box.parent >= 0:
            following[box.parent] += slots[i] + GAP
        following[i] = left + (slots[i] - (below[i] - GAP)) / 2
        bend, top = levels[box.depth]
        x = left + (slots[i] - box.width) / 2
        places.append(Place(x, bend, top - box.above, top, box.width, box.height))
    bottom = max(place.top + place.height for place in places)
    return places, slots[0] + 2 * MARGIN, bottom + MARGIN


def _levels(boxes: Sequence[Box]) -> list[tuple[float, float]]:
    """Return for each depth where the lines into it bend, and the top of its boxes."""
    above: dict[int, float] = {}
    height: dict[int, float] = {}
    for box in boxes:
        above[box.depth] = max(above.get(box.depth, 0.0), box.above)
        height[box.depth] = max(height.get(box.depth, 0.0), box.height)
    tops, y = [], MARGIN
    for depth in sorted(above):
        tops.append((y - RISE / 2, y + above[depth]))
        y += above[depth] + height[depth] + RISE
    return tops
