"""The base class of everything that is returned to be read: a tree view, an explanation, a ranking, a page of work.

A subclass makes a :class:`Document` and a dictionary. Every form is written from these two, here and nowhere else.
The writers (``text``, ``markdown``, ``latex``, ``html``) are imported when a form is asked for.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from treewright._render.output_formats import suffix_error
from treewright._render.page_format import ASCII, UNICODE, PageFormat
from treewright._utils import atomic_write
from treewright.errors import UsageError

if TYPE_CHECKING:
    from treewright._render.charts import Chart
    from treewright._render.document import Document

__all__ = ["Result"]

Write = Callable[[], str | bytes]


class Result(ABC):
    """Something to read: text, Markdown, LaTeX, HTML, plain values, a file, and HTML in a notebook.

    A subclass supplies ``_document`` and ``to_dict``. It may have the attributes ``width``, ``lines`` and ``ascii``,
    which are None where the terminal decides.

    Examples
    --------
    >>> from treewright._render.document import Column, Document, Table
    >>> class Rows(Result):
    ...     def to_dict(self):
    ...         return {"rows": 14}
    ...
    ...     def _document(self, page):
    ...         table = Table((Column("rows", ("14",), values=(14,)),), key="rows")
    ...         return Document(("Golf",), (table,))
    >>> print(Rows())
    Golf
    <BLANKLINE>
      rows
        14
    >>> print(Rows().to_markdown(), end="")
    #### Golf
    <BLANKLINE>
    | rows |
    | --: |
    | 14 |
    >>> Rows().to_csv_rows()
    [{'rows': 14}]
    """

    __slots__ = ()

    # How errors call the result, and the first part of their slugs ("show.suffix").
    _noun: ClassVar[str] = "this"
    _area: ClassVar[str] = "show"
    # The page of every form but text.
    _file_page: ClassVar[PageFormat] = PageFormat(width=100, lines=72)

    @abstractmethod
    def _document(self, page: PageFormat) -> Document:
        """Return what is to be read; ``page`` is for drawings made of characters and for long tables."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values: exact numbers and full names."""

    # ---- text

    def text(
        self, stream: Any = None, *, width: int | None = None, ascii: bool | None = None
    ) -> str:
        """Return the result as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.
        width : int, default=None
            Width in characters; None takes that of the result, or of the terminal.
        ascii : bool, default=None
            Whether to write ASCII characters only; None takes what the result says, or asks the stream.

        Returns
        -------
        str
            Text without a line break at its end.
        """
        own = {name: getattr(self, name, None) for name in ("width", "lines", "ascii")}
        own |= {} if width is None else {"width": width}
        own |= {} if ascii is None else {"ascii": ascii}
        return self._text(PageFormat.of(stream, **own))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    def _text(self, page: PageFormat) -> str:
        from treewright._render import text

        return text.write(self._document(page), page)

    # ---- forms with markup

    def to_markdown(self) -> str:
        """Return Markdown, with formulas between dollar signs."""
        from treewright._render import markdown

        return markdown.write(self._file_document())

    def to_latex(self, *, standalone: bool = False) -> str:
        """Return LaTeX for ``amsmath``, ``booktabs``, ``graphicx`` and ``tikz``.

        Parameters
        ----------
        standalone : bool, default=False
            Whether to return a file that compiles: with pdfLaTeX, or with XeLaTeX or LuaLaTeX where names have
            letters beyond Latin.
        """
        from treewright._render import latex

        write = latex.write_file if standalone else latex.write
        return write(self._file_document())

    def to_html(self, *, standalone: bool = False) -> str:
        """Return HTML without scripts; formulas are MathML.

        Parameters
        ----------
        standalone : bool, default=False
            Whether to return a page of its own, not an element for another page. Both bring their own style.
        """
        from treewright._render import html

        write = html.page if standalone else html.fragment
        return write(self._file_document())

    def to_svg(self) -> str:
        """Return the picture of the result as SVG; an error where it has none."""
        return self._first_chart().svg()

    def plot(self, ax: Any = None) -> Any:
        """Draw the picture of the result with matplotlib (extra ``plot``); an error where it has none.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; a new figure where not given.

        Returns
        -------
        matplotlib Axes
            The axes with the picture.
        """
        from treewright._render import matplotlib_figure

        return matplotlib_figure.plot(self._first_chart(), ax)

    def _first_chart(self) -> Chart:
        from treewright._render.document import Picture

        for block in self._file_document().blocks:
            if isinstance(block, Picture):
                return block.chart
        raise UsageError(self._no_picture(), slug=f"{self._area}.no-picture")

    def markdown(self) -> str:
        """Return the same as :meth:`to_markdown`."""
        return self.to_markdown()

    def latex(self, *, standalone: bool = False) -> str:
        """Return the same as :meth:`to_latex`.

        Parameters
        ----------
        standalone : bool, default=False
            Whether to return a file that compiles.
        """
        return self.to_latex(standalone=standalone)

    def html(self, *, standalone: bool = False) -> str:
        """Return the same as :meth:`to_html`.

        Parameters
        ----------
        standalone : bool, default=False
            Whether to return a page of its own.
        """
        return self.to_html(standalone=standalone)

    # ---- for programs

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return the rows of the main table with exact numbers; an error where there is no table."""
        rows = self._file_document().records()
        if rows is None:
            raise UsageError(
                f"{self._noun} has no table to write as CSV", slug=f"{self._area}.no-table"
            )
        return rows

    def to_frame(self) -> Any:
        """Return the rows of the main table as a pandas DataFrame; an error where there is no table."""
        import pandas as pd

        return pd.DataFrame(self.to_csv_rows())

    # ---- files and notebooks

    def forms(self) -> dict[str, Write]:
        """Return how the result is written to a file, for each ending of the name."""
        return {
            ".txt": lambda: self._text(self._page_of_files()) + "\n",
            ".md": self.to_markdown,
            ".tex": lambda: self.to_latex(standalone=True),
            ".html": lambda: self.to_html(standalone=True),
            ".svg": lambda: self.to_svg() + "\n",
            ".png": lambda: self._plot_file("png"),
            ".pdf": lambda: self._plot_file("pdf"),
            ".csv": self._to_csv,
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
            **self._more_forms(),
        }

    def save(self, path: str | Path) -> None:
        """Write the result to a file; the ending of its name says in which form.

        The endings are .txt, .md, .tex, .html and .json; .svg, .png and .pdf where there is a picture (the last two
        need matplotlib); and .csv where there is a table.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced where it exists.
        """
        path, forms = Path(path), self.forms()
        write = forms.get(path.suffix.lower())
        if write is None:
            raise suffix_error(self._noun, path, forms, f"{self._area}.suffix")
        content = write()
        atomic_write.write(path, content.encode() if isinstance(content, str) else content)

    def _more_forms(self) -> dict[str, Write]:
        """Return the forms that only this kind of result has, by their endings."""
        return {}

    def _plot_file(self, form: str) -> bytes:
        from treewright._render import matplotlib_figure

        return matplotlib_figure.write_file(self._first_chart(), form)

    def _to_csv(self) -> str:
        from treewright._render.output_formats import csv_text

        return csv_text(self.to_csv_rows())

    def _no_picture(self) -> str:
        return f"there is no picture of {self._noun}"

    def _page_of_files(self) -> PageFormat:
        width, lines = getattr(self, "width", None), getattr(self, "lines", None)
        return replace(
            self._file_page,
            width=self._file_page.width if width is None else width,
            lines=self._file_page.lines if lines is None else lines,
            glyphs=ASCII if getattr(self, "ascii", None) else UNICODE,
        )

    def _file_document(self) -> Document:
        return self._document(self._page_of_files())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {
            "text/plain": str(self),
            "text/markdown": self.to_markdown(),
            "text/html": self._repr_html_(),
        }
