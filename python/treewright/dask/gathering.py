"""Fits whose rows come together: single trees and AdaBoost on one worker, the trees of a forest on all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treewright._cluster.gathered_fits import (
    FittedModel,
    TreeFacts,
    describe_part,
    fit_rows,
    grow_trees,
    join_trees,
    split_trees,
)
from treewright._cluster.memory import check_memory
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.heartbeats import alive_workers
from treewright.dask.task_watch import cancel_on_error, gather, watch

__all__ = ["fit_forest", "fit_on_one_worker", "memory_limit"]


def fit_on_one_worker(rows: ClusterRows, estimator: Any) -> FittedModel:
    """Fit a local estimator on one worker, to which all rows go in coded form."""
    rows.report.method, rows.report.workers = "one worker", 1
    with cancel_on_error(rows.client, lambda: rows.started), rows.report.phase("fitting"):
        _check_workers(rows)
        fitted = rows.submit(
            "fit", fit_rows, estimator, rows.joined(), rows.facts.is_named, _threads(rows)
        )
        result: FittedModel = gather(rows.client, [fitted], "fitting the model")[0]
        _note_peak(rows, fitted, result.peak)
    return result


def fit_forest(
    rows: ClusterRows, estimator: Any, trees: range, tell: Callable[[int], None] | None
) -> FittedModel:
    """Fit a forest: every worker gets all rows in coded form and grows some of the trees.

    The trees stay where they were grown until one worker joins them. A worker that dies takes its trees with it; Dask
    grows them again elsewhere, with the same bytes.
    """
    rows.report.method = "trees by number"
    with cancel_on_error(rows.client, lambda: rows.started):
        with rows.report.phase("growing"):
            _check_workers(rows)
            table, threads = rows.joined(), _threads(rows)
            workers = len(alive_workers(rows.client))
            rows.report.workers = workers
            tasks = [
                rows.submit("grow", grow_trees, estimator, table, part, threads)
                for part in split_trees(trees.start, trees.stop, max(1, workers))
            ]
            grown = 0
            for future in watch(rows.client, tasks, "growing trees"):
                facts: TreeFacts = rows.submit("facts", describe_part, future).result()
                _note_peak(rows, future, facts.peak)
                grown += facts.count
                if tell is not None:
                    tell(grown)
        with rows.report.phase("joining"):
            joined = rows.submit(
                "finish", join_trees, estimator, table, rows.facts.is_named, tasks, threads
            )
            result: FittedModel = gather(rows.client, [joined], "joining the trees")[0]
    return result


def _check_workers(rows: ClusterRows) -> None:
    """Raise an error if the coded table does not fit the memory of a worker."""
    check_memory(rows.facts, memory_limit(rows))


def memory_limit(rows: ClusterRows) -> int:
    """Return the memory of the largest worker; 0 if workers have no limit."""
    workers = alive_workers(rows.client).values()
    return max((each.get("memory_limit") or 0 for each in workers), default=0)


def _threads(rows: ClusterRows) -> int:
    """Return the number of threads of a task: those of the smallest worker."""
    return min((each["nthreads"] for each in alive_workers(rows.client).values()), default=1)


def _note_peak(rows: ClusterRows, future: Any, peak: int) -> None:
    for worker in rows.client.who_has(future).values():
        for address in worker:
            peaks = rows.report.peak_bytes
            peaks[address] = max(peak, peaks.get(address, 0))
