"""The measures of `evaluate` and `compare` are those of scikit-learn, with weights and for any number of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from sklearn.calibration import calibration_curve as sklearn_calibration
from sklearn.linear_model import LogisticRegression

from treewright import (
    AdaBoostClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    KNeighborsClassifier,
    RandomForestClassifier,
    RuleSetClassifier,
    calibration_curve,
    choose_threshold,
    evaluate,
    lift_curve,
)


def rows(classes: int, n: int = 150) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(classes)
    X = rng.normal(size=(n, 4)).round(2)
    score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.7, n)
    names = np.array(["ant", "bee", "cat", "dog"])
    return X, names[np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))], rng


LEARNERS = [
    CARTClassifier(max_depth=3),
    C45Classifier(smoothing="laplace"),
    RandomForestClassifier(10, random_state=0),
    KNeighborsClassifier(),
    RuleSetClassifier(),
    AdaBoostClassifier(n_estimators=5),
    LogisticRegression(),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_classes(learner: Any, classes: int, weighted: bool) -> None:
    X, y, rng = rows(classes)
    weights = rng.integers(1, 4, len(y)).astype(float)[:75] if weighted else None
    model = learner.fit(X[75:], y[75:])
    X, y = X[:75], y[:75]
    found = evaluate(model, X, y, weights).measures
    shares, predicted, with_weights = (
        model.predict_proba(X),
        model.predict(X),
        {"sample_weight": weights},
    )
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(y, predicted, **with_weights))
    assert found["balanced-accuracy"] == pytest.approx(
        metrics.balanced_accuracy_score(y, predicted, **with_weights)
    )
    assert found["log-loss"] == pytest.approx(
        metrics.log_loss(y, shares, labels=model.classes_, **with_weights)
    )
    if classes == 2:
        assert found["f1"] == pytest.approx(
            metrics.f1_score(y, predicted, pos_label="bee", **with_weights)
        )
        assert found["auc"] == pytest.approx(metrics.roc_auc_score(y, shares[:, 1], **with_weights))
        assert found["brier"] == pytest.approx(
            metrics.brier_score_loss(y, shares[:, 1], pos_label="bee", **with_weights)
        )
        return
    assert found["f1"] == pytest.approx(
        metrics.f1_score(y, predicted, average="macro", **with_weights)
    )
    one_hot = (y[:, None] == model.classes_).astype(float)
    areas = [
        metrics.roc_auc_score(one_hot[:, k], shares[:, k], **with_weights) for k in range(classes)
    ]
    assert found["auc"] == pytest.approx(np.mean(areas))
    if not weighted:
        assert found["auc"] == pytest.approx(metrics.roc_auc_score(y, shares, multi_class="ovr"))
    square = ((shares - one_hot) ** 2).sum(axis=1)
    assert found["brier"] == pytest.approx(np.average(square, weights=weights))


def test_numbers() -> None:
    X, _, rng = rows(2)
    y = X[:, 0] * 3 + rng.normal(size=len(X))
    model = CARTRegressor(max_depth=3).fit(X[75:], y[75:])
    found = evaluate(model, X[:75], y[:75]).measures
    predicted = model.predict(X[:75])
    assert found["rmse"] == pytest.approx(metrics.root_mean_squared_error(y[:75], predicted))
    assert found["r2"] == pytest.approx(metrics.r2_score(y[:75], predicted))


def test_calibration() -> None:
    """Without equal probabilities, the bins are scikit-learn's quantile bins."""
    X, y, _ = rows(2, 400)
    model = LogisticRegression().fit(X[:200], y[:200])
    curve = calibration_curve(model, X[200:], y[200:], bins=5)
    observed, predicted = sklearn_calibration(
        y[200:] == "bee", model.predict_proba(X[200:])[:, 1], n_bins=5, strategy="quantile"
    )
    assert [b.observed for b in curve.bins] == pytest.approx(observed)
    assert [b.predicted for b in curve.bins] == pytest.approx(predicted)
    assert sum(b.weight for b in curve.bins) == 200


def test_the_cheapest_threshold_is_cheapest() -> None:
    X, y, _ = rows(2, 400)
    model = RandomForestClassifier(7, random_state=0).fit(X[:200], y[:200])
    X, positive = X[200:], y[200:] == "bee"
    shares = model.predict_proba(X)[:, 1]

    def cost(threshold: float, fp: float, fn: float) -> float:
        predicted = shares >= threshold
        return float(fp * (predicted & ~positive).sum() + fn * (~predicted & positive).sum())

    for fp, fn in ((1, 1), (1, 5), (7, 2), (0, 1), (1, 0)):
        choice = choose_threshold(model, X, y[200:], fp=fp, fn=fn)
        least = min(cost(t, fp, fn) for t in (*np.unique(shares), 2.0))
        assert choice.best.cost == pytest.approx(least)
        assert cost(choice.threshold, fp, fn) == pytest.approx(least)
        assert choice.others["0.5"].cost == pytest.approx(cost(0.5, fp, fn))
        assert choice.others["never"].cost == pytest.approx(fn * positive.sum())


def test_lift() -> None:
    X, y, _ = rows(2, 400)
    model = LogisticRegression().fit(X[:200], y[:200])
    curve = lift_curve(model, X[200:], y[200:], positive="ant")
    order = np.argsort(-model.predict_proba(X[200:])[:, 0], kind="stable")
    is_ant = (y[200:] == "ant")[order]
    for at in (0.1, 0.25, 0.5, 1.0):
        point = curve.points[round(100 * at) - 1]
        assert point.gain == pytest.approx(is_ant[: round(200 * at)].sum() / is_ant.sum())
        assert point.lift == pytest.approx(point.gain / at)
