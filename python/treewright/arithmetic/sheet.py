"""A page of headings, tables and sentences in every form: text, Markdown, LaTeX, HTML, a file.

It knows nothing of trees. Names and figures come as texts that may be shown; the escaping of a form is done here.

Glossary: a *part* of a sheet is a heading, a table below it, and sentences below that; each may be empty.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any, Protocol

from treewright import _atomic
from treewright.draw import forest, grid
from treewright.draw.glyphs import ASCII
from treewright.draw.grid import Lane
from treewright.draw.html import document
from treewright.draw.names import visible
from treewright.draw.paper import Paper
from treewright.draw.tex import tex
from treewright.errors import UsageError

__all__ = ["Part", "Sheet", "Shown", "saved"]

# What stands for signs that a code page lacks.
PLAIN = {"×": "*", "−": "-", "≤": "<=", "≥": ">=", "→": "=>", "·": "*", "²": "^2", "√": "sqrt"}


@dataclass(frozen=True, slots=True)
class Part:
    """A heading, a table and sentences."""

    heading: str
    lanes: Sequence[Lane] = ()
    lines: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A title and parts."""

    title: str
    parts: Sequence[Part]

    def text(self, paper: Paper) -> str:
        """Write aligned text."""
        lines = [self.title]
        for part in self.parts:
            lines += ["", part.heading] if part.heading else [""]
            lines += (
                [f"  {line}".rstrip() for line in grid.rows(part.lanes, paper.width - 2)]
                if part.lanes
                else []
            )
            for line in part.lines:
                lines += wrap(
                    line,
                    max(20, paper.width),
                    initial_indent="  ",
                    subsequent_indent="      ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
        said = "\n".join(lines)
        if paper.glyphs is not ASCII:
            return said
        for sign, plain in PLAIN.items():
            said = said.replace(sign, plain)
        return said.encode(paper.encoding, "backslashreplace").decode(paper.encoding)

    def markdown(self) -> str:
        """Write Markdown."""
        parts = [f"#### {grid.escaped(self.title)}"]
        for part in self.parts:
            parts += [f"**{grid.escaped(part.heading)}**"] if part.heading else []
            parts += [grid.markdown(part.lanes)] if part.lanes else []
            parts += map(grid.escaped, part.lines)
        return "\n\n".join(parts) + "\n"

    def latex(self) -> str:
        """Write LaTeX for ``booktabs``."""
        parts = [rf"\paragraph{{{tex(self.title)}}}"]
        for part in self.parts:
            parts += [rf"\textbf{{{tex(part.heading)}}}"] if part.heading else []
            parts += [grid.latex(part.lanes)] if part.lanes else []
            parts += map(tex, part.lines)
        return "\n\n".join(parts) + "\n"

    def html(self) -> str:
        """Write HTML without scripts."""
        parts = [f"<h4><bdi>{escape(self.title)}</bdi></h4>"]
        for part in self.parts:
            parts += [f"<h5><bdi>{escape(part.heading)}</bdi></h5>"] if part.heading else []
            parts += [grid.html(part.lanes)] if part.lanes else []
            parts += [f"<p><bdi>{escape(line)}</bdi></p>" for line in part.lines]
        return f"<div>{''.join(parts)}</div>"


class Written(Protocol):
    """What a file can be made of."""

    def text(self, stream: Any = None) -> str: ...
    def to_markdown(self) -> str: ...
    def to_latex(self) -> str: ...
    def to_html(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...


def saved(
    shown: Written,
    path: str | Path,
    title: str,
    more: dict[str, Callable[[], str]] | None = None,
) -> None:
    """Write something to a file; its suffix says how."""
    path = Path(path)
    writers: dict[str, Callable[[], str]] = {
        ".txt": lambda: shown.text() + "\n",
        ".md": shown.to_markdown,
        ".tex": lambda: forest.document(shown.to_latex()),
        ".html": lambda: document(title, shown.to_html()),
        ".json": lambda: json.dumps(shown.to_dict(), indent=1, allow_nan=False) + "\n",
        **(more or {}),
    }
    write = writers.get(path.suffix.lower())
    if write is None:
        raise UsageError(
            f'this cannot be written as "{visible(path.name)}"',
            slug="work.suffix",
            hints=[f"endings that work: {' '.join(writers)}"],
        )
    _atomic.write(path, write().encode())


class Shown(ABC):
    """What is written on one sheet: its texts and files."""

    __slots__ = ()

    width: int | None
    ascii: bool | None

    @abstractmethod
    def _sheet(self, paper: Paper) -> Sheet: ...

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""

    def text(self, stream: Any = None) -> str:
        """Return the work as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.
        """
        paper = Paper.of(stream, width=self.width, ascii=self.ascii)
        return self._sheet(paper).text(paper)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def to_markdown(self) -> str:
        """Return Markdown."""
        return self._sheet(Paper(width=200)).markdown()

    def to_latex(self, *, standalone: bool = False) -> str:
        """Return LaTeX for ``booktabs``; ``standalone`` makes it a file that compiles."""
        written = self._sheet(Paper(width=200)).latex()
        return forest.document(written) if standalone else written

    def to_html(self) -> str:
        """Return an HTML fragment without scripts."""
        return self._sheet(Paper(width=200)).html()

    def save(self, path: str | Path) -> None:
        """Write the work to a file; its suffix says how: .txt, .md, .tex, .html or .json."""
        saved(self, path, "work")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.to_html()}
