"""Names as they may be shown: nothing invisible, nothing that a terminal or a page would obey.

Column names, categories and classes come from anybody's table. What is not printable (control characters, terminal
escapes, direction overrides, lone surrogates) is written as its Python escape, so a view shows it and never does it.
This is not the escaping of HTML or Markdown: those come after, where such text is made.

Glossary: a *cell* is one column of a terminal; wide characters take two, combining marks none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["cells", "clip", "distinct", "pad", "quoted", "visible", "wrapped"]

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


def _squeezed(text: str, room: int, dots: str, tail: int) -> str:
    """Return the beginning and the end of a text, the latter in so many cells, with dots between them."""
    if cells(text) <= room:
        return text
    end, left = len(text), tail
    while end and left - cells(text[end - 1]) >= 0:
        end -= 1
        left -= cells(text[end])
    while end < len(text) and not cells(text[end]):  # a mark without the letter that it belongs to
        end += 1
    return clip(text, room - cells(text[end:]), dots) + text[end:]


def distinct(names: Iterable[str], room: int, dots: str) -> dict[str, str]:
    """Return each name in at most so many cells, shortened in one way so that no two become the same.

    Examples
    --------
    >>> distinct(["length of the left wing", "length of the left leg", "age"], 12, "…")
    {'length of the left wing': 'lengt…t wing', 'length of the left leg': 'lengt…ft leg', 'age': 'age'}
    """
    every = list(dict.fromkeys(names))
    for tail in (0, room // 2, room // 3, 2 * room // 3, room - cells(dots) - 1):
        short = [_squeezed(name, room, dots, tail) for name in every]
        if len(set(short)) == len(every):
            return dict(zip(every, short, strict=True))
    # Nothing in them tells them apart at this length: their numbers do.
    digits = len(str(len(every)))
    return {
        name: name if cells(name) <= room else clip(name, max(1, room - digits), dots) + str(i)
        for i, name in enumerate(every)
    }


def wrapped(line: str, room: int, indent: str) -> list[str]:
    """Break a line at spaces so that no part takes more cells, but for words that alone do; the rest is indented."""
    if cells(line) <= room:
        return [line]
    lines = [line[: len(line) - len(line.lstrip(" "))]]
    for word in re.findall(r"\S+\s*", line):
        if cells(lines[-1] + word.rstrip()) > room and lines[-1].strip():
            lines.append(indent)
        lines[-1] += word
    return [text.rstrip() for text in lines]


def pad(text: str, width: int, *, left: bool) -> str:
    """Fill a text with spaces to ``width`` cells; ``left`` says where the text stands."""
    space = " " * (width - cells(text))
    return text + space if left else space + text
