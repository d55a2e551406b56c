"""Whether other work runs on this machine: bounds of time on the wall mean something on a quiet one alone."""

from __future__ import annotations

import os


def load() -> float:
    """Return the average number of processes that want to run."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def is_busy() -> bool:
    """Whether more processes want to run than there are processors."""
    return load() > (os.cpu_count() or 1)


def seconds(quiet: float, busy: float) -> float:
    """Return the bound for this machine: the promise where it is quiet, a looser one where it is busy."""
    return busy if is_busy() else quiet
