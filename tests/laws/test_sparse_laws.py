"""A sparse matrix gives the model of the dense array with the same numbers, to the last byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import treewright
from treewright import CARTClassifier
from treewright._input import sparse as sparse_input
from treewright.files import to_bytes

FORMATS = ["csr_matrix", "csr_array", "csc_matrix", "csc_array", "coo_array", "lil_array"]


@pytest.fixture(autouse=True)
def read_as_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small and full matrices would become ordinary arrays otherwise."""
    monkeypatch.setattr(sparse_input, "SMALL_CELLS", 0)
    monkeypatch.setattr(sparse_input, "DENSE_SHARE", 2.0)


def table(seed: int, rows: int = 60, columns: int = 12) -> np.ndarray:
    """Return numbers of which few are not zero: whole ones, fractions, negative and missing ones, empty columns."""
    rng = np.random.default_rng(seed)
    kind = seed % 5
    numbers = rng.normal(size=(rows, columns)) * 3
    if kind in (0, 1):
        numbers = np.rint(numbers)
    if kind == 1:
        numbers = np.abs(numbers)
    if kind == 4:
        numbers[rng.random(numbers.shape) < 0.2] = np.nan
    share = rng.choice([0.02, 0.1, 0.4, 0.9], size=columns)
    stored = rng.random(numbers.shape) < share
    stored[:, :2] = False
    return np.where(stored, numbers, 0.0)


def targets(seed: int, X: np.ndarray) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed + 1000)
    signal = np.nan_to_num(X) @ rng.normal(size=X.shape[1]) + rng.normal(size=len(X))
    classes = np.digitize(signal, np.quantile(signal, [0.4, 0.7][: 1 + seed % 2]))
    return {"Classifier": classes, "Regressor": np.round(signal, 2)}


def stored_twice(X: np.ndarray, seed: int) -> sparse.coo_array:
    """Return whole numbers of which some are stored as two that add up, and some zeros that are stored."""
    rng = np.random.default_rng(seed)
    rows, columns = np.nonzero(X)
    part = rng.integers(-2, 3, len(rows)).astype(float)
    places = rng.integers(0, X.shape[0], 9), rng.integers(0, X.shape[1], 9)
    empty = X[places] == 0
    values = np.concatenate([part, X[rows, columns] - part, np.zeros(empty.sum())])
    places = tuple(
        np.concatenate([a, a, b[empty]]) for a, b in zip((rows, columns), places, strict=True)
    )
    return sparse.coo_array((values, places), shape=X.shape)


LEARNERS: list[tuple[str, dict[str, Any]]] = [
    ("CART", {}),
    ("CART", {"max_leaf_nodes": 6, "min_samples_leaf": 3}),
    ("CART", {"missing": "branch", "min_weight_fraction_leaf": 0.05}),
    ("CART", {"max_depth": 4, "min_gain": 0.01}),
    ("RandomForest", {"n_estimators": 5}),
    ("RandomForest", {"n_estimators": 3, "max_features": 1.0, "bootstrap": False}),
    ("ExtraTrees", {"n_estimators": 5}),
    ("ExtraTrees", {"n_estimators": 3, "max_features": 3, "bootstrap": True}),
    ("GradientBoosting", {"n_estimators": 4, "min_samples_leaf": 2}),
    ("GradientBoosting", {"n_estimators": 3, "max_bins": 4, "max_features": 5, "subsample": 0.7}),
]
cases = pytest.mark.parametrize(
    ("name", "params"), LEARNERS, ids=[f"{n}-{i}" for i, (n, _) in enumerate(LEARNERS)]
)


def fits_alike(
    name: str, params: dict[str, Any], dense: Any, stored: Any, y: Any, weights: Any
) -> None:
    one, two = (getattr(treewright, name)(**params).fit(X, y, weights) for X in (dense, stored))
    assert to_bytes(one) == to_bytes(two)
    assert np.array_equal(one.predict(dense), two.predict(stored))


@cases
@pytest.mark.parametrize("seed", range(6))
def test_models_are_those_of_the_dense_table(name: str, params: dict[str, Any], seed: int) -> None:
    X = table(seed)
    rng = np.random.default_rng(seed)
    weights = [None, rng.integers(0, 3, len(X)).astype(float), rng.random(len(X))][seed % 3]
    for kind, y in targets(seed, X).items():
        stored = getattr(sparse, FORMATS[seed % len(FORMATS)])(X)
        fits_alike(name + kind, params, X, stored, y, weights)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "float64"])
def test_the_way_numbers_are_stored_does_not_matter(dtype: str, seed: int) -> None:
    X = np.abs(np.rint(table(seed=1 + 5 * seed))).astype(dtype)
    y = targets(1, X.astype(float))["Classifier"]
    expected = to_bytes(CARTClassifier().fit(X.astype(float), y))
    for container in FORMATS:
        assert to_bytes(CARTClassifier().fit(getattr(sparse, container)(X), y)) == expected
    if dtype != "bool":
        twice = stored_twice(X.astype(float), seed).astype(np.int64)
        for stored in (twice, twice.tocsr(), twice.tocsc()):
            before = stored.copy()
            assert to_bytes(CARTClassifier().fit(stored, y)) == expected
            assert np.array_equal(stored.data, before.data)  # the user's matrix is left alone


def test_tables_without_a_single_stored_number() -> None:
    X, y = sparse.csr_array((20, 5)), np.arange(20) % 2
    for name in ("CART", "RandomForest", "ExtraTrees", "GradientBoosting"):
        for kind in ("Classifier", "Regressor"):
            fits_alike(name + kind, {}, X.toarray(), X, y, None)
