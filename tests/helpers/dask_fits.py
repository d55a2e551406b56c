"""Fits of the same rows on a Dask cluster and in this process, for every estimator of ``treewright.dask``."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

import treewright
from treewright.files import to_bytes

__all__ = [
    "FEATURES",
    "NUMBERS",
    "PARAMS",
    "cut_frame",
    "fit_both",
    "futures_of",
    "learners_on_dask",
    "make_frame",
    "model_bytes",
    "sha256_of",
]

FEATURES = ["a", "b", "c", "k", "t"]
NUMBERS = ["b", "n"]  # without missing values
PARAMS: dict[str, dict[str, Any]] = {
    "AdaBoostClassifier": {"n_estimators": 5},
    "ExtraTreesClassifier": {"n_estimators": 6},
    "ExtraTreesRegressor": {"n_estimators": 6},
    "RandomForestClassifier": {"n_estimators": 20, "oob_score": True},
    "RandomForestRegressor": {"n_estimators": 6},
    "GradientBoostingClassifier": {"n_estimators": 5, "class_weight": "balanced"},
    "GradientBoostingRegressor": {"n_estimators": 5, "subsample": 0.7},
    "KNeighborsRegressor": {"n_neighbors": "auto"},
}


def learners_on_dask() -> list[str]:
    """Return the names of all estimators of ``treewright.dask``."""
    from treewright import dask as on_dask

    return [name for name in on_dask.__all__ if name != "FitReport"]


def make_frame(rows: int = 600) -> pd.DataFrame:
    """Return a table of every kind of column, with classes, numbers and weights."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=rows).round(2),
            "b": rng.integers(0, 9, rows),
            "c": rng.choice(list("uvwxyz"), rows),
            "k": pd.Categorical(
                rng.choice(["lo", "mid", "hi"], rows), categories=["lo", "mid", "hi"], ordered=True
            ),
            "t": rng.random(rows) < 0.3,
        }
    )
    frame.loc[rng.random(rows) < 0.1, "a"] = np.nan
    frame.loc[rng.random(rows) < 0.1, "c"] = None
    signal = frame["b"] + rng.normal(size=rows)
    frame["class"] = np.where(signal > 4, "yes", "no")
    frame["number"] = signal * 1.5
    frame["weight"] = rng.integers(0, 3, rows).astype(float)
    frame["n"] = rng.normal(size=rows)
    return frame


def cut_frame(frame: pd.DataFrame, parts: int) -> list[pd.DataFrame]:
    """Return uneven parts of a frame, some of them empty if there are many."""
    rng = np.random.default_rng(parts)
    places = np.sort(rng.integers(0, len(frame), parts - 1)).tolist()
    if parts > 4:
        places[1] = places[2]
    ends = [0, *places, len(frame)]
    return [frame.iloc[a:b] for a, b in itertools.pairwise(ends)]


def futures_of(client: Any, parts: list[Any]) -> list[Any]:
    """Return a future for each part."""
    futures: list[Any] = client.map(lambda part: part, parts, pure=False)
    return futures


def model_bytes(model: Any) -> bytes:
    """Return the bytes of a model file."""
    return bytes(model._forest.to_bytes(model._document()))


def sha256_of(model: Any) -> str:
    """Return the SHA-256 of the file that ``save`` would write."""
    return hashlib.sha256(to_bytes(model)).hexdigest()


def fit_both(
    client: Any,
    name: str,
    parts: int,
    *,
    weighted: bool = False,
    features: Sequence[str] = FEATURES,
    rows: int = 600,
    **params: Any,
) -> tuple[Any, Any]:
    """Return the models of a cluster and of a local fit to the same rows."""
    from treewright import dask as on_dask

    frame, params = make_frame(rows), PARAMS.get(name, {}) | params
    target = "class" if name.endswith("Classifier") else "number"
    pieces = futures_of(client, cut_frame(frame, parts))
    columns = [list(features), target, *(["weight"] if weighted else [])]
    data = [client.map(lambda part, c=c: part[c], pieces, pure=False) for c in columns]
    model = getattr(on_dask, name)(**params).fit(*data, client=client)
    local = getattr(treewright, name)(**params).fit(*(frame[c] for c in columns))
    return model, local
