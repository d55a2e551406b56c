"""Tables with categories, missing values, class weights or sample weights.

scikit-learn gets categories one-hot encoded; the encoding is not timed. The report includes the number of nodes, and
for forests the AUC on test rows.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier as Forest
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier
from tables import higgs_like, with_categories
from timing import OURS, in_turn, report

from treewright import CARTClassifier, RandomForestClassifier, read_csv

CORES = os.cpu_count() or 1
ROUNDS = int(os.environ.get("ROUNDS", "3"))
THEIRS = "scikit-learn"


def class_weights() -> None:
    """Time a forest whose classes count unlike."""
    X, score = higgs_like(100_000)
    y = (score > np.quantile(score, 0.8)).astype(np.int64)
    test, other = higgs_like(50_000, seed=1)
    truth = other > np.quantile(score, 0.8)
    how: dict[str, Any] = {"class_weight": "balanced", "random_state": 0}
    seconds, fitted = in_turn(
        {
            OURS: lambda: RandomForestClassifier(100, **how).fit(X, y),
            THEIRS: lambda: Forest(100, n_jobs=CORES, **how).fit(X, y),
        },
        1,
    )
    auc = {name: roc_auc_score(truth, fitted[name].predict_proba(test)[:, 1]) for name in fitted}
    title = "forest of 100, 100,000 x 28, balanced classes"
    report("unlike_classes", title, seconds, {THEIRS: 5}, auc=auc)


def weights() -> None:
    """Time a tree of rows that have weights of their own."""
    X, score = higgs_like(200_000)
    y = (score > np.median(score)).astype(np.int64)
    given = np.random.default_rng(6).random(len(y))
    seconds, fitted = in_turn(
        {
            OURS: lambda: CARTClassifier().fit(X, y, sample_weight=given),
            THEIRS: lambda: DecisionTreeClassifier(random_state=0).fit(X, y, sample_weight=given),
        },
        ROUNDS,
    )
    nodes = {OURS: fitted[OURS].tree_.n_nodes, THEIRS: fitted[THEIRS].tree_.node_count}
    title = "CART, 200,000 x 28, weights of their own, full depth"
    report("unlike_weights", title, seconds, {THEIRS: 5}, nodes=nodes)


def missing() -> None:
    """Time a tree of a table of which a twentieth is missing."""
    X, score = higgs_like(200_000)
    y = (score > np.median(score)).astype(np.int64)
    X[np.random.default_rng(5).random(X.shape) < 0.05] = np.nan
    seconds, fitted = in_turn(
        {
            OURS: lambda: CARTClassifier().fit(X, y),
            THEIRS: lambda: DecisionTreeClassifier(random_state=0).fit(X, y),
        },
        ROUNDS,
    )
    nodes = {OURS: fitted[OURS].tree_.n_nodes, THEIRS: fitted[THEIRS].tree_.node_count}
    title = "CART, 200,000 x 28, 5 % missing, full depth"
    report("unlike_missing", title, seconds, {THEIRS: 5}, nodes=nodes)


def categories() -> None:
    """Time a tree of half categories, half numbers."""
    table, wide, y = with_categories(200_000)
    seconds, fitted = in_turn(
        {
            OURS: lambda: CARTClassifier().fit(table, y),
            THEIRS: lambda: DecisionTreeClassifier(random_state=0).fit(wide, y),
        },
        ROUNDS,
    )
    nodes = {OURS: fitted[OURS].tree_.n_nodes, THEIRS: fitted[THEIRS].tree_.node_count}
    title = "CART, 200,000 rows, 8 numbers and 8 categories, full depth"
    report("unlike_categories", title, seconds, {THEIRS: 5}, nodes=nodes)


def adult() -> None:
    """Time a forest on a census, with categories and missing values."""
    path = os.environ.get("TREEWRIGHT_ADULT")
    if not path:
        print("left out: TREEWRIGHT_ADULT does not name the table")
        return
    import pandas as pd

    frame = read_csv(path).to_pandas()
    y = (frame.pop(frame.columns[-1]) == ">50K").to_numpy()
    wide = pd.get_dummies(frame, dummy_na=True).to_numpy(np.float32)
    part = np.random.default_rng(0).random(len(y)) < 0.8
    seconds, fitted = in_turn(
        {
            OURS: lambda: RandomForestClassifier(100, random_state=0).fit(frame[part], y[part]),
            THEIRS: lambda: Forest(100, n_jobs=CORES, random_state=0).fit(wide[part], y[part]),
        },
        ROUNDS,
    )
    inputs = {OURS: frame, THEIRS: wide}
    auc = {
        n: roc_auc_score(y[~part], fitted[n].predict_proba(inputs[n][~part])[:, 1]) for n in fitted
    }
    report("unlike_adult", "forest of 100 on adult", seconds, {THEIRS: 2}, auc=auc, rows=len(y))


PARTS: dict[str, Callable[[], None]] = {
    "classes": class_weights,
    "weights": weights,
    "missing": missing,
    "categories": categories,
    "adult": adult,
}

for part in sys.argv[1:] or PARTS:
    PARTS[part]()
