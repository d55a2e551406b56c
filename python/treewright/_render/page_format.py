"""What a view is written on: how wide it is, which signs it has, which characters it can carry.

A paper is asked once, before anything is drawn, so that alignment is computed with the very text that is written.
"""

from __future__ import annotations

import codecs
import os
import shutil
import sys
from dataclasses import dataclass
from typing import Any

from treewright._render.glyphs import ASCII, UNICODE, Glyphs, encodes
from treewright._render.safe_text import clip, quoted, visible
from treewright.schema import Level, label

__all__ = ["PageFormat"]

# Room of one name in a table; the whole name is in the dictionary form of a view.
NAME = 40
# Characters at either end of a name that no paper can hold.
HUGE = 500


@dataclass(frozen=True, slots=True)
class PageFormat:
    r"""A place for text.

    Examples
    --------
    >>> PageFormat(80, 60, ASCII, "ascii").name("größe")
    'gr\\xf6\\xdfe'
    """

    width: int = 80  # columns of text
    lines: int = 60  # lines that a drawing may take
    glyphs: Glyphs = UNICODE  # the signs to draw with
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
        """Probe a stream (standard output by default) for what was not given."""
        stream = sys.stdout if stream is None else stream
        size = shutil.get_terminal_size()
        encoding = _encoding(stream)
        if ascii is None:
            ascii = os.environ.get("TERM") == "dumb" or not encodes(encoding)
        elif not ascii and not encodes(encoding):
            encoding = "utf-8"  # asked for in so many words: the caller will encode it
        return cls(
            width=size.columns if width is None else width,
            lines=max(60, 3 * size.lines) if lines is None else lines,
            glyphs=ASCII if ascii else UNICODE,
            encoding=encoding,
        )

    def name(self, text: str, room: int = NAME) -> str:
        """Write a name: visible, encodable and not longer than ``room`` cells."""
        # Eight characters a cell is more than any script stacks; it keeps the cost of a huge name small.
        return clip(self._shown(text[: 8 * room]), room, self.glyphs.dots)

    def full(self, text: str) -> str:
        """Write a whole name: visible and encodable; of a huge one the beginning and the end."""
        if len(text) > 2 * HUGE:
            return self._shown(text[:HUGE]) + self.glyphs.dots + self._shown(text[-HUGE:])
        return self._shown(text)

    def _shown(self, text: str) -> str:
        shown = visible(text).encode(self.encoding, "backslashreplace").decode(self.encoding)
        return quoted(shown)

    def level(self, value: Level, room: int = NAME) -> str:
        """Write a category or class."""
        return self.name(label(value), room)


def _encoding(stream: Any) -> str:
    # Text kept in memory has no encoding and can hold everything.
    name = getattr(stream, "encoding", None) or "utf-8"
    try:
        codecs.lookup(name)
    except LookupError:
        return "ascii"
    return str(name)
