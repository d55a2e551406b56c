"""Partial dependence agrees with scikit-learn's, at the same values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.inspection import partial_dependence as theirs

from treewright import (
    CARTRegressor,
    GradientBoostingClassifier,
    RandomForestRegressor,
    partial_dependence,
)


@pytest.mark.parametrize(
    "model",
    [
        CARTRegressor(max_depth=5),
        RandomForestRegressor(n_estimators=6),
        GradientBoostingClassifier(n_estimators=6),
    ],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("columns", [[1], [0, 2]])
def test_averages_and_single_rows_are_the_same(model: Any, columns: list[int]) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 4))
    y = X[:, 0] * X[:, 1] + X[:, 2]
    weights = rng.uniform(0.5, 2, 120)
    model.fit(X, y if "Regressor" in type(model).__name__ else y > 0)
    expected = theirs(
        model, X, columns, kind="both", grid_resolution=7, sample_weight=weights, method="brute"
    )
    grid = expected["grid_values"]
    single = len(columns) == 1
    ours = partial_dependence(
        model, X, columns, grid=grid[0] if single else grid, sample_weight=weights, ice=single
    )
    assert ours.average[..., -1] == pytest.approx(expected["average"][0], rel=1e-12)
    if ours.individual is not None:
        assert ours.individual[..., -1] == pytest.approx(expected["individual"][0], rel=1e-12)
