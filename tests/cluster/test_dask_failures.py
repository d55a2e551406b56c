"""Fits on Dask while workers die: the same bytes, no hang, and errors that say what is gone.

`make test` kills one worker of a boosting fit; `make soak` kills twenty in random rounds, workers in every other phase,
and the scheduler.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import treewright
from helpers.dask_cluster import start_cluster
from helpers.soak import size
from treewright.errors import ClusterError

pytestmark = pytest.mark.slow
only_in_soak = pytest.mark.skipif(size(0, 1) == 0, reason="starts a cluster of its own: make soak")

da = pytest.importorskip("dask.array")

from treewright import dask as on_dask  # noqa: E402


@pytest.fixture
def own_client() -> Iterator[Any]:
    """Give the client of a cluster of three workers that a test may destroy."""
    from distributed import Client

    with start_cluster(3) as cluster, Client(cluster) as client:
        yield client


def make_rows(rows: int, seed: int = 1) -> tuple[Any, Any]:
    """Return arrays that workers can make again."""
    X = da.random.default_rng(seed).random((rows, 6), chunks=(rows // 7, 6))
    return X, (X[:, 0] * X[:, 1] + 0.2 * X[:, 2] > 0.35).astype(int)


def model_bytes(model: Any) -> bytes:
    return bytes(model._forest.to_bytes(model._document()))


def kill_later(client: Any, seconds: float, count: int = 1) -> threading.Thread:
    """Kill some workers after a time; their nannies start them again."""
    processes = list(client.run(os.getpid).values())

    def kill() -> None:
        time.sleep(seconds)
        for process in random.Random(int(seconds * 1000)).sample(processes, count):
            os.kill(process, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


@only_in_soak
def test_a_killed_worker_takes_only_its_unfinished_trees(own_client: Any) -> None:
    X, y = make_rows(7_000)
    local = treewright.RandomForestClassifier(n_estimators=30).fit(X.compute(), y.compute())
    killer = kill_later(own_client, 0.5)
    model = on_dask.RandomForestClassifier(n_estimators=30).fit(X, y)
    killer.join()
    assert model_bytes(model) == model_bytes(local)


@pytest.mark.parametrize("kill", range(size(1, 20)))
def test_boosting_goes_on_after_a_killed_worker(own_client: Any, kill: int) -> None:
    rounds = 60
    X, y = make_rows(14_000)
    params = {"n_estimators": rounds, "subsample": 0.8}
    local = treewright.GradientBoostingClassifier(**params).fit(X.compute(), y.compute())
    killer: list[threading.Thread] = []
    limit = random.Random(kill).randrange(1, rounds // 2)

    def kill_one(result: Any) -> None:
        if result.number == limit:
            killer.append(kill_later(own_client, 0.0))

    model = on_dask.GradientBoostingClassifier(**params).fit(X, y, callback=kill_one)
    killer[0].join()
    assert model_bytes(model) == model_bytes(local)


@only_in_soak
def test_boosting_goes_on_if_a_worker_dies_before_it_begins(own_client: Any) -> None:
    X, y = make_rows(7_000)
    local = treewright.GradientBoostingClassifier(n_estimators=20).fit(X.compute(), y.compute())
    killer = kill_later(own_client, size(300, 50) / 1000, count=size(1, 2))
    model = on_dask.GradientBoostingClassifier(n_estimators=20).fit(X, y)
    killer.join()
    assert model_bytes(model) == model_bytes(local)


@only_in_soak
def test_two_fits_at_once_do_not_wait_for_each_other(own_client: Any) -> None:
    X, y = make_rows(3_500)
    local = treewright.GradientBoostingClassifier(n_estimators=8).fit(X.compute(), y.compute())
    models = [on_dask.GradientBoostingClassifier(n_estimators=8) for _ in range(2)]
    threads = [
        threading.Thread(target=model.fit, args=(X, y), kwargs={"client": own_client})
        for model in models
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert [model_bytes(model) for model in models] == [model_bytes(local)] * 2


@only_in_soak
def test_ctrl_c_ends_a_fit_and_leaves_the_cluster_usable(own_client: Any) -> None:
    X, y = make_rows(7_000)
    pressed: list[float] = []

    def press(result: Any) -> None:
        if result.number == 3:
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

    model = on_dask.GradientBoostingClassifier(n_estimators=5000)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y, callback=press)
    assert time.monotonic() - pressed[0] < 10  # one second where the machine is not busy
    assert not hasattr(model, "n_estimators_")
    again = on_dask.GradientBoostingClassifier(n_estimators=2).fit(X, y)
    assert again.n_estimators_ == 2


@only_in_soak
def test_scattered_rows_that_are_lost_end_the_fit(own_client: Any) -> None:
    parts = [np.random.default_rng(i).random((2000, 3)) for i in range(6)]
    X = own_client.scatter(parts, hash=False)
    y = own_client.scatter([part[:, 0] for part in parts], hash=False)
    killer: list[Any] = []

    def kill_one(result: Any) -> None:
        if result.number == 2:
            killer.append(kill_later(own_client, 0.0))

    with pytest.raises(ClusterError) as caught:
        on_dask.GradientBoostingRegressor(n_estimators=2000).fit(X, y, callback=kill_one)
    assert caught.value.slug in ("cluster.lost-data", "cluster.worker-lost")
    killer[0].join()


@only_in_soak
def test_a_dead_scheduler_is_noticed(fresh_python: Any) -> None:
    code = """
        import os, signal, subprocess, sys, time
        import dask.array as da
        from distributed import Client
        from treewright.dask import GradientBoostingRegressor
        from treewright.errors import ClusterError

        if __name__ == "__main__":
            def run(name, *words):
                command = [sys.executable, "-m", f"distributed.cli.dask_{name}", *words]
                return subprocess.Popen(command)

            scheduler = run("scheduler", "--host", "127.0.0.1", "--port", "18786", "--no-dashboard")
            time.sleep(5)
            worker = run("worker", "tcp://127.0.0.1:18786", "--nthreads", "1", "--no-dashboard")
            client = Client("tcp://127.0.0.1:18786", timeout=60)
            client.wait_for_workers(1)
            X = da.random.default_rng(0).random((7000, 3), chunks=(1000, 3))
            begin = []
            def kill(result):
                if result.number == 3:
                    begin.append(time.monotonic())
                    scheduler.kill()
            try:
                GradientBoostingRegressor(n_estimators=10**6).fit(X, X[:, 0], callback=kill)
            except ClusterError as error:
                print(error.slug, time.monotonic() - begin[0] < 60)
            worker.kill()
    """
    assert "cluster.scheduler True" in fresh_python(code, timeout=200)
