"""Waiting for tasks of a cluster: an error says which worker, phase and partition, and a dead cluster is noticed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from treewright.errors import ClusterError, TreewrightError

__all__ = ["Watch", "alive_workers", "cancel_on_error", "gather", "watch"]

FIRST_POLL, POLL = 0.005, 0.05  # seconds between two looks: at first, and at most
WORKER_POLL = 0.5  # seconds between two questions to the scheduler
SCHEDULER_SECONDS = 30.0  # without a connection to the scheduler
NO_WORKER_SECONDS = 60.0  # without any worker
LOST_SECONDS = 60.0  # of a result that nobody computes again


def alive_workers(client: Any) -> dict[str, Any]:
    """Return what the scheduler knows of each worker, by its address.

    It asks anew, because ``client.scheduler_info()`` returns the client's last answer, and between question and answer
    the client's own timer may have asked without naming workers: all of them would seem to be dead.
    """
    try:
        workers: dict[str, Any] = client.sync(_ask_scheduler, client)["workers"]
    except (AttributeError, KeyError, OSError, RuntimeError):  # the scheduler is gone
        return {}
    return dict(sorted(workers.items()))


async def _ask_scheduler(client: Any) -> dict[str, Any]:
    try:
        return await client.scheduler.identity(n_workers=-1)  # type: ignore[no-any-return]
    except TypeError:  # before 2025.4 it always names all workers
        return await client.scheduler.identity()  # type: ignore[no-any-return]


class Watch:
    """Notices that the scheduler, or all workers, are gone."""

    def __init__(self, client: Any, phase: str) -> None:
        self._client, self._phase = client, phase
        self._start = self._scheduler_seen = self._workers_seen = time.monotonic()
        self._next_question = 0.0
        self._workers: dict[str, Any] = {}

    def workers(self) -> dict[str, Any]:
        """Return what the scheduler knows of each worker, as of half a second ago at most."""
        now = time.monotonic()
        if now >= self._next_question:
            self._workers = alive_workers(self._client)
            self._next_question = now + WORKER_POLL
        return self._workers

    def rest(self) -> None:
        """Sleep for a moment that is short at the beginning, so that what takes little time is noticed at once."""
        time.sleep(min(POLL, max(FIRST_POLL, (time.monotonic() - self._start) / 50)))

    def check(self) -> None:
        """Raise an error if the cluster has been gone for too long."""
        now = time.monotonic()
        if self._client.status == "running":
            self._scheduler_seen = now
        elif self._client.status == "closed" or now - self._scheduler_seen > SCHEDULER_SECONDS:
            raise ClusterError(
                f"the scheduler has been out of reach while {self._phase}",
                slug="cluster.scheduler",
                hints=[
                    "start the cluster again, then the fit; a checkpoint continues where it was"
                ],
            )
        if self._client.status != "running" or self.workers():
            self._workers_seen = now
        elif now - self._workers_seen > NO_WORKER_SECONDS:
            raise ClusterError(
                f"the cluster has had no worker for {NO_WORKER_SECONDS:.0f} s while {self._phase}",
                slug="cluster.no-workers",
            )


class LostFutures:
    """Tells whether a future is gone for good. Dask computes a lost one again, if it knows how: that takes time."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}

    def is_final(self, future: Any) -> bool:
        """Whether a future is canceled, or has been lost for so long that nobody computes it again."""
        if future.status != "lost":
            self._since.pop(future.key, None)
            return bool(future.status == "cancelled")
        since = self._since.setdefault(future.key, time.monotonic())
        return time.monotonic() - since > LOST_SECONDS


def watch(client: Any, futures: Sequence[Any], phase: str) -> Iterator[Any]:
    """Yield futures as they finish; raise the error of the first that fails."""
    cluster, lost = Watch(client, phase), LostFutures()
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


def gather(client: Any, futures: Sequence[Any], phase: str) -> list[Any]:
    """Return the results of all futures, in their order."""
    for _ in watch(client, futures, phase):
        pass
    results: list[Any] = client.gather(list(futures))
    return results


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
