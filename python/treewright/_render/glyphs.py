"""The signs that views draw with, in a form for every stream and one that ASCII can carry."""

from __future__ import annotations

from dataclasses import astuple, dataclass

__all__ = ["ASCII", "UNICODE", "Glyphs", "encodes"]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs: the lines of the tree, then the words of a node."""

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
    """Return whether an encoding can carry the Unicode signs.

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
