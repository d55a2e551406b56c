"""Train the models of this folder with LightGBM and XGBoost, and record what they predict and the leaves of rows.

Run it where both are installed: ``python tests/data/interchange/make_models.py``. The tests need neither.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent
LEVELS = list("abcdef")
LIGHTGBM: dict[str, dict[str, Any]] = {
    "regression": {"objective": "regression"},
    "binary": {"objective": "binary", "sigmoid": 2.0},
    "multiclass": {"objective": "multiclass", "num_class": 3},
    "gamma": {"objective": "gamma", "boosting": "dart"},
    "forest": {
        "objective": "regression",
        "boosting": "rf",
        "bagging_freq": 1,
        "bagging_fraction": 0.6,
    },
    "no-missing": {"objective": "regression", "use_missing": False},
}
XGBOOST: dict[str, dict[str, Any]] = {
    "regression": {"objective": "reg:squarederror"},
    "binary": {"objective": "binary:logistic", "max_cat_to_onehot": 1},
    "multiclass": {"objective": "multi:softprob", "num_class": 3},
    "poisson": {"objective": "count:poisson", "booster": "dart", "rate_drop": 0.3},
    "parallel": {"objective": "reg:squarederror", "num_parallel_tree": 3, "subsample": 0.5},
}


def table(rows: int, seed: int) -> pd.DataFrame:
    """Return rows with missing numbers and missing categories."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=rows),
            "b": rng.normal(size=rows).round(1),
            "color": pd.Categorical(rng.choice(LEVELS, rows), categories=LEVELS),
        }
    )
    frame.loc[rng.random(rows) < 0.1, "a"] = np.nan
    frame.loc[rng.random(rows) < 0.1, "color"] = np.nan
    return frame


def target(frame: pd.DataFrame, objective: str) -> Any:
    """Return a target that fits an objective."""
    score = frame["a"].fillna(0) + frame["b"] ** 2 + 2 * frame["color"].isin(["b", "d"])
    if objective.startswith("binary"):
        return (score > 1) * 1
    if objective.startswith("multi"):
        return (score > 1) * 1 + (score > 2)
    return np.exp(score / 3)


def record_leaves() -> None:
    """Write 10,000 rows, and the leaf of each in every tree of the models."""
    import lightgbm
    import xgboost

    rows = table(10_000, 2).astype({"a": "float32", "b": "float32"})
    leaves: dict[str, Any] = {"a": rows["a"], "b": rows["b"], "color": rows["color"].cat.codes}
    data = xgboost.DMatrix(rows, enable_categorical=True)
    for name in XGBOOST:
        model = xgboost.Booster(model_file=FOLDER / f"xgboost-{name}.json")
        leaves[f"xgboost-{name}"] = model.predict(data, pred_leaf=True).astype(np.uint8)
    for name in LIGHTGBM:
        model = lightgbm.Booster(model_file=FOLDER / f"lightgbm-{name}.txt")
        leaves[f"lightgbm-{name}"] = model.predict(rows, pred_leaf=True).astype(np.uint8)
    np.savez_compressed(FOLDER / "leaves.npz", **leaves)


def main() -> None:
    """Write the models, the rows and the predictions."""
    import lightgbm
    import xgboost

    train, rows = table(1000, 0), table(2000, 1)
    recorded: dict[str, Any] = {"a": rows["a"], "b": rows["b"], "color": rows["color"].cat.codes}
    for name, params in LIGHTGBM.items():
        data = lightgbm.Dataset(train, target(train, params["objective"]))
        own = {"verbose": -1, "min_data_per_group": 5, "cat_smooth": 1, "num_leaves": 8}
        model = lightgbm.train(own | params, data, 8)
        model.save_model(FOLDER / f"lightgbm-{name}.txt")
        recorded[f"lightgbm-{name}"] = model.predict(rows)
    for name, params in XGBOOST.items():
        y = target(train, params["objective"])
        data = xgboost.DMatrix(train, y, enable_categorical=True)
        model = xgboost.train({"max_depth": 3} | params, data, 8)
        model.save_model(FOLDER / f"xgboost-{name}.json")
        recorded[f"xgboost-{name}"] = model.predict(xgboost.DMatrix(rows, enable_categorical=True))
    np.savez_compressed(FOLDER / "predictions.npz", **recorded)
    record_leaves()


if __name__ == "__main__":
    main()
