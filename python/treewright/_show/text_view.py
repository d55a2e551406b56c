"""What views that are texts share: they are text in a terminal, HTML in a notebook, and a file by ``save``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from treewright._render.glyphs import ASCII, UNICODE
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import visible
from treewright._utils import atomic_write as _atomic
from treewright.errors import UsageError

__all__ = ["Page"]


class Page(ABC):
    """A view that is a text first. A subclass says what it is, and writes itself in each form."""

    __slots__ = ()
    SUFFIXES: ClassVar[tuple[str, ...]] = (".txt", ".md", ".html", ".json")
    NOUN: ClassVar[str] = "a view"

    width: int | None
    lines: int | None
    ascii: bool | None

    def text(self, stream: Any = None) -> str:
        """Return the view as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.

        Returns
        -------
        str
            Text without a line break at its end.
        """
        return self._written(
            PageFormat.of(stream, width=self.width, lines=self.lines, ascii=self.ascii)
        )

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    @abstractmethod
    def to_html(self) -> str:
        """Return an HTML fragment without scripts."""

    def to_svg(self) -> str:
        """Refuse: this is no picture."""
        raise UsageError(f"a picture shows a tree; this is {self.NOUN}", slug="show.no-picture")

    @abstractmethod
    def written(self, suffix: str) -> str | None:
        """Return what a file with this ending holds; None where no form has it.

        Parameters
        ----------
        suffix : str
            Such as ``".md"``.
        """

    def save(self, path: str | Path) -> None:
        """Write the view to a file; its suffix says how: .txt, .md, .html or .json.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced where it exists.
        """
        path = Path(path)
        text = self.written(path.suffix)
        if text is None:
            raise UsageError(
                f'{self.NOUN} cannot be written as "{visible(path.name)}"',
                slug="show.suffix",
                hints=[f"endings that work: {' '.join(self.SUFFIXES)}"],
            )
        _atomic.write(path, text.encode())

    @abstractmethod
    def _written(self, paper: PageFormat) -> str: ...

    def _file(self) -> PageFormat:
        return PageFormat(
            width=120 if self.width is None else self.width,
            lines=72 if self.lines is None else self.lines,
            glyphs=ASCII if self.ascii else UNICODE,
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.to_html()}
