"""Waiting for tasks of a cluster: an error says which worker, phase and partition, and a dead cluster is noticed."""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from treewright.dask.heartbeats import Heartbeats, ask_workers, remove_workers
from treewright.errors import ClusterError, TreewrightError

__all__ = ["Watch", "cancel_on_error", "gather", "wait_for", "watch"]

FIRST_POLL, POLL = 0.005, 0.05  # seconds between two looks: at first, and at most
ASK_SECONDS = (0.25, 5.0)  # between two questions to the scheduler, at least and at most
ASK_SHARE = 10  # of the time that an answer takes, which is long in large clusters
SCHEDULER_SECONDS = 30.0  # without an answer of the scheduler
NO_WORKER_SECONDS = 60.0  # without any worker
LOST_SECONDS = 2.0  # of a result, before the scheduler is asked whether it computes it again


class Watch:
    """Notices that the scheduler, or all workers, are gone; removes silent workers where only our own code runs.

    Code of users, which reads partitions, may keep a worker from sending heartbeats: there Dask decides alone.
    """

    def __init__(self, client: Any, phase: str, *, removes_silent: bool = True) -> None:
        self._client, self._phase = client, phase
        self._heartbeats = Heartbeats() if removes_silent else None
        self._start = self._scheduler_seen = self._workers_seen = time.monotonic()
        self._next_question = 0.0
        self._workers: dict[str, Any] | None = None

    def check(self) -> dict[str, Any] | None:
        """Return the workers, or None while the scheduler is out of reach; an error if that lasts for too long."""
        now = time.monotonic()
        if now < self._next_question and self._client.status == "running":
            return self._workers
        self._workers = workers = ask_workers(self._client)
        answered = time.monotonic()
        least, most = ASK_SECONDS
        self._next_question = answered + min(most, max(least, ASK_SHARE * (answered - now)))
        if workers is not None:
            self._scheduler_seen = answered
        elif self._client.status == "closed" or answered - self._scheduler_seen > SCHEDULER_SECONDS:
            raise ClusterError(
                f"the scheduler has been out of reach while {self._phase}",
                slug="cluster.scheduler",
                hints=[
                    "start the cluster again, then the fit; a checkpoint continues where it was"
                ],
            )
        if workers is None or workers:
            self._workers_seen = answered
        elif answered - self._workers_seen > NO_WORKER_SECONDS:
            raise ClusterError(
                f"the cluster has had no worker for {NO_WORKER_SECONDS:.0f} s while {self._phase}",
                slug="cluster.no-workers",
            )
        if workers and self._heartbeats is not None:
            silent = self._heartbeats.find_silent(workers)
            if silent:
                remove_workers(self._client, silent)
                self._next_question = 0.0
        return workers

    def rest(self) -> None:
        """Sleep for a moment that is short at the beginning, so that what takes little time is noticed at once."""
        time.sleep(min(POLL, max(FIRST_POLL, (time.monotonic() - self._start) / 50)))


class LostFutures:
    """Tells whether a future is gone for good: Dask computes a lost one again, unless it does not know how."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._since: dict[str, float] = {}

    def is_final(self, future: Any) -> bool:
        """Whether a future is canceled, or lost and unknown to the scheduler."""
        if future.status != "lost":
            self._since.pop(future.key, None)
            return bool(future.status == "cancelled")
        now = time.monotonic()
        if now - self._since.setdefault(future.key, now) < LOST_SECONDS:
            return False
        self._since[future.key] = now
        return not self._client.run_on_scheduler(_is_known, future.key)


def _is_known(key: str, dask_scheduler: Any = None) -> bool:
    """Whether the scheduler knows a task; it forgets data that it cannot compute again."""
    return key in dask_scheduler.tasks


def watch(
    client: Any, futures: Sequence[Any], phase: str, *, removes_silent: bool = True
) -> Iterator[Any]:
    """Yield futures as they finish; raise the error of the first that fails."""
    cluster, lost = Watch(client, phase, removes_silent=removes_silent), LostFutures(client)
    pending = list(enumerate(futures))
    while pending:
        # First the client: a client that lost its scheduler cancels all futures.
        cluster.check()
        late = []
        for number, future in pending:
            status = future.status
            if status == "finished":
                yield future
            elif status == "error":
                raise _explain(client, future, phase, number)
            elif client.status == "running" and lost.is_final(future):
                raise ClusterError(
                    f"partition {number:,} (counted from 0) was lost while {phase}, and cannot be computed again",
                    slug="cluster.lost-data",
                    hints=["scattered data dies with its worker: read files, or keep copies"],
                )
            else:
                late.append((number, future))
        pending = late
        if pending:
            cluster.rest()


def gather(
    client: Any, futures: Sequence[Any], phase: str, *, removes_silent: bool = True
) -> list[Any]:
    """Return the results of all futures, in their order."""
    for _ in watch(client, futures, phase, removes_silent=removes_silent):
        pass
    cluster = Watch(client, phase, removes_silent=removes_silent)
    results: list[Any] = wait_for(
        client, client.gather(list(futures), asynchronous=True), cluster.check
    )
    return results


def wait_for(client: Any, answer: Any, check: Callable[[], Any]) -> Any:
    """Return the result of a coroutine of the client; meanwhile ``check`` looks whether it can still come."""
    result = asyncio.run_coroutine_threadsafe(answer, client.loop.asyncio_loop)
    try:
        while not concurrent.futures.wait([result], POLL).done:
            check()
    except BaseException:
        result.cancel()
        raise
    return result.result()


def _explain(client: Any, future: Any, phase: str, number: int) -> BaseException:
    """Return the error of a task; one of Dask as an error that says worker, phase and partition."""
    error: BaseException = future.exception(timeout=10)
    if type(error).__name__ == "KilledWorker":
        worker = getattr(getattr(error, "last_worker", None), "address", "unknown")
        return ClusterError(
            f"workers died again and again while {phase}: the last one at {worker}",
            slug="cluster.worker-lost",
            hints=[
                f"the task was number {number:,} of this phase (counted from 0)",
                "not enough memory is the usual reason: the method estimate_memory tells how much a worker needs",
            ],
        )
    if not isinstance(error, TreewrightError):
        error.add_note(f"while {phase}: task {number:,} (counted from 0)")
    return error


@contextmanager
def cancel_on_error(client: Any, futures: Callable[[], Sequence[Any]]) -> Iterator[None]:
    """Cancel tasks if the ``with`` ends in an error, Ctrl-C included."""
    try:
        yield
    except BaseException:
        if client.status == "running":
            client.cancel(list(futures()), force=True)
        raise
