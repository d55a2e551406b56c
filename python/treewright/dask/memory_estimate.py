"""The memory of a fit, estimated from the sizes of the partitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from treewright._cluster.column_facts import ColumnFacts
from treewright._cluster.memory import boosting_bytes, cell_bytes, gathered_bytes
from treewright._cluster.partitions import count_rows
from treewright._cluster.table_facts import describe_partition
from treewright.dask.heartbeats import alive_workers
from treewright.dask.partition_futures import list_partitions
from treewright.dask.task_watch import gather

__all__ = ["estimate_memory"]

# What allocators keep, messages, and small things that are not counted.
ROOM, LEAST_ROOM = 1.2, 40_000_000

# Rows, columns and bytes of a partition.
Size = tuple[int, list[ColumnFacts], int]


def estimate_memory(estimator: Any, X: Any, client: Any) -> int:
    """Return the bytes that a worker process needs for a fit to these rows, with what it holds already."""
    from distributed import Future

    held = max(client.run(memory_in_use).values(), default=0)
    parts = list_partitions(X, "X")
    there = _in_memory(client, [part.key for part in parts])
    delayed = [part for part in parts if not isinstance(part, Future)]
    futures = [part for part in parts if isinstance(part, Future)] + client.compute(delayed)
    tasks = client.map(describe_size, futures, pure=False)
    sizes: list[Size] = gather(client, tasks, "measuring partitions", removes_silent=False)
    filled = [size for size in sizes if size[0]]
    if not filled:
        return held
    workers = min(max(1, len(alive_workers(client))), len(filled))
    # Partitions that lie on workers are counted in what these hold.
    read = 0 if there else max(max(each[2] for each in filled), _share(filled, 2, workers))
    needed = read + _fit_bytes(estimator, filled, workers)
    return held + LEAST_ROOM + int(ROOM * needed)


def _fit_bytes(estimator: Any, filled: Sequence[Size], workers: int) -> int:
    """Return the bytes of the coded rows of a worker, and of what its fit makes of them."""
    columns = _join_columns([each[1] for each in filled])
    share = _share(filled, 0, workers)
    packed = share * cell_bytes(columns)
    if getattr(estimator, "_divides_rows", False):
        return packed + boosting_bytes(len(columns), share, 1, max(each[2] for each in filled))
    if getattr(estimator, "_divides_index", False):
        return 2 * packed
    return packed + gathered_bytes(columns, sum(each[0] for each in filled))


def _share(filled: Sequence[Size], place: int, workers: int) -> int:
    total: int = sum(each[place] for each in filled)  # type: ignore[misc]
    return -(-total // workers)


def _join_columns(parts: Sequence[list[ColumnFacts]]) -> list[ColumnFacts]:
    """Return the columns; one whose numbers need double precision in any partition needs it in all."""
    return [
        replace(column, single=all(part[place].single for part in parts))
        for place, column in enumerate(parts[0])
    ]


def _in_memory(client: Any, keys: Sequence[Any]) -> bool:
    """Whether all partitions lie on workers."""
    holders = client.sync(client.scheduler.who_has, keys=list(keys))
    return all(holders.get(key) for key in keys)


def memory_in_use(dask_worker: Any = None) -> int:
    """Return the memory of a worker process, with the modules that a fit needs; run on each worker."""
    import treewright._cluster.joint_fit  # noqa: F401

    return int(dask_worker.monitor.get_process_memory())


def describe_size(X: Any) -> Size:
    """Return rows, columns and bytes of a partition."""
    from treewright._cluster.partitions import Partition
    from treewright._input.containers import as_table

    part = Partition(as_table(X)._densify(), None, (), None, False)
    facts = describe_partition(part)
    return count_rows(X), facts.columns, facts.nbytes
