"""Workers and schedulers that neither answer nor die, and workers whose memory ends."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import treewright
from helpers.dask_cluster import InRound, make_rows, model_bytes, start_cluster
from helpers.soak import size
from treewright.errors import ClusterError

pytestmark = pytest.mark.slow
only_in_soak = pytest.mark.skipif(size(0, 1) == 0, reason="starts a cluster of its own: make soak")

pytest.importorskip("dask.array")

from treewright import dask as on_dask  # noqa: E402


@pytest.fixture
def little_patience(monkeypatch: pytest.MonkeyPatch) -> float:
    """Let silence be noticed after a few seconds."""
    monkeypatch.setattr("treewright.dask.heartbeats.SILENT_SECONDS", 4.0)
    return 4.0


@pytest.mark.parametrize("victim", range(size(1, 3)))
def test_boosting_goes_on_without_a_silent_worker(
    own_client: Any, victim: int, little_patience: float
) -> None:
    X, y = make_rows(14_000)
    local = treewright.GradientBoostingClassifier(n_estimators=40).fit(X.compute(), y.compute())
    process = list(own_client.run(os.getpid).values())[victim]
    stopper = InRound(5, lambda: os.kill(process, signal.SIGSTOP))
    # It wakes up while the fit goes on without it, and at last.
    waker = InRound(20, lambda: os.kill(process, signal.SIGCONT))
    try:
        start = time.monotonic()
        model = on_dask.GradientBoostingClassifier(n_estimators=40)
        model.fit(X, y, callback=[stopper, waker])
    finally:
        os.kill(process, signal.SIGCONT)
    assert time.monotonic() - start < 30 + little_patience
    assert len(model.fit_report_.restarts) == 1
    assert model_bytes(model) == model_bytes(local)
    again = on_dask.GradientBoostingClassifier(n_estimators=40).fit(X, y)
    assert model_bytes(again) == model_bytes(local)


@only_in_soak
@pytest.mark.parametrize("name", ["RandomForestClassifier", "CARTClassifier"])
def test_tasks_of_a_silent_worker_go_to_others(
    own_client: Any, name: str, little_patience: float
) -> None:
    X, y = make_rows(70_000)
    local = getattr(treewright, name)().fit(X.compute(), y.compute())
    process = next(iter(own_client.run(os.getpid).values()))
    stopper = threading.Thread(target=stop_when_busy, args=(own_client, process))
    stopper.start()
    try:
        model = getattr(on_dask, name)().fit(X, y)
    finally:
        stopper.join()
        os.kill(process, signal.SIGCONT)
    assert model_bytes(model) == model_bytes(local)


def stop_when_busy(client: Any, process: int) -> None:
    """Stop a worker as soon as some worker grows a tree."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        keys = [key for keys in client.processing().values() for key in keys]
        if any(str(key).startswith(("treewright-grow", "treewright-fit")) for key in keys):
            break
        time.sleep(0.02)
    os.kill(process, signal.SIGSTOP)


@only_in_soak
@pytest.mark.parametrize("name", ["SIGKILL", "SIGSTOP"])
def test_a_dead_or_silent_scheduler_is_noticed(fresh_python: Any, name: str) -> None:
    code = """
        import os, signal, subprocess, sys, time
        import dask.array as da
        from distributed import Client
        from treewright.dask import GradientBoostingRegressor
        from treewright.errors import ClusterError

        if __name__ == "__main__":
            def run(name, *words):
                command = [sys.executable, "-m", f"distributed.cli.dask_{name}", *words]
                return subprocess.Popen([*command, "--scheduler-file", "place", "--no-dashboard"])

            scheduler = run("scheduler", "--host", "127.0.0.1", "--port", "0")
            worker = run("worker", "--nthreads", "1")
            while not os.path.exists("place"):
                time.sleep(0.1)
            client = Client(scheduler_file="place", timeout=60)
            client.wait_for_workers(1)
            X = da.random.default_rng(0).random((7000, 3), chunks=(1000, 3))
            begin = []
            def stop(result):
                if result.number == 3:
                    begin.append(time.monotonic())
                    scheduler.send_signal(getattr(signal, sys.argv[1]))
            try:
                GradientBoostingRegressor(n_estimators=10**6).fit(X, X[:, 0], callback=stop)
            except ClusterError as error:
                print(error.slug, time.monotonic() - begin[0] < 60, flush=True)
            scheduler.kill()
            worker.terminate()
            worker.wait()
            os._exit(0)  # the client would wait for its scheduler
    """
    assert "cluster.scheduler True" in fresh_python(code, name, timeout=200)


def make_hog(name: int, once: Path | None = None) -> Any:
    """Return a plugin that fills the memory of one worker whenever it trains; its nanny kills and restarts it.

    With a file for a note that it has done so, it does so once.
    """
    from distributed import WorkerPlugin

    class Hog(WorkerPlugin):  # pickled by value: workers do not see this file
        def setup(self, worker: Any) -> None:
            import threading
            import time

            def fill() -> None:
                while not any(
                    str(key).startswith("treewright-train") for key in worker.state.tasks
                ):
                    time.sleep(0.01)
                if once is not None:
                    once.touch()
                worker.hog = [bytearray(b"x") * 40_000_000 for _ in range(20)]

            if worker.name == name and not (once is not None and once.exists()):
                threading.Thread(target=fill, daemon=True).start()

    return Hog()


@only_in_soak
def test_boosting_goes_on_without_a_worker_whose_memory_ends(tmp_path: Path) -> None:
    from distributed import Client

    X, y = make_rows(70_000)
    params = {"n_estimators": 100, "max_leaf_nodes": 200}
    local = treewright.GradientBoostingClassifier(**params).fit(X.compute(), y.compute())
    with start_cluster(3, memory_limit="600MB") as cluster, Client(cluster) as client:
        client.register_plugin(make_hog(1, once=tmp_path / "filled"))
        model = on_dask.GradientBoostingClassifier(**params).fit(X, y)
    assert model_bytes(model) == model_bytes(local)
    assert model.fit_report_.restarts


@only_in_soak
def test_a_worker_whose_memory_ends_again_and_again_ends_the_fit() -> None:
    from distributed import Client

    X, y = make_rows(70_000)
    with start_cluster(1, memory_limit="600MB") as cluster, Client(cluster) as client:
        client.register_plugin(make_hog(0))
        start = time.monotonic()
        with pytest.raises(ClusterError, match="worker 0 died twice in round") as caught:
            on_dask.GradientBoostingClassifier(n_estimators=2000, max_leaf_nodes=1000).fit(X, y)
        assert time.monotonic() - start < 90
    assert caught.value.slug == "cluster.worker-lost"
    assert "memory" in " ".join(map(str, caught.value.hints))
