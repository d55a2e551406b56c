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
