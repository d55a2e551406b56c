"""The work of a node as a value: text, Markdown, LaTeX, HTML, plain values, a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treewright import _atomic
from treewright.arithmetic import html, markdown, tex, text
from treewright.arithmetic.model import NodeWork
from treewright.arithmetic.page import Page
from treewright.arithmetic.pen import STAGES, Pen
from treewright.arithmetic.rounding import Rounding
from treewright.draw import forest
from treewright.draw.html import document
from treewright.draw.names import visible
from treewright.draw.paper import Paper
from treewright.errors import UsageError

__all__ = ["Work"]


@dataclass(frozen=True, slots=True, repr=False)
class Work:
    """The arithmetic behind a node, made by :func:`treewright.work`.

    Parameters
    ----------
    node : NodeWork
        The figures.
    columns : tuple of str
        The candidates that are written out.
    rounding : Rounding
        How many decimals, and when figures are rounded.
    shown : int
        How many stages of the calculation are shown; the rest is boxes to be filled in.
    width : int or None, default=None
        Columns of text; those of the terminal where not given.
    ascii : bool or None, default=None
        Whether to write with ASCII signs only; None asks the stream.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> X, y = datasets.play_tennis()
    >>> work(ID3Classifier().fit(X, y), 0).to_dict()["chosen"]
    'Outlook'
    """

    node: NodeWork
    columns: tuple[str, ...]
    rounding: Rounding
    shown: int = len(STAGES)
    width: int | None = None
    ascii: bool | None = None

    def text(self, stream: Any = None) -> str:
        """Return the work as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.
        """
        return text.write(self._page(Paper.of(stream, width=self.width, ascii=self.ascii)))

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def key(self) -> Work:
        """Return the answer sheet of a worksheet: the same work with every figure shown."""
        return Work(self.node, self.columns, self.rounding, len(STAGES), self.width, self.ascii)

    def to_markdown(self) -> str:
        """Return Markdown with formulas between dollars."""
        return markdown.write(self._page(Paper(width=200)))

    def to_latex(self, *, standalone: bool = False) -> str:
        """Return LaTeX for ``amsmath`` and ``booktabs``; ``standalone`` makes it a file that compiles."""
        written = tex.write(self._page(Paper(width=200)))
        return forest.document(written) if standalone else written

    def to_html(self) -> str:
        """Return an HTML fragment without scripts; formulas are MathML."""
        return html.write(self._page(Paper(width=200)))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values: exact figures and whole names."""
        return self.node.to_dict()

    def save(self, path: str | Path) -> None:
        """Write the work to a file; its suffix says how: .txt, .md, .tex, .html or .json.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced where it exists.
        """
        path = Path(path)
        writers: dict[str, Callable[[], str]] = {
            ".txt": lambda: text.write(self._page(Paper(width=self.width or 100))) + "\n",
            ".md": self.to_markdown,
            ".tex": lambda: self.to_latex(standalone=True),
            ".html": lambda: document(f"node {self.node.node}", self.to_html()),
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
        }
        write = writers.get(path.suffix.lower())
        if write is None:
            raise UsageError(
                f'work cannot be written as "{visible(path.name)}"',
                slug="work.suffix",
                hints=[f"endings that work: {' '.join(writers)}"],
            )
        _atomic.write(path, write().encode())

    def _page(self, paper: Paper) -> Page:
        node = self.node
        order = node.class_order
        pen = Pen(node.law, node.unit, node.group, order, self.rounding, self.shown)
        splits = (node.split(column) for column in self.columns)
        detail = tuple(split for split in splits if split is not None and split.groups)
        return Page(node, pen, paper, detail)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {
            "text/plain": str(self),
            "text/markdown": self.to_markdown(),
            "text/html": self.to_html(),
        }
