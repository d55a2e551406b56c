"""Tasks that end soon after they are canceled: Dask by itself lets a task that has begun run to its end."""

from __future__ import annotations

import threading
from typing import Any

from treewright._utils.cancellation import CancelFlag, cancelable

__all__ = ["run_wanted"]

LOOK_SECONDS = 0.1  # between two looks at what the scheduler wants


def run_wanted(function: Any, *arguments: Any) -> Any:
    """Run a function as a task of a worker; it is stopped when nobody wants its result any more."""
    from distributed import get_worker

    worker = get_worker()
    key, flag, done = worker.get_current_task(), CancelFlag(), threading.Event()

    def look() -> None:
        while not done.wait(LOOK_SECONDS):
            task = worker.state.tasks.get(key)
            if task is None or task.state in ("cancelled", "released", "forgotten"):
                flag.cancel()
                return

    watching = threading.Thread(target=look, name="treewright-wanted", daemon=True)
    watching.start()
    try:
        with cancelable(flag):
            return function(*arguments)
    finally:
        done.set()
