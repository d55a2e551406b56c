"""The memory of a fit, estimated from the sizes of the partitions."""

from __future__ import annotations

from typing import Any

from treewright._cluster.memory import boosting_bytes, gathered_bytes
from treewright._cluster.partitions import count_rows
from treewright._cluster.table_facts import describe_partition
from treewright.dask.heartbeats import alive_workers
from treewright.dask.partition_futures import list_partitions
from treewright.dask.task_watch import gather

__all__ = ["estimate_memory"]


def estimate_memory(estimator: Any, X: Any, client: Any) -> int:
    """Return the bytes that a worker needs for a fit to these rows."""
    from distributed import Future

    parts = list_partitions(X, "X")
    delayed = [part for part in parts if not isinstance(part, Future)]
    futures = [part for part in parts if isinstance(part, Future)] + client.compute(delayed)
    tasks = client.map(describe_size, futures, pure=False)
    sizes = gather(client, tasks, "measuring partitions", removes_silent=False)
    filled = [size for size in sizes if size[0]]
    rows = sum(size[0] for size in filled)
    if not filled:
        return 0
    columns = filled[0][1]
    if not getattr(estimator, "_divides_rows", False):
        return gathered_bytes(columns, rows)
    workers = max(1, len(alive_workers(client)))
    share = -(-rows // min(workers, len(filled)))
    return boosting_bytes(len(columns), share, 1, max(size[2] for size in filled))


def describe_size(X: Any) -> tuple[int, list[Any], int]:
    """Return rows, columns and bytes of a partition."""
    from treewright._cluster.partitions import Partition
    from treewright._input.containers import as_table

    part = Partition(as_table(X)._densify(), None, (), None, False)
    facts = describe_partition(part)
    return count_rows(X), facts.columns, facts.nbytes
