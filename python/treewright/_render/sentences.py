"""Sentences with numbers and names that a worksheet can replace by blanks.

A function that makes a sentence gets two writers, for numbers and for names. They return placeholders, which
``words`` replaces by formulas with a stage.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from treewright._render.document import Piece, Words
from treewright._render.formula import Formula, Name
from treewright._render.safe_text import visible

__all__ = ["Sentences"]

# Names that may be shown hold no such characters: they are written as escapes.
BEGIN, END = "\ue000", "\ue001"
PLACE = re.compile(f"{BEGIN}(\\d+){END}")


class Sentences:
    """The figures and names of some sentences.

    Parameters
    ----------
    number : callable
        Makes a part of a formula of a figure.
    name : callable
        Writes a name as it may be shown.
    stage : str
        The stage that names belong to.
    """

    def __init__(self, number: Callable[[float], Formula], name: Callable[[Any], str], stage: str):
        self._number, self._name, self._stage = number, name, stage
        self._parts: list[Formula] = []

    def figure(self, value: Any) -> str:
        """Write a figure: a place that is filled later."""
        return self._place(self._number(float(value)))

    def name(self, value: Any) -> str:
        """Write a name: a place that is filled later."""
        return self._place(Name(self._name(value), self._stage))

    def _place(self, part: Formula) -> str:
        self._parts.append(part)
        return f"{BEGIN}{len(self._parts) - 1}{END}"

    def words(self, sentence: str) -> Words:
        """Return a finished sentence as words."""
        pieces: list[Piece] = []
        for i, text in enumerate(PLACE.split(sentence)):
            if i % 2:
                pieces.append(self._parts[int(text)])
            elif text:
                pieces.append(visible(text))
        return tuple(pieces)
