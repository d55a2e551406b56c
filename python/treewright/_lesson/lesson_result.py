"""The result of ``lesson``: the same story as data, text, Markdown, LaTeX and a page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from treewright._catalog import public
from treewright._lesson.lesson_words import LessonWords
from treewright._lesson.node_blocks import (
    baseline_blocks,
    candidate_blocks,
    choice_blocks,
    impurity_blocks,
    table_blocks,
    threshold_blocks,
)
from treewright._lesson.other_blocks import other_blocks
from treewright._lesson.sheet import Exercises, sheet_data
from treewright._lesson.text_tables import text_table
from treewright._lesson.tree_blocks import (
    overfitting_blocks,
    path_blocks,
    pruning_blocks,
    quiz_blocks,
    split_blocks,
)
from treewright._render.document import CHOICE, Block, Document, Heading
from treewright._render.page_format import PageFormat
from treewright._render.result import Result, Write
from treewright._utils.choices import LANGUAGES
from treewright._web.page_file import embed_json, fill_page, read_shell
from treewright._work.work_result import NAMES
from treewright._work.worksheet import SheetWords, Worksheet

__all__ = ["Lesson"]

Values = dict[str, Any]
BLOCKS = {
    "table": table_blocks,
    "baselines": baseline_blocks,
    "impurity": impurity_blocks,
    "candidates": candidate_blocks,
    "thresholds": threshold_blocks,
    "choice": choice_blocks,
    "split": split_blocks,
    "path": path_blocks,
    "overfitting": overfitting_blocks,
    "pruning": pruning_blocks,
    "others": other_blocks,
    "quiz": quiz_blocks,
}


@public
@dataclass(frozen=True, eq=False, repr=False)
class Lesson(Result):
    """A lesson: made by :func:`treewright.lesson`.

    Text by ``str()``, plain values by ``to_dict()``, Markdown, LaTeX, and files: ``save("lesson.html")`` writes the
    page with the quiz, ``.json`` the steps as data.

    Parameters
    ----------
    document : dict
        The lesson as plain values, see :func:`treewright.lesson`.
    width : int or None, default=None
        Width of the text in characters; None takes that of the terminal.
    ascii : bool or None, default=None
        Whether to write ASCII characters only; None asks the stream.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, lesson
    >>> X, y = datasets.play_tennis()
    >>> tennis = lesson(ID3Classifier().fit(X, y), X, y)
    >>> [step["id"] for step in tennis.steps][:4]
    ['table', 'baselines', 'impurity', 'candidates']
    """

    _noun = "a lesson"
    _area = "lesson"

    document: Values
    width: int | None = None
    ascii: bool | None = None

    @property
    def steps(self) -> list[Values]:
        """The screens of the lesson, each with its title, its sentences and its data."""
        screens: list[Values] = self.document["screens"]
        return screens

    def to_dict(self) -> Values:
        """Return the lesson as plain values; numbers have full precision."""
        return self.document

    def sheet(self) -> Worksheet:
        """Return an exercise sheet: the table, a line for a name, and blank results.

        Its ``key()`` is the answer key, its ``with_key()`` has both, the key on a new page.

        Examples
        --------
        >>> from treewright import ID3Classifier, datasets, lesson
        >>> X, y = datasets.play_tennis()
        >>> sheet = lesson(ID3Classifier().fit(X, y), X, y, language="de").sheet()
        >>> str(sheet).splitlines()[2].split()[0]
        'Name:'
        """
        words = LessonWords(self.document)
        own = SheetWords(*(words.word(f"word.{name}") for name in ("name", "date", "answers")))
        exercises = Exercises(self.document, width=self.width, ascii=self.ascii)
        data = sheet_data(self.document)
        return Worksheet(exercises, None, data, words=own, width=self.width, ascii=self.ascii)

    def _document(self, page: PageFormat) -> Document:
        words = LessonWords(self.document)
        blocks: list[Block] = []
        for number, screen in enumerate(self.steps, 1):
            blocks.append(Heading(f"{number}. {words.sentence(screen['title'])}"))
            blocks += words.texts(screen["sentences"])
            blocks += BLOCKS[screen["id"]](words, screen)
        document = Document((NAMES.name(self.document["title"]),), tuple(blocks), (CHOICE,))
        return document.hide((CHOICE,)) if self.document["settings"]["quiz"] else document

    def to_html(self, *, standalone: bool = False) -> str:
        """Return HTML: the page of the lesson, which works offline, or an element without scripts.

        Parameters
        ----------
        standalone : bool, default=False
            Whether to return the page, not an element for another page.
        """
        from treewright._render import html

        if not standalone:
            return html.fragment(self._file_document())
        language = self.document["settings"]["language"]
        parts = [
            embed_json("lesson", self.document),
            embed_json("texts", {each: text_table(each) for each in LANGUAGES}),
        ]
        static = html.fragment(self._file_document(), styled=False)
        shell = read_shell("lesson").replace('<html lang="en">', f'<html lang="{language}">', 1)
        return fill_page(shell, self.document["title"], parts, static)

    def _more_forms(self) -> dict[str, Write]:
        return {".json": self._to_json}

    def _to_json(self) -> str:
        text = json.dumps(self.document, ensure_ascii=False, indent=1, allow_nan=False)
        return f"{text}\n"
