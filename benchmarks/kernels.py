"""How much slower the kernels for AVX2, and the portable ones, are than those for AVX-512, which most laptops lack.

Kernels are chosen when the package is loaded, so each measurement is a process of its own: this file with the name of a
task. The seconds are those of processors, the least of several fits. Needs a processor with AVX-512.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tables import cover_like, higgs_like
from timing import OURS, report

import treewright as tw

BEST = "with AVX-512"
TREES = ("exact_full", "exact_depth8", "low_cardinality", "regression", "forest")
NEIGHBORS = ("neighbors_3", "neighbors_8", "neighbors_64")
BOOSTING = ("boosting", "prediction")
SIZES = {
    "neighbors_3": (500_000, 50_000, 3),
    "neighbors_8": (200_000, 20_000, 8),
    "neighbors_64": (50_000, 5_000, 64),
}
# How many times as long the other kernels may take at most.
LIMITS = {
    "avx2": dict.fromkeys(TREES, 1.4)
    | dict.fromkeys(NEIGHBORS, 1.7)
    | dict.fromkeys(BOOSTING, 1.25),
    "portable": dict.fromkeys(TREES, 3.5),
}
TITLES = {
    "exact_full": "exact tree, 200,000 x 28, full depth",
    "exact_depth8": "exact tree, 500,000 x 28, depth 8",
    "low_cardinality": "exact tree, 200,000 x 54, 7 classes",
    "regression": "regression tree, 200,000 x 28",
    "forest": "forest of 20, 100,000 x 28",
    "neighbors_3": "10 nearest rows, 500,000 x 3",
    "neighbors_8": "10 nearest rows, 200,000 x 8",
    "neighbors_64": "10 nearest rows, 50,000 x 64",
    "boosting": "boosting, 30 x 31 leaves, 500,000 x 28",
    "prediction": "predict 100,000 rows, 100 x 31 leaves",
}
ROUNDS = int(os.environ.get("ROUNDS", "2"))


def halves(rows: int) -> tuple[Any, Any]:
    """Return the table with two classes of equal size."""
    X, score = higgs_like(rows)
    return X, (score > np.median(score)).astype(np.int64)


def make_work(task: str) -> Callable[[], Any]:
    """Return what a task does once its data are there."""
    if task in SIZES:
        rows, queries, columns = SIZES[task]
        every = (
            np.random.default_rng(columns)
            .standard_normal((rows + queries, columns))
            .astype(np.float32)
        )
        return lambda: tw.nearest(every[:rows], every[rows:], 10)
    if task == "low_cardinality":
        X, y = cover_like(200_000)
        return lambda: tw.CARTClassifier().fit(X, y)
    if task == "regression":
        X, score = higgs_like(200_000)
        return lambda: tw.CARTRegressor(min_samples_leaf=5).fit(X, score)
    if task == "prediction":
        X, y = halves(100_000)
        model = tw.GradientBoostingClassifier(n_estimators=100, max_leaf_nodes=31).fit(X, y)
        return lambda: model.predict_proba(X)
    rows, estimator = {
        "exact_full": (200_000, tw.CARTClassifier()),
        "exact_depth8": (500_000, tw.CARTClassifier(max_depth=8)),
        "forest": (100_000, tw.RandomForestClassifier(20, random_state=0)),
        "boosting": (500_000, tw.GradientBoostingClassifier(n_estimators=30)),
    }[task]
    X, y = halves(rows)
    return lambda: estimator.fit(X, y)


def time_work(task: str) -> float:
    """Return the least seconds of processors over several runs of a task, in this process."""
    work = make_work(task)
    runs = []
    for _ in range(9 if task == "prediction" else 4):
        start = time.process_time()
        work()
        runs.append(time.process_time() - start)
    return min(runs)


def time_apart(task: str, kernels: str) -> float:
    """Return the seconds of a task with some kernels, in a process of its own."""
    environment = os.environ | {"TREEWRIGHT_SIMD": kernels}
    done = subprocess.run(
        [sys.executable, __file__, task],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(json.loads(done.stdout))


def main() -> None:
    """Run a task with all kernels in turn, and report each beside the fastest."""
    for task, title in TITLES.items():
        kinds = ["avx512", *(kind for kind, limits in LIMITS.items() if task in limits)]
        seconds: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(ROUNDS):
            for kind in kinds:
                seconds[kind].append(time_apart(task, kind))
        for kind in kinds[1:]:
            label = {"avx2": "AVX2", "portable": "portable kernels"}[kind]
            report(
                f"kernels_{kind}_{task}",
                f"{title}, {label}",
                {OURS: seconds[kind], BEST: seconds["avx512"]},
                {BEST: 1 / LIMITS[kind][task]},
            )


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(time_work(sys.argv[1])))
    else:
        main()
