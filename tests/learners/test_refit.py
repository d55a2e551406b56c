"""A second fit leaves nothing of the first behind, and every seed that scikit-learn takes is taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from treewright import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treewright.files import from_bytes, to_bytes

RNG = np.random.default_rng(0)
X = RNG.random((60, 4))
CLASSES = (X[:, 0] + X[:, 1] > 1).astype(int)
NUMBERS = X[:, 0] * 3 + X[:, 1]


def target(model: Any) -> Any:
    return CLASSES if hasattr(model, "predict_proba") else NUMBERS


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(5, random_state=0, oob_score=True),
        RandomForestRegressor(5, random_state=0, oob_score=True),
        ExtraTreesClassifier(5, bootstrap=True, random_state=0, oob_score=True),
        BaggingClassifier(n_estimators=5, random_state=0, oob_score=True),
        BaggingRegressor(n_estimators=5, random_state=0, oob_score=True),
    ],
)
def test_out_of_bag_results_are_those_of_the_last_fit(model: Any) -> None:
    y = target(model)
    model = clone(model).fit(X, y)
    assert any(name.startswith("oob_") and name.endswith("_") for name in vars(model))
    model.set_params(oob_score=False).fit(X[:, :2], y)
    assert not [name for name in vars(model) if name.startswith("oob_") and name.endswith("_")]
    assert to_bytes(model) == to_bytes(clone(model).fit(X[:, :2], y))
    model = clone(model).set_params(oob_score=True, warm_start=True).fit(X[:, :2], y)
    assert any(name.startswith("oob_") and name.endswith("_") for name in vars(model))
    model.set_params(oob_score=False, n_estimators=7).fit(X[:, :2], y)
    assert not [name for name in vars(model) if name.startswith("oob_") and name.endswith("_")]


@pytest.mark.parametrize("model", [CARTClassifier(), CARTRegressor(), C45Classifier()])
def test_the_account_of_a_pruning_is_that_of_the_last_fit(model: Any) -> None:
    y = target(model)
    model.set_params(prune="reduced_error").fit(X, y)
    assert hasattr(model, "pruning_")
    model.set_params(prune=None).fit(X, y)
    assert not hasattr(model, "pruning_")


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
def test_a_failed_fit_leaves_the_earlier_one() -> None:
    model = RandomForestClassifier(5, random_state=0, oob_score=True).fit(X, CLASSES)
    score = model.oob_score_
    with pytest.raises(ValueError, match="inconsistent"):
        model.fit(X, CLASSES[:-1])
    assert model.oob_score_ == score


@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
def test_a_score_that_is_none_is_saved() -> None:
    model = RandomForestClassifier(1, random_state=0, oob_score=True, bootstrap=True)
    model.fit(X[:1], CLASSES[:1])
    assert np.isnan(model.oob_score_)
    again = from_bytes(to_bytes(model))
    assert np.isnan(again.oob_score_)
    assert to_bytes(again) == to_bytes(model)


@pytest.mark.parametrize(
    "kind",
    [
        AdaBoostClassifier,
        AdaBoostRegressor,
        BaggingClassifier,
        BaggingRegressor,
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        GradientBoostingClassifier,
        GradientBoostingRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
    ],
)
def test_every_kind_of_seed_is_taken(kind: Any) -> None:
    more = {"subsample": 0.5, "early_stopping": True} if "Gradient" in kind.__name__ else {}
    model = kind(n_estimators=4, **more)
    for make in (
        lambda: None,
        lambda: 7,
        lambda: np.int64(7),
        lambda: np.random.RandomState(3),
        lambda: np.random.default_rng(3),
    ):
        answers = [
            clone(model).set_params(random_state=make()).fit(X, target(model)).predict(X)
            for _ in range(2)
        ]
        np.testing.assert_array_equal(*answers)
    with pytest.raises(ValueError, match="random_state"):
        clone(model).set_params(random_state="x").fit(X, target(model))


@pytest.mark.parametrize("splits", ["histogram", "exact"])
@pytest.mark.parametrize("weights", [None, np.repeat([1.0, 2.0, 0.5], 20)])
def test_the_quantile_in_the_middle_is_the_median(splits: str, weights: Any) -> None:
    y = np.round(NUMBERS, 1)  # with ties
    settings = {"n_estimators": 6, "splits": splits, "max_depth": 3}
    half = GradientBoostingRegressor(loss="quantile", quantile=0.5, **settings).fit(X, y, weights)
    absolute = GradientBoostingRegressor(loss="absolute_error", **settings).fit(X, y, weights)
    half.set_params(loss="absolute_error", quantile=absolute.quantile)
    assert to_bytes(half) == to_bytes(absolute)


@pytest.mark.parametrize(("rows", "share"), [(30, 0.01), (10, 0.1), (6, 0.5), (2, 1e-9)])
def test_exact_boosting_never_draws_nothing(rows: int, share: float) -> None:
    for seed in range(5):
        settings = {"splits": "exact", "subsample": share, "random_state": seed}
        for kind, y in (
            (GradientBoostingClassifier, np.arange(rows) % 2),
            (GradientBoostingRegressor, NUMBERS[:rows]),
        ):
            model = kind(n_estimators=30, **settings).fit(X[:rows], y)
            assert model.n_estimators_ == 30
            assert len(model.predict(X)) == len(X)
