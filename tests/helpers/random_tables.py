"""Random small tables for the laws: text, numbers, declared levels, missing values; ties are frequent.

A third of them hide an exclusive or: the labels are the parity of some columns, so that no single
column tells anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from treewright import Table
from treewright.table import Series

# Half of what the profile asks for: the laws are many, and each looks at the same kind of table.
few = settings(max_examples=settings.default.max_examples // 2)

LEVELS = ["d", "a", "c", "b"]  # not sorted, so that a declared order differs from the usual one


@dataclass(frozen=True)
class Sample:
    """A table with its labels; `levels` and `classes` are None where they are not declared."""

    columns: dict[str, list[Any]]
    labels: list[Any]
    levels: dict[str, list[Any] | None]
    classes: list[Any] | None

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def X(self) -> Table:  # noqa: N802
        return Table([Series.of(n, v, levels=self.levels[n]) for n, v in self.columns.items()])

    @property
    def y(self) -> Series:
        return Series.of("", self.labels, levels=self.classes)

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            dict(zip(self.columns, cells, strict=True))
            for cells in zip(*self.columns.values(), strict=True)
        ]

    def take(self, rows: list[int]) -> Sample:
        """Return the sample of some rows, in this order, some perhaps more than once."""
        return replace(
            self,
            columns={name: [values[i] for i in rows] for name, values in self.columns.items()},
            labels=[self.labels[i] for i in rows],
        )

    def select(self, names: list[str]) -> Sample:
        """Return the sample with its columns in another order."""
        return replace(
            self,
            columns={name: self.columns[name] for name in names},
            levels={name: self.levels[name] for name in names},
        )

    def relabel(self, change: Callable[[Any], Any]) -> Sample:
        """Return the sample with other labels, their order of ties declared as it was."""
        order = self.classes or sorted(set(self.labels))
        return replace(
            self,
            labels=[change(label) for label in self.labels],
            classes=[change(label) for label in order],
        )


@st.composite
def samples(
    draw: Any, max_rows: int = 14, max_columns: int = 4, *, numbers: bool = False, min_rows: int = 1
) -> Sample:
    """Draw a sample."""
    n = draw(st.integers(min_rows, max_rows))
    width = draw(st.integers(1, max_columns))
    columns: dict[str, list[Any]] = {}
    levels: dict[str, list[Any] | None] = {}
    codes: list[list[int]] = []
    for i in range(width):
        cells = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
        absent = draw(st.sampled_from([4, 4, 3]))  # every third column has missing values
        name = f"c{i}"
        numeric = numbers and draw(st.booleans())
        kinds = [10.5, -2.0, 0.0, 7.0] if numeric else LEVELS
        columns[name] = [None if c >= absent else kinds[c] for c in cells]
        declare = not numeric and draw(st.booleans())
        levels[name] = draw(st.permutations(LEVELS)) if declare else None
        codes.append(cells)
    if draw(st.integers(0, 2)) == 0:
        labels = [sum(column[row] for column in codes) % 2 for row in range(n)]
    else:
        labels = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    words = draw(st.sampled_from([["no", "yes", "maybe"], [0, 1, 2], [-1.0, 1.0, 0.0]]))
    classes = draw(st.none() | st.permutations(words)) if isinstance(words[0], str) else None
    return Sample(columns, [words[label] for label in labels], levels, classes)


def weights(n: int, most: int = 4) -> st.SearchStrategy[list[int]]:
    """Draw whole weights, at least one of which is not 0."""
    return st.lists(st.integers(0, most), min_size=n, max_size=n).filter(any)
