"""The training rows of one fit on a cluster: read and described where they lie, then coded by the table."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright._cluster.cluster_report import FitReport
from treewright._cluster.memory import boosting_bytes
from treewright._cluster.packed_rows import join_rows, pack_partition
from treewright._cluster.partitions import read_partition
from treewright._cluster.table_facts import (
    PartitionFacts,
    TableFacts,
    describe_partition,
    merge_partitions,
)
from treewright.dask.partition_futures import release_on_error, start_partitions
from treewright.dask.task_watch import cancel_on_error, gather
from treewright.dask.wanted_tasks import run_wanted

__all__ = ["ClusterRows", "read_rows_on_workers"]


@dataclass(eq=False)
class ClusterRows:
    """The rows of a fit: a future of its coded rows for each partition, and what is known of the table."""

    client: Any
    fit_id: str
    facts: TableFacts
    parts: list[PartitionFacts]
    packed: list[Any]
    report: FitReport
    started: list[Any] = field(default_factory=list)
    submitted: int = 0

    def submit(self, name: str, function: Any, *arguments: Any, **options: Any) -> Any:
        """Start a task that ends if the fit fails."""
        self.submitted += 1
        key = f"treewright-{name}-{self.fit_id}-{self.submitted}"
        future = self.client.submit(
            run_wanted, function, *arguments, key=key, pure=False, **options
        )
        self.started.append(future)
        return future

    def forget(self, future: Any) -> None:
        """Let the worker drop a result that nobody needs any more."""
        self.started.remove(future)
        future.release()

    def joined(self) -> Any:
        """Return a future of all rows in one table."""
        filled = [
            future for future, rows in zip(self.packed, self.facts.lengths, strict=True) if rows
        ]
        return self.submit("join", join_rows, filled, self.facts)

    def bytes_of_share(self, workers: int, sums: int = 1) -> int:
        """Return the memory that a boosting fit with so many sums a row takes on each of some workers."""
        share = -(-self.facts.rows // max(1, workers))
        largest = max(part.nbytes for part in self.parts)
        return boosting_bytes(len(self.facts.columns), share, sums, largest)

    def tasks(self) -> list[Any]:
        """Return the futures that end with the fit."""
        return [*self.started, *self.packed]

    def release(self) -> None:
        """Forget the rows: workers may drop them."""
        self.packed.clear()
        self.started.clear()


def read_rows_on_workers(
    client: Any, data: Sequence[Any], classes: bool, report: FitReport
) -> ClusterRows:
    """Read the partitions of X, y and sample_weight, and agree on the columns of the table.

    Parameters
    ----------
    client : distributed.Client
        The cluster.
    data : tuple
        X, y and sample_weight as the user passed them.
    classes : bool
        Whether the target holds classes.
    report : FitReport
        Gets the time that it took.
    """
    fit_id = secrets.token_hex(8)
    partitions = start_partitions(client, *data)
    own: list[Any] = []

    def submit(name: str, function: Any, number: int, *arguments: Any) -> Any:
        key = f"treewright-{name}-{fit_id}-{number}"
        own.append(client.submit(function, number, *arguments, key=key, pure=False))
        return own[-1]

    with release_on_error(partitions), cancel_on_error(client, lambda: own):
        with report.phase("reading"):
            read = [
                submit("read", read_partition, number, *partition, classes)
                for number, partition in enumerate(partitions)
            ]
            described = client.map(describe_partition, read, pure=False)
            own += described
            parts = gather(client, described, "reading partitions", removes_silent=False)
        with report.phase("agreeing on columns"):
            facts = merge_partitions(parts)
            packed = [
                submit("pack", pack_partition, number, part, facts)
                for number, part in enumerate(read)
            ]
    report.rows, report.partitions = facts.rows, len(parts)
    return ClusterRows(client, fit_id, facts, parts, packed, report)
