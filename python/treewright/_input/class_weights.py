"""Classes that count unlike each other: weights, priors and costs as their users write them, checked and in order.

Users give a dictionary by class, or a list in the order of ``classes_``; the core wants a list in the order of its
codes.

Glossary: a *factor* multiplies the weight of a class's rows; a *cost* is what an answer costs where a class is true; a
*price* is a factor that steers growing only, so that classes which are costly to miss are missed less.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.target import ClassTarget
from treewright.errors import UsageError
from treewright.schema import Level

__all__ = ["Costs", "cost_matrix", "factors", "prices", "totals"]

Weights = NDArray[np.float64] | None
Costs = tuple[tuple[float, ...], ...]


def totals(target: ClassTarget, weights: Weights) -> list[float]:
    """Return the weight of each class, in the order of the codes; the order of the rows does not matter."""
    classes = len(target.levels)
    if weights is None:
        return [float(count) for count in np.bincount(target.codes, minlength=classes)]
    # Sums that are exact before they are rounded once.
    return [math.fsum(weights[target.codes == code].tolist()) for code in range(classes)]


def factors(class_weight: Any, priors: Any, target: ClassTarget, weights: Weights) -> list[float]:
    """Return the factor of each class; empty where all are 1.

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
    found = totals(target, weights)
    if class_weight is None:
        product = [1.0] * len(found)
    elif isinstance(class_weight, str):
        if class_weight != "balanced":
            _refuse("class_weight", 'None, "balanced" or a weight for each class', class_weight)
        mean = math.fsum(found) / len(found)
        product = [mean / total if total else 1.0 for total in found]
    else:
        product = _each("class_weight", class_weight, target, default=1.0)
    if priors is not None:
        shares = _each("priors", priors, target)
        if not math.isclose(sum(shares), 1.0, abs_tol=1e-6):
            _refuse("priors", f"shares that add up to 1 (these: {sum(shares):g})", priors)
        all_weight = math.fsum(found)
        product = [
            p * share * all_weight / total if total else p
            for p, share, total in zip(product, shares, found, strict=True)
        ]
    return [] if all(p == 1.0 for p in product) else product


def cost_matrix(costs: Any, target: ClassTarget) -> Costs:
    """Return what each answer costs where each class is true, in the order of the codes; empty where none is given.

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
        given = _numbers("costs", costs, (classes, classes))
        matrix = given[np.ix_(target.order, target.order)].tolist()
    for truth, row in enumerate(matrix):
        if row[truth] != 0 or not any(row) or not all(0 <= cost < math.inf for cost in row):
            what = "0 for the right answer, at least 0 for a wrong one, and above 0 for one of them"
            _refuse(f"the costs where {target.levels[truth]!r} is true", what, row)
    return tuple(tuple(float(cost) for cost in row) for row in matrix)


def prices(costs: Costs, shares: list[float]) -> list[float]:
    """Return the price of each class: the sum of its costs, scaled so that the whole weight stays; empty if all are 1.

    ``shares`` are the shares of the classes, factors included.

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
        found = {_place(name, label, target): value for label, value in values.items()}
        if default is None and len(found) < len(target.levels):
            lacking = [level for i, level in enumerate(target.levels) if i not in found]
            _refuse(name, f"a number for each class (none for {lacking[0]!r})", values)
        listed = [found.get(code, default) for code in range(len(target.levels))]
        numbers = _numbers(name, listed, (len(target.levels),))
    else:
        numbers = _numbers(name, values, (len(target.levels),))[target.order]
    if not (np.isfinite(numbers) & (numbers > 0)).all():
        _refuse(name, "finite numbers above 0", values)
    ordered: list[float] = numbers.tolist()
    return ordered


def _cost(row: Any, truth: int, answer: int, target: ClassTarget) -> float:
    usual = float(truth != answer)
    if row is None:
        return usual
    if not isinstance(row, Mapping):
        _refuse(
            "costs",
            "a dictionary of dictionaries, {class: {answer: cost}}, or a list of lists",
            row,
        )
    found = {_place("costs", label, target): cost for label, cost in row.items()}
    return float(_numbers("costs", found.get(answer, usual), ()))


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
