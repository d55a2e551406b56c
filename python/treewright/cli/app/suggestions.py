"""Names that are almost right: what the user may have meant."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

__all__ = ["closest", "listed", "no_such_file"]

LISTED = 20
CLOSE = 0.65  # a slip or two in a word: "digits" is not what "iris" means


def closest(word: str, names: Iterable[str]) -> str | None:
    """Return the name that is meant by a word, if one is close; case does not count.

    Examples
    --------
    >>> closest("playtenis", ["Outlook", "PlayTennis"])
    'PlayTennis'
    >>> closest("play", ["Outlook", "PlayTennis"])
    'PlayTennis'
    """
    known = {name.casefold(): name for name in names}
    begun = [name for name in known if len(word) > 2 and name.startswith(word.casefold())]
    if len(begun) == 1:
        return known[begun[0]]
    match = get_close_matches(word.casefold(), known, n=1, cutoff=CLOSE)
    return known[match[0]] if match else None


def listed(names: Sequence[str]) -> str:
    """Write names with commas; the middle of a long list is left out."""
    if len(names) <= LISTED:
        return ", ".join(names)
    return f"{', '.join(names[: LISTED - 1])}, … , {names[-1]}"


def no_such_file(path: str, *suffixes: str) -> tuple[str, list[str]]:
    """Return the sentence about a file that is not there, and a hint where its folder has one like it."""
    folder, name = os.path.split(path)
    try:
        there = [entry for entry in os.listdir(folder or ".") if entry.endswith(suffixes)]
    except OSError:
        there = []
    stems = {os.path.splitext(entry)[0]: entry for entry in sorted(there)}
    near = stems.get(closest(os.path.splitext(name)[0], stems) or "")
    hints = [] if near is None else [f"did you mean {os.path.join(folder, near)}?"]
    return f"there is no file {path}", hints
