"""Details added to the report on a node: the candidates of other algorithms, or the numbers of a few rows.

Glossary: a *report* is what the core says of a node (see ``_core.study``); its *rows* are the positions of the node's
rows in the table, with their weights in the node.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import LEARNERS
from treewright._learners.trees.other_algorithms import candidates_of
from treewright.schema import Schema

__all__ = ["add_details", "best_cuts"]

MAX_ROWS = 60  # of a node whose deviations are shown one by one

Report = dict[str, Any]


def add_details(
    report: Report,
    estimator: str,
    schema: Schema,
    columns: list[NDArray[Any]],
    target: NDArray[Any],
    total: float,
) -> Report:
    """Add the candidates of other algorithms to a report, or the target numbers if there are few.

    Parameters
    ----------
    report : dict
        The core's report; the rows of the node are removed from it.
    estimator : str
        The class of the model.
    schema, columns, target : Schema, list of ndarray, ndarray
        The table and its target.
    total : float
        The weight of all rows.
    """
    no_rows = (np.zeros(0, dtype=np.uint32), np.zeros(0))
    places, weights = report.pop("rows", no_rows)
    if report["node"]["cost"] <= 0:
        return report
    if schema.classes:
        own = [column[places] for column in columns]
        without = LEARNERS[estimator].algorithm if estimator in LEARNERS else ""
        report["others"] = candidates_of(schema, own, target[places], weights, total, without)
    elif 0 < len(places) <= MAX_ROWS:
        _add_numbers(report, [column[places] for column in columns], target[places], weights)
    return report


def _add_numbers(
    report: Report,
    columns: list[NDArray[Any]],
    target: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> None:
    """Add the target numbers of the node and of each child, as pairs of number and weight."""
    everything = np.ones(len(target), dtype=bool)
    report["node"]["numbers"] = _pairs(target, weights, everything)
    for column in report["columns"]:
        if not column["children"]:
            continue
        child_of, absent = _children(column, columns[column["feature"]])
        column["known"]["numbers"] = _pairs(
            target, weights, ~absent if "unknown" in column else everything
        )
        for child, group in enumerate(column["children"]):
            group["numbers"] = _pairs(target, weights, child_of == child)


def _children(column: Report, data: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the child of each row in the column's split, -1 for none, and which rows have a missing value."""
    if data.dtype == np.float64:
        absent = np.isnan(data)
        child_of = np.where(data <= column["threshold"], 0, 1)
    else:
        absent = data == _core.MISSING
        route = np.array(column["route"], dtype=np.int64)
        child_of = route[np.where(absent, 0, data)]
    missing = -1 if "unknown" in column else column.get("missing", -1)
    return np.where(absent, missing, child_of), absent


def _pairs(
    target: NDArray[np.float64], weights: NDArray[np.float64], which: NDArray[np.bool_]
) -> list[tuple[float, float]]:
    numbers, places = np.unique(target[which], return_inverse=True)
    amounts = np.bincount(places, weights=weights[which], minlength=len(numbers))
    return list(zip(numbers.tolist(), amounts.tolist(), strict=True))


def best_cuts(cuts: Sequence[Any], number: int) -> tuple[list[Any], list[int]]:
    """Return the cuts that save most, by value, and their positions; a cut is (below, above, threshold, gain).

    Examples
    --------
    >>> best_cuts([(1.0, 2.0, 1.5, 0.1), (2.0, 3.0, 2.5, 0.3)], 1)
    ([(2.0, 3.0, 2.5, 0.3)], [1])
    """
    best = sorted(range(len(cuts)), key=lambda i: (-cuts[i][3], cuts[i][0]))[:number]
    places = sorted(best, key=lambda i: cuts[i][0])
    return [cuts[i] for i in places], places
