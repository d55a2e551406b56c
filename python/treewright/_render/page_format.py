"""The page that text is written on: its width, its lines, its symbols, and its encoding.

It is set before anything is drawn, so that alignment is computed with the text as it will be written.
"""

from __future__ import annotations

import codecs
import os
import shutil
import sys
from dataclasses import astuple, dataclass
from typing import Any

from treewright._render.safe_text import clip, quoted, visible
from treewright.schema import Level, label

__all__ = ["ASCII", "UNICODE", "Glyphs", "PageFormat", "encodes"]

# Width of a name in a table; the dictionary of a result has the full name.
NAME = 40
# Characters at either end of a very long name.
HUGE = 500


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The symbols of drawings: the lines of a tree, then those of a node."""

    tee: str
    end: str
    pipe: str
    blank: str
    arrow: str
    at_most: str
    dots: str
    none: str
    full: str
    empty: str
    separator: str
    to: str


UNICODE = Glyphs("├─ ", "└─ ", "│  ", "   ", "→", "≤", "…", "·", "█", "░", " · ", "–")
ASCII = Glyphs("|-- ", "`-- ", "|   ", "    ", "=>", "<=", "...", "-", "#", ".", ", ", "..")


def encodes(encoding: str) -> bool:
    """Return whether an encoding has the Unicode symbols.

    Examples
    --------
    >>> encodes("utf-8"), encodes("cp437"), encodes("cp1252")
    (True, False, False)
    """
    try:
        "".join(astuple(UNICODE)).encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class PageFormat:
    r"""The format of a page of text.

    Examples
    --------
    >>> PageFormat(80, 60, ASCII, "ascii").name("größe")
    'gr\\xf6\\xdfe'
    """

    width: int = 80  # columns of text
    lines: int = 60  # of a drawing, at most
    glyphs: Glyphs = UNICODE  # the symbols to draw with
    encoding: str = "utf-8"  # what the text must be encodable in

    @classmethod
    def of(
        cls,
        stream: Any = None,
        *,
        width: int | None = None,
        lines: int | None = None,
        ascii: bool | None = None,
    ) -> PageFormat:
        """Return the page of a stream, standard output by default; arguments that are set take precedence."""
        stream = sys.stdout if stream is None else stream
        size = shutil.get_terminal_size()
        encoding = _encoding(stream)
        if ascii is None:
            ascii = os.environ.get("TERM") == "dumb" or not encodes(encoding)
        elif not ascii and not encodes(encoding):
            encoding = "utf-8"  # requested explicitly: the caller will encode it
        return cls(
            width=size.columns if width is None else width,
            lines=max(60, 3 * size.lines) if lines is None else lines,
            glyphs=ASCII if ascii else UNICODE,
            encoding=encoding,
        )

    def name(self, text: str, room: int = NAME) -> str:
        """Write a name: visible, encodable and not longer than ``room`` cells."""
        # No script stacks eight characters on a cell; the limit keeps the cost of a very long name small.
        return clip(self._encodable(text[: 8 * room]), room, self.glyphs.dots)

    def full(self, text: str) -> str:
        """Write a full name: visible and encodable; of a very long one the beginning and the end."""
        if len(text) > 2 * HUGE:
            return self._encodable(text[:HUGE]) + self.glyphs.dots + self._encodable(text[-HUGE:])
        return self._encodable(text)

    def _encodable(self, text: str) -> str:
        encodable = visible(text).encode(self.encoding, "backslashreplace").decode(self.encoding)
        return quoted(encodable)

    def level(self, value: Level, room: int = NAME) -> str:
        """Write a category or class."""
        return self.name(label(value), room)


def _encoding(stream: Any) -> str:
    # Text in memory has no encoding and can hold every character.
    name = getattr(stream, "encoding", None) or "utf-8"
    try:
        codecs.lookup(name)
    except LookupError:
        return "ascii"
    return str(name)
