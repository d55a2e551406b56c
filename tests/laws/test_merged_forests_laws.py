"""Laws of forests whose rows lie in several processes: any cut of the rows gives the bytes of the local forest."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    _core,
)
from treewright._cluster import divided_forests, exact_trees
from treewright._cluster.joint_fit import RawPartition, read_together
from treewright.files import to_bytes

MODELS: list[Any] = [
    RandomForestClassifier(n_estimators=3),
    RandomForestClassifier(n_estimators=3, max_features=1, class_weight="balanced_subsample"),
    RandomForestClassifier(n_estimators=2, bootstrap="balanced", missing="branch", max_depth=3),
    RandomForestClassifier(
        n_estimators=2, max_samples=0.4, min_samples_leaf=3, criterion="entropy"
    ),
    RandomForestClassifier(n_estimators=2, max_leaf_nodes=5, class_weight="balanced"),
    RandomForestClassifier(n_estimators=2, monotonic_cst={"a": 1}, min_weight_fraction_leaf=0.05),
    RandomForestRegressor(n_estimators=3, max_features=0.5),
    RandomForestRegressor(n_estimators=2, bootstrap=False, max_features=2),
    ExtraTreesClassifier(n_estimators=3),
    ExtraTreesClassifier(n_estimators=2, bootstrap=True, missing="branch", min_samples_leaf=2),
    ExtraTreesRegressor(n_estimators=3),
    ExtraTreesRegressor(n_estimators=2, bootstrap=True, max_features=2, min_samples_split=0.1),
]


def make_rows(seed: int, rows: int, numbers: bool) -> tuple[dict[str, Any], Any]:
    """Return columns with ties, both zeros, missing values and categories, and a target."""
    rng = np.random.default_rng(seed)
    a = np.round(rng.normal(size=rows), int(rng.integers(0, 3)))
    b = rng.choice([-1.0, -0.0, 0.0, 0.5, 1.0], size=rows)
    c = rng.normal(size=rows)
    c[rng.random(rows) < rng.choice([0.0, 0.2])] = np.nan
    d = rng.choice(["u", "v", "w", "x"], size=rows).astype(object)
    d[rng.random(rows) < rng.choice([0.0, 0.1])] = None
    score = a + b * np.nan_to_num(c) + (d == "u") + 0.5 * rng.normal(size=rows)
    y = score.round(2) if numbers else np.where(score > 0.2, "yes", "no")
    if not numbers:
        y[:2] = ["no", "yes"]
    return {"a": a, "b": b, "c": c, "d": d}, y


def cut_rows(X: dict[str, Any], y: Any, weights: Any, seed: int, processes: int) -> list[list[Any]]:
    """Return the partitions of each process: uneven, and dealt in any order."""
    rng = np.random.default_rng(seed + 1)
    ends = np.sort(rng.integers(0, len(y) + 1, 4)).tolist()
    held: list[list[Any]] = [[] for _ in range(processes)]
    for number, (begin, end) in enumerate(zip([0, *ends], [*ends, len(y)], strict=True)):
        part = RawPartition(
            number,
            {name: values[begin:end] for name, values in X.items()},
            y[begin:end],
            None if weights is None else weights[begin:end],
        )
        held[int(rng.integers(0, processes))].append(part)
    return held


def fit_together(model: Any, held: list[list[Any]], is_class: bool) -> list[bytes]:
    peers = _core.ThreadPeers.several(len(held))

    def fit(rank: int) -> bytes:
        facts, packed = read_together(peers[rank], held[rank], is_class)
        own = [rows for _, rows in packed]
        result = divided_forests.fit_divided(peers[rank], own, facts, copy.copy(model))
        return to_bytes(result.estimator)

    with ThreadPoolExecutor(len(held)) as pool:
        return list(pool.map(fit, range(len(held))))


@pytest.mark.parametrize("model", MODELS, ids=str)
@settings(max_examples=6)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(8, 150),
    processes=st.integers(2, 4),
    small=st.sampled_from([0, 10, 40, 1 << 20]),
    weights=st.sampled_from([None, "whole", "any"]),
)
def test_any_cut_of_the_rows_gives_the_bytes_of_the_local_forest(
    model: Any, seed: int, rows: int, processes: int, small: int, weights: str | None
) -> None:
    numbers = "Regressor" in type(model).__name__
    X, y = make_rows(seed, rows, numbers)
    rng = np.random.default_rng(seed + 2)
    by_row = {
        None: None,
        "whole": rng.integers(1, 4, rows).astype(float),
        "any": rng.random(rows) + 0.1,
    }[weights]
    expected = to_bytes(copy.copy(model).fit(X, y, by_row))
    held = cut_rows(X, y, by_row, seed, processes)
    before, exact_trees.SMALL_ROWS = exact_trees.SMALL_ROWS, small
    try:
        assert fit_together(model, held, not numbers) == [expected] * processes
    finally:
        exact_trees.SMALL_ROWS = before


def test_options_that_need_all_rows_are_named() -> None:
    option = divided_forests.option_for_all_rows
    assert option(RandomForestClassifier()) is None
    assert option(RandomForestClassifier(oob_score=True)) == "oob_score=True"
    assert option(RandomForestRegressor(keep_targets=True)) == "keep_targets=True"
    X, y = make_rows(1, 20, numbers=False)
    model = RandomForestClassifier(n_estimators=2, warm_start=True).fit(X, y)
    assert option(model) == "warm_start=True"
