"""The view of a rule set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright._draw.rule_list import RuleList
from treewright._render.document import Document
from treewright._render.page_format import PageFormat
from treewright._show.model_view import ModelView

__all__ = ["RuleView"]


@dataclass(frozen=True, slots=True, repr=False)
class RuleView(ModelView):
    """A list of rules, made by :func:`treewright.show`.

    Parameters
    ----------
    rules : RuleList
        The rules.
    width, lines : int or None, default=None
        Width of the text and number of rules; None takes those of the terminal.
    ascii : bool or None, default=None
        Whether to write ASCII characters only; None asks the stream.

    Examples
    --------
    >>> from treewright import RuleSetClassifier, datasets, show
    >>> view = show(RuleSetClassifier().fit(*datasets.play_tennis()))
    >>> str(view).splitlines()[-1].split()
    ['otherwise', 'Yes']
    """

    _noun = "a list of rules"

    rules: RuleList
    width: int | None = None
    lines: int | None = None
    ascii: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as plain values: exact numbers and full names."""
        return {"style": "rules"} | self.rules.to_dict()

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each rule."""
        return self.rules.to_csv_rows()

    def _no_picture(self) -> str:
        return self.rules._no_picture()

    def _document(self, page: PageFormat) -> Document:
        return self.rules._document(page)

    def _html_document(self, lines: int) -> Document:
        return self.rules._document(PageFormat(width=10_000, lines=lines))

    def _text(self, page: PageFormat) -> str:
        return self.rules._text(page)
