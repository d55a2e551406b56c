"""A forest of 100 trees on 100,000 rows of 28 continuous columns, full depth, sqrt(columns) per node.

Libraries that are not installed are left out. The report includes the AUC of each on test rows.
"""

import os

import numpy as np
from sklearn.ensemble import RandomForestClassifier as Theirs
from sklearn.metrics import roc_auc_score
from tables import higgs_like
from timing import OURS, in_turn, report

from treewright import RandomForestClassifier

CORES = os.cpu_count() or 1
X, score = higgs_like(100_000)
y = (score > np.median(score)).astype(np.int64)
test, test_score = higgs_like(100_000, seed=1)
truth = (test_score > np.median(score)).astype(np.int64)
peers = {"scikit-learn": lambda: Theirs(100, n_jobs=CORES, random_state=0).fit(X, y)}
floors = {"scikit-learn": 25}
try:
    from sklearnex.ensemble import RandomForestClassifier as Binned

    peers["scikit-learn-intelex 256 bins"] = lambda: Binned(
        100, n_jobs=CORES, random_state=0, max_bins=256
    ).fit(X, y)
    floors["scikit-learn-intelex 256 bins"] = 4.5
except ImportError:
    pass
try:
    import ydf

    columns = {f"x{i}": X[:, i] for i in range(X.shape[1])} | {"y": y}
    learner = ydf.RandomForestLearner(
        label="y", num_trees=100, max_depth=-1, min_examples=1, winner_take_all=False,
        num_threads=CORES, compute_oob_performances=False,
    )  # fmt: skip
    peers["YDF"] = lambda: learner.train(columns, verbose=0)
    floors["YDF"] = 10
except ImportError:
    pass

rounds = int(os.environ.get("ROUNDS", "3"))
seconds, fitted = in_turn({OURS: lambda: RandomForestClassifier(100).fit(X, y), **peers}, rounds)
auc = {
    name: float(roc_auc_score(truth, fitted[name].predict_proba(test)[:, 1]))
    for name in fitted
    if name != "YDF"
}
if "YDF" in fitted:
    probabilities = fitted["YDF"].predict({f"x{i}": test[:, i] for i in range(test.shape[1])})
    auc["YDF"] = float(roc_auc_score(truth, probabilities))
report("forest", "forest of 100, 100,000 x 28, full depth", seconds, floors, auc=auc)
