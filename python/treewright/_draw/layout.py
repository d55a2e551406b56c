"""The layout of a picture: subtrees side by side, parents centered above their children.

Siblings stand as close as their levels allow (after Reingold and Tilford, 1981), so nothing ever overlaps, whatever the
number of branches or the length of names, and little room is left empty. It knows only sizes and positions.

Glossary: the *way* is the text of the branch into a node, written above its box. The *outline* of a subtree is, for
each level, how far it reaches to the left and to the right of its top. Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright._render.svg_text import text_width

__all__ = ["BAR", "LEADING", "PADDING", "PLOT", "Box", "Place", "arrange"]

LEADING = 16.0
GAP = 14.0
RISE = 30.0
MARGIN = 8.0
PADDING = 8.0
BAR = 6.0
PLOT = 64.0  # height of a plot inside a box
PLOT_WIDTH = 150.0


@dataclass(frozen=True, slots=True)
class Box:
    """The texts of one node, before it has a position."""

    parent: int
    depth: int
    way: Sequence[str]
    title: Sequence[str]
    body: Sequence[str]
    bar: bool
    plot: bool = False

    @property
    def width(self) -> float:
        """The width of the box, or of the way above it."""
        titles = (text_width(line, bold=True) for line in self.title)
        inside = max((*titles, *map(text_width, self.body)), default=0.0) + 2 * PADDING
        least = PLOT_WIDTH + 2 * PADDING if self.plot else 48.0
        return max(least, inside, max(map(text_width, self.way), default=0.0))

    @property
    def above(self) -> float:
        """The height of the way."""
        return len(self.way) * LEADING

    @property
    def height(self) -> float:
        """The height of the box without the way."""
        lines = len(self.title) + len(self.body)
        plot = PLOT + (0 if self.bar else 4) if self.plot else 0
        return lines * LEADING + PADDING + (BAR + 4 if self.bar else 0) + plot


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
    children: list[list[int]] = [[] for _ in boxes]
    for i, box in enumerate(boxes):
        if box.parent >= 0:
            children[box.parent].append(i)
    shifts = [0.0] * len(boxes)  # of the center of a node from that of its parent
    outlines: list[list[tuple[float, float]]] = [[] for _ in boxes]
    for i in reversed(range(len(boxes))):
        below = _join([outlines[child] for child in children[i]], children[i], shifts)
        outlines[i] = [(-boxes[i].width / 2, boxes[i].width / 2), *below]
        for child in children[i]:
            outlines[child] = []  # each is used once
    left = -min(low for low, _ in outlines[0])
    right = max(high for _, high in outlines[0])
    levels = _levels(boxes)
    centers, places = [MARGIN + left], []
    for i, box in enumerate(boxes):
        if box.parent >= 0:
            centers.append(centers[box.parent] + shifts[i])
        bend, top = levels[box.depth]
        x = centers[i] - box.width / 2
        places.append(Place(x, bend, top - box.above, top, box.width, box.height))
    bottom = max(place.top + place.height for place in places)
    return places, left + right + 2 * MARGIN, bottom + MARGIN


def _join(
    outlines: list[list[tuple[float, float]]], children: list[int], shifts: list[float]
) -> list[tuple[float, float]]:
    """Put subtrees side by side, as close as their levels allow; return the outline of all, centered."""
    if not outlines:
        return []
    joined = list(outlines[0])
    places = [0.0]
    for outline in outlines[1:]:
        shared = zip(joined, outline, strict=False)
        shift = max(high - low + GAP for (_, high), (low, _) in shared)
        places.append(shift)
        for depth, (low, high) in enumerate(outline):
            if depth < len(joined):
                joined[depth] = (joined[depth][0], high + shift)
            else:
                joined.append((low + shift, high + shift))
    center = (places[0] + places[-1]) / 2
    for child, place in zip(children, places, strict=True):
        shifts[child] = place - center
    return [(low - center, high - center) for low, high in joined]


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
