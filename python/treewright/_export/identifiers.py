"""Names for generated text: identifiers of a program, and texts that a format cannot hold."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Sequence

from treewright._export.combined_model import refuse
from treewright._render.safe_text import visible
from treewright.schema import Schema

__all__ = ["cannot_be_c", "cannot_be_xml", "identifiers", "refuse_texts", "schema_texts"]

MAX_IDENTIFIER_LENGTH = 40
# XML 1.0 cannot hold these characters; surrogates are among them.
NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# A C string ends at its first NUL; half a surrogate pair has no UTF-8.
NOT_C = re.compile("[\0\ud800-\udfff]")


def identifiers(names: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """Return a different Python identifier for each name, similar to it where possible.

    Examples
    --------
    >>> identifiers(["petal width", "class", "größe", "", "x_1"])
    ['petal_width', 'x1', 'x2', 'x3', 'x_1']
    """
    used = set(taken)
    chosen = []
    for i, name in enumerate(names):
        word = re.sub(r"[ .-]+", "_", name)
        usable = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", word) and len(word) <= MAX_IDENTIFIER_LENGTH
        if not usable or keyword.iskeyword(word) or word in used or re.fullmatch(r"x\d+", word):
            word = f"x{i}"
        used.add(word)
        chosen.append(word)
    return chosen


def cannot_be_c(text: str) -> bool:
    """Whether neither C nor SQL can hold a text."""
    return NOT_C.search(text) is not None


def cannot_be_xml(text: str) -> bool:
    """Whether XML cannot hold a text."""
    return NOT_XML.search(text) is not None


def schema_texts(schema: Schema, *, names: bool = True) -> list[str]:
    """Return all texts of a schema: column names, levels and classes."""
    levels = (level for column in schema.columns for level in (*column.levels, *column.order))
    texts = (*(schema.names if names else ()), *levels, *schema.classes)
    return [text for text in texts if isinstance(text, str)]


def refuse_texts(form: str, texts: Iterable[str], is_bad: Callable[[str], bool]) -> None:
    """Raise an error for names and values that a format cannot hold."""
    for text in texts:
        if is_bad(text):
            raise refuse(form, f'it cannot hold the text "{visible(text[:60])}"')
