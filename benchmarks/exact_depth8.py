"""An exact tree on 1,000,000 rows of 28 continuous columns, two classes, depth 8."""

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.tree import DecisionTreeClassifier
from tables import higgs_like
from timing import OURS, in_turn, report
from xgboost import XGBClassifier

from treewright import CARTClassifier

X, score = higgs_like(1_000_000)
y = (score > np.median(score)).astype(np.int64)
test, test_score = higgs_like(100_000, seed=1)
truth = (test_score > np.median(score)).astype(np.int64)
peers = {
    "scikit-learn": lambda: DecisionTreeClassifier(max_depth=8, random_state=0).fit(X, y),
    "XGBoost exact": lambda: XGBClassifier(n_estimators=1, tree_method="exact", max_depth=8).fit(
        X, y
    ),
    "LightGBM 255 bins": lambda: LGBMClassifier(
        n_estimators=1, num_leaves=256, max_depth=8, min_child_samples=1, verbose=-1
    ).fit(X, y),
}
seconds, fitted = in_turn({OURS: lambda: CARTClassifier(max_depth=8).fit(X, y), **peers}, rounds=5)
accuracy = {name: float((fitted[name].predict(test) == truth).mean()) for name in fitted}
report(
    "exact_depth8",
    "exact tree, 1,000,000 x 28, depth 8",
    seconds,
    {"scikit-learn": 250, "LightGBM 255 bins": 12},
    accuracy=accuracy,
    nodes=int(fitted[OURS].tree_.n_nodes),
    nodes_of_sklearn=int(fitted["scikit-learn"].tree_.node_count),
)
