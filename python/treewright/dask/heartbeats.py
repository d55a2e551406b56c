"""Which workers of a cluster answer: what the scheduler knows of each, and the removal of one that is silent.

A worker that neither answers nor dies keeps its connections, so nothing but its missing heartbeat tells of it. Dask
itself removes such a worker after five minutes (``distributed.scheduler.worker-ttl``).
"""

from __future__ import annotations

import contextlib
import time
from typing import Any

__all__ = ["Heartbeats", "alive_workers", "ask_workers"]

ANSWER_SECONDS = 5.0  # that the scheduler may take for an answer
SILENT_SECONDS = 30.0  # without a heartbeat: workers send one every half second, in large clusters every few seconds


def ask_workers(client: Any) -> dict[str, Any] | None:
    """Return what the scheduler knows of each worker, by its address; None if the scheduler does not answer.

    It asks anew, because ``client.scheduler_info()`` returns the client's last answer, and between question and answer
    the client's own timer may have asked without naming workers: all of them would seem to be dead.
    """
    if client.status != "running":
        return None
    try:
        answer = client.sync(_ask_scheduler, client, callback_timeout=ANSWER_SECONDS)
    except (AttributeError, OSError, RuntimeError):  # a scheduler that is gone, or silent
        return None
    return dict(sorted(answer["workers"].items()))


async def _ask_scheduler(client: Any) -> dict[str, Any]:
    try:
        return await client.scheduler.identity(n_workers=-1)  # type: ignore[no-any-return]
    except TypeError:  # before 2025.4 it always names all workers
        return await client.scheduler.identity()  # type: ignore[no-any-return]


def alive_workers(client: Any) -> dict[str, Any]:
    """Return what the scheduler knows of each worker, by its address; nothing if the scheduler does not answer."""
    return ask_workers(client) or {}


class Heartbeats:
    """Notes when each worker was heard of, by the clock of this process."""

    def __init__(self) -> None:
        self._heard: dict[str, tuple[float, float]] = {}

    def find_silent(self, workers: dict[str, Any]) -> list[str]:
        """Return the workers whose last heartbeat has been the same for too long."""
        now = time.monotonic()
        for worker, facts in workers.items():
            if self._heard.get(worker, (None, 0.0))[0] != facts["last_seen"]:
                self._heard[worker] = (facts["last_seen"], now)
        return [worker for worker in workers if now - self._heard[worker][1] > SILENT_SECONDS]


def remove_workers(client: Any, workers: list[str]) -> None:
    """Let the scheduler forget workers: their tasks and partitions go to others, and they end if they wake up."""
    with contextlib.suppress(OSError, ValueError):  # Dask removes them later
        client.run_on_scheduler(_remove, workers)


async def _remove(workers: list[str], dask_scheduler: Any = None) -> None:
    for worker in workers:
        await dask_scheduler.remove_worker(worker, stimulus_id=f"treewright-silent-{time.time()}")
