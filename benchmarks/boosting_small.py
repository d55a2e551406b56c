"""Boosting, 100 trees of 31 leaves, 10,000 rows of 28 continuous columns, two classes."""

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from tables import higgs_like
from timing import OURS, in_turn, report
from xgboost import XGBClassifier

from treewright import GradientBoostingClassifier

X, score = higgs_like(10_000)
y = (score > np.median(score)).astype(np.int64)
LIGHT = {"n_estimators": 100, "num_leaves": 31, "verbose": -1}
seconds, fitted = in_turn(
    {
        OURS: lambda: GradientBoostingClassifier().fit(X, y),
        "LightGBM": lambda: LGBMClassifier(**LIGHT).fit(X, y),
        "LightGBM quantised": lambda: LGBMClassifier(use_quantized_grad=True, **LIGHT).fit(X, y),
        "XGBoost": lambda: XGBClassifier(
            n_estimators=100, grow_policy="lossguide", max_leaves=31, max_depth=0, learning_rate=0.1
        ).fit(X, y),
        "scikit-learn": lambda: HistGradientBoostingClassifier(early_stopping=False).fit(X, y),
    },
    rounds=7,
)
peers = [name for name in seconds if name != OURS]
report(
    "boosting_small",
    "boosting, 100 x 31 leaves, 10,000 x 28",
    seconds,
    dict.fromkeys(peers, 2),
)
