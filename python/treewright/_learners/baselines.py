"""The answers that every learner must beat: 0-R, always the same; 1-R, a rule about one column.

Both write ordinary node tables (0-R a single leaf, 1-R one question, or several cuts of a numeric column), so they
are shown, saved and used like any tree. Costs count errors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright import _core
from treewright._catalog import public
from treewright._estimator.model import Classifier, Regressor
from treewright._estimator.tree_model import TreeModel
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.one_rule import Rule, read_rules, rule_of, written_rules
from treewright._model.table_builder import Counts, TreeBuilder, count_classes, refuse_many_levels
from treewright._utils.validation import number
from treewright.errors import DataError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["OneRClassifier", "ZeroRClassifier", "ZeroRRegressor"]

LARGEST = 1e100  # its square, times the heaviest weights, is still a float


class _Baseline(TreeModel):
    """What a learner is that nobody expects to be good."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        (tags.classifier_tags or tags.regressor_tags).poor_score = True
        return tags


@public
class ZeroRClassifier(_Baseline, Classifier):
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

    def _learn(
        self, table: Table, schema: Schema, target: ClassTarget, weights: Counts | None
    ) -> _core.Forest:
        _, target, w = _by_weight(table, target, weights)
        builder = TreeBuilder()
        builder.push_class(count_classes(target.codes, w, len(target.levels))[0], len(target))
        return builder.forest(schema)


@public
class ZeroRRegressor(_Baseline, Regressor):
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

    def _learn(
        self, table: Table, schema: Schema, target: NumberTarget, weights: Counts | None
    ) -> _core.Forest:
        w = np.ones(len(target)) if weights is None else weights
        most = float(np.abs(target.values).max())
        if most > LARGEST:
            raise DataError(
                f"the target holds {most:g}, whose square is too large to add up",
                slug="data.large-numbers",
                hints=["divide the target by a power of ten"],
            )
        # fsum is exact, so the order of the rows cannot show.
        total = math.fsum(w)
        mean = math.fsum(w * target.values) / total
        cost = math.fsum(w * (target.values - mean) ** 2)
        builder = TreeBuilder()
        builder.push(np.array([mean]), total, len(target), cost)
        return builder.forest(schema)


@public
class OneRClassifier(_Baseline, Classifier):
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

    _rules: list[Rule] | None = None  # of each column; None of a large model from a file

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
        refuse_many_levels(table)
        table, target, w = _by_weight(table, target, weights)
        total = count_classes(target.codes, w, len(target.levels))[0]
        rules = self._rules = [rule_of(series, target, w, least) for series in table.series]
        errors = [rule.errors for rule in rules]
        # The first of the best; a hair of rounding in fractional weights is no difference.
        fewest = min(errors) + 1e-9 * total.sum()
        best = next(i for i, e in enumerate(errors) if e <= fewest)
        builder = TreeBuilder()
        builder.push_class(total, len(target))
        rules[best].write(builder, best, total)
        return builder.forest(schema)

    def _extra_metadata(self) -> dict[str, Any]:
        rules = None if self._rules is None else written_rules(self._rules)
        return super()._extra_metadata() | ({} if rules is None else {"kept": {"rules": rules}})

    def _restore(self, document: Mapping[str, Any], forest: Any) -> None:
        super()._restore(document, forest)
        rules, schema = document.get("kept", {}).get("rules"), self.schema_
        self._rules = read_rules(rules, len(schema.columns), len(schema.classes))


def _by_weight(
    table: Table, target: ClassTarget, weights: Counts | None
) -> tuple[Table, ClassTarget, Counts]:
    """Return the rows in ascending order of weight: sums then do not depend on the order they came in."""
    if weights is None:
        return table, target, np.ones(len(target))
    order = np.argsort(weights, kind="stable")
    return table[order], target.take(order), weights[order]
