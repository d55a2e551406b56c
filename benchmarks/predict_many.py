"""Predicting with 100 trees of 31 leaves: 100,000 rows through predict_proba, and one row."""

import timeit

import numpy as np
from tables import higgs_like
from timing import in_turn, report

from treewright import GradientBoostingClassifier

X, score = higgs_like(100_000)
y = (score > np.median(score)).astype(np.int64)
ours = GradientBoostingClassifier(n_estimators=100, max_leaf_nodes=31).fit(X, y)
contenders = {"treewright": lambda: ours.predict_proba(X)}
floors: dict[str, float] = {}
try:
    import lightgbm

    light = lightgbm.LGBMClassifier(n_estimators=100, num_leaves=31, verbose=-1).fit(X, y)
    contenders["lightgbm"] = lambda: light.predict_proba(X)
    floors["lightgbm"] = 25.0
except ImportError:
    pass
try:
    import catboost

    cat = catboost.CatBoostClassifier(
        n_estimators=100, depth=5, verbose=False, allow_writing_files=False
    ).fit(X, y)
    contenders["catboost"] = lambda: cat.predict_proba(X)
    floors["catboost"] = 3.0
except ImportError:
    pass

for work in contenders.values():
    work()
seconds, _ = in_turn(contenders, rounds=9)
report("predict_many", "predict 100,000 rows, 100 x 31 leaves", seconds, floors)


def each(work: object) -> list[float]:
    """Return what one call takes, five times over."""
    calls = 3000
    return [time / calls for time in timeit.repeat(work, number=calls, repeat=5)]


rows, row = X[:1], X[0].astype(np.float64)
report(
    "predict_row_many",
    "predict one row, 100 x 31 leaves, through predict",
    {"treewright": each(lambda: ours.predict(rows))},
    {"treewright": 20e-6},
)
report(
    "predict_one_many",
    "predict one row, 100 x 31 leaves, through predict_one",
    {"treewright": each(lambda: ours.predict_one(row))},
    {"treewright": 3e-6},
)
