"""Names as they may be shown: nothing invisible, nothing that a terminal or a page would obey.

Column names, categories and classes come from anybody's table. What is not printable (control characters, terminal
escapes, direction overrides, lone surrogates) is written as its Python escape, so a view shows it and never does it.
This is not the escaping of HTML or Markdown: those come after, where such text is made.

Glossary: a *cell* is one column of a terminal; wide characters take two, combining marks none.
"""

from __future__ import annotations

import re

__all__ = ["cells", "clip", "pad", "quoted", "visible"]

# They join letters and emoji; without them Persian words and families fall apart.
JOINERS = "\u200c\u200d"
# Latin, Greek and Cyrillic letters and our own signs take one cell each.
SINGLE = re.compile(r"[ -~\u00a0-\u02ff\u0370-\u0482\u048a-\u052f\u2500-\u259f→≤…]*")


def visible(text: str) -> str:
    r"""Write what is not printable as its escape.

    Examples
    --------
    >>> print(visible("a\nb\x1b[31m"))
    a\nb\x1b[31m
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in JOINERS else c.encode("unicode_escape").decode("ascii")
        for c in text
    )


def quoted(text: str) -> str:
    """Put quotation marks around what could not be seen to be there: nothing, or outer spaces."""
    return text if text and text == text.strip() else f'"{text}"'


def cells(text: str) -> int:
    """Return the columns that a text takes in a terminal."""
    if SINGLE.fullmatch(text):
        return len(text)
    from rich.cells import cell_len  # a table of widths: loaded only where somebody needs it

    return cell_len(text)


def clip(text: str, room: int, dots: str) -> str:
    """Return a text that takes at most ``room`` cells, ending in ``dots`` where something was left out."""
    if len(text) <= room // 2 or cells(text) <= room:
        return text
    left, kept = room - cells(dots), 0
    for c in text:
        left -= cells(c)
        if left < 0:
            break
        kept += 1
    return text[:kept] + dots


def pad(text: str, width: int, *, left: bool) -> str:
    """Fill a text with spaces to ``width`` cells; ``left`` says where the text stands."""
    space = " " * (width - cells(text))
    return text + space if left else space + text
