"""How much memory a worker needs for a fit, before anything starts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright._cluster.column_facts import ColumnFacts
from treewright._cluster.table_facts import TableFacts
from treewright.errors import ClusterError

__all__ = [
    "boosting_bytes",
    "cell_bytes",
    "check_boosting_memory",
    "check_memory",
    "fits_memory",
    "gathered_bytes",
    "write_bytes",
]

# Bytes of a row beside its cells: target, weight, place in the order of samples, node.
STATE = 32


def cell_bytes(columns: Sequence[ColumnFacts]) -> int:
    """Return the bytes of a row's values as they travel between processes and come together."""
    return sum(8 if column.kind == "numeric" and not column.single else 4 for column in columns)


def gathered_bytes(columns: Sequence[ColumnFacts], rows: int) -> int:
    """Return the bytes of all rows on one worker: the values, and the codes that a fit makes of them."""
    return rows * (cell_bytes(columns) + 2 * len(columns) + STATE)


def boosting_bytes(columns: int, rows: int, sums: int, largest_part: int) -> int:
    """Return the bytes of a worker's rows in boosting: codes of 8 bits in rows and columns, sums, one partition.

    Examples
    --------
    >>> boosting_bytes(28, 2_000_000, 1, 0) // 10**6
    160
    """
    return rows * (2 * columns + 16 + 8 * sums) + largest_part


def fits_memory(facts: TableFacts, limit: int) -> bool:
    """Whether all rows fit a worker with this limit; 0 means that it has none."""
    return not limit or gathered_bytes(facts.columns, facts.rows) <= limit


def check_memory(facts: TableFacts, limit: int, reason: str | None = None) -> None:
    """Raise an error if all rows do not fit a worker; ``reason`` says why they have to."""
    if not fits_memory(facts, limit):
        raise _too_large(
            f"{write_bytes(gathered_bytes(facts.columns, facts.rows))} on one worker",
            limit,
            [
                *([] if reason is None else [reason]),
                "start workers with more memory, or take gradient boosting, which divides the rows",
            ],
        )


def check_boosting_memory(needed: int, workers: int, limit: int) -> None:
    """Raise an error if the rows of a boosting fit do not fit its workers; ``needed`` is for the share of one."""
    if limit and needed > limit:
        raise _too_large(
            f"{write_bytes(needed)} on each of {workers:,} worker(s)",
            limit,
            ["start more workers, or workers with more memory"],
        )


def _too_large(needed: str, limit: int, hints: list[str]) -> ClusterError:
    return ClusterError(
        f"the fit needs {needed}, and the largest worker has {write_bytes(limit)}",
        slug="cluster.memory",
        hints=hints,
    )


def write_bytes(count: int) -> str:
    """Write a number of bytes with its unit.

    Examples
    --------
    >>> write_bytes(1_500_000), write_bytes(12)
    ('1.5 MB', '12 bytes')
    """
    for power, unit in ((12, "TB"), (9, "GB"), (6, "MB"), (3, "KB")):
        if count >= 10**power:
            return f"{np.format_float_positional(count / 10**power, 3, fractional=False, trim='-')} {unit}"
    return f"{count} bytes"
