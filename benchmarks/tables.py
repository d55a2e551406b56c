"""The tables of the benchmarks, made from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["cover_like", "higgs_like", "with_categories"]

SPANS = (360, 66, 2000, 255, 800, 7000, 255, 255, 255, 7000)


def higgs_like(rows: int, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return 28 continuous columns and a score that depends on twelve of them and on noise."""
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
    """Return 10 columns of integers, 44 columns of zeros and ones, and 7 classes of different sizes."""
    rng = np.random.default_rng(seed)
    integers = np.stack([rng.integers(0, span, rows) for span in SPANS], axis=1)
    X = np.concatenate([integers, rng.random((rows, 44)) < 0.1], axis=1).astype(np.float32)
    score = (
        X[:, 0] / 360
        + np.sin(X[:, 5] / 900)
        + 0.8 * X[:, 10]
        - X[:, 20]
        + X[:, 2] / 1500 * X[:, 30]
        + 0.5 * rng.standard_normal(rows)
    )
    return X, np.searchsorted(np.quantile(score, [0.36, 0.85, 0.91, 0.92, 0.94, 0.97]), score)


def with_categories(rows: int, seed: int = 0) -> tuple[Any, NDArray[np.float32], NDArray[np.int64]]:
    """Return 8 numeric and 8 categorical columns as a data frame, the same one-hot encoded, and 2 classes."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    numbers = rng.standard_normal((rows, 8)).astype(np.float32)
    counts = (2, 3, 5, 8, 12, 20, 30, 40)
    codes = np.stack([rng.integers(0, count, rows) for count in counts], axis=1)
    effects = [rng.standard_normal(count) for count in counts]
    score = numbers[:, 0] * numbers[:, 1] + np.sin(2 * numbers[:, 2]) + rng.standard_normal(rows)
    score += 0.5 * sum(effect[codes[:, i]] for i, effect in enumerate(effects))
    frame = pd.DataFrame(numbers, columns=[f"x{i}" for i in range(8)])
    for i, count in enumerate(counts):
        frame[f"c{i}"] = pd.Categorical.from_codes(codes[:, i], [f"v{j:02}" for j in range(count)])
    wide = np.concatenate(
        [numbers, *(np.eye(n, dtype=np.float32)[codes[:, i]] for i, n in enumerate(counts))], axis=1
    )
    return frame, wide, (score > np.median(score)).astype(np.int64)
