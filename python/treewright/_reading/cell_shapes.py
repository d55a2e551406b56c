"""What the cells of a text column look like, as the core counted them: every cell, never a sample.

Glossary of shapes: *number*; *zeros* (07030); *phone* (+491511234567); *large* (a whole number beyond 2^53); *overflow*
(1e999); *date*; *comma* (3,14 or 1,000); *amount* ($5, 12 %, 1 000); *word* (NA, null, None, n/a, nan, -, where it is
not missing); *text*. The first four are numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treewright import _core
from treewright.errors import DataError

__all__ = ["CellShapes"]

MAX_CELL = 1 << 20


@dataclass(frozen=True, slots=True)
class CellShapes:
    """How often each shape occurs, with its first different examples and their lines."""

    counts: Mapping[str, int]
    examples: Mapping[str, Sequence[tuple[int, str]]]
    missing: Sequence[int]
    words: Sequence[tuple[str, int]]  # words that stand for a missing value here, with their counts
    integers: int
    padded: int
    file_words: tuple[str, ...] = ()  # all texts that were read as missing in the file

    @staticmethod
    def of_file(reports: Sequence[Mapping[str, Any]], missing: Sequence[str]) -> list[CellShapes]:
        """Read the reports on all columns of a file in which these texts are missing everywhere."""
        shapes = [CellShapes.of(report) for report in reports]
        seen = [text for i, text in enumerate(missing) if any(each.missing[i] for each in shapes)]
        seen += [word for each in shapes for word, _ in each.words]
        words = tuple(dict.fromkeys(seen))
        return [replace(each, file_words=words) for each in shapes]

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> CellShapes:
        """Read the report of the core."""
        shapes = {key: value for key, value in report.items() if isinstance(value, tuple)}
        counts = {key: value[0] for key, value in shapes.items()}
        examples = {key: value[1] for key, value in shapes.items()}
        return cls(
            counts,
            examples,
            report["missing"],
            report["words"],
            report["whole"],
            report["padded"],
        )

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> CellShapes | None:
        """Classify texts of another container as if they were cells of a file; None if no file can hold them.

        Examples
        --------
        >>> CellShapes.of_texts(["2024-01-31", "2024-02-01 10:00"]).are_dates
        True
        """
        cells = ("x", *(text.replace('"', '""') for text in texts))
        reader = _core.CsvReader("the table", ",", False, MAX_CELL)
        try:
            reader.feed("\n".join(f'"{cell}"' for cell in cells).encode())
            reader.feed(b"")
            chunk = reader.read(len(cells)) if reader.header() else None
        except (DataError, UnicodeEncodeError):
            return None  # a NUL, half a character or a very long text: neither a date nor a number
        if chunk is None:
            return None
        (_, _, report), *_ = _core.csv_columns([chunk], ["codes"], _core.CsvRules([]))
        return cls.of(report)

    @property
    def numbers(self) -> int:
        """The cells that are numbers."""
        return sum(self.counts[shape] for shape in ("number", "zeros", "phone", "large"))

    @property
    def texts(self) -> int:
        """The cells that are not numbers."""
        return sum(self.counts.values()) - self.numbers

    @property
    def are_dates(self) -> bool:
        """Whether every cell is a date or a word for a missing one."""
        dates, words = self.counts["date"], self.counts["word"]
        return dates > words and dates + words == self.texts + self.numbers

    @property
    def are_amounts(self) -> bool:
        """Whether most texts are numbers that are written with a comma, a currency or a percent sign."""
        return self.counts["comma"] + self.counts["amount"] > self.counts["text"]

    @property
    def all_amounts(self) -> bool:
        """Whether some cells are numbers with a comma, a currency or a percent sign, and all others plain numbers."""
        amounts = self.counts["comma"] + self.counts["amount"]
        return amounts > 0 and amounts + self.counts["number"] == self.texts + self.numbers

    def seen(self, *shapes: str) -> list[tuple[int, str]]:
        """Return the first examples of some shapes with their lines, in the order of the file."""
        return sorted(pair for shape in shapes for pair in self.examples[shape])
