"""Cases with their predictions that a page checks itself with before it predicts anything.

They lie where a page could go wrong: at the thresholds and next to them, with missing values and unseen categories,
and at random. They are values of single columns put together, never rows of the data.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.schema import Column, label
from treewright.table import MISSING

__all__ = ["check_cases", "write_cells"]

N_CASES = 64
AT_THRESHOLDS, WITH_MISSING, WITH_UNSEEN = 24, 12, 8  # the others are random
SEED = 20


def check_cases(model: Any, n_cases: int = N_CASES) -> dict[str, Any]:
    """Return cases as the page holds them, and what the model predicts: probabilities, or one number.

    A cell is a number, the name of a category, or None for a missing value.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets
    >>> check = check_cases(ID3Classifier().fit(*datasets.play_tennis()), 8)
    >>> len(check["cells"]), check["expected"][0]
    (8, [1.0, 0.0])
    """
    schema, forest = model.schema_, model._output_forest()
    random = np.random.default_rng(SEED)
    cuts = _cuts(forest, len(schema.columns))
    columns = [_values(column, cuts[i], random, n_cases) for i, column in enumerate(schema.columns)]
    _place_special(columns, schema.columns, random, n_cases)
    predictions = forest.predict(columns)
    cells = [
        write_cells(column, data) for column, data in zip(schema.columns, columns, strict=True)
    ]
    return {
        "cells": [list(row) for row in zip(*cells, strict=True)],
        "expected": predictions.tolist(),
    }


def _cuts(forest: Any, n_columns: int) -> list[NDArray[np.float64]]:
    """Return the thresholds of each column, ascending."""
    thresholds: list[set[float]] = [set() for _ in range(n_columns)]
    for i in range(forest.n_trees):
        tree = forest.tree(i)
        inner = np.flatnonzero(tree.n_children)
        pairs = zip(tree.feature[inner].tolist(), tree.threshold[inner].tolist(), strict=True)
        for feature, cut in pairs:
            if math.isfinite(cut):
                thresholds[feature].add(cut)
    return [np.array(sorted(cuts)) for cuts in thresholds]


def _values(
    column: Column, cuts: NDArray[np.float64], random: np.random.Generator, n: int
) -> NDArray[Any]:
    """Return values of a column: categories, or numbers at thresholds, next to them and between them."""
    if column.kind == "categorical":
        return random.integers(0, max(1, len(column.levels)), n).astype(np.uint32)
    if not len(cuts):
        return random.integers(0, max(2, len(column.order)), n).astype(np.float64)
    at = cuts[random.integers(0, len(cuts), n)]
    width = (cuts[-1] - cuts[0]) or max(1.0, abs(float(cuts[0])))
    between = cuts[0] + width * random.uniform(-0.2, 1.2, n)
    next_to = np.choose(
        random.integers(0, 3, n), [np.nextafter(at, -np.inf), at, np.nextafter(at, np.inf)]
    )
    return np.where(np.arange(n) < AT_THRESHOLDS, next_to, between)


def _place_special(
    columns: list[NDArray[Any]],
    about: tuple[Column, ...],
    random: np.random.Generator,
    n: int,
) -> None:
    """Put missing values and unseen categories into some of the cases."""
    categorical = [
        i for i, column in enumerate(about) if column.kind == "categorical" and not column.other
    ]
    for case in range(AT_THRESHOLDS, min(n, AT_THRESHOLDS + WITH_MISSING)):
        for i in random.choice(len(columns), size=1 + case % 3):
            columns[i][case] = MISSING if about[i].kind == "categorical" else np.nan
    first = AT_THRESHOLDS + WITH_MISSING
    for case in range(first, min(n, first + WITH_UNSEEN) if categorical else first):
        columns[categorical[int(random.integers(len(categorical)))]][case] = _core.UNSEEN


def write_cells(column: Column, data: NDArray[Any]) -> list[Any]:
    """Return coded values as the page holds them.

    Examples
    --------
    >>> write_cells(Column("wind", "categorical", ("weak",)), np.array([0, _core.UNSEEN], dtype=np.uint32))
    ['weak', 'unseen']
    """
    if column.kind == "numeric":
        return [None if math.isnan(x) else int(x) if x.is_integer() else x for x in data.tolist()]
    names = [label(level) for level in column.levels]
    unseen = "unseen"
    while unseen in names:
        unseen += "?"
    return [
        None if code == MISSING else names[code] if code < len(names) else unseen
        for code in data.tolist()
    ]
