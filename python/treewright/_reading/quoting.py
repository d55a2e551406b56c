"""How names and cells of anybody's table stand in a sentence: short, visible, and ready to be typed again.

Not here: the drawing of tables and trees, which is ``draw``'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from treewright._render.safe_text import clip, visible

__all__ = ["argument", "arguments", "named", "plain", "some"]

LONGEST = 40
# What a shell passes on as it is.
BARE = re.compile(r"[\w./:@%+=-]+", re.ASCII)


def plain(text: str) -> str:
    """Write a text of the table so that it stays on its line and keeps it readable."""
    return clip(visible(text), LONGEST, "…")


def named(text: str) -> str:
    """Put a text of the table into quotation marks.

    Examples
    --------
    >>> named("zip")
    '"zip"'
    """
    return f'"{plain(text)}"'


def argument(text: str) -> str:
    r"""Write a name as a shell would take it, whole.

    Examples
    --------
    >>> print(argument("zip"), argument("first name"), argument('5" $'))
    zip "first name" "5\" \$"
    """
    if BARE.fullmatch(text) and not text.startswith("-"):
        return text
    return '"' + re.sub(r'([\\"$`])', r"\\\1", visible(text)) + '"'


def arguments(texts: Iterable[str]) -> str:
    """Write cells as arguments, each in quotation marks as in the file."""
    return " ".join('"' + re.sub(r'([\\"$`])', r"\\\1", visible(text)) + '"' for text in texts)


def some(texts: Sequence[str], *, more: bool) -> str:
    """List a few examples; ``more`` says that there are others."""
    return ", ".join([*(plain(text) for text in texts), *(["…"] if more else [])])
