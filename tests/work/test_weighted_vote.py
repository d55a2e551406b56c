"""The final vote of AdaBoost: the sums of the rounds give the prediction of the model."""

from __future__ import annotations

import math

import pytest

from treewright import AdaBoostClassifier, AdaBoostRegressor, datasets, work
from treewright.errors import UsageError

X, Y = datasets.play_tennis()
IRIS, SPECIES = datasets.iris()
CPU, SPEED = datasets.cpu()


def test_the_largest_sum_is_predicted() -> None:
    model = AdaBoostClassifier(n_estimators=7).fit(IRIS, SPECIES)
    for row in range(0, 150, 11):
        record = work(model, X=IRIS[row : row + 1]).to_dict()
        assert record["prediction"] == model.predict(IRIS[row : row + 1])[0]
        assert math.isclose(sum(record["sums"].values()), sum(model.estimator_weights_))
        assert [r["weight"] for r in record["rounds"]] == model.estimator_weights_.tolist()


def test_numbers_are_a_weighted_median() -> None:
    model = AdaBoostRegressor(n_estimators=6).fit(CPU, SPEED)
    for row in range(0, 200, 23):
        page = work(model, X=CPU[row : row + 1])
        assert math.isclose(page.to_dict()["prediction"], model.predict(CPU[row : row + 1])[0])
    assert "weighted median" in str(page)


def test_a_round_shows_its_learner() -> None:
    model = AdaBoostClassifier(n_estimators=3).fit(X, Y)
    page = work(model, X=X, y=Y, round=1, width=100)
    assert "The learner\n  Humidity = High → No" in str(page)
    assert page.to_dict()["learner"]["attribute"] == "Humidity"
    assert "½ ln" in str(page)


def test_blanks_and_wrong_use() -> None:
    model = AdaBoostClassifier(n_estimators=3).fit(X, Y)
    sheet = work(model, X=X[:1], blank=True, width=100)
    total = f"{max(work(model, X=X[:1]).to_dict()['sums'].values()):.3f}"
    assert total not in str(sheet)
    assert total in str(sheet.key())
    with pytest.raises(UsageError):
        work(model, X=X[:1], round=1)
