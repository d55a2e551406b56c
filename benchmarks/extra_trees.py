"""100 extremely randomized trees on 100,000 rows of 28 continuous columns, full depth, sqrt(columns) per node."""

import os

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier as Theirs
from sklearn.metrics import roc_auc_score
from tables import higgs_like
from timing import OURS, in_turn, report

from treewright import ExtraTreesClassifier

CORES = os.cpu_count() or 1
X, score = higgs_like(100_000)
y = (score > np.median(score)).astype(np.int64)
test, test_score = higgs_like(100_000, seed=1)
truth = (test_score > np.median(score)).astype(np.int64)
seconds, fitted = in_turn(
    {
        OURS: lambda: ExtraTreesClassifier(100, random_state=0).fit(X, y),
        "scikit-learn": lambda: Theirs(100, n_jobs=CORES, random_state=0).fit(X, y),
    },
    int(os.environ.get("ROUNDS", "3")),
)
auc = {name: float(roc_auc_score(truth, fitted[name].predict_proba(test)[:, 1])) for name in fitted}
report(
    "extra_trees",
    "100 extra trees, 100,000 x 28, full depth",
    seconds,
    {"scikit-learn": 4},
    auc=auc,
)
