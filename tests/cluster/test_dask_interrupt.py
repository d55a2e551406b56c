"""Ctrl-C in the client's process: it comes back within a second, the estimator is unchanged, and workers are free."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from helpers.load import seconds as allowed
from helpers.soak import size

pytestmark = pytest.mark.slow

pytest.importorskip("dask.array")

# A client of its own, because a signal goes to a process. It prints when it is to be interrupted.
CODE = """
import json, signal, sys, time
import dask, dask.array as da
import numpy as np
from distributed import Client
from treewright import dask as on_dask

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has it ignored for what runs behind
address, name, moment, params = sys.argv[1:]
client = Client(address)
rows = 400_000 if moment == "fitting" else 70_000
slow = lambda block: (time.sleep(60 if moment == "reading" and block.shape[0] > 1 else 0), block)[1]
X = da.random.default_rng(0).random((rows, 6), chunks=(rows // 4, 6))
y = (X[:, 0] * X[:, 1] > 0.3).astype(int)
before = getattr(on_dask, name)()
before.fit(X[:2000], y[:2000])
state = dict(vars(before))
before.set_params(**json.loads(params))
state |= {key: vars(before)[key] for key in json.loads(params)}
if moment == "reading":
    X = X.map_blocks(slow, dtype=X.dtype)
X, y = (X, y) if moment == "reading" else dask.persist(X, y)
print("fitting", flush=True)
try:
    before.fit(X, y)
except KeyboardInterrupt:
    print("interrupted", flush=True)
same = vars(before).keys() == state.keys() and all(vars(before)[k] is state[k] for k in state)
print("unchanged", same, flush=True)
del X, y
sys.stdin.readline()
"""


def is_busy(client: Any) -> bool:
    """Whether a worker still works for somebody, or has something of a fit open."""
    return any(client.run(has_work).values())


def has_work(dask_worker: Any) -> bool:
    from treewright.dask.worker_mesh import OPEN

    running = dask_worker.state.executing or dask_worker.state.long_running
    return bool(running or OPEN.listeners or OPEN.peers or dask_worker.active_threads)


def wait_until(condition: Any, seconds: float) -> None:
    """Wait for something; fail if it does not come."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


BOOSTING, FOREST = "GradientBoostingClassifier", "RandomForestClassifier"
CASES: list[tuple[str, str, dict[str, Any]]] = [
    (BOOSTING, "treewright-train", {"n_estimators": 100_000}),
    (FOREST, "treewright-grow", {"n_estimators": 100_000}),
    (BOOSTING, "treewright-fit", {"n_estimators": 100_000, "splits": "exact"}),
    (BOOSTING, "reading", {}),
]


@pytest.mark.parametrize(("name", "task", "params"), CASES[: size(1, 4)])
def test_ctrl_c(client: Any, name: str, task: str, params: dict[str, Any]) -> None:
    moment = task if task == "reading" else "fitting"
    command = [sys.executable, "-c", CODE, client.scheduler.address, name, moment]
    command.append(json.dumps(params))
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "fitting\n"
            started = "_lambda" if task == "reading" else task

            def is_running() -> bool:
                return any(
                    started.strip("_") in str(key)
                    for keys in client.processing().values()
                    for key in keys
                )

            wait_until(is_running, 60)
            time.sleep(1.0)
            start = time.monotonic()
            os.kill(process.pid, signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
            seconds = time.monotonic() - start
            assert process.stdout.readline() == "unchanged True\n"
            assert seconds < allowed(1, busy=3)
            if task != "reading":  # a function of the user's own cannot be stopped
                wait_until(lambda: not is_busy(client), 3)
            wait_until(lambda: not any(client.processing().values()), 5)
        finally:
            process.kill()
