"""Exact nearest neighbors in a mixed table: 50,000 rows, 10 numbers and 10 categories, some missing, 2,000 queries."""

import time

import numpy as np
import pandas as pd
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import OneHotEncoder
from timing import in_turn, report

from treewright import nearest

ROWS, QUERIES, K, SLOW = 50_000, 2_000, 10, 4


def table(rows: int, seed: int) -> pd.DataFrame:
    """Return numbers and categories, a twentieth of them missing."""
    rng = np.random.default_rng(seed)
    columns = {}
    for j in range(10):
        numbers = rng.standard_normal(rows)
        numbers[rng.random(rows) < 0.05] = np.nan
        columns[f"n{j}"] = numbers
    for j in range(10):
        codes = rng.integers(0, 8, rows)
        codes[rng.random(rows) < 0.05] = -1
        columns[f"c{j}"] = pd.Categorical.from_codes(codes, list("abcdefgh"))
    return pd.DataFrame(columns)


X, Q = table(ROWS, 0), table(QUERIES, 1)
numeric = [f"n{j}" for j in range(10)]
words = [f"c{j}" for j in range(10)]


def one_hot() -> object:
    """Fill the gaps, write categories as columns of zeros and ones, and ask scikit-learn's brute force."""
    coder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    span = X[numeric].max() - X[numeric].min()
    tables = []
    for frame in (X, Q):
        cells = frame[words].astype(object).fillna("?")
        coded = coder.fit_transform(cells) if frame is X else coder.transform(cells)
        numbers = (frame[numeric] / span).fillna(0.5).to_numpy()
        tables.append(np.hstack([numbers, coded / np.sqrt(2)]))
    return NearestNeighbors(n_neighbors=K, algorithm="brute").fit(tables[0]).kneighbors(tables[1])


seconds, _ = in_turn({"treewright": lambda: nearest(X, Q, K), "one-hot brute": one_hot}, rounds=5)

# HEOM as a Python function, as users write it for scikit-learn: the time of a few queries, multiplied.
codes = np.column_stack([X[c].cat.codes for c in words])
numbers = (X[numeric] / (X[numeric].max() - X[numeric].min())).to_numpy()
rows = np.hstack([numbers, codes])


def heom(a: np.ndarray, b: np.ndarray) -> float:
    """Return the distance of two rows."""
    apart = np.abs(a[:10] - b[:10])
    costs = np.where(np.isnan(apart), 1.0, apart)
    other = (a[10:] != b[10:]) | (a[10:] < 0) | (b[10:] < 0)
    return float(np.sqrt((costs**2).sum() + other.sum()))


start = time.perf_counter()
for query in rows[:SLOW]:
    distances = [heom(query, row) for row in rows[: ROWS // 10]]
per_query = (time.perf_counter() - start) / SLOW * 10
seconds["a metric function"] = [per_query * QUERIES]

report(
    "neighbors_mixed",
    f"mixed {ROWS:,} x (10 + 10), {QUERIES:,} queries",
    seconds,
    {"one-hot brute": 10, "a metric function": 100},
)
