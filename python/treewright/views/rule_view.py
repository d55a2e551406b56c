"""A list of rules as a view: text in a terminal, a table in a notebook, a file by ``save``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treewright import _atomic
from treewright.draw import grid, html
from treewright.draw.glyphs import ASCII, UNICODE
from treewright.draw.names import visible
from treewright.draw.paper import Paper
from treewright.errors import UsageError
from treewright.rulelist import RuleList, heading, lanes, written

__all__ = ["RuleView"]

SUFFIXES = (".txt", ".md", ".html", ".json")


@dataclass(frozen=True, slots=True, repr=False)
class RuleView:
    """A list of rules, made by :func:`treewright.show`.

    Parameters
    ----------
    rules : RuleList
        What is shown.
    width, lines : int or None, default=None
        Columns and rules to use; those of the terminal where not given.
    ascii : bool or None, default=None
        Whether to draw with ASCII signs; None asks the stream.

    Examples
    --------
    >>> from treewright import RuleSetClassifier, datasets, show
    >>> view = show(RuleSetClassifier().fit(*datasets.play_tennis()))
    >>> str(view).splitlines()[-1].split()
    ['otherwise', 'Yes']
    """

    rules: RuleList
    width: int | None = None
    lines: int | None = None
    ascii: bool | None = None

    def text(self, stream: Any = None) -> str:
        """Return the rules as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.

        Returns
        -------
        str
            Text without a line break at its end.
        """
        paper = Paper.of(stream, width=self.width, lines=self.lines, ascii=self.ascii)
        return written(self.rules, paper)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as plain values: exact numbers and whole names."""
        return {"style": "rules"} | self.rules.to_dict()

    def to_markdown(self) -> str:
        """Return the rules as a Markdown table."""
        return f"{grid.markdown(lanes(self.rules, self._file()))}\n"

    def to_html(self) -> str:
        """Return an HTML table without scripts, at most 100 KB."""
        return html.bounded(
            lambda room: grid.html(lanes(self.rules, Paper(width=10_000, lines=room))), self.lines
        )

    def to_svg(self) -> str:
        """Refuse: a list of rules is no picture."""
        raise UsageError("a picture shows a tree; this is a list of rules", slug="show.no-picture")

    def written(self, suffix: str) -> str | None:
        """Return what a file with this ending holds; None where no form has it.

        Parameters
        ----------
        suffix : str
            Such as ``".md"``.
        """
        title = heading(self.rules, self._file())[0]
        forms: dict[str, Callable[[], str]] = {
            ".txt": lambda: written(self.rules, self._file()) + "\n",
            ".md": self.to_markdown,
            ".html": lambda: html.document(title, self.to_html()),
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
        }
        form = forms.get(suffix.lower())
        return None if form is None else form()

    def save(self, path: str | Path) -> None:
        """Write the rules to a file; its suffix says how: .txt, .md, .html or .json.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced where it exists.
        """
        path = Path(path)
        text = self.written(path.suffix)
        if text is None:
            raise UsageError(
                f'a list of rules cannot be written as "{visible(path.name)}"',
                slug="show.suffix",
                hints=[f"endings that work: {' '.join(SUFFIXES)}"],
            )
        _atomic.write(path, text.encode())

    def _file(self) -> Paper:
        return Paper(
            width=120 if self.width is None else self.width,
            lines=72 if self.lines is None else self.lines,
            glyphs=ASCII if self.ascii else UNICODE,
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.to_html()}
