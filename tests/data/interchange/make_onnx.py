"""Write the ONNX files of this folder with skl2onnx, onnxmltools and CatBoost.

Run it where scikit-learn, skl2onnx, onnxmltools, LightGBM, XGBoost and CatBoost are installed:
``python tests/data/interchange/make_onnx.py``. The tests need none of the converters.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent
COLUMNS = 4


def table(rows: int, missing: bool) -> Any:
    """Return rows of four columns; the last one holds the categories 0 to 5."""
    rng = np.random.default_rng(rows)
    X = rng.normal(size=(rows, COLUMNS))
    X[:, 3] = rng.integers(0, 6, rows)
    if missing:
        X[:, :3][rng.random((rows, 3)) < 0.1] = np.nan
    return X.astype(np.float32)


def targets(X: Any) -> dict[str, Any]:
    """Return a number, two classes and three classes."""
    filled = np.nan_to_num(X)
    score = filled[:, 0] + filled[:, 1] ** 2 + 2 * np.isin(filled[:, 3], [1, 4])
    classes = (score > 1) * 1 + (score > 2)
    return {
        "number": np.exp(score / 3),
        "two": (score > 1) * 1,
        "three": np.array(["high", "low", "mid"])[classes],
    }


def sklearn_models() -> dict[str, Any]:
    """Return ONNX models of scikit-learn."""
    from skl2onnx import to_onnx
    from sklearn import ensemble, tree

    X = table(400, missing=False)
    y = targets(X)
    kinds = {
        "sklearn-tree-two": (tree.DecisionTreeClassifier(max_depth=4), "two"),
        "sklearn-tree-number": (tree.DecisionTreeRegressor(max_depth=5), "number"),
        "sklearn-forest-three": (ensemble.RandomForestClassifier(5, max_depth=4), "three"),
        "sklearn-forest-two": (ensemble.RandomForestClassifier(5, max_depth=4), "two"),
        "sklearn-boosting-two": (ensemble.GradientBoostingClassifier(n_estimators=5), "two"),
        "sklearn-boosting-three": (ensemble.GradientBoostingClassifier(n_estimators=3), "three"),
        "sklearn-boosting-number": (ensemble.GradientBoostingRegressor(n_estimators=5), "number"),
    }
    return {
        name: to_onnx(model.set_params(random_state=0).fit(X, y[target]), X[:1])
        for name, (model, target) in kinds.items()
    }


def boosted_models() -> dict[str, Any]:
    """Return ONNX models of LightGBM and XGBoost, with missing values and categories."""
    import lightgbm
    import onnxmltools
    import xgboost
    from onnxmltools.convert.common.data_types import FloatTensorType

    X = table(600, missing=True)
    y = targets(X)
    codes = np.unique(y["three"], return_inverse=True)[1]
    own: dict[str, Any] = {"n_estimators": 4, "num_leaves": 8, "verbose": -1, "n_jobs": 1}
    sets = {"min_data_per_group": 5, "cat_smooth": 1}
    rf = {"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}
    small: dict[str, Any] = {"n_estimators": 4, "max_depth": 3, "n_jobs": 1}
    LC, LR = lightgbm.LGBMClassifier, lightgbm.LGBMRegressor
    trained = {
        "lightgbm-two": LC(**own).fit(X, y["two"]),
        "lightgbm-three": LC(**own).fit(X, codes),
        "lightgbm-sets": LR(**own, **sets).fit(X, y["number"], categorical_feature=[3]),
        "lightgbm-forest": LR(**own, **rf).fit(X, y["number"]),
        "lightgbm-poisson": LR(**own, objective="poisson").fit(X, y["number"]),
        "xgboost-two": xgboost.XGBClassifier(**small).fit(X, y["two"]),
        "xgboost-three": xgboost.XGBClassifier(**small).fit(X, codes),
        "xgboost-poisson": xgboost.XGBRegressor(**small, objective="count:poisson").fit(
            X, y["number"]
        ),
    }
    kinds = [("X", FloatTensorType([None, COLUMNS]))]
    return {
        name: getattr(onnxmltools, f"convert_{name.split('-')[0]}")(model, initial_types=kinds)
        for name, model in trained.items()
    }


def write_catboost_models() -> None:
    """Write models of CatBoost, which has its own converter."""
    import catboost

    X = table(600, missing=True)
    y = targets(X)
    small: dict[str, Any] = {
        "iterations": 4,
        "depth": 3,
        "verbose": 0,
        "allow_writing_files": False,
    }
    for target in ("two", "three", "number"):
        kind = catboost.CatBoostRegressor if target == "number" else catboost.CatBoostClassifier
        codes = np.unique(y[target], return_inverse=True)[1] if target != "number" else y[target]
        path = str(FOLDER / f"catboost-{target}.onnx")
        kind(**small).fit(X, codes).save_model(path, format="onnx")


if __name__ == "__main__":
    for name, model in (sklearn_models() | boosted_models()).items():
        (FOLDER / f"{name}.onnx").write_bytes(model.SerializeToString(deterministic=True))
    write_catboost_models()
