"""The time to grow a full tree by the number of rows: it should grow no faster than n log n."""

import time

import numpy as np
from tables import higgs_like
from timing import report

from treewright import CARTClassifier

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000)

X, score = higgs_like(max(SIZES))
y = (score > np.median(score)).astype(np.int64)
CARTClassifier().fit(X[:1000], y[:1000])
curve = {}
for size in SIZES:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        CARTClassifier().fit(X[:size], y[:size])
        times.append(time.perf_counter() - start)
    curve[str(size)] = sorted(times)[1]
per_step = {size: 1e9 * t / (int(size) * np.log2(int(size))) for size, t in curve.items()}
report(
    "curve",
    "full tree, 28 columns: seconds, and nanoseconds per n log2 n",
    {},
    {},
    fits=curve,
    nanoseconds={size: float(t) for size, t in per_step.items()},
)
