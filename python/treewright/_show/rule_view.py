"""A list of rules as a view: text in a terminal, a table in a notebook, a file by ``save``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from treewright import _draw
from treewright._draw.rule_list import RuleList, heading, lanes, written
from treewright._render import table_grid
from treewright._render.page_format import PageFormat
from treewright._show.text_view import Page

__all__ = ["RuleView"]


@dataclass(frozen=True, slots=True, repr=False)
class RuleView(Page):
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

    SUFFIXES: ClassVar[tuple[str, ...]] = (".txt", ".md", ".tex", ".html", ".json")
    NOUN: ClassVar[str] = "a list of rules"

    rules: RuleList
    width: int | None = None
    lines: int | None = None
    ascii: bool | None = None

    def _written(self, paper: PageFormat) -> str:
        return written(self.rules, paper)

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as plain values: exact numbers and whole names."""
        return {"style": "rules"} | self.rules.to_dict()

    def to_markdown(self) -> str:
        """Return the rules as a Markdown table."""
        return f"{table_grid.markdown(lanes(self.rules, self._file()))}\n"

    def to_html(self) -> str:
        """Return an HTML table without scripts, at most 100 KB."""
        return _draw.html_tree.bounded(
            lambda room: table_grid.html(lanes(self.rules, PageFormat(width=10_000, lines=room))),
            self.lines,
        )

    def to_latex(self) -> str:
        """Return the rules as a LaTeX table for ``booktabs``."""
        return table_grid.latex(lanes(self.rules, replace(self._file(), width=10_000)))

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
            ".html": lambda: _draw.html_tree.document(title, self.to_html()),
            ".tex": lambda: self.to_latex() + "\n",
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
        }
        form = forms.get(suffix.lower())
        return None if form is None else form()
