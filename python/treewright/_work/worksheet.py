"""Worksheets: any work with blanks in place of its numbers, and the answer key.

A worksheet begins with a line for a name and, where the rows are available and few, the table to count in. Its order
gives nothing away: candidates are in the order of the columns, thresholds in the order of their values.

Glossary: a worksheet shows the numbers up to one of the *stages* of the calculation.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from treewright._render.document import Block, Document, Fields, Heading, PageBreak, Table
from treewright._render.values import to_values
from treewright._render.words import title_of
from treewright._work.work_result import WorkResult
from treewright.errors import UsageError

__all__ = ["SheetWords", "Worksheet"]

COUNTS = "counts"
SHEET, KEY, BOTH = "sheet", "key", "both"


@dataclass(frozen=True, slots=True)
class SheetWords:
    """The words that a worksheet adds, in the language of its work."""

    name: str = "Name"
    date: str = "Date"
    answers: str = "Answers"


@dataclass(frozen=True, slots=True, repr=False)
class Worksheet(WorkResult):
    """A worksheet, made by :func:`treewright.work` with ``blank=True`` or ``stop_at=...``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> sheet = work(ID3Classifier().fit(*datasets.play_tennis()), 0, blank=True, width=80)
    >>> print(str(sheet).splitlines()[0])
    Node #0   14 rows: ________ No, ________ Yes
    >>> print(str(sheet.key()).splitlines()[0])
    Answers   Node #0   14 rows: 5 No, 9 Yes
    """

    result: WorkResult
    stop_at: str | None = None  # the last stage whose numbers are shown
    # The rows to count in; without them the counts are shown.
    data: Table | None = None
    part: str = SHEET  # the worksheet, its key, or both
    words: SheetWords = field(default_factory=SheetWords)

    def key(self) -> Worksheet:
        """Return the answer key: the same worksheet with all numbers."""
        return replace(self, part=KEY)

    def with_key(self) -> Worksheet:
        """Return the worksheet followed by its answer key on a page of its own."""
        return replace(self, part=BOTH)

    def to_dict(self) -> dict[str, Any]:
        """Return the worksheet as plain values: a hidden number is None, with its stage and the number of its blank.

        The key has the same numbers of blanks.
        """
        if self.part == BOTH:
            return {SHEET_NAME: self._values(SHEET), KEY: self._values(KEY)}
        return self._values(self.part)

    def _values(self, part: str) -> dict[str, Any]:
        document = self._filled() if part == KEY else self._hidden()
        return to_values(document, frozenset(self._stages(document)))

    def _pages(self, *, worksheet: bool = False) -> Document:
        if self.part == SHEET:
            return self._hidden()
        if self.part == KEY:
            return self._filled()
        front, back = self._hidden(), self._filled()
        title = Heading(title_of(back, " · "))
        return replace(front, blocks=(*front.blocks, PageBreak(), title, *back.blocks))

    def _filled(self) -> Document:
        document = self.result._pages(worksheet=True)
        return replace(document, title=(self.words.answers, *document.title))

    def _hidden(self) -> Document:
        document = self.result._pages(worksheet=True)
        start: list[Block] = [Fields((self.words.name, self.words.date))]
        start += [] if self.data is None else [self.data]
        hidden = document.hide(self._stages(document))
        return replace(hidden, blocks=(*start, *hidden.blocks))

    def _stages(self, document: Document) -> tuple[str, ...]:
        """Return the hidden stages."""
        if self.stop_at is None:
            return tuple(s for s in document.stages if s != COUNTS or self.data is not None)
        if self.stop_at not in document.stages[:-1]:
            raise UsageError(
                f"unknown stage {self.stop_at!r}",
                slug="work.stage",
                hints=[f"stages: {', '.join(document.stages[:-1]) or 'none'}"],
            )
        return document.stages[document.stages.index(self.stop_at) + 1 :]


SHEET_NAME = "worksheet"
