"""Models that the installed LightGBM and XGBoost train now predict the same here, on 10,000 rows.

Where they are not installed (``pip install --group bench`` installs them), the recorded models of the other tests speak
for them. A fifth of the cells is missing, and two columns hold categories.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import treewright as tw

TRAINING, ROWS = 3_000, 10_000
TASKS = ("binary", "multi", "regression")


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    random = np.random.default_rng(1)
    rows = TRAINING + ROWS
    frame = pd.DataFrame({f"x{i}": random.normal(size=rows) for i in range(5)})
    frame["color"] = pd.Categorical.from_codes(random.integers(0, 12, rows), list("abcdefghijkl"))
    frame["size"] = pd.Categorical.from_codes(random.integers(0, 3, rows), ["S", "M", "L"])
    return frame.mask(random.random(frame.shape) < 0.2)


def target(table: pd.DataFrame, task: str) -> Any:
    filled = table.select_dtypes("number").fillna(0)
    score = 2 * filled["x0"] + filled["x1"] * filled["x2"] + table["color"].cat.codes % 4
    score += 1.5 * (table["size"] == "S")
    return {
        "binary": (score > 1.5).astype(int),
        "multi": pd.cut(score, 4, labels=False),
        "regression": score,
    }[task]


def compare(theirs: Any, ours: Any, table: pd.DataFrame, task: str) -> tuple[Any, Any]:
    rows = table.iloc[TRAINING:]
    call = "predict" if task == "regression" else "predict_proba"
    answers = getattr(theirs, call)(rows), getattr(ours, call)(rows)
    assert answers[0].shape == answers[1].shape
    assert len(answers[0]) == ROWS
    if task != "regression":
        assert (theirs.predict(rows) == ours.predict(rows)).all()
    return answers


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_lightgbm_predicts_the_same(task: str, table: pd.DataFrame) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    kind = lightgbm.LGBMRegressor if task == "regression" else lightgbm.LGBMClassifier
    model = kind(n_estimators=20, verbose=-1, n_jobs=1)
    model.fit(table[:TRAINING], target(table, task)[:TRAINING])
    theirs, ours = compare(model, tw.from_lightgbm(model), table, task)
    # The last digit is that of the exponential function.
    np.testing.assert_allclose(ours, theirs, rtol=3e-15, atol=5e-16)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_xgboost_predicts_the_same(task: str, table: pd.DataFrame) -> None:
    xgboost = pytest.importorskip("xgboost")
    kind = xgboost.XGBRegressor if task == "regression" else xgboost.XGBClassifier
    model = kind(n_estimators=20, enable_categorical=True, n_jobs=1)
    model.fit(table[:TRAINING], target(table, task)[:TRAINING])
    theirs, ours = compare(model, tw.from_xgboost(model), table, task)
    # XGBoost adds in single precision.
    np.testing.assert_allclose(ours, theirs, rtol=2e-6, atol=2e-6)
