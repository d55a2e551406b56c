"""Names for generated text: identifiers of a program, texts that a form can hold, and extras that must be installed."""

from __future__ import annotations

import importlib
import keyword
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from treewright._export.combined_model import refuse
from treewright._render.safe_text import visible
from treewright.errors import UsageError

__all__ = ["extra", "identifiers", "no_text_of_c", "no_text_of_xml", "refuse_texts"]

LONGEST = 40
# What XML 1.0 may hold, and no surrogates.
XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# A C string ends at its first NUL; half a character has no UTF-8.
C = re.compile("[\0\ud800-\udfff]")


def identifiers(names: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """Return a different identifier for each name, like it where that is possible.

    Examples
    --------
    >>> identifiers(["petal width", "class", "größe", "", "x_1"])
    ['petal_width', 'x1', 'x2', 'x3', 'x_1']
    """
    used = set(taken)
    found = []
    for i, name in enumerate(names):
        word = re.sub(r"[ .-]+", "_", name)
        plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", word) and len(word) <= LONGEST
        if not plain or keyword.iskeyword(word) or word in used or re.fullmatch(r"x\d+", word):
            word = f"x{i}"
        used.add(word)
        found.append(word)
    return found


def no_text_of_c(text: str) -> bool:
    """Whether a text holds what a C string, and SQL with it, cannot."""
    return C.search(text) is not None


def no_text_of_xml(text: str) -> bool:
    """Whether a text holds a character that XML has no way to write."""
    return XML.search(text) is not None


def refuse_texts(form: str, texts: Iterable[str], bad: Callable[[str], bool]) -> None:
    """Refuse names and values that a form cannot hold."""
    for text in texts:
        if bad(text):
            raise refuse(form, f'it cannot hold the text "{visible(text[:60])}"')


def extra(module: str, name: str) -> Any:
    """Import a library that only some exports need."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UsageError(
            f"this export needs {module}, which is not installed",
            slug="export.extra",
            hints=[f"try: pip install 'treewright[{name}]'"],
        ) from None
