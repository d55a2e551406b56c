"""Small Dask clusters of real processes, on loopback only, and rows for them."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Give the client of a cluster of two workers, which all tests of a file share."""
    distributed = pytest.importorskip("distributed")
    with start_cluster() as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def own_client() -> Iterator[Any]:
    """Give the client of a cluster of three workers that a test may destroy."""
    distributed = pytest.importorskip("distributed")
    with start_cluster(3) as cluster, distributed.Client(cluster) as client:
        yield client


def start_cluster(workers: int = 2, **options: Any) -> Any:
    """Return a cluster of processes with one thread each."""
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
        worker_dashboard_address="127.0.0.1:0",
        **options,
    )


def make_rows(rows: int, seed: int = 1, parts: int = 7) -> tuple[Any, Any]:
    """Return arrays of rows and classes that workers can make again."""
    import dask.array as da

    X = da.random.default_rng(seed).random((rows, 6), chunks=(rows // parts, 6))
    return X, (X[:, 0] * X[:, 1] + 0.2 * X[:, 2] > 0.35).astype(int)


def take_portable_kernels() -> str:
    """Let this process use the portable kernels; it must not have used any yet."""
    from treewright import _core

    os.environ["TREEWRIGHT_SIMD"] = "portable"
    return str(_core.kernels()[0])


def model_bytes(model: Any) -> bytes:
    """Return the bytes of the model's file."""
    return bytes(model._forest.to_bytes(model._document()))


def signal_later(
    client: Any, seconds: float, count: int = 1, signal: int = signal.SIGKILL
) -> threading.Thread:
    """Send a signal to some workers after a time; nannies start killed ones again."""
    processes = list(client.run(os.getpid).values())
    chosen = random.Random(int(seconds * 1000)).sample(processes, count)

    def send() -> None:
        time.sleep(seconds)
        for process in chosen:
            os.kill(process, signal)

    thread = threading.Thread(target=send)
    thread.start()
    return thread


class InRound:
    """A callback of a fit that does something once, in one round."""

    def __init__(self, number: int, action: Any) -> None:
        self._number, self._action, self._done = number, action, False

    def __call__(self, result: Any) -> None:
        """Do it in its round."""
        if result.number >= self._number and not self._done:
            self._done = True
            self._action()
