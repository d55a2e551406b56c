"""Misspelled names: what the user may have meant."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

__all__ = ["MAX_NAMES", "find_closest", "list_names", "missing_file_message"]

MAX_NAMES = 20
# One or two wrong letters in a word: "digits" is not meant by "iris".
SIMILARITY = 0.65


def find_closest(word: str, names: Iterable[str]) -> str | None:
    """Return the name that a misspelled word probably means, if one is close; case does not count.

    Examples
    --------
    >>> find_closest("playtenis", ["Outlook", "PlayTennis"])
    'PlayTennis'
    >>> find_closest("play", ["Outlook", "PlayTennis"])
    'PlayTennis'
    """
    known = {name.casefold(): name for name in names}
    prefixed = [name for name in known if len(word) > 2 and name.startswith(word.casefold())]
    if len(prefixed) == 1:
        return known[prefixed[0]]
    match = get_close_matches(word.casefold(), known, n=1, cutoff=SIMILARITY)
    return known[match[0]] if match else None


def list_names(names: Sequence[str]) -> str:
    """Join names with commas; the middle of a long list is left out."""
    if len(names) <= MAX_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[: MAX_NAMES - 1])}, … , {names[-1]}"


def missing_file_message(path: str, *suffixes: str) -> tuple[str, list[str]]:
    """Return the message about a missing file, and a hint where its folder has a similar name."""
    folder, name = os.path.split(path)
    try:
        entries = [entry for entry in os.listdir(folder or ".") if entry.endswith(suffixes)]
    except OSError:
        entries = []
    stems = {os.path.splitext(entry)[0]: entry for entry in sorted(entries)}
    near = stems.get(find_closest(os.path.splitext(name)[0], stems) or "")
    hints = [] if near is None else [f"did you mean {os.path.join(folder, near)}?"]
    return f"file not found: {path}", hints
