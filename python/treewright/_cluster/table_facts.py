"""The table that the partitions are parts of: its columns, its target, and which rows each partition holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright._cluster.column_facts import ColumnFacts, collect_facts, merge_facts
from treewright._cluster.partitions import Partition
from treewright._cluster.target_facts import TargetFacts, merge_targets, target_facts
from treewright._input.target import MAX_WEIGHT, MIN_WEIGHT
from treewright.errors import DataError, printable

__all__ = ["PartitionFacts", "TableFacts", "describe_partition", "merge_partitions"]


@dataclass(frozen=True)
class PartitionFacts:
    """What one partition tells about itself: small, however many rows it has."""

    rows: int
    columns: list[ColumnFacts]
    target: TargetFacts | None
    has_weights: bool
    max_weight: float
    is_named: bool
    nbytes: int


@dataclass(frozen=True)
class TableFacts:
    """What is known of the table.

    Parameters
    ----------
    lengths : tuple of int
        Number of rows of each partition, those of weight 0 left out.
    columns : tuple of ColumnFacts
        Its columns.
    target : TargetFacts
        Its target.
    has_weights, is_named : bool
        Whether rows have weights, and columns have names.
    """

    lengths: tuple[int, ...]
    columns: tuple[ColumnFacts, ...]
    target: TargetFacts
    has_weights: bool
    is_named: bool

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(self.lengths)

    @property
    def starts(self) -> list[int]:
        """The number of the first row of each partition: rows are counted in the order of the partitions."""
        return [0, *np.cumsum(self.lengths)[:-1].tolist()]


def describe_partition(part: Partition) -> PartitionFacts:
    """Return what a partition tells about itself."""
    table = part.table
    arrays = [table.matrix.array] if table.matrix else [s.data for s in table.series]
    return PartitionFacts(
        len(part),
        collect_facts(part) if len(part) else [],
        target_facts(part),
        part.weights is not None,
        float(part.weights.max(initial=0.0)) if part.weights is not None else 0.0,
        part.is_named,
        sum(array.nbytes for array in arrays),
    )


def merge_partitions(facts: Sequence[PartitionFacts]) -> TableFacts:
    """Return what is known of the table; an error if the partitions are not parts of one table."""
    filled = [(number, each) for number, each in enumerate(facts) if each.rows]
    if not filled:
        weighted = any(each.has_weights for each in facts)
        if weighted:
            raise DataError("all sample weights are zero", slug="data.weights")
        raise DataError(
            f"Found a table with 0 sample(s) in {len(facts):,} partition(s) while a minimum of 1 is required.",
            slug="data.empty",
        )
    names = [each.name for each in filled[0][1].columns]
    for number, each in filled:
        _check_names(names, [column.name for column in each.columns], filled[0][0], number)
    by_column = zip(*([(number, c) for c in each.columns] for number, each in filled), strict=True)
    targets = [(number, each.target) for number, each in filled if each.target is not None]
    _check_weights(filled)
    return TableFacts(
        tuple(each.rows for each in facts),
        tuple(merge_facts(column) for column in by_column),
        merge_targets(targets),
        any(each.has_weights for _, each in filled),
        filled[0][1].is_named,
    )


def _check_names(first: list[str], other: list[str], first_number: int, number: int) -> None:
    if first == other:
        return
    lacking = [printable(name) for name in first if name not in other]
    more = [printable(name) for name in other if name not in first]
    what = (
        f'lacks "{lacking[0]}"' if lacking else f'has "{more[0]}"' if more else "has another order"
    )
    raise DataError(
        f"the columns of partition {number:,} are not those of partition {first_number:,}: it {what}",
        slug="cluster.columns",
    )


def _check_weights(filled: Sequence[tuple[int, PartitionFacts]]) -> None:
    if not any(each.has_weights for _, each in filled):
        return
    largest = max(each.max_weight for _, each in filled)
    rows = sum(each.rows for _, each in filled)
    if largest < MIN_WEIGHT or largest > MAX_WEIGHT / rows:
        raise DataError(
            f"the largest sample weight is {largest:g}, too extreme to add up",
            slug="data.weights",
            hints=["only their ratios matter: divide all weights by their mean"],
        )
