"""A model of many trees as a view: a few lines about all of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from treewright import _draw
from treewright._draw.caption import Caption
from treewright._model.trees import Trees
from treewright._render.glyphs import ASCII
from treewright._render.page_format import PageFormat
from treewright._render.text_blocks import latex_verbatim, markdown_fence
from treewright._show.text_view import Page

__all__ = ["ManyView"]


@dataclass(frozen=True, slots=True, repr=False)
class ManyView(Page):
    """What there is to say of a model of many trees, made by :func:`treewright.show`.

    Parameters
    ----------
    trees : Trees
        What is shown.
    caption : Caption
        What is said about the model.
    width, lines : int or None, default=None
        Columns and lines to use; those of the terminal where not given.
    ascii : bool or None, default=None
        Whether to write with ASCII signs; None asks the stream.
    """

    NOUN: ClassVar[str] = "a model of many trees"

    trees: Trees
    caption: Caption = field(default_factory=Caption)
    width: int | None = None
    lines: int | None = None
    ascii: bool | None = None

    def _written(self, paper: PageFormat) -> str:
        return _draw.ensemble_summary.render(self.trees, self.caption, paper)

    def to_dict(self) -> dict[str, Any]:
        """Return what is said as plain values."""
        return {"style": "summary"} | _draw.ensemble_summary.facts(self.trees, self.caption)

    def to_markdown(self) -> str:
        """Return the text in a fenced block."""
        return markdown_fence(self._written(self._file()))

    def to_latex(self) -> str:
        """Return the text for LaTeX, line by line."""
        return latex_verbatim(self._written(replace(self._file(), glyphs=ASCII, encoding="ascii")))

    def to_html(self) -> str:
        """Return an HTML fragment without scripts."""
        return _draw.html_tree.preformatted(self._written(self._file()))

    def written(self, suffix: str) -> str | None:
        """Return what a file with this ending holds; None where no form has it.

        Parameters
        ----------
        suffix : str
            Such as ``".md"``.
        """
        title = self.caption.title(self._file().name(self.trees.schema.target or "trees"))
        forms: dict[str, Callable[[], str]] = {
            ".txt": lambda: self._written(self._file()) + "\n",
            ".md": self.to_markdown,
            ".html": lambda: _draw.html_tree.document(title, self.to_html()),
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
        }
        form = forms.get(suffix.lower())
        return None if form is None else form()
