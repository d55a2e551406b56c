"""Common table expressions: each selects from the one before, which is written once, however often it is used.

They are about one row. ``MATERIALIZED`` keeps a database from substituting the columns of an expression wherever they
are used, which would double the query from one to the next.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Ctes"]


class Ctes:
    """A growing chain of expressions: ``l0`` selects from nothing, each other one from the last."""

    def __init__(self) -> None:
        self._expressions: list[str] = []
        self.last = ""

    def add(self, columns: Sequence[str]) -> None:
        """Add an expression with these columns."""
        origin = f"\n  FROM {self.last}" if self._expressions else ""
        indented = ",\n    ".join(column.replace("\n", "\n    ") for column in columns)
        self.add_named(self.next_name, f"SELECT\n    {indented}{origin}")

    def add_named(self, name: str, query: str) -> None:
        """Add an expression under a name."""
        self._expressions.append(f"{name} AS MATERIALIZED (\n  {query}\n)")
        self.last = name

    @property
    def next_name(self) -> str:
        """A name for the next expression."""
        return f"l{len(self._expressions)}"

    def select(self, what: str) -> str:
        """Write the chain as a value: something selected from the last expression."""
        text = f"WITH {', '.join(self._expressions)}\nSELECT {what}\nFROM {self.last}"
        return "(\n  " + text.replace("\n", "\n  ") + "\n)"
