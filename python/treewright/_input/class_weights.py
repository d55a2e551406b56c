"""Class weights, priors and misclassification costs, checked and in the order of the core's codes.

Users give a dictionary by class, or a list in the order of ``classes_``.

Glossary: a *factor* multiplies the weight of a class's rows. A *cost* is that of a prediction, given the true class. A
*price* is a factor that is used for growing only, so that classes which are costly to miss are missed less.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.counted_target import CountedClasses
from treewright._input.target import ClassTarget
from treewright.errors import UsageError
from treewright.schema import Level

__all__ = ["Costs", "cost_matrix", "factors", "keep_class_shares", "prices", "totals", "weigh_rows"]

Weights = NDArray[np.float64] | None
Costs = tuple[tuple[float, ...], ...]


def totals(target: ClassTarget, weights: Weights) -> list[float]:
    """Return the weight of each class, in the order of the codes; the order of rows does not matter."""
    if isinstance(target, CountedClasses):
        return list(target.class_totals)
    classes = len(target.levels)
    if weights is None:
        return [float(count) for count in np.bincount(target.codes, minlength=classes)]
    # fsum: exact sums, rounded once.
    return [math.fsum(weights[target.codes == code].tolist()) for code in range(classes)]


def factors(
    class_weight: Any,
    priors: Any,
    target: ClassTarget,
    weights: Weights,
    class_totals: list[float] | None = None,
) -> list[float]:
    """Return the factor of each class; empty if all are 1. ``class_totals`` is what the classes weigh, if it is known.

    Examples
    --------
    >>> target = ClassTarget.of(["a", "a", "a", "b"])
    >>> factors("balanced", None, target, None)
    [0.6666666666666666, 2.0]
    >>> factors(None, {"a": 0.5, "b": 0.5}, target, None)
    [0.6666666666666666, 2.0]
    """
    if class_weight is None and priors is None:
        return []
    if class_totals is None:
        class_totals = totals(target, weights)
    if class_weight is None:
        product = [1.0] * len(class_totals)
    elif isinstance(class_weight, str):
        if class_weight != "balanced":
            _refuse("class_weight", 'None, "balanced" or a weight for each class', class_weight)
        mean = math.fsum(class_totals) / len(class_totals)
        product = [mean / total if total else 1.0 for total in class_totals]
    else:
        product = _each("class_weight", class_weight, target, default=1.0)
    if priors is not None:
        shares = _each("priors", priors, target)
        if not math.isclose(sum(shares), 1.0, abs_tol=1e-6):
            _refuse("priors", f"shares that add up to 1 (these: {sum(shares):g})", priors)
        all_weight = math.fsum(class_totals)
        product = [
            p * share * all_weight / total if total else p
            for p, share, total in zip(product, shares, class_totals, strict=True)
        ]
    return [] if all(p == 1.0 for p in product) else product


def weigh_rows(class_weight: Any, target: ClassTarget, weights: Weights) -> Weights:
    """Return the weights of rows, each multiplied by the weight of its class.

    Examples
    --------
    >>> weigh_rows({"b": 3}, ClassTarget.of(["a", "b"]), None).tolist()
    [1.0, 3.0]
    """
    by_class = factors(class_weight, None, target, weights)
    if not by_class:
        return weights
    by_row = np.array(by_class)[target.codes]
    return by_row if weights is None else weights * by_row


def keep_class_shares(
    before: NDArray[np.float64], after: NDArray[np.float64], codes: NDArray[Any]
) -> NDArray[np.float64]:
    """Return new weights, scaled so that each class has the total weight that it had before.

    Examples
    --------
    >>> keep_class_shares(np.array([1.0, 1.0, 2.0]), np.array([1.0, 3.0, 6.0]), np.array([0, 0, 1])).tolist()
    [0.5, 1.5, 2.0]
    """
    scaled = after.copy()
    for code in np.unique(codes):
        rows = codes == code
        # Exact sums: the order of the rows does not matter.
        scaled[rows] *= math.fsum(before[rows]) / math.fsum(after[rows])
    return scaled


def cost_matrix(costs: Any, target: ClassTarget) -> Costs:
    """Return the cost of each prediction for each true class, in the order of the codes; empty without costs.

    Examples
    --------
    >>> target = ClassTarget.of(["no", "yes"])
    >>> cost_matrix({"yes": {"no": 5}}, target)
    ((0.0, 1.0), (5.0, 0.0))
    >>> cost_matrix([[0, 1], [5, 0]], target)
    ((0.0, 1.0), (5.0, 0.0))
    """
    if costs is None:
        return ()
    classes = len(target.levels)
    if isinstance(costs, Mapping):
        rows = {_place("costs", truth, target): row for truth, row in costs.items()}
        matrix = [
            [_cost(rows.get(truth), truth, answer, target) for answer in range(classes)]
            for truth in range(classes)
        ]
    else:
        numbers = _numbers("costs", costs, (classes, classes))
        matrix = numbers[np.ix_(target.order, target.order)].tolist()
    for truth, row in enumerate(matrix):
        if row[truth] != 0 or not any(row) or not all(0 <= cost < math.inf for cost in row):
            what = "0 for the correct class, at least 0 for the others, and above 0 for one of them"
            _refuse(f"the costs where {target.levels[truth]!r} is true", what, row)
    return tuple(tuple(float(cost) for cost in row) for row in matrix)


def prices(costs: Costs, shares: list[float]) -> list[float]:
    """Return the price of each class: the sum of its costs, scaled to keep the total weight; empty if all are 1.

    ``shares`` are the fractions of the classes, factors included.

    Examples
    --------
    >>> prices(((0.0, 1.0), (5.0, 0.0)), [0.5, 0.5])
    [0.3333333333333333, 1.6666666666666667]
    """
    sums = [math.fsum(row) for row in costs]
    if len(set(sums)) <= 1:
        return []
    mean = math.fsum(share * cost for share, cost in zip(shares, sums, strict=True)) / math.fsum(
        shares
    )
    return [cost / mean for cost in sums]


def _each(name: str, values: Any, target: ClassTarget, default: float | None = None) -> list[float]:
    """Return a positive number for each class, in the order of the codes."""
    if isinstance(values, Mapping):
        by_code = {_place(name, label, target): value for label, value in values.items()}
        if default is None and len(by_code) < len(target.levels):
            lacking = [level for i, level in enumerate(target.levels) if i not in by_code]
            _refuse(name, f"a number for each class (none for {lacking[0]!r})", values)
        listed = [by_code.get(code, default) for code in range(len(target.levels))]
        numbers = _numbers(name, listed, (len(target.levels),))
    else:
        numbers = _numbers(name, values, (len(target.levels),))[target.order]
    if not (np.isfinite(numbers) & (numbers > 0)).all():
        _refuse(name, "finite numbers above 0", values)
    ordered: list[float] = numbers.tolist()
    return ordered


def _cost(row: Any, truth: int, answer: int, target: ClassTarget) -> float:
    default = float(truth != answer)
    if row is None:
        return default
    if not isinstance(row, Mapping):
        _refuse(
            "costs",
            "a dictionary of dictionaries, {class: {answer: cost}}, or a list of lists",
            row,
        )
    by_code = {_place("costs", label, target): cost for label, cost in row.items()}
    return float(_numbers("costs", by_code.get(answer, default), ()))


def _place(name: str, label: Any, target: ClassTarget) -> int:
    levels: tuple[Level, ...] = target.levels
    if label not in levels:
        known = ", ".join(repr(level) for level in levels[:8])
        raise UsageError(
            f"{name} names the class {label!r}, which the target does not have",
            slug="usage.parameter",
            hints=[f"classes: {known}{', ...' if len(levels) > 8 else ''}"],
        )
    return levels.index(label)


def _numbers(name: str, values: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != shape:
        size = " x ".join(map(str, shape)) or "one"
        _refuse(name, f"{size} number(s), in the order of classes_", values)
    return numbers


def _refuse(name: str, what: str, got: Any) -> None:
    raise UsageError(f"{name} must be {what}; got {got!r}", slug="usage.parameter")
