"""A cluster for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from helpers.dask_cluster import start_cluster


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Give the client of a cluster of two workers."""
    distributed = pytest.importorskip("distributed")
    with start_cluster() as cluster, distributed.Client(cluster) as client:
        yield client
