"""How a lesson is written in a language: its sentences, names, numbers and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from treewright._input.short_numbers import write_value
from treewright._lesson.text_tables import say, text_table, translate
from treewright._render.document import Block, Cell, Column, Heading, Text
from treewright._render.formula import Name, Number
from treewright._render.numbers import count, weights
from treewright._work.lecture_rounding import Rounding
from treewright._work.work_result import NAMES

__all__ = ["LessonWords"]

Values = dict[str, Any]
NAME_WIDTH = 24
MAX_LISTED = 24  # rows in a list


@dataclass(frozen=True)
class LessonWords:
    """Writes the parts of one lesson."""

    lesson: Values

    @property
    def settings(self) -> Values:
        """The settings of the lesson."""
        settings: Values = self.lesson["settings"]
        return settings

    @property
    def table(self) -> Values:
        """The table of the lesson."""
        table: Values = self.lesson["table"]
        return table

    @property
    def criterion(self) -> str:
        """The criterion of the tree."""
        return str(self.lesson["model"]["criterion"])

    # ---- sentences

    def word(self, key: str, **arguments: Any) -> str:
        """Return a text of the table of texts."""
        return self.sentence(say(key, **arguments)) if arguments else self._texts()[key]

    def sentence(self, sentence: Values) -> str:
        """Return a sentence in the language of the lesson."""
        return translate(sentence, self.settings["language"], NAMES.name)

    def texts(self, sentences: Iterable[Values]) -> list[Block]:
        """Return sentences as blocks."""
        return [Text(self.sentence(each)) for each in sentences]

    def _texts(self) -> dict[str, str]:
        return text_table(self.settings["language"])

    # ---- names

    def feature(self, place: int) -> str:
        """Return the name of a feature."""
        return NAMES.name(self.table["features"][place]["name"])

    def target_name(self) -> str:
        """Return the name of the target."""
        return NAMES.name(self.table["target"])

    def answer(self, value: float) -> str:
        """Write a class by its position, or a number."""
        classes = self.table["classes"]
        if classes is not None:
            return NAMES.name(classes[int(value)], NAME_WIDTH)
        return self.number(value).text

    def cell(self, value: Any) -> Cell:
        """Write a value of the table."""
        if value is None:
            return "?"
        if isinstance(value, str):
            return NAMES.name(value, NAME_WIDTH)
        return Number(write_value(float(value)))

    def node(self, place: int) -> str:
        """Name a node with its path: ``Node #1: Outlook = Sunny``."""
        node = self.lesson["nodes"][place]
        name = self.word("word.node", node=f"#{place}")
        parts = [self.condition(step) for step in node["path"]]
        return f"{name}: {', '.join(parts)}" if parts else name

    def condition(self, step: Values) -> str:
        """Write one step of a path."""
        branch = NAMES.name(step["branch"])
        equals = "" if branch.startswith(("≤ ", "> ", "≠ ")) else "= "
        return f"{self.feature(step['feature'])} {equals}{branch}"

    # ---- numbers

    def number(self, value: float, stage: str = "") -> Number:
        """Write a number with the digits of the lesson."""
        rounding = Rounding(self.settings["digits"], self.settings["rounding"])
        return Number(rounding.round_off(value), stage, value)

    def amounts(self, values: Sequence[float], stage: str = "") -> list[Number]:
        """Write numbers of rows, which may be sums of weights."""
        return [Number(text, stage, n) for text, n in zip(weights(values), values, strict=True)]

    def counts(self, values: Sequence[int], stage: str = "") -> list[Number]:
        """Write whole numbers."""
        return [Number(count(n), stage, float(n)) for n in values]

    def rows(self, rows: Sequence[int]) -> str:
        """Write a list of rows, counted from 1."""
        listed = ", ".join(count(row + 1) for row in rows[:MAX_LISTED])
        left = len(rows) - MAX_LISTED
        return listed if left <= 0 else f"{listed} {self.word('word.more', n=left)}"

    # ---- parts of tables

    def column(self, head: str, cells: Iterable[Cell], *, left: bool = False) -> Column:
        """Return a column of a table; ``head`` is a key of the table of texts."""
        return Column(self.word(head), tuple(cells), left=left)

    def contents(self, groups: Sequence[Values], stage: str = "") -> list[Column]:
        """Return the rows and the classes, or the mean, of several sets of rows."""
        columns = [self.column("word.rows", self.counts([g["rows"] for g in groups], stage))]
        classes = self.table["classes"]
        if classes is None:
            means = [self.number(group["value"][0], stage) for group in groups]
            return [*columns, self.column("word.mean", means)]
        for place, name in enumerate(classes):
            amounts = self.amounts([group["value"][place] for group in groups], stage)
            columns.append(Column(NAMES.name(name, 12), tuple(amounts)))
        return columns

    def heading(self, key: str) -> Heading:
        """Return a heading of the table of texts."""
        return Heading(self.word(key))

    def hidden(self, text: str, stage: str) -> Name:
        """Return words that a sheet hides."""
        return Name(text, stage)
