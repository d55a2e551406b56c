"""Layers of a query: each selects from the one before, which stands only once, however often its columns are used.

They are common tables of a query about one row. ``MATERIALIZED`` keeps a database from writing the columns of a layer
out wherever they are used, which would double them from layer to layer.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Layers"]


class Layers:
    """Layers in the making: ``l0`` selects from nothing, each other one from the last."""

    def __init__(self) -> None:
        self._layers: list[str] = []
        self.last = ""

    def add(self, columns: Sequence[str]) -> None:
        """Add a layer with these columns."""
        origin = f"\n  FROM {self.last}" if self._layers else ""
        listed = ",\n    ".join(column.replace("\n", "\n    ") for column in columns)
        self.put(self.following, f"SELECT\n    {listed}{origin}")

    def put(self, name: str, query: str) -> None:
        """Add a layer with a name of its own."""
        self._layers.append(f"{name} AS MATERIALIZED (\n  {query}\n)")
        self.last = name

    @property
    def following(self) -> str:
        """A name for the next layer."""
        return f"l{len(self._layers)}"

    def select(self, what: str) -> str:
        """Write the whole as a value: what is asked of the last layer."""
        text = f"WITH {', '.join(self._layers)}\nSELECT {what}\nFROM {self.last}"
        return "(\n  " + text.replace("\n", "\n  ") + "\n)"
