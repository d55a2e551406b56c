"""Losses with a logarithm: gamma and Tweedie beside Poisson."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import mean_gamma_deviance, mean_poisson_deviance, mean_tweedie_deviance

from treewright import CARTRegressor, GradientBoostingRegressor
from treewright.errors import UsageError
from treewright.files import from_bytes, to_bytes

Numbers = NDArray[np.float64]


def make_amounts(loss: str, rows: int = 1500, seed: int = 0) -> tuple[Numbers, Numbers]:
    """Return rows and amounts of the distribution of a loss: many are 0 for "tweedie"."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (rows, 4))
    mean = np.exp(1.5 * X[:, 0] + np.abs(X[:, 1]))
    if loss == "gamma":
        return X, rng.gamma(2.0, mean / 2.0)
    counts = rng.poisson(mean)
    return X, np.array([rng.gamma(2.0, 0.5, n).sum() for n in counts])


@pytest.mark.parametrize("splits", ["histogram", "exact"])
@pytest.mark.parametrize("loss", ["gamma", "tweedie"])
def test_the_loss_is_half_the_deviance_and_falls(loss: str, splits: str) -> None:
    X, y = make_amounts(loss)
    weights = np.random.default_rng(1).uniform(0.5, 2, 500)
    model = GradientBoostingRegressor(loss=loss, power=1.4, n_estimators=20, splits=splits)
    model.fit(X[:1000], y[:1000], eval_set=(X[1000:], y[1000:], weights))
    predicted = model.predict(X[1000:])
    assert predicted.min() > 0
    power = 2 if loss == "gamma" else 1.4
    deviance = mean_tweedie_deviance(y[1000:], predicted, power=power, sample_weight=weights)
    losses = model.evals_result_["validation_0"][loss]
    assert losses[-1] == pytest.approx(deviance / 2, rel=1e-9)
    assert losses[-1] < 0.9 * losses[0]
    for copy in (pickle.loads(pickle.dumps(model)), from_bytes(to_bytes(model))):
        assert (copy.predict(X) == model.predict(X)).all()
        assert copy.get_params() == model.get_params()


def test_powers_at_the_ends_are_poisson_and_gamma() -> None:
    X, y = make_amounts("gamma", 300)
    for power, loss in ((1, "poisson"), (2, "gamma")):
        models = [
            GradientBoostingRegressor(n_estimators=4, **options).fit(X, y).predict(X)
            for options in ({"loss": loss}, {"loss": "tweedie", "power": power})
        ]
        assert (models[0] == models[1]).all()


def test_the_first_constant_is_the_mean() -> None:
    X, y = make_amounts("gamma", 300)
    for loss in ("poisson", "gamma", "tweedie"):
        model = GradientBoostingRegressor(loss=loss, n_estimators=1, learning_rate=1e-9)
        assert model.fit(X, y).predict(X) == pytest.approx(np.full(300, y.mean()))


@pytest.mark.parametrize("splits", ["histogram", "exact"])
def test_steps_never_go_beyond_the_best_answer(splits: str) -> None:
    # A Newton step of the gamma loss towards a mean 10,000 times smaller would be 10,000 long.
    X = np.repeat([[0.0], [1.0]], 100, axis=0)
    y = np.repeat([1e-2, 1e2], 100)
    for loss in ("gamma", "tweedie"):
        model = GradientBoostingRegressor(
            loss=loss, power=1.9, n_estimators=1, learning_rate=1.0, splits=splits
        ).fit(X, y)
        assert model.predict([[0.0]])[0] > 0.9e-2
        model.set_params(n_estimators=60, learning_rate=0.5).fit(X, y)
        assert model.predict([[0.0], [1.0]]) == pytest.approx([1e-2, 1e2], rel=1e-2)


def test_trees_can_be_the_start_of_a_loss_with_a_logarithm() -> None:
    X, y = make_amounts("gamma", 400)
    init = CARTRegressor(max_depth=2)
    model = GradientBoostingRegressor(loss="gamma", init=init, n_estimators=1, learning_rate=1e-9)
    assert model.fit(X, y).predict(X) == pytest.approx(init.fit(X, y).predict(X))


def test_constraints_hold_for_means() -> None:
    X, y = make_amounts("tweedie", 800)
    model = GradientBoostingRegressor(loss="tweedie", n_estimators=15, monotonic_cst=[1, 0, 0, 0])
    model.fit(X, y)
    grid = np.repeat(X[:40], 50, axis=0)
    grid[:, 0] = np.tile(np.linspace(-1, 1, 50), 40)
    assert (np.diff(model.predict(grid).reshape(40, 50), axis=1) >= 0).all()


@pytest.mark.parametrize(
    ("params", "target", "sentence"),
    [
        ({"loss": "gamma"}, [1.0, 0.0], 'loss="gamma" needs a positive target; its minimum is 0'),
        ({"loss": "tweedie"}, [1.0, -1.0], "needs a non-negative target; its minimum is -1"),
        ({"loss": "tweedie"}, [0.0, 0.0], "not 0 everywhere"),
        ({"loss": "tweedie", "power": 2.5}, [1.0, 2.0], "power must be"),
        ({"loss": "tweedie", "power": 0}, [1.0, 2.0], "power must be"),
    ],
)
def test_targets_without_a_logarithm_are_refused(
    params: dict[str, Any], target: list[float], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        GradientBoostingRegressor(**params).fit([[1.0], [2.0]], target)


def test_evaluation_sets_need_the_same_kind_of_target() -> None:
    with pytest.raises(UsageError, match=r"y of the evaluation set 'validation_0' to be positive"):
        GradientBoostingRegressor(loss="gamma", min_samples_leaf=1).fit(
            [[1.0], [2.0]], [1.0, 2.0], eval_set=([[1.0]], [0.0])
        )


def test_poisson_and_gamma_win_on_their_own_deviance() -> None:
    X, y = make_amounts("gamma", 1500)
    new, truth = make_amounts("gamma", 1500, seed=5)
    squared, gamma = (
        GradientBoostingRegressor(loss=loss, n_estimators=60, learning_rate=0.05).fit(X, y)
        for loss in ("squared_error", "gamma")
    )
    ours, other = gamma.predict(new), squared.predict(new).clip(1e-3)
    assert mean_gamma_deviance(truth, ours) < mean_gamma_deviance(truth, other)
    assert mean_poisson_deviance(truth, ours) < 1.1 * mean_poisson_deviance(truth, other)
