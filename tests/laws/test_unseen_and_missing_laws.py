"""Unseen categories and missing values mean the same in every estimator."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import treewright
from treewright._catalog import LEARNERS

ROWS = 60
SMALL = {"n_estimators": 5}


def make(name: str) -> Any:
    """Return an estimator that is fast to fit."""
    estimator = getattr(treewright, name)
    return estimator(**{k: v for k, v in SMALL.items() if k in estimator._get_param_names()})


def table(seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "color": random.choice(["red", "green", "blue"], ROWS).astype(object),
            "size": pd.Categorical(
                random.choice(["S", "M", "L"], ROWS), ["S", "M", "L"], ordered=True
            ),
            "n": random.normal(size=ROWS),
        }
    )
    frame.loc[random.random(ROWS) < 0.1, "color"] = None
    frame.loc[random.random(ROWS) < 0.1, "n"] = np.nan
    return frame


def fitted(name: str, seed: int = 0) -> Any:
    X = table(seed)
    score = (X.color == "red") * 2.0 + (X["size"] == "L") + X.n.fillna(0.0)
    y = score.to_numpy() if LEARNERS[name].task != "classify" else np.where(score > 1, "yes", "no")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make(name).fit(X, y)


def answers(model: Any, rows: list[dict[str, Any]]) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", treewright.UnseenValuesWarning)
        values: list[Any] = (
            model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)
        ).tolist()
    return values


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_unseen_and_missing_values(name: str) -> None:
    model = fitted(name)
    known = {"color": "red", "size": "M", "n": 0.5}
    # Which unseen category it is does not matter, and an answer exists.
    one, other = (
        answers(model, [known | {"color": c, "size": s}]) for c, s in (("x", "y"), ("z", "w"))
    )
    assert one == other
    assert np.isfinite(one).all()
    # A missing value is one however it is written, and a column that a row lacks is missing.
    gaps = [known | {"color": gap, "n": gap} for gap in (None, float("nan"), pd.NA)]
    assert len({str(answers(model, [gap])) for gap in gaps}) == 1
    assert answers(model, [{"size": "M"}]) == answers(model, gaps[:1])
    # An unseen category of an ordered column is treated as missing.
    assert answers(model, [known | {"size": "XXL"}]) == answers(
        model, [known | {"size": None}]
    ) or (model.schema_.columns[1].kind == "categorical")
    unseen = model.count_unseen([known | {"color": "x", "size": "y"}])
    assert (unseen["color"], unseen["size"]) == ({"x": 1}, {"y": 1})


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_unseen_values_are_told_once(name: str) -> None:
    model = fitted(name)
    with pytest.warns(treewright.UnseenValuesWarning) as told:
        model.predict([{"color": "x", "size": "M", "n": 0.5}])
    assert len(told) == 1
