"""The base class of the views that ``show`` returns."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from treewright._render.page_format import PageFormat
from treewright._render.result import Result

if TYPE_CHECKING:
    from treewright._render.document import Document

__all__ = ["ModelView"]

MAX_HTML = 100_000  # bytes of an element for a notebook
HTML_LINES = 400  # lines of HTML where no number of lines was chosen


class ModelView(Result):
    """A view of a model. In HTML it has at most 100 KB, unless one line needs more."""

    __slots__ = ()
    _file_page = PageFormat(width=120, lines=72)

    lines: int | None

    @abstractmethod
    def _html_document(self, lines: int) -> Document:
        """Return the document for HTML, with at most so many lines."""

    def to_html(self, *, standalone: bool = False) -> str:
        """Return HTML without scripts, at most 100 KB.

        Parameters
        ----------
        standalone : bool, default=False
            Whether to return a page of its own, not an element for another page. Both bring their own style.
        """
        from treewright._render import html

        write = html.page if standalone else html.fragment
        lines = self.lines or HTML_LINES
        text = write(self._html_document(lines))
        while len(text.encode()) > MAX_HTML and lines > 1:
            lines //= 2
            text = write(self._html_document(lines))
        return text
