"""What the user decided about columns, by name. It wins over what the cells look like."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from treewright._reading.quoting import list_some, quote
from treewright._utils.choices import DATES
from treewright._utils.suggestions import find_closest
from treewright._utils.validation import check_choice
from treewright.errors import DataError, UsageError
from treewright.schema import Level

__all__ = ["ColumnOverrides"]


@dataclass(frozen=True, slots=True)
class ColumnOverrides:
    """The columns to read as categories or numbers, to leave out or to use, declared levels, and what becomes of dates.

    ``selects`` says whether the caller can leave columns out at all.
    """

    categorical: Collection[str] = ()
    numeric: Collection[str] = ()
    ignore: Collection[str] = ()
    keep: Collection[str] = ()
    levels: Mapping[str, Sequence[Level]] = field(default_factory=dict)
    ordered: Mapping[str, Sequence[Level]] = field(default_factory=dict)
    dates: str = "ignore"
    selects: bool = True

    def __post_init__(self) -> None:
        for option in ("categorical", "numeric", "ignore", "keep"):
            if isinstance(getattr(self, option), str):
                raise UsageError(f"{option} is a list of names, not one text", slug="usage")
            # A dict finds a name among 100,000 at once and keeps the order.
            object.__setattr__(self, option, dict.fromkeys(getattr(self, option)))
        check_choice("dates", self.dates, DATES)
        # The levels of ordered columns are declared too.
        object.__setattr__(self, "levels", {**self.levels, **self.ordered})

    def check(self, columns: Sequence[str], where: str) -> None:
        """Raise an error for names that the table lacks and for overrides that contradict each other."""
        known = set(columns)
        for name in (*self.categorical, *self.numeric, *self.ignore, *self.keep, *self.levels):
            if name not in known:
                near = find_closest(name, columns)
                raise DataError(
                    f"{where} has no column {quote(name)}",
                    slug="data.no-such-column",
                    hints=[
                        *([f"did you mean {quote(near)}?"] if near else []),
                        f"columns: {list_some(columns[:20], more=len(columns) > 20)}",
                    ],
                )
        for one, other, words in (
            (self.numeric, (*self.categorical, *self.levels), "numeric and categorical"),
            (self.ignore, self.keep, "ignored and kept"),
        ):
            for name in one:
                if name in other:
                    raise UsageError(f"{quote(name)} cannot be both {words}", slug="usage")

    def mentions(self, name: str) -> bool:
        """Whether the user decided what this column is, or that it is used."""
        return any(
            name in names for names in (self.categorical, self.numeric, self.keep, self.levels)
        )

    def form(self, name: str) -> str:
        """Return what the core makes of a column: "numbers", "codes", or "free" (by its cells)."""
        if name in self.categorical or name in self.levels:
            return "codes"
        return "numbers" if name in self.numeric else "free"
