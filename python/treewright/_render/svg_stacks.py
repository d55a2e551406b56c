"""Stacked bars over an axis of numbers, with a line where it is cut, as plain SVG: no script, no external program.

Letters and axes take the colour of the text around them. A class is told by its colour and its name.

Glossary: a *stack* is what stands between two numbers, one amount for each class; the *cut* is a number that a question
compares with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from treewright._render.svg_chart import BOTTOM, FONT, HEIGHT, LEFT, RIGHT, TOP, WIDTH, ticks
from treewright._render.svg_frame import COLOURS, OTHER, framed
from treewright._render.svg_text import FONT as SIZE
from treewright._render.svg_text import wrap

__all__ = ["Stack", "render"]

Place = Callable[[float], float]
ENTRY = 15.0  # room of a sign in the legend
ACROSS = 4  # names in one line of it
LINE = 16.0


@dataclass(frozen=True, slots=True)
class Stack:
    """What stands between two numbers."""

    low: float
    high: float
    amounts: Sequence[float]


def render(
    stacks: Sequence[Stack],
    names: Sequence[str],
    cut: float | None,
    title: str,
    axes: tuple[str, str],
) -> str:
    """Draw stacks of amounts; the first name stands at the bottom."""
    low, high = stacks[0].low, stacks[-1].high
    most = max((sum(stack.amounts) for stack in stacks), default=0.0) or 1.0
    base, rows = HEIGHT - BOTTOM, -(-len(names) // ACROSS)
    top = TOP + 14 + LINE * max(0, rows - 1)  # below the legend

    def x(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return LEFT + min(1.0, max(0.0, share)) * (WIDTH - LEFT - RIGHT)

    def y(amount: float) -> float:
        return base - amount / most * (base - top)

    drawn = [_axis(low, high, most, x, y, axes)]
    drawn += [_stack(stack, x, y) for stack in stacks]
    drawn += [_legend(i, name) for i, name in enumerate(names)]
    if cut is not None and low <= cut <= high:
        at = x(cut)
        drawn.append(
            f'<path d="M{at:.1f} {top - 6:.1f}V{base}" stroke="currentColor" stroke-width="2" stroke-dasharray="5 3"/>'
            + _text(at, top - 10, f"≤ {cut:g}", "end" if at > WIDTH / 2 else "start")
        )
    return framed(WIDTH, HEIGHT, FONT, title, "".join(drawn))


def _colour(i: int) -> str:
    return COLOURS[i] if i < len(COLOURS) else OTHER


def _stack(stack: Stack, x: Place, y: Place) -> str:
    left, right = x(stack.low) + 0.75, x(stack.high) - 0.75
    below, parts = 0.0, []
    for i, amount in enumerate(stack.amounts):
        if amount > 0:
            bottom, top = y(below), y(below + amount)
            parts.append(
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(1.0, right - left):.1f}" '
                f'height="{bottom - top:.1f}" fill="{_colour(i)}"/>'
            )
            below += amount
    return "".join(parts)


def _axis(low: float, high: float, most: float, x: Place, y: Place, names: tuple[str, str]) -> str:
    base, parts = HEIGHT - BOTTOM, []
    halves = most != int(most)  # of rows there are none
    for value in (tick for tick in ticks(0.0, most) if halves or tick == int(tick)):
        at = y(value)
        parts.append(
            f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity="0.15"/>'
            + _text(LEFT - 8, at + 4, f"{value:g}", "end")
        )
    for value in ticks(low, high, 8):
        at = x(value)
        parts.append(
            f'<path d="M{at:.1f} {base}v5" stroke="currentColor" stroke-opacity="0.6"/>'
            + _text(at, base + 19, f"{value:g}", "middle")
        )
    parts.append(
        f'<path d="M{LEFT} {base}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity="0.6"/>'
    )
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, names[0], "middle"))
    turned = f'<g transform="translate(16 {(TOP + base) / 2:.1f}) rotate(-90)">'
    return "".join([*parts, f"{turned}{_text(0, 0, names[1], 'middle')}</g>"])


def _legend(i: int, name: str) -> str:
    row, column = divmod(i, ACROSS)
    room = (WIDTH - LEFT - RIGHT) / ACROSS
    left, top = LEFT + column * room, 10.0 + row * LINE
    [name] = wrap(name, (room - ENTRY - 8) * SIZE / FONT, 1)
    sign = f'<rect x="{left:.1f}" y="{top:.1f}" width="11" height="11" fill="{_colour(i)}"/>'
    return sign + _text(left + ENTRY, top + 10, name, "start")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
