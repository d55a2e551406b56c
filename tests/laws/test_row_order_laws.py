"""The order of the rows does not matter: to no learner and no option, with weights, gaps and categories."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import treewright as tw
from helpers.soak import size
from treewright.files import to_bytes
from treewright.table import Series, Table

pytestmark = pytest.mark.slow

ROWS = size(120, 300)

# Neighbours are their rows, in their order; the others say in their documentation that the order of the rows counts.
BY_POSITION = {
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "AdaBoostRegressor(resample=True)",
    "C45Classifier(variant='j48', prune='reduced_error')",
}

TREES: dict[str, list[dict[str, Any]]] = {
    "ZeroRClassifier": [{}],
    "ZeroRRegressor": [{}],
    "OneRClassifier": [{}, {"min_bucket": 2}],
    "ID3Classifier": [
        {},
        {"min_gain": 0.02},
        {"max_p_value": 0.2},
        {"prune": "pessimistic"},
        {"prune": "reduced_error"},
        {"prune": "reduced_error", "validation_fraction": 0.25, "random_state": 3},
        {"prune": "cost_complexity"},
        {"prune": "cost_complexity", "ccp_risk": "errors", "folds": 5, "random_state": 2},
        {"ccp_alpha": 0.01},
    ],
    "C45Classifier": [
        {},
        {"criterion": "gain"},
        {"categorical": "groups"},
        {"thresholds": "midpoint"},
        {"raising": False},
        {"variant": "j48"},
        {"prune": "reduced_error"},
        {"prune": "reduced_error", "folds": 4},
        {"prune": "reduced_error", "validation_fraction": 0.3},
        {"prune": "cost_complexity"},
        {"max_p_value": 0.3, "prune": None},
    ],
    "RuleSetClassifier": [{}, {"categorical": "groups"}],
    "OptimalTreeClassifier": [{"max_depth": 2}, {"max_depth": 2, "binarize": "quantiles"}],
    "OptimalTreeRegressor": [{"max_depth": 2}],
    "CARTClassifier": [
        {},
        {"criterion": "entropy", "max_depth": 6},
        {"missing": "branch"},
        {"missing": "surrogate", "max_depth": 5},
        {"variant": "rpart"},
        {"max_leaf_nodes": 9},
        {"min_weight_fraction_leaf": 0.03},
        {"class_weight": "balanced"},
        {"priors": {"a": 0.2, "b": 0.3, "c": 0.5}},
        {"costs": {"a": {"b": 2, "c": 1}, "b": {"a": 4, "c": 1}, "c": {"a": 1, "b": 1}}},
        {"max_p_value": 0.2},
        {"prune": "pessimistic"},
        {"prune": "reduced_error"},
        {"prune": "reduced_error", "folds": 4},
        {"prune": "reduced_error", "validation_fraction": 0.3, "random_state": 1},
        {"prune": "cost_complexity"},
        {"prune": "cost_complexity", "ccp_risk": "errors", "random_state": 7},
        {"prune": "cost_complexity", "variant": "rpart", "max_depth": 4},
        {"ccp_alpha": 0.01},
    ],
    "CARTRegressor": [
        {},
        {"missing": "surrogate", "max_depth": 4},
        {"missing": "branch", "max_depth": 5},
        {"max_leaf_nodes": 9},
        {"prune": "reduced_error"},
        {"prune": "reduced_error", "validation_fraction": 0.3},
        {"prune": "cost_complexity"},
        {"variant": "rpart"},
    ],
}
FORESTS: list[dict[str, Any]] = [
    {},
    {"criterion": "entropy"},
    {"bootstrap": "balanced"},
    {"bootstrap": False},
    {"class_weight": "balanced"},
    {"class_weight": "balanced_subsample"},
    {"max_samples": 0.5},
    {"oob_score": True},
    {"missing": "branch"},
    {"max_leaf_nodes": 8},
    {"random_state": 5},
]
BOOSTED: list[dict[str, Any]] = [
    {},
    {"subsample": 0.5},
    {"subsample": 0.7, "random_state": 3},
    {"early_stopping": True, "n_estimators": 12, "n_iter_no_change": 3},
    {"early_stopping": True, "validation_fraction": 0.3, "subsample": 0.6, "random_state": 1},
    {"max_features": 0.5},
    {"l2_regularization": 1.0, "max_depth": 3},
    {"max_bins": 16},
    {"splits": "exact"},
    {"splits": "exact", "subsample": 0.6, "max_depth": 3},
    {"splits": "exact", "early_stopping": True, "max_depth": 3},
    {"splits": "exact", "max_features": 0.5, "max_depth": 3},
    {"init": "zero"},
]
MANY: dict[str, list[dict[str, Any]]] = {
    "RandomForestClassifier": FORESTS,
    "RandomForestRegressor": [
        o
        for o in FORESTS
        if not {"class_weight", "criterion"} & {*o} and o.get("bootstrap") != "balanced"
    ],
    "ExtraTreesClassifier": [
        {},
        {"bootstrap": True, "class_weight": "balanced_subsample"},
        {"missing": "branch"},
    ],
    "ExtraTreesRegressor": [{}, {"bootstrap": True, "oob_score": True}],
    "BaggingClassifier": [
        {},
        {"oob_score": True},
        {"max_samples": 0.5, "bootstrap": False},
        {"max_features": 0.5},
        {"estimator": tw.C45Classifier()},
        {"estimator": tw.CARTClassifier(prune="cost_complexity", folds=3)},
        {"estimator": tw.ID3Classifier(prune="reduced_error")},
    ],
    "BaggingRegressor": [{}, {"oob_score": True}, {"max_features": 0.5, "max_samples": 0.7}],
    "AdaBoostClassifier": [
        {},
        {"learning_rate": 0.5},
        {"estimator": tw.CARTClassifier(max_depth=4)},
        {"estimator": tw.CARTClassifier(prune="cost_complexity", folds=3)},
        {"estimator": tw.C45Classifier()},
    ],
    "AdaBoostRegressor": [{}, {"loss": "square"}, {"loss": "exponential"}],
    "GradientBoostingClassifier": [
        *BOOSTED,
        {"class_weight": "balanced"},
        {"init": tw.CARTClassifier(max_depth=3)},
    ],
    "GradientBoostingRegressor": [
        *BOOSTED,
        *(
            {"loss": loss, "splits": splits}
            for loss in ("absolute_error", "quantile", "huber", "poisson", "tweedie")
            for splits in ("histogram", "exact")
        ),
    ],
}
CASES = [
    pytest.param(name, options, id=f"{name}({', '.join(f'{k}={v!r}' for k, v in options.items())})")
    for name, all_options in (TREES | MANY).items()
    for options in all_options
]


def learner(name: str, options: dict[str, Any]) -> Any:
    few = {} if name in TREES or "n_estimators" in options else {"n_estimators": 6}
    return getattr(tw, name)(**(few | options))


class Data:
    """A table with its targets and weights, in any order of its rows; some of them are equal."""

    def __init__(self, seed: int, rows: int) -> None:
        rng = np.random.default_rng(seed)
        pick = rng.integers(0, rows, rows)  # about a third of the rows is there more than once
        pick = np.where(rng.random(rows) < 0.5, pick, np.arange(rows))
        x = rng.standard_normal((rows, 4)).round(1)[pick]
        gaps = (rng.random((rows, 4)) < [0, 0.1, 0.3, 0])[pick]
        x[gaps] = np.nan
        color = rng.choice(["red", "green", "blue", ""], rows, p=[0.4, 0.3, 0.2, 0.1])[pick]
        shape = np.array([f"s{i:02}" for i in rng.integers(0, 12, rows)])[pick]
        self.x, self.text = x, [color, shape]
        score = np.nan_to_num(x[:, 0] + x[:, 1] * x[:, 3]) + (color == "red")
        score = score + rng.normal(0, 0.4, rows)[pick]
        self.classes = np.array(["a", "b", "c"])[np.digitize(score, [-0.3, 0.9])]
        self.numbers = np.exp(score / 2).round(3)
        self.weights: dict[str, NDArray[np.float64] | None] = {
            "none": None,
            "whole": rng.integers(0, 5, rows).astype(float),
            "fractions": rng.random(rows) + 0.05,
            "far apart": 10.0 ** rng.uniform(-6, 6, rows),
        }

    def columns(self, order: NDArray[np.intp]) -> Table:
        numbers = [Series.of(f"x{i}", self.x[order, i].tolist()) for i in range(self.x.shape[1])]
        words = [[word or None for word in column[order].tolist()] for column in self.text]
        return Table([*numbers, *(Series.of(f"t{i}", column) for i, column in enumerate(words))])

    def fit(self, model: Any, order: NDArray[np.intp], kind: str) -> bytes:
        is_class = type(model).__name__.endswith("Classifier")
        y = self.classes if is_class else self.numbers
        w = self.weights[kind]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return to_bytes(
                model.fit(self.columns(order), y[order], None if w is None else w[order])
            )


@pytest.mark.parametrize(("name", "options"), CASES)
def test_any_order_of_the_rows_gives_the_same_bytes(name: str, options: dict[str, Any]) -> None:
    for seed in range(size(1, 10)):
        data = Data(seed, ROWS)
        for kind in data.weights:
            if name == "RuleSetClassifier" and kind != "none":
                continue
            first = data.fit(learner(name, options), np.arange(ROWS), kind)
            for turn in range(size(1, 3)):
                order = np.random.default_rng([seed, turn]).permutation(ROWS)
                assert data.fit(learner(name, options), order, kind) == first, kind


@pytest.mark.parametrize("rows", [size(210_000, 450_000)])
def test_any_order_of_many_rows_gives_the_same_boosting(rows: int) -> None:
    """Columns are cut into bins by a sample of the rows, and sums are wide."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((rows, 3))
    X[rng.random(rows) < 0.05, 1] = np.nan
    X[:, 2] = X[:, 2].round(1)
    y = np.nan_to_num(X[:, 0] * 2 + np.sin(3 * X[:, 1])) + rng.standard_normal(rows) * 0.1
    weights = rng.random(rows)
    order = rng.permutation(rows)

    def fit(**options: Any) -> list[bytes]:
        model = tw.GradientBoostingRegressor(n_estimators=2, max_leaf_nodes=6, **options)
        few = tw.GradientBoostingClassifier(n_estimators=1, max_leaf_nodes=6, **options)
        both = [(X, y, weights), (X[order], y[order], weights[order])]
        return [
            to_bytes(model.fit(*rows)) + to_bytes(few.fit(rows[0], rows[1] > 0)) for rows in both
        ]

    for options in ({}, {"subsample": 0.5}, {"early_stopping": True}):
        first, second = fit(**options)
        assert first == second, options


def test_every_learner_has_a_case() -> None:
    learners = {n for n in tw.__all__ if n.endswith(("Classifier", "Regressor"))}
    assert learners - BY_POSITION == {*TREES, *MANY}
