"""Checkpoints of boosting on Dask: a later fit goes on with the same bytes; files of other fits are refused."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright
from helpers.dask_cluster import make_rows, model_bytes
from treewright._cluster.checkpoint import digest_rows
from treewright._cluster.packed_rows import PackedRows
from treewright.errors import ModelFileError, UsageError

pytest.importorskip("dask.array")

from treewright import dask as on_dask

PARAMS: dict[str, Any] = {"n_estimators": 30, "subsample": 0.8, "random_state": 3}
STOPPING: dict[str, Any] = {"n_estimators": 200, "early_stopping": True, "learning_rate": 0.5}


@pytest.mark.slow
@pytest.mark.parametrize(("params", "last"), [(PARAMS, 14), (STOPPING, 4)])
def test_a_later_fit_goes_on(
    client: Any, tmp_path: Path, params: dict[str, Any], last: int
) -> None:
    path = tmp_path / "rounds"
    X, y = make_rows(2_100)

    def interrupt(result: Any) -> None:
        if result.number == last:
            raise KeyboardInterrupt

    model = on_dask.GradientBoostingClassifier(**params)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y, callback=interrupt, checkpoint=path)
    seen: list[int] = []
    # Other partitions of the same rows.
    X, y = X.rechunk((500, 6)), y.rechunk(500)
    model.fit(X, y, callback=lambda result: seen.append(result.number), checkpoint=path)
    local = treewright.GradientBoostingClassifier(**params).fit(X.compute(), y.compute())
    assert seen[0] == last + 1
    assert model_bytes(model) == model_bytes(local)
    # A finished fit has nothing left to do.
    again = on_dask.GradientBoostingClassifier(**params).fit(X, y, checkpoint=path)
    assert model_bytes(again) == model_bytes(local)


@pytest.mark.slow
def test_files_of_other_fits_are_refused(client: Any, tmp_path: Path) -> None:
    path = tmp_path / "rounds"
    X, y = make_rows(2_100)
    on_dask.GradientBoostingClassifier(**PARAMS).fit(X, y, checkpoint=path)
    before = path.read_bytes()
    other = on_dask.GradientBoostingClassifier(**PARAMS | {"learning_rate": 0.3})
    with pytest.raises(UsageError, match=r"learning_rate was 0.1, and is 0.3") as caught:
        other.fit(X, y, checkpoint=path)
    assert caught.value.slug == "cluster.checkpoint"
    model = on_dask.GradientBoostingClassifier(**PARAMS)
    with pytest.raises(UsageError, match="its rows are others, or in another order"):
        model.fit(X[::-1], y[::-1], checkpoint=path)
    assert path.read_bytes() == before
    path.write_bytes(before[:-3])
    with pytest.raises(ModelFileError):
        model.fit(X, y, checkpoint=path)
    local = treewright.CARTClassifier().fit([[0], [1]], [0, 1])
    treewright.save(local, path)
    with pytest.raises(UsageError, match="is a model, not the checkpoint of a fit"):
        model.fit(X, y, checkpoint=path)


def test_a_digest_does_not_depend_on_the_cuts_and_sees_every_value() -> None:
    rng = np.random.default_rng(0)
    columns, target = rng.random((100, 3)), rng.integers(0, 2, 100)

    def digest(columns: Any, target: Any, cuts: list[int]) -> int:
        ends = [0, *cuts, len(target)]
        parts = [
            digest_rows(PackedRows(columns[a:b], target[a:b], None), a)
            for a, b in itertools.pairwise(ends)
        ]
        return sum(parts) % (1 << 64)

    whole = digest(columns, target, [])
    assert digest(columns, target, [10, 10, 70]) == whole
    for change in range(3):
        others, classes = columns.copy(), target.copy()
        if change == 0:
            others[50, 1] = np.nextafter(others[50, 1], 1)
        elif change == 1:
            classes[7] = 1 - classes[7]
        else:
            others[[3, 4]] = others[[4, 3]]
        assert digest(others, classes, [30]) != whole
