"""An exact tree on 200,000 rows of 28 continuous columns, two classes, full depth."""

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.tree import DecisionTreeClassifier
from tables import higgs_like
from timing import OURS, in_turn, report
from xgboost import XGBClassifier

from treewright import CARTClassifier

X, score = higgs_like(200_000)
y = (score > np.median(score)).astype(np.int64)
test, test_score = higgs_like(100_000, seed=1)
truth = (test_score > np.median(score)).astype(np.int64)
peers = {
    "scikit-learn": lambda: DecisionTreeClassifier(random_state=0).fit(X, y),
    # One tree with every split that improves anything. XGBoost needs a limit of depth; no path is that long.
    "XGBoost exact": lambda: XGBClassifier(
        n_estimators=1, tree_method="exact", max_depth=100, min_child_weight=0, reg_lambda=0
    ).fit(X, y),
    "LightGBM 255 bins": lambda: LGBMClassifier(
        n_estimators=1,
        num_leaves=30_000,
        min_child_samples=1,
        min_child_weight=0,
        learning_rate=1.0,
        verbose=-1,
    ).fit(X, y),
}
seconds, fitted = in_turn({OURS: lambda: CARTClassifier().fit(X, y), **peers}, rounds=5)
accuracy = {name: float((fitted[name].predict(test) == truth).mean()) for name in fitted}
report(
    "exact_full",
    "exact tree, 200,000 x 28, full depth",
    seconds,
    {"scikit-learn": 125, "XGBoost exact": 20},
    accuracy=accuracy,
    nodes=int(fitted[OURS].tree_.n_nodes),
    nodes_of_sklearn=int(fitted["scikit-learn"].tree_.node_count),
)
