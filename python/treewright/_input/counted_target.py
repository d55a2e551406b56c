"""The target of some rows with what recipes need of all rows: their number, and the weight of each class."""

from __future__ import annotations

from dataclasses import dataclass

from treewright._input.target import ClassTarget, NumberTarget

__all__ = ["CountedClasses", "CountedNumbers"]


@dataclass(frozen=True)
class CountedClasses(ClassTarget):
    """Class labels of some rows; ``rows`` and the weight of each class are those of all rows."""

    rows: int = 0
    class_totals: tuple[float, ...] = ()

    def __len__(self) -> int:
        return self.rows


@dataclass(frozen=True)
class CountedNumbers(NumberTarget):
    """Numbers of some rows; ``rows`` is the number of all rows."""

    rows: int = 0

    def __len__(self) -> int:
        return self.rows
