"""The rule of a single column, among which 1-R takes the best.

A rule divides the rows into parts and predicts the most frequent class of each. The parts of a categorical column are
its levels. Those of a numeric column are *buckets*: runs of neighboring values, divided at midpoints. Missing values
are a part of their own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.target import ClassTarget
from treewright._model.table_builder import Counts, TreeBuilder, count_classes, errors_of
from treewright.table import Series

__all__ = ["Rule", "midpoint", "rule_of", "rules_from_json", "rules_to_json"]

ABOVE_ALL = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Rule:
    """The parts of a column: the weight of each class in each part, and how many rows it has."""

    counts: Counts
    rows: NDArray[np.int64]
    cuts: list[float] | None = None  # one between any two buckets; None for levels
    missing: tuple[Counts, int] | None = None

    @property
    def errors(self) -> float:
        """The weight of the rows that the rule predicts wrongly."""
        parts = self.counts.sum(axis=1) - self.counts.max(axis=1)
        return math.fsum([*parts, errors_of(self.missing[0]) if self.missing else 0.0])

    def add_splits(self, builder: TreeBuilder, feature: int, total: Counts) -> None:
        """Add the splits of the rule below the root of a tree, if it has more than one part."""
        if len(self.counts) + bool(self.missing) < 2 or not len(self.counts):
            return
        if self.cuts is None:
            self._add_split(
                builder, 0, feature, total, list(zip(self.counts, self.rows, strict=True))
            )
        elif self.cuts:
            self._add_cuts(builder, feature, total)
        else:
            # One bucket and missing values: a cut above all values separates them.
            empty = np.zeros_like(self.counts)
            two_buckets = replace(
                self,
                counts=np.vstack([self.counts, empty]),
                rows=np.append(self.rows, 0),
                cuts=[ABOVE_ALL],
            )
            two_buckets._add_cuts(builder, feature, total)

    def _add_cuts(self, builder: TreeBuilder, feature: int, total: Counts) -> None:
        """Add the middle cut first and so on: many cuts must not make a deep tree."""
        cuts = self.cuts or []
        todo = [(0, 0, len(self.counts), total)]
        while todo:
            node, start, end, above = todo.pop()
            if end - start < 2:
                continue
            middle = (start + end) // 2
            spans = [(start, middle), (middle, end)]
            parts = [(self.counts[a:b].sum(axis=0), int(self.rows[a:b].sum())) for a, b in spans]
            first = self._add_split(builder, node, feature, above, parts, cuts[middle - 1])
            todo.extend((first + i, *spans[i], parts[i][0]) for i in (1, 0))

    def _add_split(
        self,
        builder: TreeBuilder,
        node: int,
        feature: int,
        above: Counts,
        parts: list[tuple[Counts, Any]],
        cut: float = math.nan,
    ) -> int:
        own = self.missing if node == 0 else None
        children = [*parts, own] if own else parts
        saved = errors_of(above) - math.fsum(errors_of(counts) for counts, _ in children)
        builder.split(
            node,
            feature,
            len(children),
            threshold=cut,
            route=range(len(parts)) if self.cuts is None else (),
            missing=len(parts) if own else _core.STOP,
            gain=max(saved, 0.0),
        )
        pushed = [builder.push_class(counts, int(rows), above) for counts, rows in children]
        return pushed[0]


MAX_CELLS = 4096  # class weights of all rules together in a file


def rules_to_json(rules: list[Rule]) -> list[dict[str, Any]] | None:
    """Return rules as a file holds them; None if they are too large for that."""
    if sum(rule.counts.size for rule in rules) > MAX_CELLS:
        return None
    return [
        {
            "counts": rule.counts.tolist(),
            "rows": rule.rows.tolist(),
            "cuts": rule.cuts,
            "missing": None
            if rule.missing is None
            else [rule.missing[0].tolist(), rule.missing[1]],
        }
        for rule in rules
    ]


def rules_from_json(rules: Any, columns: int, classes: int) -> list[Rule] | None:
    """Return the rules in a file, one for each column; every part is checked.

    Examples
    --------
    >>> rules_from_json([{"counts": [[2, 1]], "rows": [3], "cuts": None, "missing": None}], 1, 2)[0].errors
    1.0
    """
    if rules is None:
        return None
    if not isinstance(rules, list) or len(rules) != columns:
        raise ValueError("its rules are not those of its columns")
    return [_rule_from_json(rule, classes) for rule in rules]


def _rule_from_json(rule: Any, classes: int) -> Rule:
    counts = np.array(rule["counts"], dtype=np.float64).reshape(-1, classes)
    rows = np.array(rule["rows"], dtype=np.int64)
    cuts, missing = rule["cuts"], rule["missing"]
    if rows.shape != (len(counts),) or (cuts is not None and len(cuts) != max(0, len(counts) - 1)):
        raise ValueError("the parts of a rule do not fit together")
    weights = [counts.ravel()]
    absent = None
    if missing is not None:
        absent = (np.array(missing[0], dtype=np.float64).reshape(classes), int(missing[1]))
        weights.append(absent[0])
    if not all(np.isfinite(w).all() and (w >= 0).all() for w in weights):
        raise ValueError("a rule has weights that are not finite or negative")
    return Rule(counts, rows, None if cuts is None else [float(cut) for cut in cuts], absent)


def rule_of(series: Series, target: ClassTarget, weights: Counts, min_bucket: int) -> Rule:
    """Return the rule of one column; a bucket may end once its most frequent class weighs `min_bucket`."""
    classes = len(target.levels)
    absent = series.missing()
    data, codes, w = series.data[~absent], target.codes[~absent], weights[~absent]
    if series.kind == "categorical":
        rows = np.bincount(data, minlength=len(series.levels))
        rule = Rule(count_classes(codes, w, classes, data, len(series.levels)), rows)
    else:
        rule = _buckets(data, codes, w, classes, min_bucket)
    if not absent.any():
        return rule
    missing = count_classes(target.codes[absent], weights[absent], classes)[0]
    return replace(rule, missing=(missing, int(absent.sum())))


def _buckets(
    values: Counts, codes: NDArray[np.uint32], weights: Counts, classes: int, min_bucket: int
) -> Rule:
    distinct, place = np.unique(values, return_inverse=True)
    ends = np.array(_ends(place, codes, weights, classes, min_bucket), dtype=np.int64)
    bucket = np.searchsorted(ends, place)
    # Neighboring buckets with the same prediction are merged.
    majority = count_classes(codes, weights, classes, bucket, len(ends)).argmax(axis=1)
    ends = ends[np.append(majority[1:] != majority[:-1], True)[: len(ends)]]
    bucket = np.searchsorted(ends, place)
    counts = count_classes(codes, weights, classes, bucket, len(ends))
    cuts = [midpoint(float(distinct[e]), float(distinct[e + 1])) for e in ends[:-1]]
    return Rule(counts, np.bincount(bucket, minlength=len(ends)), cuts)


def _ends(
    place: NDArray[np.int64],
    codes: NDArray[np.uint32],
    weights: Counts,
    classes: int,
    min_bucket: int,
) -> list[int]:
    """Return the last value of each bucket, as a position among the distinct values.

    From the smallest value on, a bucket grows until its most frequent class weighs `min_bucket` and the next value has
    another most frequent class.
    """
    # A pair is a value and a class that occur together: few, where a table of both would be mostly zeros.
    pairs, pair = np.unique(place * classes + codes, return_inverse=True)
    weight = np.bincount(pair, weights=weights)
    value, label = np.divmod(pairs, classes)
    is_last = np.append(value[1:] != value[:-1], True)[: len(value)]
    tops = label[np.lexsort((-label, weight, value))][is_last].tolist()  # of each value
    ends: list[int] = []
    counts, top = [0.0] * classes, 0
    for v, c, w, last in zip(*(a.tolist() for a in (value, label, weight, is_last)), strict=True):
        counts[c] += w
        if counts[c] > counts[top] or (counts[c] == counts[top] and c < top):
            top = c
        if last and counts[top] >= min_bucket and v + 1 < len(tops) and tops[v + 1] != top:
            ends.append(v)
            counts, top = [0.0] * classes, 0
    return [*ends, len(tops) - 1] if tops else []


def midpoint(low: float, high: float) -> float:
    """Return the midpoint, or the lower value if rounding would give the upper one."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low
