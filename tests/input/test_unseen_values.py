"""The warning about values that training never saw: one a call, from every kind of model, and none without reason."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from treewright import (
    AdaBoostClassifier,
    BaggingClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GradientBoostingClassifier,
    ID3Classifier,
    KNeighborsClassifier,
    RandomForestClassifier,
    RuleSetClassifier,
    compare,
)
from treewright.errors import UnseenValuesWarning

ROWS = pd.DataFrame({"size": list("SMLSMLSM") * 5, "age": np.arange(40.0)})
CLASSES = np.array(["yes", "no", "no", "yes"] * 10)
NEW = ROWS.assign(size="XXL")
LEARNERS = [
    ID3Classifier(),
    C45Classifier(),
    CARTClassifier(),
    RuleSetClassifier(),
    RandomForestClassifier(n_estimators=5),
    GradientBoostingClassifier(n_estimators=5),
    AdaBoostClassifier(n_estimators=3),
    AdaBoostClassifier(RandomForestClassifier(n_estimators=2), n_estimators=3),
    BaggingClassifier(n_estimators=3),
    BaggingClassifier(KNeighborsClassifier(3), n_estimators=3),
    KNeighborsClassifier(3),
]


def given(call: Any) -> list[warnings.WarningMessage]:
    """Return the warnings about unseen values that a call gives."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        call()
    return [w for w in found if w.category is UnseenValuesWarning]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda m: repr(m)[:60])
def test_one_warning_a_call(learner: Any) -> None:
    assert not given(lambda: learner.fit(ROWS, CLASSES))
    model = learner
    for call in (model.predict, model.predict_proba):
        (one,) = given(lambda call=call: call(NEW))
        assert "never seen in training" in str(one.message)
        assert not given(lambda call=call: call(ROWS))
    assert len(given(lambda: model.score(NEW, CLASSES))) == 1


def test_it_counts_names_and_points_at_the_caller() -> None:
    model = CARTRegressor().fit(ROWS, np.arange(40.0))
    (one,) = given(lambda: model.predict(NEW))
    assert str(one.message) == (
        'values never seen in training: "size" in 40 of 40 rows ("XXL" ×40)'
    )
    assert one.filename == __file__
    (scored,) = given(lambda: model.score(NEW, np.arange(40.0)))
    assert scored.filename == __file__  # although scikit-learn's score stands between
    (numbers,) = given(lambda: model.predict(ROWS.assign(size=3)))
    assert '"3" ×40' in str(numbers.message)
    mixed = NEW.assign(size=["XXL", "S", "XS", None] * 10)
    (some,) = given(lambda: model.predict(mixed))
    assert '"size" in 20 of 40 rows ("XS" ×10, "XXL" ×10)' in str(some.message) or (
        '("XXL" ×10, "XS" ×10)' in str(some.message)
    )


def test_it_can_be_silenced_and_be_an_error() -> None:
    model = CARTClassifier().fit(ROWS, CLASSES)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnseenValuesWarning)
        with pytest.raises(UnseenValuesWarning):
            model.predict(NEW)
        model.predict(ROWS)


def test_folds_are_not_worth_a_warning() -> None:
    rare = ROWS.assign(size=[f"v{i}" for i in range(40)])
    assert not given(lambda: compare({"cart": CARTClassifier()}, rare, CLASSES, cv=5))


def test_plain_arrays_pay_nothing() -> None:
    X = np.random.default_rng(0).normal(size=(2000, 5))
    model = CARTClassifier(max_depth=3).fit(X, X[:, 0] > 0)
    start = time.process_time()
    for _ in range(200):
        model.predict(X)
    assert (time.process_time() - start) / 200 < 0.01
