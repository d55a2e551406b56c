"""Fits whose rows come together on one worker."""

from __future__ import annotations

from typing import Any

from treewright._cluster.gathered_fits import FittedModel, fit_rows
from treewright._cluster.memory import check_memory
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.heartbeats import alive_workers
from treewright.dask.task_watch import gather

__all__ = ["fit_on_one_worker", "memory_limit", "threads_of_tasks"]


def fit_on_one_worker(rows: ClusterRows, estimator: Any) -> FittedModel:
    """Fit a local estimator on one worker, to which all rows go in coded form."""
    rows.report.method, rows.report.workers = "one worker", 1
    with rows.report.phase("fitting"):
        check_memory(rows.facts, memory_limit(rows))
        fitted = rows.submit(
            "fit", fit_rows, estimator, rows.joined(), rows.facts.is_named, threads_of_tasks(rows)
        )
        result: FittedModel = gather(rows.client, [fitted], "fitting the model")[0]
        _note_peak(rows, fitted, result.peak)
    return result


def memory_limit(rows: ClusterRows) -> int:
    """Return the memory of the largest worker; 0 if workers have no limit."""
    workers = alive_workers(rows.client).values()
    return max((each.get("memory_limit") or 0 for each in workers), default=0)


def threads_of_tasks(rows: ClusterRows) -> int:
    """Return the number of threads of a task: those of the smallest worker."""
    return min((each["nthreads"] for each in alive_workers(rows.client).values()), default=1)


def _note_peak(rows: ClusterRows, future: Any, peak: int) -> None:
    for worker in rows.client.who_has(future).values():
        for address in worker:
            peaks = rows.report.peak_bytes
            peaks[address] = max(peak, peaks.get(address, 0))
