"""Exact nearest neighbors, k = 10, index and queries: few columns against pykdtree, many columns against faiss."""

from collections.abc import Callable
from typing import Any

import faiss
import numpy as np
from pykdtree.kdtree import KDTree
from sklearn.neighbors import NearestNeighbors
from timing import in_turn, report

from treewright import nearest

K = 10
Rows = np.ndarray[Any, np.dtype[np.float32]]


def normal(rows: int, queries: int, columns: int) -> tuple[Rows, Rows]:
    """Return rows and queries of standard normal numbers."""
    rng = np.random.default_rng(columns)
    every = rng.standard_normal((rows + queries, columns)).astype(np.float32)
    return every[:rows], every[rows:]


def flat(X: Rows, Q: Rows) -> Any:
    """Ask faiss's exact index."""
    index = faiss.IndexFlatL2(X.shape[1])
    index.add(X)
    return index.search(Q, K)[1]


def agreement(ours: Any, other: Any) -> float:
    """Return the share of queries with the same ten rows; peers that round may exchange near ties."""
    return float(np.mean(np.sort(ours.rows, axis=1) == np.sort(other, axis=1)))


def task(
    name: str, sizes: tuple[int, int, int], peer: str, work: Callable[..., Any], floor: float
) -> None:
    """Run one size."""
    X, Q = normal(*sizes)
    contenders = {"treewright": lambda: nearest(X, Q, K), peer: lambda: work(X, Q)}
    seconds, fitted = in_turn(contenders, rounds=5)
    rows, queries, columns = sizes
    report(
        name,
        f"{rows:,} x {columns}, {queries:,} queries",
        seconds,
        {peer: floor},
        same=agreement(fitted["treewright"], fitted[peer]),
    )


def tree(X: Rows, Q: Rows) -> Any:
    """Ask pykdtree."""
    return KDTree(X).query(Q, k=K)[1]


def brute(X: Rows, Q: Rows) -> Any:
    """Ask scikit-learn's brute force."""
    return NearestNeighbors(n_neighbors=K, algorithm="brute").fit(X).kneighbors(Q)[1]


if __name__ == "__main__":
    task("neighbors_3", (1_000_000, 100_000, 3), "pykdtree", tree, 5)
    task("neighbors_8", (200_000, 20_000, 8), "pykdtree", tree, 6.5)
    task("neighbors_16", (100_000, 5_000, 16), "faiss", flat, 6)
    task("neighbors_64", (50_000, 5_000, 64), "faiss", flat, 6)
