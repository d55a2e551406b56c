"""A fit whose rows are divided among several processes makes the model of one process that has all rows."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from helpers.peer_fit import fit_locally, fit_over_peers, rows_of_peer, run_together
from treewright import GradientBoostingClassifier, GradientBoostingRegressor, _core
from treewright._utils.cancellation import CanceledError, CancelFlag, cancelable
from treewright.errors import DataError, PeerLostError

ROWS = 240
LOSSES = ["squared_error", "absolute_error", "quantile", "huber", "poisson", "gamma", "tweedie"]
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "subsample": {"subsample": 0.6, "random_state": 5},
    "early stopping": {"early_stopping": True, "n_iter_no_change": 2, "random_state": 3},
    "training loss": {"verbose": True},
    "monotone": {"monotonic_cst": {"a": 1, "b": -1}},
    "interactions": {"interaction_constraints": [["a", "b"], ["c", "d"]]},
    "columns drawn": {"max_features": 2, "random_state": 1, "l2_regularization": 1.5},
    "deep": {"max_leaf_nodes": None, "max_depth": 4, "min_samples_leaf": 1},
}


def make_table(rows: int, seed: int = 0) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """Return a table with gaps, categories, and rows that are there several times; and a positive target."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 40, rows) / 4.0, rng.normal(size=rows)
    a[rng.random(rows) < 0.1] = np.nan
    c = rng.choice(["red", "green", "blue", "black"], rows)
    d = rng.integers(0, 3, rows).astype(float)
    y = np.nan_to_num(a) + np.where(c == "red", 5, 1) + d + rng.exponential(size=rows)
    again = rng.integers(0, rows, rows // 8)
    a[again], b[again], c[again], d[again], y[again] = a[0], b[0], c[0], d[0], y[0]
    colors = [None if i % 17 == 0 else str(color) for i, color in enumerate(c)]
    return {"a": a, "b": b, "c": colors, "d": d}, np.round(y, 3)


def cut(rows: int, cuts: list[int], processes: int) -> list[list[slice]]:
    """Cut the rows into parts and deal them to processes, in order."""
    bounds = [0, *sorted(cuts), rows]
    parts = [slice(first, last) for first, last in pairwise(bounds)]
    owners = np.sort(np.arange(len(parts)) * processes // len(parts))
    return [
        [part for part, owner in zip(parts, owners, strict=True) if owner == rank]
        for rank in range(processes)
    ]


def check(model: Any, y: Any, weights: Any, parts: list[list[slice]], **options: Any) -> None:
    table, _ = make_table(len(y))
    fit = fit_locally(model, table, y, weights)
    for model_bytes in fit_over_peers(fit, parts, **options):
        assert model_bytes == fit.model_bytes()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("weighted", [False, True])
def test_every_loss(loss: str, weighted: bool) -> None:
    _, y = make_table(ROWS)
    weights = np.random.default_rng(1).exponential(size=ROWS) if weighted else None
    model = GradientBoostingRegressor(loss=loss, n_estimators=4, max_leaf_nodes=6, n_jobs=1)
    check(model, y, weights, cut(ROWS, [0, 1, 90, 200], 3), plain=[1])


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_classes(classes: int, weighted: bool) -> None:
    _, y = make_table(ROWS)
    labels = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
    weights = np.random.default_rng(1).integers(1, 4, ROWS).astype(float) if weighted else None
    model = GradientBoostingClassifier(
        n_estimators=3, max_leaf_nodes=6, class_weight="balanced", n_jobs=1
    )
    check(model, labels, weights, cut(ROWS, [50, 50, 180], 2), plain=[0])


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("shares_columns", [False, True])
def test_every_option(options: dict[str, Any], shares_columns: bool) -> None:
    _, y = make_table(ROWS)
    model = GradientBoostingRegressor(
        **{"n_estimators": 5, "max_leaf_nodes": 6, "n_jobs": 1, **options}
    )
    check(model, y, None, cut(ROWS, [10, 120], 3), shares_columns=shares_columns)


@given(
    cuts=st.lists(st.integers(0, ROWS), max_size=7),
    processes=st.integers(1, 5),
    loss=st.sampled_from([*LOSSES, "log_loss"]),
    option=st.sampled_from(sorted(OPTIONS)),
    weights=st.sampled_from(["none", "whole", "broken"]),
    shares_columns=st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_any_cuts_of_the_rows(
    cuts: list[int], processes: int, loss: str, option: str, weights: str, shares_columns: bool
) -> None:
    _, y = make_table(ROWS)
    draw = np.random.default_rng(2)
    given_weights = {
        "none": None,
        "whole": draw.integers(1, 9, ROWS) * 1.0,
        "broken": draw.random(ROWS) + 0.1,
    }
    params: dict[str, Any] = {
        "n_estimators": 3,
        "max_leaf_nodes": 5,
        "n_jobs": 1,
        **OPTIONS[option],
    }
    model: Any = GradientBoostingRegressor(**params, loss=loss) if loss != "log_loss" else None
    if model is None:
        model, y = GradientBoostingClassifier(**params), np.digitize(y, [4.0, 8.0])
    check(
        model, y, given_weights[weights], cut(ROWS, cuts, processes), shares_columns=shares_columns
    )


@pytest.mark.parametrize("early_stopping", [False, True])
@pytest.mark.parametrize("resume_at", [1, 4])
def test_a_fit_goes_on_after_some_rounds(early_stopping: bool, resume_at: int) -> None:
    _, y = make_table(ROWS)
    labels = np.digitize(y, [4.0, 8.0])
    model = GradientBoostingClassifier(
        n_estimators=7, max_leaf_nodes=6, early_stopping=early_stopping, n_iter_no_change=3,
        subsample=0.8, n_jobs=1, learning_rate=0.4,
    )  # fmt: skip
    check(model, labels, None, cut(ROWS, [60, 61, 150], 3), resume_at=resume_at)


@pytest.mark.slow
def test_rows_beyond_the_sample_for_cuts_and_a_run_of_sums() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(230_000, 3))
    X[:, 2] = rng.integers(0, 5, len(X))
    y = X[:, 0] + (X[:, 1] > 0.3) + rng.normal(size=len(X)) > 0.5
    for labels in (y, y + (X[:, 2] > 2)):
        fit = fit_locally(
            GradientBoostingClassifier(n_estimators=2, max_leaf_nodes=12, n_jobs=2), X, labels
        )
        for shares_columns in (False, True):
            parts = cut(len(X), [0, 1000, 100_000, 100_001], 2)
            assert set(fit_over_peers(fit, parts, shares_columns=shares_columns)) == {
                fit.model_bytes()
            }


def test_sockets_make_the_same_model() -> None:
    listeners = [_core.MeshListener() for _ in range(3)]
    addresses = [listener.address for listener in listeners]

    def connect(rank: int) -> Any:
        return listeners[rank].connect(rank, addresses, bytes(32), "a fit")

    with ThreadPoolExecutor(3) as threads:
        peers = list(threads.map(connect, range(3)))
    _, y = make_table(ROWS)
    model = GradientBoostingRegressor(
        loss="huber", n_estimators=5, max_leaf_nodes=6, n_jobs=1, subsample=0.7, early_stopping=True
    )
    check(model, y, None, cut(ROWS, [10, 120], 3), peers=peers)


def test_a_process_that_is_lost_ends_the_others() -> None:
    table, y = make_table(ROWS)
    fit = fit_locally(GradientBoostingRegressor(n_estimators=3, n_jobs=1), table, y)
    parts = cut(ROWS, [100, 200], 3)

    def work(peers: Any) -> Any:
        rows = rows_of_peer(fit, parts[peers.rank], peers)
        run = _core.Boosting.of_rows(rows, fit.base)
        run.advance(1)
        if peers.rank == 1:
            peers.leave()
            return None
        return run.advance(2)

    first, left, last = run_together(_core.ThreadPeers.several(3), work)
    assert left is None
    for error in (first, last):
        assert isinstance(error, PeerLostError)
        assert (error.rank, error.round, error.slug) == (1, 1, "fit.peer-lost")


def test_an_error_of_one_process_ends_the_others() -> None:
    table, y = make_table(ROWS)
    fit = fit_locally(GradientBoostingRegressor(n_estimators=3, n_jobs=1), table, y)
    parts = cut(ROWS, [100], 2)

    def work(peers: Any) -> Any:
        if peers.rank == 0:
            return rows_of_peer(fit, parts[0], peers)
        rows = _core.PeerRows(fit.recipe, fit.levels, peers)
        return rows.choose_sample() or rows.code([])

    results = run_together(_core.ThreadPeers.several(2), work)
    assert isinstance(results[1], (DataError, ValueError))
    assert isinstance(results[0], PeerLostError)


def test_a_canceled_fit_ends_while_it_waits() -> None:
    peers = _core.ThreadPeers.several(2)
    outcome: list[BaseException] = []
    flag = CancelFlag()

    def wait() -> None:
        try:
            with cancelable(flag):
                peers[0].add(np.ones(1, dtype=np.uint64))
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    flag.cancel()
    thread.join(10)
    assert not thread.is_alive()
    assert isinstance(outcome[0], CanceledError)
    with pytest.raises(PeerLostError):
        peers[1].add(np.ones(1, dtype=np.uint64))


def test_exact_splits_and_sparse_tables_are_refused() -> None:
    table, y = make_table(ROWS)
    fit = fit_locally(GradientBoostingRegressor(n_estimators=1, n_jobs=1), table, y)
    with pytest.raises(DataError, match="histogram"):
        _core.PeerRows({**fit.recipe, "exact": True}, fit.levels)
    starts = np.zeros(5, dtype=np.uint64)
    sparse = _core.Sparse(ROWS, starts, np.zeros(0, dtype=np.uint32), np.zeros(0))
    with pytest.raises(DataError, match="sparse"):
        _core.PeerRows(fit.recipe, [None] * 4).look(sparse, y)
