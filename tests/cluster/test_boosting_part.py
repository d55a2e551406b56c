"""Boosting on divided rows, with threads in place of processes: the bytes of a local fit."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import numpy as np
import pandas as pd
import pytest

from treewright import GradientBoostingClassifier, GradientBoostingRegressor, _core
from treewright._cluster.boosting_part import Progress, train_part
from treewright._cluster.boosting_plan import (
    finish_model,
    is_divisible,
    note_facts,
    note_rows,
    plan_boosting,
)
from treewright._cluster.forest_bytes import forest_from_bytes, forest_to_bytes
from treewright._cluster.packed_rows import pack_partition
from treewright._cluster.partitions import read_partition
from treewright._cluster.table_facts import describe_partition, merge_partitions

ROWS = 240


def make_frame() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=ROWS).round(2),
            "b": rng.integers(0, 9, ROWS),
            "c": rng.choice(list("uvwxyz"), ROWS),
            "k": pd.Categorical(
                rng.choice(list("lmh"), ROWS), categories=list("lmh"), ordered=True
            ),
            "d": pd.Timestamp("2024-01-01"),
        }
    ).drop(columns="d")
    frame.loc[rng.random(ROWS) < 0.1, "a"] = np.nan
    frame.loc[rng.random(ROWS) < 0.1, "c"] = None
    return frame


def targets() -> tuple[pd.Series, pd.Series, pd.Series]:
    rng = np.random.default_rng(6)
    number = pd.Series(make_frame()["b"] + rng.normal(size=ROWS), name="number")
    classes = pd.Series(np.where(number > 6, "high", np.where(number > 3, "mid", "low")), name="y")
    return classes, number, pd.Series(rng.integers(0, 3, ROWS) / 4)


def train(model: Any, data: tuple[Any, ...], owners: list[list[int]], stop: int = 0) -> Any:
    """Fit a model with a thread for each owner of partitions; with ``stop``, begin again after so many rounds."""
    X, y, *weights = data
    count = sum(map(len, owners))
    places = np.linspace(0, len(y), count + 1).astype(int) ** 2 // len(y)
    slices = [slice(a, b) for a, b in itertools.pairwise(places)]
    weight = weights[0] if weights else None
    read = [
        read_partition(
            i, X[s], y[s], None if weight is None else weight[s], hasattr(model, "predict_proba")
        )
        for i, s in enumerate(slices)
    ]
    facts = merge_partitions([describe_partition(part) for part in read])
    packed = [pack_partition(i, part, facts) for i, part in enumerate(read)]
    assert is_divisible(model, facts)
    plan = plan_boosting(model, facts)
    start = Progress()
    if stop:
        run_threads(plan, packed, owners, start, stop)
    result = run_threads(plan, packed, owners, start, 0)
    schema = note_facts(plan) or note_rows(plan, packed)
    return finish_model(model, plan, forest_from_bytes(result.forest), result.losses, schema)


class _EnoughError(Exception):
    pass


def run_threads(plan: Any, packed: Any, owners: Any, progress: Progress, stop: int) -> Any:
    start = Progress(list(progress.trees), list(progress.losses))
    results: dict[int, Any] = {}

    def work(peers: Any) -> None:
        def tell(number: int, run: Any, is_over: bool) -> None:
            if peers.rank == 0:
                trees = forest_to_bytes(run.last_trees(), plan.merged.schema)
                progress.add(number, trees, run.losses, is_over)
            if stop and number == stop:
                raise _EnoughError

        try:
            parts = [packed[i] for i in owners[peers.rank]]
            results[peers.rank] = train_part(plan, peers, parts, start, tell)
        except _EnoughError:
            pass
        except BaseException as error:
            results[peers.rank] = error
            peers.leave()

    threads = [
        threading.Thread(target=work, args=(peers,))
        for peers in _core.ThreadPeers.several(len(owners))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for result in results.values():
        if isinstance(result, BaseException):
            raise result
    return results.get(0)


def model_bytes(model: Any) -> bytes:
    return bytes(model._forest.to_bytes(model._document()))


CLASSES, NUMBERS, WEIGHTS = targets()
CASES = {
    "classes": (GradientBoostingClassifier(n_estimators=4), CLASSES, None),
    "two classes": (GradientBoostingClassifier(n_estimators=4), CLASSES == "mid", None),
    "weights": (
        GradientBoostingClassifier(n_estimators=3, class_weight="balanced"),
        CLASSES,
        WEIGHTS,
    ),
    "numbers": (GradientBoostingRegressor(n_estimators=4, subsample=0.6), NUMBERS, None),
    "median": (GradientBoostingRegressor(n_estimators=4, loss="absolute_error"), NUMBERS, WEIGHTS),
    "early": (
        GradientBoostingRegressor(
            n_estimators=30, early_stopping=True, n_iter_no_change=3, verbose=0
        ),
        NUMBERS,
        None,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_divided_rows_give_the_bytes_of_a_local_fit(case: str) -> None:
    model, y, weights = CASES[case]
    data = (make_frame(), y) if weights is None else (make_frame(), y, weights)
    local = type(model)(**model.get_params()).fit(*data)
    divided = train(type(model)(**model.get_params()), data, [[1, 3], [0], [2]])
    assert model_bytes(divided) == model_bytes(local)


@pytest.mark.parametrize("case", ["classes", "early"])
def test_a_fit_that_begins_again_gives_the_same_bytes(case: str) -> None:
    model, y, _ = CASES[case]
    data = (make_frame(), y)
    local = type(model)(**model.get_params()).fit(*data)
    divided = train(type(model)(**model.get_params()), data, [[0, 1], [2, 3]], stop=2)
    assert model_bytes(divided) == model_bytes(local)


def test_an_array_is_read_as_a_matrix() -> None:
    X = np.random.default_rng(0).random((200, 3)).astype(np.float32)
    y = X[:, 0] + X[:, 1]
    local = GradientBoostingRegressor(n_estimators=4).fit(X, y)
    divided = train(GradientBoostingRegressor(n_estimators=4), (X, y), [[0, 2], [1]])
    assert model_bytes(divided) == model_bytes(local)
