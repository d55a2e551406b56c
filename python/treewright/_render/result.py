"""What functions return that have something to read: text, Markdown, LaTeX, HTML, plain values, a file."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from treewright._render import html, latex, markdown, text
from treewright._render.document import Document, Picture
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import visible
from treewright._utils import atomic_write as _atomic
from treewright.errors import UsageError

__all__ = ["Result"]

FILE_WIDTH = 100


class Result(ABC):
    """Something to read. A subclass makes its document; all forms are written from that."""

    __slots__ = ()

    width: int | None
    ascii: bool | None

    @abstractmethod
    def _document(self, *, sheet: bool = False) -> Document:
        """Return what is to be read; ``sheet`` asks for an order that gives no answer away."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""

    def text(self, stream: Any = None) -> str:
        """Return it as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.
        """
        paper = PageFormat.of(stream, width=self.width, ascii=self.ascii)
        return text.write(self._document(), paper)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def to_markdown(self) -> str:
        """Return Markdown with formulas between dollars."""
        return markdown.write(self._document())

    def to_latex(self, *, standalone: bool = False) -> str:
        """Return LaTeX for ``amsmath``, ``booktabs``, ``graphicx`` and ``tikz``.

        Parameters
        ----------
        standalone : bool, default=False
            Whether to make it a file that compiles: with pdfLaTeX, or with XeLaTeX or LuaLaTeX where names have
            letters beyond Latin.
        """
        document = self._document()
        return latex.write_file(document) if standalone else latex.write(document)

    def to_html(self) -> str:
        """Return a whole HTML page without scripts, with its own style; formulas are MathML."""
        return html.page(self._document())

    def to_svg(self) -> str:
        """Return its picture as SVG, where it has one."""
        for block in self._document().blocks:
            if isinstance(block, Picture):
                return block.chart.svg()
        raise UsageError(
            "there is no picture of this: only curves and distributions are drawn",
            slug="work.no-picture",
        )

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return the rows of its main table with exact figures."""
        rows = self._document().records()
        if rows is None:
            raise UsageError("this has no table to write as CSV", slug="work.no-table")
        return rows

    def forms(self) -> dict[str, Callable[[], str]]:
        """Return how it is written to a file with each ending."""
        return {
            ".txt": lambda: self._text_file() + "\n",
            ".md": self.to_markdown,
            ".tex": lambda: self.to_latex(standalone=True),
            ".html": self.to_html,
            ".svg": lambda: self.to_svg() + "\n",
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
        }

    def save(self, path: str | Path) -> None:
        """Write it to a file; its ending says how: .txt, .md, .tex, .html or .json, and .svg where it is a picture.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced where it exists.
        """
        path, forms = Path(path), self.forms()
        write = forms.get(path.suffix.lower())
        if write is None:
            raise UsageError(
                f'this cannot be written as "{visible(path.name)}"',
                slug="work.suffix",
                hints=[f"endings that work: {' '.join(forms)}"],
            )
        _atomic.write(path, write().encode())

    def _text_file(self) -> str:
        paper = PageFormat.of(width=self.width or FILE_WIDTH, ascii=bool(self.ascii))
        return text.write(self._document(), paper)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        document = self._document()
        return {
            "text/plain": str(self),
            "text/markdown": markdown.write(document),
            "text/html": html.fragment(document),
        }
