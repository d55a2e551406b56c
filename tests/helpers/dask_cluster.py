"""A small Dask cluster of real processes, on loopback only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Give the client of a cluster of two workers, which all tests of a file share."""
    distributed = pytest.importorskip("distributed")
    with start_cluster() as cluster, distributed.Client(cluster) as client:
        yield client


def start_cluster(workers: int = 2) -> Any:
    """Return a cluster of processes with one thread each."""
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        host="127.0.0.1",
        worker_dashboard_address="127.0.0.1:0",
    )
