"""The estimated memory of a fit on Dask against the measured peak of its workers."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.dask_cluster import start_cluster
from helpers.soak import size

da = pytest.importorskip("dask.array")

from treewright import dask as on_dask  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(size(0, 1) == 0, reason="starts clusters of its own: make soak"),
]


def peak() -> int:
    """Return the largest memory of this process since the last reset."""
    from pathlib import Path

    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def reset_peak() -> None:
    """Forget the largest memory so far."""
    from pathlib import Path

    Path("/proc/self/clear_refs").write_text("5")


@pytest.mark.parametrize("persisted", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(100_000, 10), (500_000, 28)])
@pytest.mark.parametrize(
    "name",
    [
        "GradientBoostingClassifier",
        "RandomForestClassifier",
        "KNeighborsClassifier",
        "CARTClassifier",
    ],
)
def test_the_estimate_is_never_below_the_peak_and_not_far_above(
    name: str, rows: int, columns: int, persisted: bool
) -> None:
    from distributed import Client, wait

    with start_cluster(2) as cluster, Client(cluster) as client:
        X = da.random.default_rng(0).random((rows, columns), chunks=(rows // 8, columns))
        y = (X[:, 0] * X[:, 1] > 0.3).astype(int)
        if persisted:
            X, y = client.persist([X, y])
            wait([X, y])
        params: dict[str, Any] = {"n_estimators": 5} if "Neighbors" not in name else {}
        params = {} if name.startswith("CART") else params
        model = getattr(on_dask, name)(**params)
        estimate = model.estimate_memory(X)
        client.run(reset_peak)
        model.fit(X, y)
        measured = max(client.run(peak).values())
    assert measured <= estimate <= 1.5 * measured
