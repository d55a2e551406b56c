"""What a partition knows of its columns, and what follows for the columns of the table.

Every decision about a column (is it a number, which categories has it) is made from the facts of all partitions, by the
rules of a local fit: the same rows in one table give the same columns.

Categories that different partitions declare are joined in the order of the partitions, as ``compute()`` of Dask joins
them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._cluster.partitions import Partition
from treewright._input.columns import from_values, level_key
from treewright.errors import DataError, printable
from treewright.schema import Kind, Level, Meaning
from treewright.table import MISSING, Series, Table

__all__ = ["ColumnFacts", "collect_facts", "convert_table", "merge_facts"]

BLOCK = 4096  # rows that are looked at together
WORDS = {str: "text", bool: "booleans", int: "numbers", float: "numbers"}


@dataclass(frozen=True)
class ColumnFacts:
    """What is known of one column: in one partition, or in all of them.

    Parameters
    ----------
    name, kind, levels, declared, ordered, meaning
        As in a `Series`.
    counts : tuple of int
        How many rows have each level.
    rows, missing : int
        Number of rows, and of those without a value.
    integers, single : bool
        Whether all numbers are integers, or numbers of single precision.
    least, most : float
        The smallest and the largest number; NaN if there is none.
    """

    name: str
    kind: Kind
    levels: tuple[Level, ...]
    declared: bool
    ordered: bool
    meaning: Meaning | None
    counts: tuple[int, ...]
    rows: int
    missing: int
    integers: bool = True
    single: bool = True
    least: float = float("nan")
    most: float = float("nan")

    @property
    def present(self) -> list[Level]:
        """The levels that occur."""
        return [level for level, count in zip(self.levels, self.counts, strict=True) if count]


def collect_facts(part: Partition) -> list[ColumnFacts]:
    """Return what a partition knows of each of its columns."""
    table = part.table
    if table.matrix is not None:
        return _facts_of_matrix(table.columns, table.matrix.array)
    return [_facts_of(series) for series in table.series]


def _facts_of_matrix(names: Sequence[str], array: NDArray[Any]) -> list[ColumnFacts]:
    """Return what is known of columns of finite numbers: a block of rows at a time, which the cache holds."""
    least, most = array.min(axis=0).tolist(), array.max(axis=0).tolist()
    integers = _which_columns(array, lambda block: np.rint(block) == block)
    single = np.ones(array.shape[1], dtype=bool)
    if array.dtype != np.float32:
        single = _which_columns(array, lambda block: block.astype(np.float32) == block)
    none: tuple[Any, ...] = ()
    return [
        ColumnFacts(name, "numeric", none, False, False, None, none, len(array), 0, *own)
        for name, *own in zip(names, integers.tolist(), single.tolist(), least, most, strict=True)
    ]


def _which_columns(
    array: NDArray[Any], holds: Callable[[NDArray[Any]], NDArray[np.bool_]]
) -> NDArray[np.bool_]:
    """Return whether something holds for all numbers of each column. Most columns are decided by their first rows."""
    columns = np.arange(array.shape[1])
    with np.errstate(over="ignore", under="ignore"):
        for start in range(0, len(array), BLOCK):
            block = array[start : start + BLOCK]
            own = block if len(columns) == array.shape[1] else block[:, columns]
            columns = columns[holds(own).all(axis=0)]
            if not len(columns):
                break
    return np.isin(np.arange(array.shape[1]), columns)


def _facts_of(series: Series) -> ColumnFacts:
    if series.kind == "numeric":
        return _facts_of_numbers(series.name, series.data, series.meaning)
    known = series.data[series.data < len(series.levels)]
    counts = np.bincount(known, minlength=len(series.levels))
    return ColumnFacts(
        series.name,
        series.kind,
        series.levels,
        series.declared,
        series.ordered,
        series.meaning,
        tuple(counts.tolist()),
        len(series.data),
        len(series.data) - len(known),
    )


def _facts_of_numbers(
    name: str, column: NDArray[Any], meaning: Meaning | None = None
) -> ColumnFacts:
    numbers = column[~np.isnan(column)]
    with np.errstate(over="ignore", under="ignore"):
        single = bool((numbers.astype(np.float32) == numbers).all())
    return ColumnFacts(
        name,
        "numeric",
        (),
        False,
        False,
        meaning,
        (),
        len(column),
        len(column) - len(numbers),
        bool((np.rint(numbers) == numbers).all()),
        single,
        float(numbers.min()) if len(numbers) else float("nan"),
        float(numbers.max()) if len(numbers) else float("nan"),
    )


def merge_facts(facts: Sequence[tuple[int, ColumnFacts]]) -> ColumnFacts:
    """Return a column of the table from the facts of its partitions, each with its number."""
    first = facts[0][1]
    declared = all(each.declared for _, each in facts)
    is_ordered = first.ordered and all(each.levels == first.levels for _, each in facts)
    mixes_order = len({each.ordered for _, each in facts}) > 1 or (first.ordered and not is_ordered)
    levels: tuple[Level, ...] = ()
    kind: Kind = "categorical"
    if declared and not mixes_order:
        levels = tuple(dict.fromkeys(level for _, each in facts for level in each.levels))
    else:
        declared, is_ordered = False, False
        kind, levels = _read_values(facts)
    meanings = {each.meaning for _, each in facts if each.missing < each.rows}
    numbers = [each for _, each in facts if not np.isnan(each.least)]
    return ColumnFacts(
        first.name,
        kind,
        levels,
        declared,
        is_ordered,
        meanings.pop() if len(meanings) == 1 else None,
        _add_counts(levels, facts),
        sum(each.rows for _, each in facts),
        sum(each.missing for _, each in facts),
        all(each.integers for _, each in facts),
        all(each.single for _, each in facts),
        min((each.least for each in numbers), default=float("nan")),
        max((each.most for each in numbers), default=float("nan")),
    )


def _add_counts(
    levels: tuple[Level, ...], facts: Sequence[tuple[int, ColumnFacts]]
) -> tuple[int, ...]:
    place = {level_key(level): code for code, level in enumerate(levels)}
    counts = np.zeros(len(levels), dtype=np.int64)
    for _, each in facts:
        codes = [place.get(level_key(level), -1) for level in each.levels]
        for code, count in zip(codes, each.counts, strict=True):
            if code >= 0:
                counts[code] += count
    return tuple(counts.tolist())


def _read_values(facts: Sequence[tuple[int, ColumnFacts]]) -> tuple[Kind, tuple[Level, ...]]:
    """Return what a local fit would make of the values of all partitions in one column."""
    seen: dict[str, tuple[int, Any]] = {}
    levels: dict[Level, None] = {}
    for number, each in facts:
        if each.meaning is not None and each.meaning.part == "dates" and each.present:
            seen.setdefault("dates", (number, each.present[0]))
        elif each.kind == "numeric" and each.missing < each.rows:
            seen.setdefault("numbers", (number, each.least))
        else:
            for level in each.present[:1]:
                seen.setdefault(WORDS[type(level)], (number, level))
        levels |= dict.fromkeys(each.present)
    if len(seen) > 1:
        places = "; ".join(f"partition {number}: {value!r:.60}" for number, value in seen.values())
        name = printable(facts[0][1].name)
        slug = "data.date-column" if "dates" in seen else "data.mixed-column"
        raise DataError(
            f'column "{name}" mixes {" and ".join(seen)} ({places})',
            slug=slug,
            hints=["make it all text or all numbers"],
        )
    if not seen:
        kinds = {each.kind for _, each in facts}
        return ("numeric" if "numeric" in kinds else "categorical"), ()
    if next(iter(seen)) == "numbers":
        return "numeric", ()
    column = from_values(facts[0][1].name, list(levels))
    return column.kind, column.levels


def convert_column(series: Series, column: ColumnFacts) -> Series:
    """Return the column of a partition in the kind and the codes of the table's column."""
    data = _numbers_of(series) if column.kind == "numeric" else _codes_of(series, column)
    return Series(
        column.name,
        column.kind,
        data,
        column.levels,
        column.declared,
        column.ordered,
        column.meaning,
    )


def _numbers_of(series: Series) -> NDArray[np.float64]:
    if series.kind == "numeric":
        return series.data
    numbers = np.array([*map(float, series.levels), np.nan])
    values: NDArray[np.float64] = numbers[np.minimum(series.data, len(series.levels))]
    return values


def _codes_of(series: Series, column: ColumnFacts) -> NDArray[np.uint32]:
    if series.kind == "numeric":  # without a value: nothing says what it is
        return np.full(len(series.data), MISSING, dtype=np.uint32)
    if series.levels == column.levels:
        return series.data
    place = {level_key(level): code for code, level in enumerate(column.levels)}
    recode = [place.get(level_key(level), MISSING) for level in series.levels]
    lookup = np.array([*recode, MISSING], dtype=np.uint32)
    codes: NDArray[np.uint32] = lookup[np.minimum(series.data, len(series.levels))]
    return codes


def convert_table(table: Table, columns: Sequence[ColumnFacts]) -> Table:
    """Return the columns of a partition as those of the table."""
    return Table([convert_column(s, c) for s, c in zip(table.series, columns, strict=True)])
