"""The view of an ensemble of trees: a few lines about all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from treewright._draw import ensemble_summary
from treewright._draw.caption import Caption
from treewright._model.trees import Trees
from treewright._render.document import Document
from treewright._render.page_format import PageFormat
from treewright._show.model_view import ModelView

__all__ = ["ManyView"]


@dataclass(frozen=True, slots=True, repr=False)
class ManyView(ModelView):
    """An ensemble of trees in a few lines, made by :func:`treewright.show`.

    Parameters
    ----------
    trees : Trees
        The trees.
    caption : Caption
        The name of the model, and the command that draws it.
    width, lines : int or None, default=None
        Width and number of lines of the text; None takes those of the terminal.
    ascii : bool or None, default=None
        Whether to write ASCII characters only; None asks the stream.
    """

    _noun = "an ensemble of trees"

    trees: Trees
    caption: Caption = field(default_factory=Caption)
    width: int | None = None
    lines: int | None = None
    ascii: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain values."""
        return {"style": "summary"} | ensemble_summary.facts(self.trees, self.caption)

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each column, with its importance."""
        importances: dict[str, float] = self.to_dict()["importances"]
        return [{"column": name, "importance": share} for name, share in importances.items()]

    def _document(self, page: PageFormat) -> Document:
        return ensemble_summary.document(self.trees, self.caption, page)

    def _html_document(self, lines: int) -> Document:
        return self._document(self._page_of_files())

    def _text(self, page: PageFormat) -> str:
        return ensemble_summary.render(self.trees, self.caption, page)
