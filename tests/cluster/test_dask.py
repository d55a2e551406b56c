"""Estimators on a real Dask cluster of two processes: the bytes of local models, lazy predictions, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import treewright
from treewright.errors import ClusterError, DataError, TreewrightError, UsageError

pytestmark = pytest.mark.slow

dd = pytest.importorskip("dask.dataframe")
da = pytest.importorskip("dask.array")

from dask.delayed import delayed  # noqa: E402

from helpers.dask_fits import (  # noqa: E402
    FEATURES,
    cut_frame,
    fit_both,
    futures_of,
    make_frame,
    model_bytes,
)
from treewright import dask as on_dask  # noqa: E402

ROWS = 600


@pytest.mark.parametrize(
    "name",
    ["AdaBoostClassifier", "CARTRegressor", "ExtraTreesClassifier", "GradientBoostingClassifier"],
)
def test_the_model_and_the_report_of_a_fit(client: Any, name: str) -> None:
    model, local = fit_both(client, name, parts=7, weighted=name.startswith("ExtraTrees"))
    assert model_bytes(model.to_local()) == model_bytes(local)
    assert type(model.to_local()) is type(local)
    assert 0 < model.fit_report_.rows <= ROWS
    assert model.fit_report_.partitions == 7
    assert model.fit_report_.method


def test_predictions_are_lazy_and_keep_the_index(client: Any) -> None:
    frame = make_frame()
    X = dd.from_pandas(frame, npartitions=3)
    model = on_dask.RandomForestClassifier(n_estimators=4).fit(X[FEATURES], X["class"])
    local = model.to_local()
    predicted = model.predict(X[FEATURES])
    assert predicted.npartitions == 3
    values = predicted.compute()
    assert values.index.equals(frame.index)
    assert values.tolist() == local.predict(frame[FEATURES]).tolist()
    shares = model.predict_proba(X[FEATURES]).compute()
    assert shares.columns.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(shares.to_numpy(), local.predict_proba(frame[FEATURES]))
    # A table of this process is predicted at once.
    assert model.predict(frame[FEATURES]).tolist() == values.tolist()


@pytest.mark.parametrize("name", ["KNeighborsClassifier", "KNeighborsRegressor"])
def test_neighbors_of_partitions_are_those_of_the_table(client: Any, name: str) -> None:
    frame = make_frame()
    target = "class" if name.endswith("Classifier") else "number"
    pieces = futures_of(client, cut_frame(frame, 5))
    X = client.map(lambda part: part[["a", "b", "c", "k"]], pieces)
    y = client.map(lambda part: part[target], pieces)
    columns = frame[["a", "b", "c", "k"]]
    model = getattr(on_dask, name)(n_neighbors=4, weights="distance").fit(X, y)
    local = getattr(treewright, name)(n_neighbors=4, weights="distance").fit(columns, frame[target])
    assert model.fit_report_.method == "shortlists"
    predicted = np.concatenate([part.compute() for part in model.predict(X)])
    np.testing.assert_array_equal(predicted, local.predict(columns))
    np.testing.assert_array_equal(model.predict(columns), local.predict(columns))
    assert "_forest" not in vars(model)
    frames = dd.from_pandas(columns, npartitions=2)
    np.testing.assert_array_equal(model.predict(frames).compute(), local.predict(columns))
    assert model_bytes(model.to_local()) == model_bytes(local)
    np.testing.assert_array_equal(
        model.kneighbors(columns[:3])[1], local.kneighbors(columns[:3])[1]
    )


def test_arrays_have_no_names_and_give_arrays(client: Any) -> None:
    array = np.random.default_rng(0).random((200, 3)).astype(np.float32)
    X, y = da.from_array(array, chunks=(60, 2)), da.from_array((array[:, 0] > 0.5) * 1, chunks=50)
    model = on_dask.ExtraTreesClassifier(n_estimators=4).fit(X, y)
    local = treewright.ExtraTreesClassifier(n_estimators=4).fit(array, y.compute())
    assert model_bytes(model) == model_bytes(local)
    assert not hasattr(model, "feature_names_in_")
    np.testing.assert_array_equal(model.predict(X).compute(), local.predict(array))
    np.testing.assert_array_equal(model.predict_proba(X).compute(), local.predict_proba(array))


def test_a_model_is_saved_and_pickled_like_a_local_one(client: Any, tmp_path: Any) -> None:
    import pickle

    model, local = fit_both(client, "CARTClassifier", 2)
    treewright.save(model, tmp_path / "cluster.tree")
    treewright.save(local, tmp_path / "local.tree")
    assert (tmp_path / "cluster.tree").read_bytes() == (tmp_path / "local.tree").read_bytes()
    again = pickle.loads(pickle.dumps(model))
    assert type(again).__module__ == "treewright.dask"
    assert model_bytes(again) == model_bytes(local)


def test_progress_is_reported(client: Any) -> None:
    seen: list[tuple[int, int]] = []
    X = da.random.default_rng(0).random((100, 2), chunks=(50, 2))
    model = on_dask.RandomForestRegressor(
        n_estimators=12, verbose=lambda done, total: seen.append((done, total))
    )
    model.fit(X, X[:, 0])
    assert seen[-1] == (12, 12)
    assert len(seen) > 2


def test_memory_is_estimated_before_anything_starts(client: Any) -> None:
    X = dd.from_pandas(make_frame(), npartitions=3)[FEATURES]
    small = on_dask.CARTClassifier().estimate_memory(X)
    assert 50_000_000 < small < 1_000_000_000  # most of it is Python itself


def test_rows_of_this_process_are_refused(client: Any) -> None:
    with pytest.raises(UsageError, match="X is a DataFrame, which lies in this process") as caught:
        on_dask.CARTClassifier().fit(make_frame()[FEATURES], make_frame()["class"])
    assert caught.value.slug == "cluster.collection"


def test_other_partitions_of_the_target_are_refused(client: Any) -> None:
    frame = make_frame()
    X, y = [delayed(part) for part in cut_frame(frame, 2)], [delayed(frame["class"])]
    with pytest.raises(DataError, match="X has 2 partitions, y has 1"):
        on_dask.CARTClassifier().fit(X, y)


def test_an_error_names_the_partition_and_leaves_the_model_as_it_was(client: Any) -> None:
    model, local = fit_both(client, "CARTRegressor", 2)
    frame = make_frame()[["b", "number"]].astype(float)
    frame.loc[500, "b"] = np.inf
    parts = futures_of(client, [frame[:300], frame[300:]])
    X = client.map(lambda part: part[["b"]], parts)
    y = client.map(lambda part: part["number"], parts)
    with pytest.raises(TreewrightError, match="in partition 1"):
        model.fit(X, y)
    assert model_bytes(model.to_local()) == model_bytes(local)


def test_a_wrong_parameter_is_an_error_of_the_fit(client: Any) -> None:
    X = da.random.default_rng(0).random((100, 2), chunks=(50, 2))
    with pytest.raises(TreewrightError, match="learning_rate"):
        on_dask.GradientBoostingRegressor(learning_rate=-1).fit(X, X[:, 0])


def test_a_callback_sees_every_round_and_ends_the_fit(client: Any) -> None:
    X = da.random.default_rng(0).random((600, 2), chunks=(200, 2))
    y, seen = X[:, 0] + X[:, 1], []

    def stop(result: Any) -> bool:
        seen.append(result.number)
        return bool(result.number == 4)

    model = on_dask.GradientBoostingRegressor(n_estimators=9).fit(X, y, callback=stop)
    local = treewright.GradientBoostingRegressor(n_estimators=9)
    local.fit(X.compute(), y.compute(), callback=lambda result: result.number == 4)
    assert seen == [1, 2, 3, 4]
    assert model_bytes(model) == model_bytes(local)
    assert model.fit_report_.method == "merged sums"


@pytest.mark.parametrize("name", ["C45Classifier", "CARTRegressor"])
def test_a_tree_that_fits_no_worker_is_grown_by_all(
    client: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treewright._input.column_notes.MAX_CELLS", 0)
    monkeypatch.setattr("treewright._cluster.exact_trees.SMALL_ROWS", 0)
    monkeypatch.setattr("treewright.dask.single_trees.memory_limit", lambda rows: 1)
    frame = make_frame()
    pieces = futures_of(client, cut_frame(frame, 5))
    X = client.map(lambda part: part[["a", "b", "c"]], pieces)
    target = "class" if name.endswith("Classifier") else "number"
    y = client.map(lambda part, target=target: part[target], pieces)
    model = getattr(on_dask, name)(keep_work=False).fit(X, y)
    local = getattr(treewright, name)(keep_work=False).fit(frame[["a", "b", "c"]], frame[target])
    assert model.fit_report_.method == "merged sums"
    schema = model.schema_.names
    assert model._forest.to_bytes(local._document()) == local._forest.to_bytes(local._document())
    assert schema == local.schema_.names


@pytest.mark.parametrize("name", ["RandomForestClassifier", "ExtraTreesRegressor"])
def test_a_forest_that_fits_no_worker_is_grown_by_all(
    client: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treewright.dask.dealt_forests.memory_limit", lambda rows: 1)
    model, local = fit_both(
        client, name, 5, weighted=True, rows=300, n_estimators=3, oob_score=False
    )
    assert model.fit_report_.method == "merged sums"
    assert model_bytes(model.to_local()) == model_bytes(local)


def test_an_option_that_needs_all_rows_on_a_worker_is_named(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treewright.dask.dealt_forests.memory_limit", lambda rows: 1)
    X = da.random.default_rng(0).random((100, 2), chunks=(50, 2))
    with pytest.raises(ClusterError, match="oob_score=True needs all rows on one worker") as caught:
        on_dask.RandomForestRegressor(oob_score=True).fit(X, X[:, 0])
    assert caught.value.slug == "cluster.memory"


def test_boosting_that_fits_no_worker_is_refused_before_it_starts(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treewright.dask.divided_boosting.memory_limit", lambda rows: 1000)
    X = da.random.default_rng(0).random((100, 2), chunks=(50, 2))
    with pytest.raises(ClusterError, match=r"on each of 2 worker.* has 1 KB") as caught:
        on_dask.GradientBoostingRegressor().fit(X, X[:, 0])
    assert caught.value.slug == "cluster.memory"
    assert "more workers" in " ".join(map(str, caught.value.hints))
