"""How names and cells of a user's table are written in a sentence: short, printable, ready to be typed again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treewright._render.safe_text import clip, visible

__all__ = ["clip_text", "list_some", "quote", "quote_argument"]

MAX_LENGTH = 40
# Characters that need no quotes in a shell.
BARE = re.compile(r"[\w./:@%+=-]+", re.ASCII)


def clip_text(text: str) -> str:
    """Write a text of the table on one line, clipped."""
    return clip(visible(text), MAX_LENGTH, "…")


def quote(text: str) -> str:
    """Write a text of the table in quotation marks."""
    return f'"{clip_text(text)}"'


def quote_argument(text: str) -> str:
    r"""Write a name as a shell takes it.

    Examples
    --------
    >>> print(quote_argument("zip"), quote_argument("first name"), quote_argument('5" $'))
    zip "first name" "5\" \$"
    """
    if BARE.fullmatch(text) and not text.startswith("-"):
        return text
    return '"' + re.sub(r'([\\"$`])', r"\\\1", visible(text)) + '"'


def list_some(texts: Sequence[str], *, more: bool) -> str:
    """List a few examples; ``more`` says that there are others."""
    return ", ".join([*(clip_text(text) for text in texts), *(["…"] if more else [])])
