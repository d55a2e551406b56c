"""Boosting, 100 trees of 31 leaves, 1,000,000 rows of 28 continuous columns, two classes."""

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.metrics import roc_auc_score
from tables import higgs_like
from timing import OURS, in_turn, report

from treewright import GradientBoostingClassifier

X, score = higgs_like(1_000_000)
y = (score > np.median(score)).astype(np.int64)
test, test_score = higgs_like(100_000, seed=1)
truth = test_score > np.median(score)
LIGHT = {"n_estimators": 100, "num_leaves": 31, "verbose": -1}
seconds, fitted = in_turn(
    {
        OURS: lambda: GradientBoostingClassifier().fit(X, y),
        "LightGBM": lambda: LGBMClassifier(**LIGHT).fit(X, y),
        "LightGBM quantised": lambda: LGBMClassifier(use_quantized_grad=True, **LIGHT).fit(X, y),
    },
    rounds=5,
)
area = {
    name: float(roc_auc_score(truth, model.predict_proba(test)[:, 1]))
    for name, model in fitted.items()
}
report(
    "boosting",
    "boosting, 100 x 31 leaves, 1,000,000 x 28",
    seconds,
    {"LightGBM quantised": 2.2},
    area_under_the_curve=area,
)
