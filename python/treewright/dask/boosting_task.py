"""The long task of a worker in a boosting fit: it meets the others, runs all rounds, and reports each."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

from treewright import _core
from treewright._cluster.boosting_part import Progress, TrainedPart
from treewright._cluster.forest_bytes import forest_to_bytes
from treewright._cluster.packed_rows import PackedRows
from treewright._utils.cancellation import check_canceled
from treewright.dask.worker_mesh import Meeting, close_connections, connect

__all__ = ["train_on_worker"]


def train_on_worker(
    train: Any, plan: Any, meeting: Meeting, rank: int, start: Progress, parts: list[PackedRows]
) -> TrainedPart:
    """Run a fit on the partitions of this worker together with all others; a task that only this worker may run.

    ``train`` is what every process of the fit does, such as ``train_part``.
    """
    from distributed import get_worker, secede

    worker = get_worker()
    threads = worker.state.nthreads
    with contextlib.suppress(ValueError):  # not a thread of the worker's own pool
        # Tasks of two fits may wait for each other's places: this one gives up its place.
        secede()
    try:
        peers, count_bytes = connect(meeting, rank, worker)

        def report(number: int, run: _core.Boosting, is_over: bool) -> None:
            check_canceled()
            if rank == 0:
                trees = forest_to_bytes(run.last_trees(), plan.merged.schema)
                message = {
                    "number": number,
                    "trees": trees,
                    "losses": run.losses,
                    "is_over": is_over,
                }
                worker.log_event(meeting.key, message)

        result: TrainedPart = train(plan, peers, parts, start, report, threads)
        if rank == 0:
            worker.log_event(meeting.key, {"is_last": True})
        return replace(
            result,
            forest=result.forest if rank == 0 else _digest(result.forest),
            model=result.model if rank == 0 else None,
            sent=count_bytes(),
            connection="sockets" if meeting.by_sockets else "dask",
        )
    finally:
        close_connections(meeting.key, worker)


def _digest(data: bytes) -> bytes:
    import hashlib

    return hashlib.sha256(data).digest()
