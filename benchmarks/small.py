"""500 rows: a second thread must not make it slower."""

import numpy as np
from tables import higgs_like
from timing import report

from treewright import CARTClassifier

X, score = higgs_like(500)
y = (score > np.median(score)).astype(np.int64)


def once(jobs: int) -> float:
    """Return what one of many fits takes."""
    import time

    start = time.perf_counter()
    for _ in range(50):
        CARTClassifier(n_jobs=jobs).fit(X, y)
    return (time.perf_counter() - start) / 50


once(1)
times: dict[str, list[float]] = {"treewright": [], "on one thread": []}
for _ in range(7):
    times["on one thread"].append(once(1))
    times["treewright"].append(once(2))
# Both run the same code, so a difference is noise; a tenth is allowed.
report("small", "500 x 28, two threads against one", times, {"on one thread": 0.9})
