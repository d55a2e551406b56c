"""The tables of the benchmarks, made from a seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["cover_like", "higgs_like"]

SPANS = (360, 66, 2000, 255, 800, 7000, 255, 255, 255, 7000)


def higgs_like(rows: int, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return 28 continuous columns and a score that eleven of them explain in part."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 28)).astype(np.float32)
    score = (
        X[:, 0] * X[:, 1]
        + np.sin(2 * X[:, 2])
        + 0.7 * X[:, 3] ** 2
        - 0.5 * np.abs(X[:, 4])
        + 0.5 * X[:, 5] * (X[:, 6] > 0)
        + 0.3 * X[:, 7:12].sum(axis=1)
        + 0.8 * rng.standard_normal(rows)
    )
    return X, score.astype(np.float64)


def cover_like(rows: int, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return 10 columns of whole numbers and 44 of zeros and ones, and 7 unequal classes."""
    rng = np.random.default_rng(seed)
    whole = np.stack([rng.integers(0, span, rows) for span in SPANS], axis=1)
    X = np.concatenate([whole, rng.random((rows, 44)) < 0.1], axis=1).astype(np.float32)
    score = (
        X[:, 0] / 360
        + np.sin(X[:, 5] / 900)
        + 0.8 * X[:, 10]
        - X[:, 20]
        + X[:, 2] / 1500 * X[:, 30]
        + 0.5 * rng.standard_normal(rows)
    )
    return X, np.searchsorted(np.quantile(score, [0.36, 0.85, 0.91, 0.92, 0.94, 0.97]), score)
