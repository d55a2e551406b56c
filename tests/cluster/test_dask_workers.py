"""Any number of workers, processors that differ, and workers that cannot reach each other's ports: the same bytes."""

from __future__ import annotations

from typing import Any

import pytest

import treewright
from helpers.dask_cluster import (
    InRound,
    make_rows,
    model_bytes,
    signal_later,
    start_cluster,
    take_portable_kernels,
)
from helpers.soak import size
from treewright import _core

pytestmark = pytest.mark.slow
only_in_soak = pytest.mark.skipif(size(0, 1) == 0, reason="starts a cluster of its own: make soak")

pytest.importorskip("dask.array")

from treewright import dask as on_dask  # noqa: E402

LEARNERS: dict[str, dict[str, Any]] = {
    "GradientBoostingClassifier": {"n_estimators": 10, "subsample": 0.8},
    "RandomForestClassifier": {"n_estimators": 10},
    "ExtraTreesClassifier": {"n_estimators": 10},
    "KNeighborsClassifier": {},
    "CARTClassifier": {},
    "C45Classifier": {},
    "AdaBoostClassifier": {"n_estimators": 10},
}


def test_workers_of_different_processors_grow_the_same_trees() -> None:
    from distributed import Client

    X, y = make_rows(3_500)
    names = list(LEARNERS)[: size(1, len(LEARNERS))]
    local = {
        name: model_bytes(getattr(treewright, name)(**LEARNERS[name]).fit(X.compute(), y.compute()))
        for name in names
    }
    most = size(2, 4)
    with start_cluster(most) as cluster, Client(cluster) as client:
        first, *others = sorted(client.scheduler_info()["workers"])
        kernels = client.run(take_portable_kernels, workers=[first])
        kernels |= client.run(lambda: _core.kernels()[0], workers=others)
        assert kernels[first] == "portable"
        if _core.kernels()[1] != ["portable"]:
            assert set(kernels.values()) != {"portable"}
        for workers in range(most, 0, -1):
            for name in names:
                model = getattr(on_dask, name)(**LEARNERS[name]).fit(X, y)
                assert model_bytes(model.to_local()) == local[name], (name, workers)
                if name.startswith("Gradient"):
                    assert model.fit_report_.workers == workers
            if others:
                client.retire_workers([others.pop()])


# Pickled by value, as all functions that workers run: they do not see this file.
def open_closed_port(key: str, dask_worker: Any = None) -> str:
    """Open a port that nobody can reach."""
    from treewright.dask.worker_mesh import OPEN, open_port

    address = open_port(key, dask_worker)
    OPEN.listeners[key, dask_worker.address].close()
    return address


@pytest.mark.parametrize("kill", [False, pytest.param(True, marks=only_in_soak)])
def test_messages_of_dask_replace_ports_that_cannot_be_reached(
    own_client: Any, kill: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treewright.dask.boosting_attempts.open_port", open_closed_port)
    X, y = make_rows(3_500)
    rounds = 20 if kill else 5
    local = treewright.GradientBoostingClassifier(n_estimators=rounds)
    local.fit(X.compute(), y.compute())
    killer = InRound(5, lambda: signal_later(own_client, 0.0) if kill else None)
    model = on_dask.GradientBoostingClassifier(n_estimators=rounds).fit(X, y, callback=killer)
    assert model_bytes(model) == model_bytes(local)
    assert model.fit_report_.connection == "dask"
    assert bool(model.fit_report_.restarts) == kill
