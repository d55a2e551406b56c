"""Warm start of bagging and AdaBoost, and callbacks that stop a fit."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treewright import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    load,
    save,
)

Numbers = NDArray[np.float64]


def make_table(rows: int = 200) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, 3))
    return X, X[:, 0] * X[:, 1] + X[:, 2] + 0.3 * rng.standard_normal(rows)


def bytes_of(model: Any) -> bytes:
    document = json.loads(model._document()) | {"params": {}}
    return bytes(model._forest.to_bytes(json.dumps(document)))


CLASSIFIERS = [
    (AdaBoostClassifier, None),
    (AdaBoostClassifier, CARTClassifier(max_depth=2)),
    (BaggingClassifier, None),
    (BaggingClassifier, C45Classifier()),
]
REGRESSORS = [
    (AdaBoostRegressor, None),
    (BaggingRegressor, None),
    (BaggingRegressor, CARTRegressor(max_depth=2)),
]


@pytest.mark.parametrize(("kind", "member"), CLASSIFIERS + REGRESSORS)
@pytest.mark.parametrize("classes", [2, 3])
def test_two_fits_are_one(kind: Any, member: Any, classes: int, tmp_path: Any) -> None:
    X, y = make_table()
    target = np.digitize(y, [-0.5, 0.8][: classes - 1]) if (kind, member) in CLASSIFIERS else y
    single = kind(member, n_estimators=20).fit(X, target)
    parts = kind(member, n_estimators=7, warm_start=True).fit(X, target)
    first = len(parts.trees_)
    assert first == 7
    parts.set_params(n_estimators=20).fit(X, target)
    assert bytes_of(parts) == bytes_of(single)
    if hasattr(single, "rounds_"):
        assert parts.rounds_ == single.rounds_
        assert all(
            np.array_equal(a.rows, b.rows)
            for a, b in zip(parts.rounds_, single.rounds_, strict=True)
        )
    # A file is as good a beginning as the model itself.
    path = tmp_path / "a.tree"
    save(kind(member, n_estimators=7, warm_start=True).fit(X, target), path)
    again = load(path).set_params(n_estimators=20).fit(X, target)
    assert bytes_of(again) == bytes_of(single)
    # Without a warm start everything begins anew.
    anew = parts.set_params(n_estimators=3, warm_start=False).fit(X, target)
    assert len(anew.trees_) == 3


@pytest.mark.parametrize("kind", [AdaBoostClassifier, BaggingClassifier])
def test_other_classifiers_continue_too(kind: Any) -> None:
    X, y = make_table()
    member = DecisionTreeClassifier(max_depth=2)
    single = kind(member, n_estimators=8).fit(X, y > 0)
    parts = kind(member, n_estimators=3, warm_start=True).fit(X, y > 0)
    kept = parts.estimators_[:3]
    parts.set_params(n_estimators=8).fit(X, y > 0)
    assert parts.estimators_[:3] == kept
    assert np.array_equal(parts.predict_proba(X), single.predict_proba(X))
    # A tree of ours does not go on with learners of another kind.
    assert len(parts.set_params(estimator=None, n_estimators=4).fit(X, y > 0).trees_) == 4


def test_other_regressors_continue_too() -> None:
    X, y = make_table()
    for kind in (AdaBoostRegressor, BaggingRegressor):
        member = DecisionTreeRegressor(max_depth=2)
        single = kind(member, n_estimators=6).fit(X, y)
        parts = kind(member, n_estimators=2, warm_start=True).fit(X, y)
        parts.set_params(n_estimators=6).fit(X, y)
        assert np.array_equal(parts.predict(X), single.predict(X))


def test_out_of_bag_predictions_use_all_estimators() -> None:
    X, y = make_table()
    for member in (None, DecisionTreeRegressor(max_depth=3)):
        single = BaggingRegressor(member, n_estimators=40, oob_score=True).fit(X, y)
        parts = BaggingRegressor(member, n_estimators=30, warm_start=True).fit(X, y)
        parts.set_params(n_estimators=40, oob_score=True).fit(X, y)
        assert parts.oob_score_ == single.oob_score_
        assert np.array_equal(parts.oob_prediction_, single.oob_prediction_)


@pytest.mark.parametrize("member", [None, DecisionTreeClassifier(max_depth=1)])
@pytest.mark.parametrize("kind", [AdaBoostClassifier, BaggingClassifier])
def test_impossible_continuations_are_errors(kind: Any, member: Any) -> None:
    X, y = make_table()
    model = kind(member, n_estimators=5, warm_start=True).fit(X, y > 0)
    with pytest.raises(ValueError, match="larger or equal to 5"):
        model.set_params(n_estimators=2).fit(X, y > 0)
    with pytest.warns(UserWarning, match="does not fit new estimators"):
        model.set_params(n_estimators=5).fit(X, y > 0)
    if member is None:
        with pytest.raises(ValueError, match="the same columns and classes"):
            model.set_params(n_estimators=9).fit(X[:, :2], y > 0)


def test_a_boosted_model_that_has_ended_stays_as_it_is() -> None:
    X = np.arange(20.0).reshape(-1, 1)
    model = AdaBoostClassifier(n_estimators=3, warm_start=True).fit(X, X[:, 0] > 9)
    assert len(model.rounds_) == 1  # nothing is missed
    model.set_params(n_estimators=9).fit(X, X[:, 0] > 9)
    assert len(model.trees_) == 1


# ---- those who may stop


@pytest.mark.parametrize(
    "member", [None, CARTClassifier(max_depth=2), DecisionTreeClassifier(max_depth=2)]
)
def test_a_callback_stops_adaboost(member: Any) -> None:
    X, y = make_table()
    calls: list[int] = []

    def stop(one: Any) -> bool:
        calls.append(one.number)
        return len(calls) == 5

    model = AdaBoostClassifier(member, n_estimators=30).fit(X, y > 0, callback=stop)
    assert calls == [0, 1, 2, 3, 4]
    five = AdaBoostClassifier(member, n_estimators=5).fit(X, y > 0)
    assert model.rounds_ == five.rounds_
    assert np.array_equal(model.predict_proba(X), five.predict_proba(X))
    # Somebody who never wants to stop changes nothing.
    calls.clear()
    single = AdaBoostClassifier(member, n_estimators=20).fit(X, y > 0)
    watched = AdaBoostClassifier(member, n_estimators=20).fit(X, y > 0, callback=lambda one: None)
    assert np.array_equal(single.predict_proba(X), watched.predict_proba(X))


@pytest.mark.parametrize("member", [None, C45Classifier(), DecisionTreeClassifier(max_depth=2)])
def test_a_callback_stops_bagging(member: Any) -> None:
    X, y = make_table()
    calls: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> bool:
        calls.append((done, total))
        return done >= 4

    model = BaggingClassifier(member, n_estimators=30, n_jobs=2).fit(X, y > 0, callback=stop)
    assert calls[-1] == (4, 30)
    four = BaggingClassifier(member, n_estimators=4).fit(X, y > 0)
    assert np.array_equal(model.predict_proba(X), four.predict_proba(X))


def test_regressors_stop_too_and_errors_leave_everything_as_it_was() -> None:
    X, y = make_table()
    model = AdaBoostRegressor(n_estimators=9).fit(X, y, callback=lambda one: one.number == 2)
    assert len(model.trees_) == 3
    before = model.predict(X)

    def fail(*progress: Any) -> None:
        raise RuntimeError("no more")

    for kind in (AdaBoostRegressor, BaggingRegressor):
        fresh = kind(n_estimators=3)
        with pytest.raises(RuntimeError, match="no more"):
            fresh.fit(X, y, callback=fail)
        assert "_forest" not in fresh.__dict__
    with pytest.raises(RuntimeError, match="no more"):
        model.fit(X, y, callback=fail)
    assert np.array_equal(model.predict(X), before)


def test_a_failed_continuation_leaves_other_estimators_as_they_were() -> None:
    X, y = make_table()
    model = BaggingRegressor(DecisionTreeRegressor(max_depth=2), n_estimators=2, warm_start=True)
    before = model.fit(X, y).predict(X)

    def fail(*progress: Any) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        model.set_params(n_estimators=5).fit(X, y, callback=fail)
    assert len(model.estimators_features_) == 2
    assert np.array_equal(model.predict(X), before)
