"""The size of text in pictures: widths are estimated, and lines are broken to fit. Lengths are in pixels."""

from __future__ import annotations

import re

from treewright._render.safe_text import cells

__all__ = ["FONT", "text_width", "wrap"]

FONT = 12.0

# Rough advance of a character in a sans-serif face, in parts of its size; wide enough to err on the safe side, which
# is that of DejaVu Sans, the widest of the usual faces. Bold letters are wider.
NARROW, WIDE = frozenset("ijlI.,:;|!'`()[]{}ft "), frozenset("mwMW@%…—")
BOLD = 1.13
JOINING = "\u00a0"
# The places behind hyphens and the like, where a long name may be broken.
HYPHENS = re.compile(r"(?<=[\w][-_/.])(?=\w)")


def text_width(text: str, *, bold: bool = False) -> float:
    """Estimate the width of a text."""
    return FONT * (BOLD if bold else 1.0) * sum(map(_advance, text))


def _advance(c: str) -> float:
    if c in NARROW:
        return 0.39
    if c in WIDE:
        return 1.0
    if not c.isascii() and cells(c) > 1:
        return 1.1
    return 0.74 if c.isupper() else 0.84 if c in "≤≥→" else 0.64


def wrap(text: str, room: float, most: int, *, bold: bool = False) -> list[str]:
    """Break a text into at most so many lines: at spaces, else at spaces that join, else behind hyphens, else anywhere.

    Examples
    --------
    >>> wrap("petal length (cm) ≤ 2.45?", 100, 3)
    ['petal length', '(cm) ≤ 2.45?']
    >>> wrap("wage-increase-first-year", 120, 3)
    ['wage-increase-', 'first-year']
    """
    lines = [""]
    for word in text.split(" "):
        _put(lines, word, " ", room, bold)
        if len(lines) > most:
            break
    if len(lines) > most:
        lines = lines[:most]
        while lines[-1] and text_width(lines[-1] + "…", bold=bold) > room:
            lines[-1] = lines[-1][:-1]
        lines[-1] += "…"
    return lines


def _put(lines: list[str], word: str, space: str, room: float, bold: bool) -> None:
    """Add a word to the last line, or to new ones."""
    joined = f"{lines[-1]}{space}{word}" if lines[-1] else word
    if text_width(joined, bold=bold) <= room or word == "·":  # which ends a line, and begins none
        lines[-1] = joined
        return
    parts = word.split(JOINING)
    if len(parts) > 1 and text_width(word, bold=bold) > room:
        for i, part in enumerate(parts):
            _put(lines, part, JOINING if i else space, room, bold)
        return
    if lines[-1]:
        lines.append("")
    for part in HYPHENS.split(word):
        if lines[-1] and text_width(lines[-1] + part, bold=bold) > room:
            lines.append("")
        for c in part:
            if text_width(lines[-1] + c, bold=bold) > room:
                lines.append("")
            lines[-1] += c
