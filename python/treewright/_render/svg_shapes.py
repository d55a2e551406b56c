"""Shapes as plain SVG: no script, no background, no style sheet for the rest of a page."""

from __future__ import annotations

from html import escape

from treewright._render.shapes import Group, Path, Rectangle, Shape, ShapePicture, Stroke, TextLine
from treewright._render.svg_frame import framed
from treewright._render.svg_text import FONT

__all__ = ["draw"]


def draw(picture: ShapePicture, *, alone: bool = True) -> str:
    """Return a picture as SVG; ``alone`` makes it a file of its own."""
    body = "".join(map(_shape, picture.shapes))
    return framed(picture.width, picture.height, FONT, picture.title, body, alone=alone)


def _shape(shape: Shape) -> str:
    match shape:
        case Group(title, shapes):
            hover = f"<title>{escape(title)}</title>" if title else ""
            return f"<g>{hover}{''.join(map(_shape, shapes))}</g>"
        case Rectangle():
            return _rectangle(shape)
        case Path():
            return _path(shape)
        case TextLine():
            return _text(shape)


def _rectangle(box: Rectangle) -> str:
    radius = f' rx="{box.radius:g}"' if box.radius else ""
    return (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
        f"{radius}{_fill(box.fill, box.opacity)}{_stroke(box.stroke)}/>"
    )


def _path(path: Path) -> str:
    # Lines that turn at right angles take fewer characters as steps across and down.
    d = "".join(map(_line, path.lines))
    return f'<path d="{d}"{_fill(path.fill, path.opacity)}{_stroke(path.stroke)}/>'


def _line(points: tuple[tuple[float, float], ...]) -> str:
    (x, y), *rest = points
    steps = [f"M{x:.1f} {y:.1f}"]
    for a, b in rest:
        if a == x:
            steps.append(f"V{b:.1f}")
        elif b == y:
            steps.append(f"H{a:.1f}")
        else:
            steps.append(f"L{a:.1f} {b:.1f}")
        x, y = a, b
    return "".join(steps)


def _text(line: TextLine) -> str:
    size = "" if line.size == FONT else f' font-size="{line.size:g}"'
    bold = ' font-weight="600"' if line.bold else ""
    opacity = "" if line.opacity == 1.0 else f' opacity="{line.opacity:g}"'
    place = f'x="{line.x:.1f}" y="{line.y:.1f}" text-anchor="{line.anchor}"'
    return f"<text {place}{size}{bold}{opacity}>{escape(line.text)}</text>"


def _fill(color: str | None, opacity: float) -> str:
    share = "" if opacity == 1.0 or color == "none" else f' fill-opacity="{opacity:g}"'
    return f"{share}" if color is None else f' fill="{color}"{share}'


def _stroke(stroke: Stroke | None) -> str:
    if stroke is None:
        return ""
    width = "" if stroke.width == 1.0 else f' stroke-width="{stroke.width:g}"'
    opacity = "" if stroke.opacity == 1.0 else f' stroke-opacity="{stroke.opacity:g}"'
    dashes = f' stroke-dasharray="{" ".join(f"{d:g}" for d in stroke.dashes)}"'
    color = f' stroke="{stroke.color or "currentColor"}"'
    return f"{color}{opacity}{width}{dashes if stroke.dashes else ''}"
