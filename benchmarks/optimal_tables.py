"""Tables of the benchmarks of optimal trees.

The tables of zeros and ones are those of papers on optimal trees. They are not in the repository: ``TREEWRIGHT_BINARY``
names their folder (one text file each: the class, then zeros and ones). ``TREEWRIGHT_REGRESSION`` names a folder with
abalone.csv and cpu.csv. Without them, tables with a seed stand in.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine, make_friedman1

__all__ = ["binary_tables", "number_tables", "regression_tables"]

CUTS = 10  # of each column of numbers, for programs that read zeros and ones

Tables = dict[str, tuple[NDArray[Any], NDArray[Any]]]


def binary_tables() -> Tables:
    """Return tables of zeros and ones with two classes."""
    folder = os.environ.get("TREEWRIGHT_BINARY")
    if folder:
        loaded = {path.stem: np.loadtxt(path) for path in sorted(Path(folder).glob("*.txt"))}
        return {name: (cells[:, 1:], cells[:, 0].astype(int)) for name, cells in loaded.items()}
    print("left out: TREEWRIGHT_BINARY does not name the folder of the tables")
    rng = np.random.default_rng(0)
    X = (rng.random((800, 50)) < rng.random(50)).astype(np.float64)
    score = X[:, 0] + X[:, 1] * X[:, 2] + X[:, 3] * (1 - X[:, 4]) + rng.normal(size=800)
    return {"random": (X, (score > 1).astype(int))}


def number_tables() -> Tables:
    """Return tables of numbers with two classes."""
    tables: Tables = {}
    for name, load in {"wine": load_wine, "breast-cancer": load_breast_cancer}.items():
        X, y = load(return_X_y=True)
        tables[name] = (X, (y > 0).astype(int))
    rng = np.random.default_rng(1)
    X = rng.normal(size=(1500, 5))
    tables["product"] = (X, (X[:, 0] * X[:, 1] + X[:, 2] > 0.3 * rng.normal(size=1500)).astype(int))
    X = np.round(rng.normal(size=(4000, 5)), 2)
    noise = rng.normal(size=4000)
    tables["ring"] = (X, (X[:, 0] ** 2 + X[:, 1] ** 2 + 0.2 * noise > 1.4).astype(int))
    return tables


def regression_tables() -> Tables:
    """Return tables of zeros and ones with numbers to predict."""
    tables = {"diabetes": load_diabetes(return_X_y=True)}
    tables["friedman"] = make_friedman1(1500, 10, noise=1.0, random_state=0)
    folder = os.environ.get("TREEWRIGHT_REGRESSION")
    if not folder:
        print("left out: TREEWRIGHT_REGRESSION does not name the folder of abalone.csv and cpu.csv")
    for name in ("abalone", "cpu") if folder else ():
        tables[name] = _read_numbers(Path(folder or "") / f"{name}.csv")
    return {name: (_cut(X), y) for name, (X, y) in tables.items()}


def _read_numbers(path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the columns of a file, text as codes; the last one is the target."""
    with path.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    columns = []
    for cells in zip(*rows, strict=True):
        try:
            columns.append(np.array(cells, dtype=np.float64))
        except ValueError:
            columns.append(np.unique(cells, return_inverse=True)[1].astype(np.float64))
    *features, target = columns
    return np.column_stack(features), target


def _cut(X: NDArray[Any]) -> NDArray[np.float64]:
    """Return a column of zeros and ones for some thresholds of each column."""
    shares = np.arange(1, CUTS + 1) / (CUTS + 1)
    bits = [
        column > cut
        for column in X.T
        for cut in np.unique(np.quantile(column, shares))
        if (column > cut).any()
    ]
    return np.column_stack(bits).astype(np.float64)
