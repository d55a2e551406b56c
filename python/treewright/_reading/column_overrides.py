"""What the user said about columns, by name. It wins over everything that the cells look like."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from treewright._reading.quoting import named, some
from treewright.errors import DataError, UsageError
from treewright.schema import Level

__all__ = ["Wishes"]


@dataclass(frozen=True, slots=True)
class Wishes:
    """The columns to read as categories or numbers, to leave out or to use, and declared levels.

    ``selects`` says whether the caller can leave columns out at all.
    """

    categorical: Collection[str] = ()
    numeric: Collection[str] = ()
    ignore: Collection[str] = ()
    keep: Collection[str] = ()
    levels: Mapping[str, Sequence[Level]] = field(default_factory=dict)
    selects: bool = True

    def __post_init__(self) -> None:
        for word in ("categorical", "numeric", "ignore", "keep"):
            if isinstance(getattr(self, word), str):
                raise UsageError(f"{word} is a list of names, not one text", slug="usage")
            # Found at once among 100,000 columns, and still in the order in which they were said.
            object.__setattr__(self, word, dict.fromkeys(getattr(self, word)))

    def check(self, columns: Sequence[str], where: str) -> None:
        """Refuse names that the table does not have, and wishes that exclude each other."""
        known = set(columns)
        for name in (*self.categorical, *self.numeric, *self.ignore, *self.keep, *self.levels):
            if name not in known:
                raise DataError(
                    f"{where} has no column {named(name)}",
                    slug="data.no-such-column",
                    hints=[f"columns: {some(columns[:20], more=len(columns) > 20)}"],
                )
        for one, other, words in (
            (self.numeric, (*self.categorical, *self.levels), "numeric and categorical"),
            (self.ignore, self.keep, "ignored and kept"),
        ):
            for name in one:
                if name in other:
                    raise UsageError(f"{named(name)} cannot be both {words}", slug="usage")

    def stated(self, name: str) -> bool:
        """Whether the user said what this column is, or that it is to be used."""
        said = (self.categorical, self.numeric, self.keep, self.levels)
        return any(name in names for names in said)

    def form(self, name: str) -> str:
        """Return what the core is asked to make of a column: numbers, codes, or what it sees."""
        if name in self.categorical or name in self.levels:
            return "codes"
        return "numbers" if name in self.numeric else "free"
