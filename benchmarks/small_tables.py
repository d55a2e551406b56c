"""50 and 500 rows: every learner beside scikit-learn's counterpart. The report has the ratio of each fit."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import dummy, ensemble, neighbors, tree
from tables import higgs_like
from timing import OURS, report

import treewright

# What scikit-learn has of the same kind; histograms for gradient boosting, entropy for C4.5.
COUNTERPARTS: dict[str, Callable[[], Any]] = {
    "CARTClassifier": tree.DecisionTreeClassifier,
    "CARTRegressor": tree.DecisionTreeRegressor,
    "C45Classifier": lambda: tree.DecisionTreeClassifier(criterion="entropy"),
    "RandomForestClassifier": ensemble.RandomForestClassifier,
    "RandomForestRegressor": ensemble.RandomForestRegressor,
    "ExtraTreesClassifier": ensemble.ExtraTreesClassifier,
    "ExtraTreesRegressor": ensemble.ExtraTreesRegressor,
    "GradientBoostingClassifier": ensemble.HistGradientBoostingClassifier,
    "GradientBoostingRegressor": ensemble.HistGradientBoostingRegressor,
    "AdaBoostClassifier": ensemble.AdaBoostClassifier,
    "AdaBoostRegressor": ensemble.AdaBoostRegressor,
    "BaggingClassifier": ensemble.BaggingClassifier,
    "BaggingRegressor": ensemble.BaggingRegressor,
    "KNeighborsClassifier": neighbors.KNeighborsClassifier,
    "KNeighborsRegressor": neighbors.KNeighborsRegressor,
    "ZeroRClassifier": dummy.DummyClassifier,
    "ZeroRRegressor": dummy.DummyRegressor,
}


def shortest(fit: Callable[[], Any], rounds: int = 7) -> float:
    """Return the least of some times."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        fit()
        times.append(time.perf_counter() - start)
    return min(times)


for rows in (50, 500):
    X, score = higgs_like(rows)
    y = (score > np.median(score)).astype(np.int64)
    times: dict[str, list[float]] = {OURS: [], "scikit-learn": []}
    ratios = {}
    for name, counterpart in COUNTERPARTS.items():
        target = score if name.endswith("Regressor") else y
        ours = shortest(lambda: getattr(treewright, name)().fit(X, target))  # noqa: B023
        theirs = shortest(lambda: counterpart().fit(X, target))  # noqa: B023
        times[OURS].append(ours)
        times["scikit-learn"].append(theirs)
        ratios[name] = theirs / ours
    report(f"small_{rows}", f"{rows} x 28, every learner", times, {}, ratios=ratios)
