"""What all pages of work share: how numbers are written, and an order that a worksheet may have."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from treewright._render.document import Column, Document
from treewright._render.formula import Number
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._work.lecture_rounding import Rounding

__all__ = ["NAMES", "WorkResult"]

NAMES = PageFormat(width=200)  # writes the names of columns, categories and classes


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class WorkResult(Result):
    """The base of the results of :func:`treewright.work`."""

    _noun: ClassVar[str] = "this work"
    _area: ClassVar[str] = "work"

    digits: int = 3  # the decimals of printed numbers
    width: int | None = None  # columns of text; those of the terminal where None
    ascii: bool | None = None  # whether to write ASCII characters only; None decides by the stream

    @abstractmethod
    def _pages(self, *, worksheet: bool = False) -> Document:
        """Return the calculation; on a worksheet neither its order nor its blanks give an answer away."""

    def _document(self, page: PageFormat) -> Document:
        return self._pages()

    def _no_picture(self) -> str:
        return "this work has no picture: only curves and distributions are drawn"

    def _number(self, stage: str, value: float) -> Number:
        """Return an exact number that belongs to a stage of the calculation."""
        return Number(Rounding(self.digits).round_off(value), stage, value)

    def _number_column(
        self, head: str, stage: str, values: Iterable[float], key: str = ""
    ) -> Column:
        return Column(head, tuple(self._number(stage, value) for value in values), key)
