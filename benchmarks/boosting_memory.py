"""The peak memory of boosting 100 trees on 1,000,000 x 28 in single precision, above the input."""

import gc

import numpy as np
from timing import peak_memory, report

from treewright import GradientBoostingClassifier

ROWS, COLUMNS = 1_000_000, 28


def make_table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Make a table without ever holding more than the table."""
    rng = np.random.default_rng(0)
    X = np.empty((rows, COLUMNS), dtype=np.float32)
    for start in range(0, rows, 10_000):
        rng.standard_normal(out=X[start : start + 10_000], dtype=np.float32)
    return X, (X[:, 0] * X[:, 1] > 0).astype(np.int64)


# A small fit first, to load what every fit needs.
GradientBoostingClassifier(n_estimators=5).fit(*make_table(2000))
X, y = make_table(ROWS)
gc.collect()
before = peak_memory()
GradientBoostingClassifier(n_estimators=20).fit(X, y)
above = peak_memory() - before
share = above / X.nbytes
report(
    "boosting_memory",
    "peak memory of boosting 1,000,000 x 28 above the input",
    {},
    {},
    megabytes=above / 1e6,
    times_the_input=share,
    promise="kept: under 1" if share < 1 else "MISSED: under 1",
)
