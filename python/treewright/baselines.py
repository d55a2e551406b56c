"""The answers that every learner must beat: 0-R, always the same; 1-R, a rule about one column.

Both write ordinary node tables (0-R a single leaf, 1-R one question, or a chain of cuts for a numeric column), so they are
shown, saved and used like any tree. Costs count errors.

Glossary: a *bucket* is a run of neighbouring values of a numeric column that share an answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._build import TreeBuilder
from treewright._estimator import Classifier, Regressor
from treewright._recipe import number
from treewright._target import ClassTarget, NumberTarget
from treewright.schema import Schema
from treewright.table import MISSING, Series, Table

__all__ = ["OneRClassifier", "ZeroRClassifier", "ZeroRRegressor"]

Counts = NDArray[np.float64]


class ZeroRClassifier(Classifier):
    """0-R: always the most frequent class. It looks at no column.

    Attributes
    ----------
    tree_ : Tree
        A single leaf.
    classes_ : ndarray
        The classes, sorted.

    Examples
    --------
    >>> from treewright import ZeroRClassifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> clf = ZeroRClassifier().fit(X, y)
    >>> int((clf.predict(X) != y).sum())
    5
    """

    _title: ClassVar[str] = "0-R (the most frequent class)"
    _impurity: ClassVar[str] = "errors"

    def _learn(
        self, table: Table, schema: Schema, target: ClassTarget, weights: Counts | None
    ) -> _core.Forest:
        builder = TreeBuilder()
        _push_class(builder, _class_counts(target, weights), len(target))
        return builder.forest(schema)


class ZeroRRegressor(Regressor):
    """0-R for numbers: always the mean. It looks at no column.

    Attributes
    ----------
    tree_ : Tree
        A single leaf.

    Examples
    --------
    >>> from treewright import ZeroRRegressor
    >>> ZeroRRegressor().fit([[0], [0], [0]], [1.0, 2.0, 6.0]).predict([[5]])
    array([3.])
    """

    _title: ClassVar[str] = "0-R (the mean)"
    _impurity: ClassVar[str] = "squared error"

    def _learn(
        self, table: Table, schema: Schema, target: NumberTarget, weights: Counts | None
    ) -> _core.Forest:
        w = np.ones(len(target)) if weights is None else weights
        # fsum is exact, so the order of the rows cannot show.
        total = math.fsum(w)
        mean = math.fsum(w * target.values) / total
        cost = math.fsum(w * (target.values - mean) ** 2)
        builder = TreeBuilder()
        builder.push(np.array([mean]), total, len(target), cost)
        return builder.forest(schema)


class OneRClassifier(Classifier):
    """Holte's 1-R: one rule, about the column whose rule makes the fewest errors.

    A categorical column answers with the most frequent class of each value. A numeric one is cut into buckets: from the
    smallest value on, a bucket grows until its most frequent class has `min_bucket` rows and the next value would bring
    another class; neighbours with the same answer are one bucket; cuts are midpoints. Missing values have an answer of
    their own. Ties between columns go to the first, between classes to the first.

    Parameters
    ----------
    min_bucket : int, default=6
        Rows of the most frequent class that a bucket needs before it may end.

    Attributes
    ----------
    tree_ : Tree
        The rule as a tree.
    column_ : str
        The column it asks about.
    classes_ : ndarray
        The classes, sorted.

    Examples
    --------
    >>> from treewright import OneRClassifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> clf = OneRClassifier().fit(X, y)
    >>> clf.column_, int((clf.predict(X) != y).sum())
    ('Outlook', 4)
    """

    _title: ClassVar[str] = "1-R (fewest errors)"
    _impurity: ClassVar[str] = "errors"

    def __init__(self, *, min_bucket: int = 6) -> None:
        self.min_bucket = min_bucket

    @property
    def column_(self) -> str:
        """The column that the rule asks about."""
        tree = self.tree_
        return self.schema_.columns[int(tree.feature[0])].name

    def _learn(
        self, table: Table, schema: Schema, target: ClassTarget, weights: Counts | None
    ) -> _core.Forest:
        least = number("min_bucket", self.min_bucket, least=1, whole=True)
        w = np.ones(len(target)) if weights is None else weights
        total = _class_counts(target, weights)
        rules = [_rule(s, target, w, least) for s in table.series]
        errors = [rule.errors for rule in rules]
        # The first of the best; a hair of rounding in fractional weights is no difference.
        best = next(i for i, e in enumerate(errors) if e <= min(errors) + 1e-9 * total.sum())
        builder = TreeBuilder()
        _push_class(builder, total, len(target))
        rules[best].write(builder, best, total)
        return builder.forest(schema)


@dataclass(frozen=True)
class _Part:
    """Rows that share an answer: their class weights and how many they are."""

    counts: Counts
    rows: int

    @property
    def errors(self) -> float:
        return _errors(self.counts)

    def push(self, builder: TreeBuilder, parent: Counts) -> None:
        """Add the leaf; without rows it answers like its parent."""
        _push_class(builder, self.counts, self.rows, parent)


@dataclass(frozen=True)
class _LevelRule:
    """An answer for each level, and for missing values where there are any."""

    parts: list[_Part]
    missing: _Part | None

    @property
    def errors(self) -> float:
        return math.fsum(p.errors for p in self._all())

    def _all(self) -> list[_Part]:
        return [*self.parts, self.missing] if self.missing else self.parts

    def write(self, builder: TreeBuilder, feature: int, total: Counts) -> None:
        """Make the root ask about the levels."""
        parts = self._all()
        if len(parts) < 2:
            return  # one possible value: nothing to ask
        last = len(parts) - 1 if self.missing else _core.STOP
        gain = _errors(total) - self.errors
        builder.ask(0, feature, len(parts), route=range(len(self.parts)), missing=last, gain=gain)
        for part in parts:
            part.push(builder, total)


@dataclass(frozen=True)
class _CutRule:
    """Buckets of a numeric column with the cuts between them."""

    parts: list[_Part]
    cuts: list[float]
    missing: _Part | None

    @property
    def errors(self) -> float:
        return math.fsum([*(p.errors for p in self.parts), self.missing.errors if self.missing else 0.0])

    def write(self, builder: TreeBuilder, feature: int, total: Counts) -> None:
        """Make the root ask for the first cut, its second child for the next, and so on."""
        cuts, missing = self.cuts, self.missing
        if not cuts:
            if not missing or not self.parts:
                return
            # One bucket and missing values: any cut above all values tells the two apart.
            cuts = [np.finfo(np.float64).max]
        parts = [*self.parts, *(_Part(np.zeros_like(total), 0) for _ in cuts[len(self.parts) - 1 :])]
        node, above = 0, total
        for i, cut in enumerate(cuts):
            rest = _join(parts[i + 1 :])
            own = missing if i == 0 else None
            saved = _errors(above) - parts[i].errors - rest.errors - (own.errors if own else 0.0)
            ways = 3 if own else 2
            builder.ask(
                node, feature, ways, threshold=cut, missing=2 if own else _core.STOP, gain=max(saved, 0.0)
            )
            parts[i].push(builder, above)
            rest.push(builder, above)
            if own:
                own.push(builder, above)
            node, above = (node + 2 if i == 0 else node + (3 if missing and i == 1 else 2)), rest.counts


def _rule(series: Series, target: ClassTarget, weights: Counts, least: int) -> _LevelRule | _CutRule:
    classes = len(target.levels)
    absent = series.missing()
    missing = _part(target.codes[absent], weights[absent], classes) if absent.any() else None
    if series.kind == "categorical":
        counts = np.zeros((len(series.levels), classes))
        rows = np.bincount(series.data[~absent], minlength=len(series.levels))
        np.add.at(counts, (series.data[~absent], target.codes[~absent]), weights[~absent])
        return _LevelRule([_Part(c, int(n)) for c, n in zip(counts, rows, strict=True)], missing)
    values, codes, w = series.data[~absent], target.codes[~absent], weights[~absent]
    order = np.lexsort((codes, values))
    distinct, starts = np.unique(values[order], return_index=True)
    groups = [
        _part(codes[rows], w[rows], classes) for rows in np.split(order, starts[1:]) if len(rows)
    ]
    parts, cuts = _buckets(groups, distinct, least)
    return _CutRule(parts, cuts, missing)


def _buckets(groups: list[_Part], values: NDArray[Any], least: int) -> tuple[list[_Part], list[float]]:
    """Join the groups of equal values into buckets; return them and the cuts between them."""
    parts: list[_Part] = []
    ends: list[int] = []
    for i, group in enumerate(groups):
        if parts and (ends[-1] < 0):
            parts[-1] = _join([parts[-1], group])
        else:
            parts.append(group)
            ends.append(-1)
        top = int(np.argmax(parts[-1].counts))
        full = parts[-1].counts[top] >= least
        if full and i + 1 < len(groups) and int(np.argmax(groups[i + 1].counts)) != top:
            ends[-1] = i
    merged: list[_Part] = []
    last: list[int] = []
    for part, end in zip(parts, ends, strict=True):
        if merged and np.argmax(merged[-1].counts) == np.argmax(part.counts):
            merged[-1], last[-1] = _join([merged[-1], part]), end
        else:
            merged.append(part)
            last.append(end)
    return merged, [float((values[e] + values[e + 1]) / 2) for e in last[:-1]]


def _part(codes: NDArray[np.uint32], weights: Counts, classes: int) -> _Part:
    return _Part(np.bincount(codes, weights=weights, minlength=classes), len(codes))


def _join(parts: list[_Part]) -> _Part:
    return _Part(np.sum([p.counts for p in parts], axis=0), sum(p.rows for p in parts))


def _errors(counts: Counts) -> float:
    return float(counts.sum() - counts.max())


def _class_counts(target: ClassTarget, weights: Counts | None) -> Counts:
    return np.bincount(target.codes, weights=weights, minlength=len(target.levels)).astype(np.float64)


def _push_class(
    builder: TreeBuilder, counts: Counts, rows: int, parent: Counts | None = None
) -> None:
    says = counts if rows or parent is None else parent
    builder.push(says / says.sum(), float(counts.sum()), rows, _errors(counts))
