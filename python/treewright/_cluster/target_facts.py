"""The target of a table from the targets of its partitions: classes in one order, numbers in the order of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._cluster.partitions import Partition
from treewright._input.columns import scalar
from treewright._input.target import ClassTarget, NumberTarget
from treewright.errors import DataError
from treewright.schema import Level

__all__ = ["TargetFacts", "convert_target", "join_targets", "merge_targets", "target_facts"]

NUMBERS = frozenset("iuf")


@dataclass(frozen=True, eq=False)
class TargetFacts:
    """What is known of the target, in one partition or in all of them.

    Parameters
    ----------
    name : str or None
        Its name.
    classes : ndarray or None
        The classes, sorted; None for numbers.
    declared : tuple
        The declared categories, in their order.
    order : ndarray or None
        Positions in ``classes`` in the order of the codes.
    totals : tuple of Fraction
        The exact weight of each of the ``classes``; 1 for each row without weights.
    least, most : float
        The smallest and the largest number.
    """

    name: str | None
    classes: NDArray[Any] | None
    declared: tuple[Level, ...] = ()
    order: NDArray[np.int64] | None = None
    totals: tuple[Fraction, ...] = ()
    least: float = float("nan")
    most: float = float("nan")

    @property
    def class_totals(self) -> list[float]:
        """The weight of each class, in the order of the codes."""
        order = [] if self.order is None else self.order.tolist()
        return [float(self.totals[place]) for place in order]

    @property
    def empty(self) -> ClassTarget | NumberTarget:
        """A target without rows: what a fit reads of a target before it reads its rows."""
        if self.classes is None or self.order is None:
            return NumberTarget(self.name, np.zeros(0))
        return ClassTarget(self.name, self.classes, self.order, np.zeros(0, dtype=np.uint32))


def target_facts(part: Partition) -> TargetFacts | None:
    """Return what a partition knows of the target; None if it has no rows."""
    target = part.target
    if target is None:
        return None
    if isinstance(target, NumberTarget):
        values = target.values
        least, most = float(values.min()), float(values.max())
        return TargetFacts(target.name, None, least=least, most=most)
    totals: list[Fraction] = [Fraction(0)] * len(target.sorted)
    for code, place in enumerate(target.order.tolist()):
        rows = target.codes == code
        if part.weights is None:
            totals[place] = Fraction(int(np.count_nonzero(rows)))
        else:
            totals[place] = exact_sum(part.weights[rows])
    return TargetFacts(target.name, target.sorted, part.declared, totals=tuple(totals))


def exact_sum(values: NDArray[np.float64]) -> Fraction:
    """Return the sum of numbers without any rounding, so that sums of parts add up to the sum of all.

    Examples
    --------
    >>> float(exact_sum(np.array([1e16, 1.0, -1e16])))
    1.0
    """
    mantissas, exponents = np.frexp(values)
    digits = np.ldexp(mantissas, 53).astype(np.int64)
    total = Fraction(0)
    for exponent in np.unique(exponents).tolist():
        # A sum of halves of 32 bits cannot overflow.
        own = digits[exponents == exponent]
        part = (int((own >> 32).sum()) << 32) + int((own & 0xFFFFFFFF).sum())
        total += part * Fraction(2) ** (exponent - 53)
    return total


def merge_targets(facts: Sequence[tuple[int, TargetFacts]]) -> TargetFacts:
    """Return what is known of the target in all partitions, each given with its number."""
    first = facts[0][1]
    if first.classes is None:
        least = min(each.least for _, each in facts)
        return replace(first, least=least, most=max(each.most for _, each in facts))
    _refuse_mixed_kinds(facts)
    arrays = [each.classes for _, each in facts if each.classes is not None]
    classes = np.unique(np.concatenate(arrays))
    is_declared = all(each.declared for _, each in facts)
    declared: tuple[Level, ...] = ()
    if is_declared:
        declared = tuple(dict.fromkeys(level for _, each in facts for level in each.declared))
    rank = {level: i for i, level in enumerate(declared)}
    keys = [rank.get(scalar(value), len(rank)) for value in classes]
    order = np.argsort(keys, kind="stable")
    totals = [Fraction(0)] * len(classes)
    for _, each in facts:
        places = np.searchsorted(classes, np.asarray(each.classes))
        for place, total in zip(places.tolist(), each.totals, strict=True):
            totals[place] += total
    return TargetFacts(first.name, classes, declared, order, tuple(totals))


def _refuse_mixed_kinds(facts: Sequence[tuple[int, TargetFacts]]) -> None:
    """Raise an error if some partitions hold text and others numbers, which numpy would make text."""
    kinds = {each.classes.dtype.kind: number for number, each in facts if each.classes is not None}
    if len(kinds) > 1 and not kinds.keys() <= NUMBERS:
        seen = "; ".join(
            f"partition {number}: {scalar(each.classes[0])!r:.60}"
            for number, each in facts
            if each.classes is not None and kinds[each.classes.dtype.kind] == number
        )
        raise DataError(
            f"Unknown label type: the target must be all text, all whole numbers or all booleans ({seen})",
            slug="fit.labels",
        )


def convert_target(part: Partition, facts: TargetFacts) -> NDArray[Any]:
    """Return the target of a partition: codes of the table's classes, or numbers."""
    target = part.target
    if target is None:
        return np.zeros(0, dtype=np.float64 if facts.classes is None else np.uint32)
    if isinstance(target, NumberTarget) or facts.classes is None or facts.order is None:
        assert isinstance(target, NumberTarget)
        return target.values
    place = np.argsort(facts.order, kind="stable").astype(np.uint32)
    codes = place[np.searchsorted(facts.classes, target.sorted[target.order])]
    return np.ascontiguousarray(codes[target.codes])


def join_targets(arrays: Sequence[NDArray[Any]], facts: TargetFacts) -> ClassTarget | NumberTarget:
    """Return the target of all rows."""
    values = np.concatenate(arrays) if arrays else np.zeros(0)
    empty = facts.empty
    if isinstance(empty, ClassTarget):
        return replace(empty, codes=np.ascontiguousarray(values, dtype=np.uint32))
    return replace(empty, values=np.ascontiguousarray(values, dtype=np.float64))
