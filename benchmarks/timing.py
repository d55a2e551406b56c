"""Running the libraries in turn, and the report of a task.

A *contender* is a name and a function that does the complete work once. A *floor* is the target: how many times as long
as treewright another library takes at least, or how many seconds treewright takes at most.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = ["OURS", "in_turn", "peak_memory", "report"]

RESULTS = Path(__file__).parent / "results"
# Threads of OpenMP go on spinning for a while after their work, which would slow whoever comes next.
PAUSE = 0.5
# Short runs are repeated in a turn, as long as they begin within so many seconds, but at most so many times: the first
# run of a turn finds the caches full of the other's data and the processor asleep.
TURN_SECONDS = 1.0
MAX_RUNS = 20
OURS = "treewright"
PEERS = (
    "scikit-learn",
    "xgboost",
    "lightgbm",
    "catboost",
    "pykdtree",
    "faiss-cpu",
    "numpy",
    "pystreed",
    "pycontree",
)


def in_turn(
    contenders: Mapping[str, Callable[[], Any]],
    rounds: int = 3,
    clock: Callable[[], float] = time.perf_counter,
    repeats: int | None = None,
) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """Run all contenders one after the other, several rounds; return the seconds, and the last result of each.

    The clock is that on the wall. ``time.process_time`` counts the seconds of processors, which a busy machine changes
    less. In its turn, a contender runs ``repeats`` times, or as often as begins within a second. Before each turn is a
    pause, so that the threads of the one before are asleep.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    results: dict[str, Any] = {}
    for _ in range(rounds):
        for name, work in contenders.items():
            time.sleep(PAUSE)
            end = time.perf_counter() + TURN_SECONDS
            for run in range(repeats or MAX_RUNS):
                if repeats is None and run > 0 and time.perf_counter() >= end:
                    break
                start = clock()
                results[name] = work()
                seconds[name].append(clock() - start)
    return seconds, results


def peak_memory() -> int:
    """Return the peak memory of this process so far, in bytes."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def report(
    task: str,
    title: str,
    seconds: Mapping[str, list[float]],
    floors: Mapping[str, float],
    **facts: Any,
) -> None:
    """Write the raw numbers of a task to its file in ``results/``.

    A floor for another library is how many times as long it should take at least; a floor for treewright is seconds at
    most. Other facts are written as they are.
    """
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    result = {
        "task": task,
        "title": title,
        "seconds": dict(seconds),
        "medians": medians,
        "ratios": {n: medians[n] / medians[OURS] for n in medians if n != OURS and OURS in medians},
        "floors": dict(floors),
        "facts": facts,
        "machine": _machine(),
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{task}.json"
    path.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _machine() -> dict[str, Any]:
    versions = {}
    for name in (OURS, *PEERS):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "cores": cores,
        "load": load,
        "processor": platform.machine(),
        "python": sys.version.split()[0],
        "versions": versions,
    }
