"""A small cluster of real processes, on loopback only, for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


def start_cluster(workers: int = 2) -> Any:
    """Return a cluster of processes with one thread each."""
    distributed = pytest.importorskip("distributed")
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        host="127.0.0.1",
        worker_dashboard_address=None,
    )


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Give the client of a cluster of two workers."""
    from distributed import Client

    with start_cluster() as cluster, Client(cluster) as client:
        yield client
