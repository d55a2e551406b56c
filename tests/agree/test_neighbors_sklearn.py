"""Neighbours are scikit-learn's, wherever it has the same options and no ties: which of equals is nearer we say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn import neighbors as theirs
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.metrics import pairwise_distances

import treewright as ours

METRICS: list[tuple[str, dict[str, Any]]] = [
    ("euclidean", {}),
    ("manhattan", {}),
    ("chebyshev", {}),
    ("minkowski", {"p": 3}),
    ("minkowski", {"p": 1.5}),
    ("cosine", {}),
]


def noise(rows: int, columns: int, seed: int = 0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).standard_normal((rows, columns))


@pytest.mark.parametrize("columns", [1, 2, 5, 12, 40])
@pytest.mark.parametrize(("metric", "more"), METRICS)
def test_the_same_rows_at_the_same_distances(
    metric: str, more: dict[str, Any], columns: int
) -> None:
    if metric == "cosine" and columns == 1:
        pytest.skip("in one column all directions are ties")
    X, queries = noise(700, columns), noise(60, columns, 1)
    reference = theirs.NearestNeighbors(metric=metric, algorithm="brute", **more).fit(X)
    distances, rows = reference.kneighbors(queries, 9)
    found = ours.nearest(X, queries, 9, metric=metric, **more)
    np.testing.assert_array_equal(found.rows, rows)
    np.testing.assert_allclose(found.distances, distances, rtol=1e-9, atol=1e-11)


def test_gaps_count_as_in_nan_euclidean() -> None:
    X, queries = noise(300, 6), noise(40, 6, 1)
    for table in (X, queries):
        table[np.random.default_rng(2).random(table.shape) < 0.2] = np.nan
    apart = pairwise_distances(queries, X, metric="nan_euclidean")
    order = np.argsort(apart, axis=1, kind="stable")[:, :7]
    found = ours.nearest(X, queries, 7, metric="euclidean")
    np.testing.assert_array_equal(found.rows, order)
    np.testing.assert_allclose(found.distances, np.take_along_axis(apart, order, 1), rtol=1e-12)


def test_hamming_is_the_share_of_columns_that_differ() -> None:
    X = np.random.default_rng(0).integers(0, 9, (200, 12)).astype(float)
    apart = pairwise_distances(X[:30], X, metric="hamming")
    found = ours.nearest(X, X[:30], 200, metric="hamming")
    np.testing.assert_allclose(found.distances, np.sort(apart, axis=1))
    np.testing.assert_array_equal(found.rows, np.argsort(apart, axis=1, kind="stable"))


def inverse_cube(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / distances**3


@pytest.mark.parametrize("weights", ["uniform", "distance", inverse_cube])
@pytest.mark.parametrize("k", [1, 4, 15])
def test_the_same_answers(k: int, weights: Any) -> None:
    X, y = load_wine(return_X_y=True)
    train = np.arange(len(X)) % 3 > 0
    mine = ours.KNeighborsClassifier(k, weights=weights).fit(X[train], y[train])
    other = theirs.KNeighborsClassifier(k, weights=weights).fit(X[train], y[train])
    np.testing.assert_allclose(mine.predict_proba(X[~train]), other.predict_proba(X[~train]))
    np.testing.assert_array_equal(mine.predict(X[~train]), other.predict(X[~train]))
    mine = ours.KNeighborsRegressor(k, weights=weights).fit(X[train][:, 1:], X[train][:, 0])
    other = theirs.KNeighborsRegressor(k, weights=weights).fit(X[train][:, 1:], X[train][:, 0])
    np.testing.assert_allclose(mine.predict(X[~train][:, 1:]), other.predict(X[~train][:, 1:]))


def test_rows_that_meet_training_rows_get_their_answer() -> None:
    X, y = load_diabetes(return_X_y=True)
    for weights in ("distance", "squared_distance", inverse_cube):
        mine = ours.KNeighborsRegressor(5, weights=weights).fit(X, y)
        np.testing.assert_array_equal(mine.predict(X), y)


def test_the_curve_is_scikit_learns_leaving_one_out() -> None:
    X, y = load_iris(return_X_y=True)
    X = X + noise(*X.shape) * 1e-6  # no ties
    mine = ours.KNeighborsClassifier("auto", max_neighbors=6).fit(X, y)
    for k, error in enumerate(mine.leave_one_out_, 1):
        near = theirs.NearestNeighbors(n_neighbors=k).fit(X).kneighbors(return_distance=False)
        said = [np.bincount(y[rows]).argmax() for rows in near]
        assert error == pytest.approx(np.mean(said != y))
