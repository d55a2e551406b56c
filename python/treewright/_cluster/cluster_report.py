"""What a fit on a cluster took: seconds by phase, bytes, memory, restarts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

__all__ = ["FitReport"]


@dataclass
class FitReport:
    """What a fit on a cluster took.

    Parameters
    ----------
    method : str, default=""
        How the rows came together: ``"merged sums"``, ``"trees by number"``, ``"one worker"`` or ``"shortlists"``.
    seconds : dict
        Wall time of each phase.
    workers : int, default=0
        Number of workers that took part.
    rows, partitions : int, default=0
        Size of the training table.
    wire_bytes : int, default=0
        Bytes that workers sent each other during training.
    connection : str, default=""
        How they reached each other: ``"sockets"``, ``"dask"``, or nothing if they did not.
    peak_bytes : dict
        The largest memory of each worker process, by its address.
    restarts : list of str
        Why the fit began again from its last finished tree, once for each time.

    Examples
    --------
    >>> report = FitReport(method="one worker", rows=14)
    >>> with report.phase("fitting"):
    ...     pass
    >>> list(report.seconds)
    ['fitting']
    """

    method: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    workers: int = 0
    rows: int = 0
    partitions: int = 0
    wire_bytes: int = 0
    connection: str = ""
    peak_bytes: dict[str, int] = field(default_factory=dict)
    restarts: list[str] = field(default_factory=list)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the wall time inside the ``with`` to a phase."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
