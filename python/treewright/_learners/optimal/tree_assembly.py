"""From the result of a search to a node table: class counts or means, thresholds, and the side of missing values.

The core does this itself for classes and unweighted rows of zeros and ones. Here is the rest.

A threshold is in the middle between the neighboring values of the rows of its node, as in CART; the search only fixes
which rows go to which side.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.one_rule import midpoint
from treewright._learners.optimal.candidate_splits import CandidateSplits
from treewright._model.table_builder import TreeBuilder, count_classes, errors_of
from treewright.table import MISSING, Series, Table

__all__ = ["assemble_tree"]

Rows = NDArray[np.int64]
Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Contents:
    """What a node predicts, the weight of its rows, and its cost as a leaf."""

    value: Weights
    weight: float
    cost: float


@dataclass(frozen=True, slots=True)
class _Rule:
    """A split as the node table has it; ``swapped`` if its first child is the right side of the search."""

    missing: int
    threshold: float = math.nan
    route: tuple[int, ...] = ()
    swapped: bool = False


def assemble_tree(
    solution: _core.OptimalTree, candidates: CandidateSplits, data: TrainingData
) -> _core.Forest:
    """Return the tree of a search as a forest of one; the rows must be in ascending order of weight."""
    target = data.target
    weights = np.ones(len(data)) if data.weights is None else data.weights
    contents = (
        _class_contents(target, weights)
        if isinstance(target, ClassTarget)
        else _mean_contents(target, weights)
    )
    feature, cut = solution.feature.tolist(), solution.cut.tolist()
    sides = list(zip(solution.left.tolist(), solution.right.tolist(), strict=True))
    builder = TreeBuilder()

    def push(rows: Rows) -> tuple[int, _Contents]:
        node = contents(rows)
        return builder.push(node.value, node.weight, len(rows), node.cost), node

    rows = np.arange(len(target))
    todo = [(0, rows, *push(rows))]  # a node of the search, its rows, its number and contents
    for node, rows, number, above in todo:
        if feature[node] < 0:
            continue
        source = candidates.source(feature[node])
        right = candidates.goes_right(feature[node], cut[node], rows)
        parts = [rows[~right], rows[right]]
        rule = _rule(_series(data.table, source), candidates.lefts.get(feature[node]), *parts)
        order = (1, 0) if rule.swapped else (0, 1)
        builder.split(
            number, source, 2, threshold=rule.threshold, route=rule.route, missing=rule.missing
        )
        children = [(sides[node][side], parts[side], *push(parts[side])) for side in order]
        builder.set_gain(number, max(above.cost - sum(child[3].cost for child in children), 0.0))
        todo.extend(children)
    return builder.forest(data.schema)


def _series(table: Table, source: int) -> Series:
    """Return one column; of a matrix of numbers without making the others."""
    if table.matrix is None:
        return table.series[source]
    values = table.matrix.array[:, source].astype(np.float64)
    return Series(table.columns[source], "numeric", values)


def _rule(series: Series, left_codes: frozenset[int] | None, left: Rows, right: Rows) -> _Rule:
    """Return the split of a column that sends these rows to the left and to the right."""
    heavier = (
        0 if len(left) >= len(right) else 1
    )  # where a missing value goes that training did not have
    if series.kind == "categorical":
        codes = left_codes or frozenset()
        route = tuple(0 if code in codes else 1 for code in range(len(series.levels)))
        has_missing = bool((series.data == MISSING).any())
        missing = (0 if MISSING in codes else 1) if has_missing else heavier
        return _Rule(missing, route=route)
    low, high = series.data[left], series.data[right]
    low_missing, high_missing = np.isnan(low), np.isnan(high)
    if low_missing.all() or high_missing.all():  # known values against missing ones
        return _Rule(1, threshold=math.inf, swapped=bool(low_missing.all()))
    threshold = midpoint(float(low[~low_missing].max()), float(high[~high_missing].min()))
    missing = 0 if low_missing.any() else 1 if high_missing.any() else heavier
    return _Rule(missing, threshold=threshold)


def _class_contents(target: ClassTarget, weights: Weights) -> Callable[[Rows], _Contents]:
    classes = len(target.levels)

    def contents(rows: Rows) -> _Contents:
        counts = count_classes(target.codes[rows], weights[rows], classes)[0]
        total = float(counts.sum())
        return _Contents(counts / total, total, errors_of(counts))

    return contents


def _mean_contents(target: NumberTarget, weights: Weights) -> Callable[[Rows], _Contents]:
    def contents(rows: Rows) -> _Contents:
        # fsum is exact, so the order of the rows does not matter.
        w, values = weights[rows], target.values[rows]
        total = math.fsum(w.tolist())
        mean = math.fsum((w * values).tolist()) / total
        cost = math.fsum((w * (values - mean) ** 2).tolist())
        return _Contents(np.array([mean]), total, cost)

    return contents
