"""Losses and interaction constraints of boosting beside scikit-learn's HistGradientBoostingRegressor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import mean_pinball_loss, mean_tweedie_deviance
from threadpoolctl import threadpool_limits

from treewright import GradientBoostingRegressor

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Their threads wait for each other, which takes minutes where other programs run."""
    with threadpool_limits(limits=1):
        yield


def make_amounts(kind: str, seed: int, rows: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (rows, 6))
    mean = np.exp(1.5 * X[:, 0] + np.abs(X[:, 1]) * X[:, 2])
    if kind == "gamma":
        return X, rng.gamma(2.0, mean / 2.0)
    if kind == "poisson":
        return X, rng.poisson(mean).astype(float)
    return X, mean * (1 + rng.standard_normal(rows))


@pytest.mark.parametrize("loss", ["poisson", "gamma", "quantile"])
def test_losses_are_as_good_as_theirs(loss: str) -> None:
    options: dict[str, Any] = {"loss": loss, "learning_rate": 0.08}
    if loss == "quantile":
        options["quantile"] = 0.8
    mine, other = [], []
    for seed in range(2):
        X, y = make_amounts(loss, seed)
        new, truth = make_amounts(loss, seed + 100)
        theirs = HistGradientBoostingRegressor(early_stopping=False, **options).fit(X, y)
        ours = GradientBoostingRegressor(**options).fit(X, y)
        for scores, model in ((mine, ours), (other, theirs)):
            predicted = model.predict(new)
            if loss == "quantile":
                scores.append(mean_pinball_loss(truth, predicted, alpha=0.8))
            else:
                power = 1 if loss == "poisson" else 2
                scores.append(mean_tweedie_deviance(truth, predicted, power=power))
    assert np.mean(mine) < 1.02 * np.mean(other)


@pytest.mark.parametrize("groups", [[[0, 1], [1, 2]], "pairwise", "no_interactions"])
def test_constraints_mean_the_same(groups: Any) -> None:
    errors = []
    X, y = make_amounts("normal", 1)
    new, truth = make_amounts("normal", 2)
    theirs = HistGradientBoostingRegressor(early_stopping=False, interaction_cst=groups).fit(X, y)
    ours = GradientBoostingRegressor(interaction_constraints=groups).fit(X, y)
    errors = [np.mean((model.predict(new) - truth) ** 2) for model in (ours, theirs)]
    assert errors[0] == pytest.approx(errors[1], rel=0.02)
    # Columns that never meet add up: a change of one changes the prediction by the same amount everywhere.
    if groups == "no_interactions":
        at = np.zeros((4, 6))
        at[[1, 3], 0] = at[[2, 3], 1] = 0.7
        for model in (ours, theirs):
            low, first, second, both = model.predict(at)
            assert first - low == pytest.approx(both - second, abs=1e-9)
