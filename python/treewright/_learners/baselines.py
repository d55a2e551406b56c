"""Baselines that every learner must beat: 0-R, always the same prediction; 1-R, a rule about one column.

Both write ordinary node tables (0-R a single leaf, 1-R one split, or several thresholds of a numeric column), so they
are shown, saved and used like any tree. Costs count errors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from treewright import _core
from treewright._catalog import public
from treewright._estimator.classifier import Classifier
from treewright._estimator.regressor import Regressor
from treewright._estimator.single_tree import get_depth, get_n_leaves
from treewright._estimator.tree_model import TreeModel
from treewright._input.class_weights import weigh_rows
from treewright._input.target import ClassTarget, NumberTarget, check_squares
from treewright._learners.class_weight_params import ClassWeightParams
from treewright._learners.one_rule import Rule, rule_of, rules_from_json, rules_to_json
from treewright._model.table_builder import Counts, TreeBuilder, count_classes, refuse_many_levels
from treewright._utils.docstrings import documented
from treewright._utils.validation import check_integer
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["OneRClassifier", "ZeroRClassifier", "ZeroRRegressor"]


class _Baseline(TreeModel):
    """A learner that scikit-learn's checks do not expect to be good."""

    get_depth = get_depth
    get_n_leaves = get_n_leaves

    # Whether a model compares columns with values, which views have to round.
    _compares: ClassVar[bool] = True

    def _add_notes(self, schema: Schema, table: Table) -> Schema:
        return super()._add_notes(schema, table) if self._compares else schema

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        (tags.classifier_tags or tags.regressor_tags).poor_score = True
        return tags


@public
@documented
class ZeroRClassifier(_Baseline, Classifier, ClassWeightParams):
    """0-R: always predicts the most frequent class, without looking at any column.

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

    _compares = False

    def _learn(
        self, table: Table, schema: Schema, target: ClassTarget, weights: Counts | None
    ) -> _core.Forest:
        weights = weigh_rows(self.class_weight, target, weights)
        if weights is not None:
            _, target, weights = _sort_by_weight(table, target, weights)
        counts: Any = np.bincount(target.codes, weights, minlength=len(target.levels))
        builder = TreeBuilder()
        builder.push_class(counts.astype(np.float64), len(target))
        return builder.forest(schema)


@public
class ZeroRRegressor(_Baseline, Regressor):
    """0-R for numbers: always predicts the mean, without looking at any column.

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

    _compares = False

    def _learn(
        self, table: Table, schema: Schema, target: NumberTarget, weights: Counts | None
    ) -> _core.Forest:
        values = target.values
        check_squares(values)
        # fsum is exact, so the order of the rows does not matter.
        w: Any = 1.0 if weights is None else weights
        total = float(len(values)) if weights is None else math.fsum(weights.tolist())
        mean = math.fsum((w * values).tolist()) / total
        cost = math.fsum((w * (values - mean) ** 2).tolist())
        builder = TreeBuilder()
        builder.push(np.array([mean]), total, len(target), cost)
        return builder.forest(schema)


@dataclass(kw_only=True, eq=False, repr=False)
class OneRParams(ClassWeightParams):
    """Parameters of 1-R.

    Parameters
    ----------
    min_bucket : int, default=6
        The number of rows of its most frequent class that a bucket needs before it may end.
    """

    min_bucket: int = 6


@public
@documented
class OneRClassifier(_Baseline, Classifier, OneRParams):
    """Holte's 1-R: one rule, about the column whose rule makes the fewest errors.

    The rule of a categorical column predicts the most frequent class of each value. A numeric column is divided into
    buckets: from the smallest value on, a bucket grows until its most frequent class has `min_bucket` rows and the next
    value has another class; neighboring buckets with the same prediction are merged; thresholds are midpoints. Missing
    values have a prediction of their own. Ties between columns go to the first, between classes to the first.

    Attributes
    ----------
    tree_ : Tree
        The rule as a tree.
    column_ : str
        The column of the rule.
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

    _rules: list[Rule] | None = None  # one for each column; None if a file does not hold them

    @property
    def column_(self) -> str:
        """The column of the rule."""
        tree = self.tree_
        return self.schema_.columns[int(tree.feature[0])].name

    def _learn(
        self, table: Table, schema: Schema, target: ClassTarget, weights: Counts | None
    ) -> _core.Forest:
        least = check_integer("min_bucket", self.min_bucket, minimum=1)
        refuse_many_levels(table)
        weights = weigh_rows(self.class_weight, target, weights)
        table, target, w = _sort_by_weight(table, target, weights)
        total = count_classes(target.codes, w, len(target.levels))[0]
        rules = self._rules = [rule_of(series, target, w, least) for series in table.series]
        errors = [rule.errors for rule in rules]
        # The first of the best; rounding of fractional weights makes no difference.
        fewest = min(errors) + 1e-9 * total.sum()
        best = next(i for i, e in enumerate(errors) if e <= fewest)
        builder = TreeBuilder()
        builder.push_class(total, len(target))
        rules[best].add_splits(builder, best, total)
        return builder.forest(schema)

    def _extra_metadata(self) -> dict[str, Any]:
        rules = None if self._rules is None else rules_to_json(self._rules)
        return super()._extra_metadata() | ({} if rules is None else {"kept": {"rules": rules}})

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        super()._restore(metadata, contents)
        rules, schema = metadata.get("kept", {}).get("rules"), self.schema_
        self._rules = rules_from_json(rules, len(schema.columns), len(schema.classes))


def _sort_by_weight(
    table: Table, target: ClassTarget, weights: Counts | None
) -> tuple[Table, ClassTarget, Counts]:
    """Return the rows in ascending order of weight, so that sums do not depend on the order of the rows."""
    if weights is None:
        return table, target, np.ones(len(target))
    order = np.argsort(weights, kind="stable")
    return table[order], target.take(order), weights[order]
