"""What all pages of work share: they can be written in an order that a worksheet may have."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from treewright._render.document import Document
from treewright._render.page_format import PageFormat
from treewright._render.result import Result

__all__ = ["WorkResult"]


class WorkResult(Result):
    """The base of the results of :func:`treewright.work`."""

    __slots__ = ()
    _noun: ClassVar[str] = "this work"
    _area: ClassVar[str] = "work"

    @abstractmethod
    def _pages(self, *, worksheet: bool = False) -> Document:
        """Return the calculation; on a worksheet neither its order nor its blanks give an answer away."""

    def _document(self, page: PageFormat) -> Document:
        return self._pages()

    def _no_picture(self) -> str:
        return "this work has no picture: only curves and distributions are drawn"
