"""The file of a model that was fitted on Dask is that of the local one, for any number of partitions and workers."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.dask_cluster import start_cluster, take_portable_kernels
from helpers.soak import size

pytestmark = pytest.mark.slow

pytest.importorskip("dask.dataframe")

from helpers.dask_fits import FEATURES, NUMBERS, fit_both, learners_on_dask, sha256_of  # noqa: E402

only_in_soak = pytest.mark.skipif(size(0, 1) == 0, reason="starts clusters of its own: make soak")
FORESTS = [name for name in learners_on_dask() if "Forest" in name or "ExtraTrees" in name]


@pytest.mark.parametrize("parts", [1, 2, 7, 64])
@pytest.mark.parametrize("name", learners_on_dask())
def test_every_learner_has_the_file_of_the_local_one(client: Any, name: str, parts: int) -> None:
    model, local = fit_both(client, name, parts, rows=240)
    assert sha256_of(model.to_local()) == sha256_of(local)


@pytest.mark.parametrize("parts", [1, 2, 7, 64])
def test_adaboost_adds_up_weights_over_the_workers(client: Any, parts: int) -> None:
    model, local = fit_both(
        client, "AdaBoostClassifier", parts, features=NUMBERS, weighted=parts == 7, n_estimators=12
    )
    assert model.fit_report_.method == "merged sums"
    assert sha256_of(model.to_local()) == sha256_of(local)


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
@pytest.mark.parametrize(
    ("name", "params"),
    [
        (
            "RandomForestClassifier",
            {"class_weight": "balanced_subsample", "n_jobs": 2, "n_estimators": 40},
        ),
        ("RandomForestRegressor", {"oob_score": True, "keep_targets": True, "n_estimators": 40}),
        ("ExtraTreesClassifier", {"bootstrap": "balanced", "max_samples": 0.5}),
    ],
)
def test_options_of_forests_change_nothing(client: Any, name: str, params: Any) -> None:
    model, local = fit_both(client, name, 3, weighted=True, **params)
    assert model.fit_report_.method == "trees by number"
    assert sha256_of(model.to_local()) == sha256_of(local)


def test_a_forest_ignores_columns_as_a_local_one_does(client: Any) -> None:
    import pandas as pd

    import treewright
    from treewright import dask as on_dask

    rows = 300
    frame = pd.DataFrame(
        {"x": range(rows), "text": [f"a sentence of words {i}" for i in range(rows)]}
    )
    y = (frame["x"] % 7 < 3).astype(str)
    X = client.map(lambda part: part, [frame[:100], frame[100:]], pure=False)
    target = client.map(lambda part: part, [y[:100], y[100:]], pure=False)
    with pytest.warns(UserWarning, match="text"):
        model = on_dask.RandomForestClassifier(n_estimators=4).fit(X, target)
    with pytest.warns(UserWarning, match="text"):
        local = treewright.RandomForestClassifier(n_estimators=4).fit(frame, y)
    assert sha256_of(model.to_local()) == sha256_of(local)


@pytest.mark.parametrize("name", ["RandomForestClassifier", "ExtraTreesRegressor"])
def test_a_warm_start_grows_only_what_is_missing(client: Any, name: str) -> None:
    import treewright
    from helpers.dask_fits import cut_frame, futures_of, make_frame
    from treewright import dask as on_dask

    frame = make_frame(200)
    target = "class" if name.endswith("Classifier") else "number"
    pieces = futures_of(client, cut_frame(frame, 3))
    X = client.map(lambda part: part[FEATURES], pieces, pure=False)
    y = client.map(lambda part, c=target: part[c], pieces, pure=False)
    model = getattr(on_dask, name)(n_estimators=3, warm_start=True).fit(X, y)
    local = getattr(treewright, name)(n_estimators=3, warm_start=True)
    local.fit(frame[FEATURES], frame[target])
    for each in (model, local):
        each.set_params(n_estimators=5)
    model.fit(X, y)
    local.fit(frame[FEATURES], frame[target])
    assert len(model.trees_) == 5
    assert sha256_of(model.to_local()) == sha256_of(local)


@only_in_soak
@pytest.mark.parametrize("workers", [1, 2, 3, 4])
def test_any_number_of_workers_gives_the_same_file(workers: int) -> None:
    from distributed import Client

    with start_cluster(workers) as cluster, Client(cluster) as client:
        first = next(iter(client.scheduler_info()["workers"]))
        # One worker, which takes part in every fit, has a processor without vector instructions.
        assert client.run(take_portable_kernels, workers=[first]) == {first: "portable"}
        for name in learners_on_dask():
            for parts in (1, 2, 7, 64):
                model, local = fit_both(client, name, parts, rows=2_000)
                assert sha256_of(model.to_local()) == sha256_of(local), (name, parts)
