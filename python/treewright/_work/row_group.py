"""A set of rows and the sum that its impurity is: a node, a child, one side of a cut.

Figures are exact and per unit of weight; entropies are in the unit that was asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewright._work.criteria import Criterion, Unit
from treewright.schema import Level

__all__ = ["Group", "Term"]


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the sum that an impurity is.

    Parameters
    ----------
    of : class or float
        The class, or the number to predict.
    amount, total : float
        Its weight, and that of the set.
    value : float
        What it contributes: of an entropy -p log p, of Gini's index p², of a variance the weight times the squared
        deviation.
    deviation : float or None, default=None
        Of a variance: the number less the mean.
    """

    of: Level
    amount: float
    total: float
    value: float
    deviation: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        record = {"of": self.of, "weight": self.amount, "total": self.total, "value": self.value}
        return record if self.deviation is None else record | {"deviation": self.deviation}


@dataclass(frozen=True, slots=True)
class Group:
    """A set of rows: a node, a child, the rows that a question cannot be asked.

    Parameters
    ----------
    levels : tuple or None
        The categories that lead here.
    bound : tuple of (str, float) or None
        The comparison that leads here: ``("<=", 75.0)``.
    missing : bool
        Whether missing values come here.
    count, weight : int, float
        Rows and their weight.
    amounts : tuple of float
        The weight of each class, in the order of the classes; empty where a number is predicted.
    mean : float or None
        The mean, where a number is predicted.
    impurity : float
        Entropy, Gini index or variance.
    numbers : tuple of (float, float), default=()
        The numbers to predict with their weights, ascending; only of few rows that are at hand.
    """

    levels: tuple[Level, ...] | None
    bound: tuple[str, float] | None
    missing: bool
    count: int
    weight: float
    amounts: tuple[float, ...]
    mean: float | None
    impurity: float
    numbers: tuple[tuple[float, float], ...] = ()

    def terms(
        self,
        criterion: Criterion,
        unit: Unit,
        classes: Sequence[Level] = (),
        order: Sequence[int] = (),
    ) -> tuple[Term, ...]:
        """Return the terms of the sum that the impurity is, those of 0 left out.

        Parameters
        ----------
        criterion, unit : Criterion, Unit
            What is calculated, and in which unit.
        classes : sequence
            The classes.
        order : sequence of int
            The order in which they are written; their own where not given.
        """
        if criterion.key == "variance":
            mean = self.mean or 0.0
            return tuple(
                Term(y, w, self.weight, w * (y - mean) ** 2, y - mean) for y, w in self.numbers
            )
        places = [i for i in (order or range(len(self.amounts))) if self.amounts[i] > 0]
        shares = [self.amounts[i] / self.weight for i in places]
        if criterion.key == "gini":
            values = [p * p for p in shares]
        else:
            values = [-p * math.log2(p) * unit.per_bit + 0.0 for p in shares]
        return tuple(
            Term(classes[i], self.amounts[i], self.weight, value)
            for i, value in zip(places, values, strict=True)
        )

    def to_dict(self, criterion: Criterion, unit: Unit, classes: Sequence[Level]) -> dict[str, Any]:
        """Return the figures as plain values."""
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
        """Return what leads here as plain values."""
        record: dict[str, Any] = {"missing": self.missing}
        if self.levels is not None:
            record["in"] = list(self.levels)
        if self.bound is not None:
            record[{"<=": "at_most", ">": "above"}[self.bound[0]]] = self.bound[1]
        return record
