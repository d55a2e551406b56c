"""The candidate splits that ID3, C4.5 and CART would have in a node, each by its own rules.

The core studies the rows of the node with the recipe of each algorithm: ID3 has a branch for each value, also of
numbers; C4.5 has thresholds, needs two branches of two cases and leaves out rows with a missing value; CART makes two
branches by the Gini index. These rules are not repeated here.

Glossary: a *candidate* is a column with its gain, its split information and whether it has too many values to count in
the average gain.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.target import ClassTarget
from treewright._learners.trees.cart_recipe import cart_recipe
from treewright._learners.trees.tree_recipes import c45_recipe, id3_recipe
from treewright._utils.validation import Recipe, is_number
from treewright.schema import Column, Schema

__all__ = ["ALGORITHMS", "MAX_CELLS", "Candidate", "candidates_of", "default_recipe"]

ALGORITHMS = ("ID3", "C4.5", "CART")
MAX_CELLS = 1 << 21  # for a larger node the comparison would take longer than the node itself
MAX_BRANCHES = 65_533
DIGITS = 11  # gains that are equal to so many digits are tied
NO_SPLIT = 2**32 - 1  # as min_samples_split: the tree stays one leaf

Candidate = tuple[int, float, float, bool]
Columns = list[NDArray[Any]]


def default_recipe(algorithm: str, classes: int = 2, total: float | None = None) -> Recipe:
    """Return the recipe of an algorithm with its default parameters.

    Examples
    --------
    >>> default_recipe("C4.5")["choose"]
    'ratio'
    """
    if algorithm == "ID3":
        return id3_recipe({})
    if algorithm == "C4.5":
        return c45_recipe({}, total)
    target = ClassTarget(None, np.arange(classes), np.arange(classes), np.zeros(1, dtype=np.uint32))
    return cart_recipe({}, Schema(()), target, None)


def candidates_of(
    schema: Schema,
    columns: Columns,
    target: NDArray[Any],
    weights: NDArray[np.float64],
    total: float,
    without: str,
) -> dict[str, list[Candidate]]:
    """Return the candidates of each other algorithm in a node.

    Parameters
    ----------
    schema : Schema
        The schema of the columns.
    columns, target, weights : list of ndarray, ndarray, ndarray
        The rows of the node.
    total : float
        The weight of the training table.
    without : str
        The algorithm of the model itself.
    """
    if not schema.classes or not len(target) or len(target) * len(columns) > MAX_CELLS:
        return {}
    candidates = {}
    for algorithm in ALGORITHMS:
        if algorithm == without:
            continue
        prepare = _one_level_per_value if algorithm == "ID3" else _numbers_again
        prepared = [prepare(c, d) for c, d in zip(schema.columns, columns, strict=True)]
        if any(levels is not None and levels > MAX_BRANCHES for levels, _ in prepared):
            continue
        recipe = default_recipe(algorithm, len(schema.classes), total)
        candidates[algorithm] = _candidates(recipe, prepared, target, len(schema.classes), weights)
    return candidates


def _candidates(
    recipe: Recipe,
    prepared: list[tuple[int | None, NDArray[Any]]],
    target: NDArray[Any],
    classes: int,
    weights: NDArray[np.float64],
) -> list[Candidate]:
    levels, columns = [n for n, _ in prepared], [data for _, data in prepared]
    no_split: Any = {**recipe, "min_samples_split": NO_SPLIT}
    leaf = _core.grow(no_split, levels, columns, target, classes, weights)
    (report,) = _core.study(leaf, [0], recipe, columns, target, classes, weights, 1, 0)
    return [
        (c["feature"], round(c["gain"], DIGITS), round(c["split_info"], DIGITS), c["wide"])
        for c in report["columns"]
        if "gain" in c
    ]


def _one_level_per_value(column: Column, data: NDArray[Any]) -> tuple[int, NDArray[np.uint32]]:
    """Return a column with a level for each value in the node, as ID3 reads it."""
    absent = _is_missing(data)
    values, places = np.unique(data[~absent], return_inverse=True)
    codes = np.full(len(data), _core.MISSING, dtype=np.uint32)
    codes[~absent] = places
    return len(values), codes


def _numbers_again(column: Column, data: NDArray[Any]) -> tuple[int | None, NDArray[Any]]:
    """Return a column as the other algorithms read it: levels of an ID3 model that are numbers become numbers."""
    if column.kind == "numeric":
        return None, data
    if not column.levels or not all(map(is_number, column.levels)):
        return len(column.levels), data
    absent = _is_missing(data)
    numbers = np.full(len(data), np.nan)
    numbers[~absent] = np.array(column.levels, dtype=np.float64)[data[~absent]]
    return None, numbers


def _is_missing(data: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray(np.isnan(data) if data.dtype == np.float64 else data == _core.MISSING)
