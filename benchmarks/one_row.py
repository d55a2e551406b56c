"""Predicting one row with a tree of depth 8, called from Python."""

import timeit

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from tables import higgs_like
from timing import report

from treewright import CARTClassifier

X, score = higgs_like(100_000)
y = (score > np.median(score)).astype(np.int64)
ours = CARTClassifier(max_depth=8).fit(X, y)
theirs = DecisionTreeClassifier(max_depth=8, random_state=0).fit(X, y)
rows, row = X[:1], X[0].astype(np.float64)


def seconds(work: object) -> list[float]:
    """Return what one call takes, three times over."""
    calls = 5000
    return [time / calls for time in timeit.repeat(work, number=calls, repeat=3)]


report(
    "predict_row",
    "predict one row, depth 8, through predict",
    {
        "treewright": seconds(lambda: ours.predict(rows)),
        "scikit-learn": seconds(lambda: theirs.predict(rows)),
    },
    {"treewright": 15e-6},
)
report(
    "predict_one",
    "predict one row, depth 8, through predict_one",
    {"treewright": seconds(lambda: ours.predict_one(row))},
    {"treewright": 3e-6},
)
