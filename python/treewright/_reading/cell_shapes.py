"""What the cells of a text column look like, as the core counted them: every cell, never a sample.

Glossary of shapes: *number*; *zeros* (07030); *phone* (+491511234567); *large* (a whole number beyond 2^53); *overflow*
(1e999); *date*; *comma* (3,14 or 1,000); *amount* ($5, 12 %, 1 000); *word* (NA, null, None, n/a, nan); *text*. The
first four are numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treewright import _core
from treewright.errors import DataError

__all__ = ["Facts"]

LONGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Facts:
    """How often each shape occurs, with its first different examples and their lines."""

    counts: Mapping[str, int]
    examples: Mapping[str, Sequence[tuple[int, str]]]
    missing: Sequence[int]
    whole: int
    padded: int

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Facts:
        """Read the core's account."""
        shapes = {key: value for key, value in said.items() if isinstance(value, tuple)}
        counts = {key: value[0] for key, value in shapes.items()}
        examples = {key: value[1] for key, value in shapes.items()}
        return cls(counts, examples, said["missing"], said["whole"], said["padded"])

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> Facts | None:
        """Have the core look at texts that another container holds, as if a file held them; None where none could.

        Examples
        --------
        >>> Facts.of_texts(["2024-01-31", "2024-02-01 10:00"]).are_dates
        True
        """
        cells = ("x", *(text.replace('"', '""') for text in texts))
        reader = _core.CsvReader("the table", ord(","), False, LONGEST)
        try:
            reader.feed("\n".join(f'"{cell}"' for cell in cells).encode())
            reader.feed(b"")
            chunk = reader.read(len(cells)) if reader.header() else None
        except (DataError, UnicodeEncodeError):
            return None  # a NUL, half a character, or a text longer than a book: neither a date nor a number
        if chunk is None:
            return None
        (_, _, account), *_ = _core.csv_columns([chunk], ["codes"], [])
        return cls.of(account)

    @property
    def numbers(self) -> int:
        """The cells that are numbers."""
        return sum(self.counts[shape] for shape in ("number", "zeros", "phone", "large"))

    @property
    def texts(self) -> int:
        """The cells that are not."""
        return sum(self.counts.values()) - self.numbers

    @property
    def are_dates(self) -> bool:
        """Whether every cell is a date, but for words that stand for none."""
        dates, words = self.counts["date"], self.counts["word"]
        return dates > words and dates + words == self.texts + self.numbers

    @property
    def are_amounts(self) -> bool:
        """Whether most texts are numbers that are written with a comma, a currency or a percent sign."""
        return self.counts["comma"] + self.counts["amount"] > self.counts["text"]

    def seen(self, *shapes: str) -> list[tuple[int, str]]:
        """Return the first examples of some shapes with their lines, in the order of the file."""
        return sorted(pair for shape in shapes for pair in self.examples[shape])
