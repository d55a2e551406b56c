"""Fits on Dask while workers die: the same bytes, no hang, and errors that say what is gone.

`make test` kills one worker of a boosting fit; `make soak` kills twenty in random rounds, workers in every other phase,
and the scheduler.
"""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import numpy as np
import pytest

import treewright
from helpers.dask_cluster import InRound, make_rows, model_bytes, signal_later
from helpers.soak import size
from treewright.errors import ClusterError

pytestmark = pytest.mark.slow
only_in_soak = pytest.mark.skipif(size(0, 1) == 0, reason="starts a cluster of its own: make soak")

da = pytest.importorskip("dask.array")

from treewright import dask as on_dask  # noqa: E402


@only_in_soak
def test_a_killed_worker_takes_only_its_unfinished_trees(own_client: Any) -> None:
    X, y = make_rows(7_000)
    local = treewright.RandomForestClassifier(n_estimators=30).fit(X.compute(), y.compute())
    killer = signal_later(own_client, 0.5)
    model = on_dask.RandomForestClassifier(n_estimators=30).fit(X, y)
    killer.join()
    assert model_bytes(model) == model_bytes(local)


@pytest.mark.parametrize("kill", range(size(1, 20)))
def test_boosting_goes_on_after_a_killed_worker(own_client: Any, kill: int) -> None:
    rounds = 60
    X, y = make_rows(14_000)
    params = {"n_estimators": rounds, "subsample": 0.8}
    start = time.monotonic()
    calm = on_dask.GradientBoostingClassifier(**params).fit(X, y)
    undisturbed = time.monotonic() - start
    number = random.Random(kill).randrange(1, rounds // 2)
    killer = InRound(number, lambda: signal_later(own_client, 0.0))
    start = time.monotonic()
    model = on_dask.GradientBoostingClassifier(**params).fit(X, y, callback=killer)
    seconds = time.monotonic() - start
    assert model_bytes(model) == model_bytes(calm)
    assert model.fit_report_.restarts
    assert seconds <= 3 * undisturbed + 10
    local = treewright.GradientBoostingClassifier(**params).fit(X.compute(), y.compute())
    assert model_bytes(model) == model_bytes(local)


@only_in_soak
@pytest.mark.parametrize("name", ["GradientBoostingClassifier", "RandomForestClassifier"])
def test_all_workers_but_one_may_die(own_client: Any, name: str) -> None:
    X, y = make_rows(14_000)
    local = getattr(treewright, name)(n_estimators=40).fit(X.compute(), y.compute())
    model = getattr(on_dask, name)(n_estimators=40)
    if name.startswith("Gradient"):
        killer = InRound(5, lambda: signal_later(own_client, 0.0, count=2))
        model.fit(X, y, callback=killer)
        assert model.fit_report_.restarts
    else:
        thread = signal_later(own_client, 0.5, count=2)
        model.fit(X, y)
        thread.join()
    assert model_bytes(model) == model_bytes(local)


@only_in_soak
def test_boosting_goes_on_if_a_worker_dies_before_it_begins(own_client: Any) -> None:
    X, y = make_rows(7_000)
    local = treewright.GradientBoostingClassifier(n_estimators=20).fit(X.compute(), y.compute())
    killer = signal_later(own_client, size(300, 50) / 1000, count=size(1, 2))
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
def test_scattered_rows_that_are_lost_end_the_fit(own_client: Any) -> None:
    parts = [np.random.default_rng(i).random((2000, 3)) for i in range(6)]
    X = own_client.scatter(parts, hash=False)
    y = own_client.scatter([part[:, 0] for part in parts], hash=False)
    killed: list[float] = []

    def kill() -> None:
        killed.append(time.monotonic())
        signal_later(own_client, 0.0)

    with pytest.raises(ClusterError, match=r"partition \d+ .* cannot be computed again") as caught:
        on_dask.GradientBoostingRegressor(n_estimators=2000).fit(X, y, callback=InRound(2, kill))
    assert caught.value.slug == "cluster.lost-data"
    assert time.monotonic() - killed[0] < 20
