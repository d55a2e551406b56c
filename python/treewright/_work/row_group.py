"""A set of rows with its impurity and the terms of that sum: a node, a branch, one side of a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewright._work.criteria import Criterion, Unit
from treewright.schema import Level

__all__ = ["Group", "Term"]


@dataclass(frozen=True, slots=True)
class Term:
    """One term of an impurity."""

    of: Level  # the class, or the value of the target
    amount: float  # its weight, and the weight of the set
    total: float
    # The term of the criterion, such as p² for the Gini index; weight times squared deviation for variance.
    value: float
    deviation: float | None = None  # of a variance: the value minus the mean

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        record = {"of": self.of, "weight": self.amount, "total": self.total, "value": self.value}
        return record if self.deviation is None else record | {"deviation": self.deviation}


@dataclass(frozen=True, slots=True)
class Group:
    """A set of rows: a node, a branch, the rows whose value is missing."""

    levels: tuple[Level, ...] | None  # the categories of the branch
    bound: tuple[str, float] | None  # the comparison of the branch: ``("<=", 75.0)``
    missing: bool  # whether missing values go here
    count: int  # rows and their weight
    weight: float
    # The weight of each class; empty for a numeric target.
    amounts: tuple[float, ...]
    mean: float | None  # of a numeric target
    impurity: float
    # The values of a numeric target with their weights, ascending; only for few available rows.
    numbers: tuple[tuple[float, float], ...] = ()

    def terms(
        self,
        criterion: Criterion,
        unit: Unit,
        classes: Sequence[Level] = (),
        order: Sequence[int] = (),
    ) -> tuple[Term, ...]:
        """Return the terms of the impurity, without those that are 0, in an order of the classes."""
        if criterion.term is None:
            mean = self.mean or 0.0
            return tuple(
                Term(y, w, self.weight, w * (y - mean) ** 2, y - mean) for y, w in self.numbers
            )
        places = [i for i in (order or range(len(self.amounts))) if self.amounts[i] > 0]
        scale = criterion.scale(unit)
        return tuple(
            Term(
                classes[i],
                self.amounts[i],
                self.weight,
                criterion.term(self.amounts[i] / self.weight) * scale + 0.0,
            )
            for i in places
        )

    def to_dict(self, criterion: Criterion, unit: Unit, classes: Sequence[Level]) -> dict[str, Any]:
        """Return the numbers as plain values."""
        record: dict[str, Any] = {
            "rows": self.count,
            "weight": self.weight,
            "impurity": self.impurity,
        }
        if self.amounts:
            record["class_weights"] = list(self.amounts)
        if self.mean is not None:
            record["mean"] = self.mean
        if self.amounts or self.numbers:
            record["terms"] = [term.to_dict() for term in self.terms(criterion, unit, classes)]
        return record

    def way(self) -> dict[str, Any]:
        """Return the condition of the branch as plain values."""
        record: dict[str, Any] = {"missing": self.missing}
        if self.levels is not None:
            record["in"] = list(self.levels)
        if self.bound is not None:
            record[{"<=": "at_most", ">": "above"}[self.bound[0]]] = self.bound[1]
        return record
