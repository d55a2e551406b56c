"""What the end of a task means: a worker that is lost, or an error of the fit; and who dies again and again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright._cluster.memory import write_bytes
from treewright.dask.cluster_rows import ClusterRows
from treewright.dask.task_watch import Watch
from treewright.errors import ClusterError, PeerLostError

__all__ = ["Losses", "TaskEnds", "WorkerLostError"]

# Names of errors that mean that a worker is gone, not that the fit is wrong.
LOST = (
    "CommClosedError",
    "FutureCancelledError",
    "KilledWorker",
    "PeerLostError",
    "CancelledError",
)
# When a worker has lost another one: how long to wait for word of that one, which may have an error of its own.
WORD_SECONDS = 3.0


class WorkerLostError(Exception):
    """A worker of an attempt is gone."""

    def __init__(self, message: str, workers: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.workers = workers


class TaskEnds:
    """Looks at the tasks of one attempt, one on each worker."""

    def __init__(self, cluster: Watch, workers: Sequence[str], futures: Sequence[Any]) -> None:
        self._cluster = cluster
        self._workers, self._futures = tuple(workers), tuple(futures)
        self._report_seen: float | None = None

    def check(self) -> None:
        """Raise an error if a task has ended before its time, or its worker is gone, even before the task began."""
        alive = self._cluster.check()
        if alive is None:
            return
        reports: dict[str, Any] = {}
        for worker, future in zip(self._workers, self._futures, strict=True):
            if future.status == "error":
                error = future.exception(timeout=10)
                if type(error).__name__ not in LOST:
                    error.add_note(f"on worker {worker}, while training")
                    raise error
                reports[worker] = error
        gone = tuple(worker for worker in self._workers if worker not in alive)
        if gone:
            raise WorkerLostError(f"worker {gone[0]} is gone", gone)
        for worker, future in zip(self._workers, self._futures, strict=True):
            if future.status in ("cancelled", "lost"):
                raise WorkerLostError(f"the task of worker {worker} was lost", (worker,))
        if reports:
            self._judge(reports)

    def rest(self) -> None:
        """Sleep until it is time to look again."""
        self._cluster.rest()

    def _judge(self, reports: dict[str, Any]) -> None:
        """Raise what workers report of others that seem to be alive, after some time."""
        now = time.monotonic()
        self._report_seen = self._report_seen or now
        if now - self._report_seen > WORD_SECONDS:
            worker, error = next(iter(reports.items()))
            missing: tuple[str, ...] = ()
            if isinstance(error, PeerLostError) and error.rank < len(self._workers):
                missing = (self._workers[error.rank],)
            raise WorkerLostError(f"worker {worker} reports: {error}", missing)


@dataclass
class Losses:
    """Counts how often each worker has died in each round."""

    rows: ClusterRows
    counts: Counter[tuple[str, int]] = field(default_factory=Counter)

    def add(self, workers: Sequence[str], rounds: int) -> None:
        """Count workers, by their names; raise an error if one has died twice in the same round: it would die again."""
        for name in workers:
            self.counts[name, rounds] += 1
            if self.counts[name, rounds] > 1:
                largest = max(part.nbytes for part in self.rows.parts)
                needed = self.rows.bytes_of_share(self.rows.report.workers)
                raise ClusterError(
                    f"worker {name} died twice in round {rounds + 1}",
                    slug="cluster.worker-lost",
                    hints=[
                        f"it needs about {write_bytes(needed)}; not enough memory is the usual reason",
                        f"the largest of the {len(self.rows.parts):,} partitions has {write_bytes(largest)}",
                    ],
                ) from None
