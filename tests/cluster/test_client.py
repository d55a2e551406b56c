"""Which cluster a fit uses."""

from __future__ import annotations

import pytest

from treewright.errors import UsageError


def test_without_a_client_the_error_says_what_to_type() -> None:
    pytest.importorskip("distributed")
    from treewright.dask.dask_estimator import current_client

    with pytest.raises(UsageError, match="no Dask client is running") as caught:
        current_client(None)
    assert "client = Client()" in str(caught.value)


def test_what_is_no_client_or_closed_is_refused() -> None:
    distributed = pytest.importorskip("distributed")
    from treewright.dask.dask_estimator import current_client

    with pytest.raises(UsageError, match="must be a Dask client; got a int"):
        current_client(3)
    client = distributed.Client(n_workers=1, processes=False, dashboard_address="127.0.0.1:0")
    assert current_client(client) is client
    client.close()
    with pytest.raises(UsageError, match="client is closed"):
        current_client(client)


def test_workers_are_known_at_every_moment() -> None:
    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    from treewright.dask.heartbeats import alive_workers

    # The client asks for itself all the time, and its answers do not name workers.
    often = {"distributed.client.scheduler-info-interval": "1ms"}
    address = "127.0.0.1:0"
    with (
        dask.config.set(often),
        distributed.Client(n_workers=2, processes=False, dashboard_address=address) as client,
    ):
        assert {len(alive_workers(client)) for _ in range(300)} == {2}
