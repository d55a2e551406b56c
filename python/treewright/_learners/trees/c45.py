"""C4.5: Quinlan's successor of ID3, with thresholds, missing values and gain ratio.

The recipe: entropy; a branch for each level, or for groups of levels; thresholds at training values, whose gain is
reduced by the cost of choosing them; the largest gain ratio among gains of at least the average; a row with a missing
value goes to every branch in fractions; splits that save no error are removed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright import _core
from treewright._catalog import public
from treewright._estimator.classifier import Classifier
from treewright._estimator.training_data import TrainingData
from treewright._learners.trees.grown_tree import GrownTree
from treewright._learners.trees.tree_params import QuinlanParams
from treewright._learners.trees.tree_recipes import c45_recipe
from treewright._utils.docstrings import documented
from treewright._utils.renamed import renamed_parameters
from treewright._utils.validation import Recipe, threads_of
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright._pruning.during_fit import PrunedForest
    from treewright._pruning.pessimistic import PessimisticRules
    from treewright._pruning.pruning_plan import PruningPlan

__all__ = ["C45Classifier"]


@public
@renamed_parameters(seed="random_state")
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class C45Classifier(GrownTree, Classifier, QuinlanParams):
    """Quinlan's C4.5 (release 8): gain ratio, thresholds, missing values, groups of levels.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        What a split maximizes: the ratio of gain to split information among gains of at least the average, or the gain.
    min_cases : float, default=2
        The weight that at least two branches of a split must have.
    categorical : {"levels", "groups"}, default="levels"
        A branch for each level, or for groups of levels that are found by merging (the original's option ``-s``).
    thresholds : {"value", "midpoint"}, default="value"
        Split at the largest training value not above the midpoint, or, as in lectures, at the midpoint.
    prune : {"pessimistic", "reduced_error", "cost_complexity", None}, default="pessimistic"
        How the tree is pruned. "pessimistic" replaces subtrees that are not expected to reduce the errors on new rows;
        "reduced_error" removes splits that do not help on rows held out from growing; "cost_complexity" removes splits
        that save less than the penalty of their leaves.
    raising : bool, default=True
        Whether pessimistic pruning may also replace a node by its largest branch.
    folds : int or None, default=None
        With ``prune="reduced_error"``: hold out one of this number of folds (None means 3), stratified by class; with
        ``variant="j48"`` without chance, as Weka does, so that the order of the rows counts. With
        ``prune="cost_complexity"``: the number of folds of the cross-validation (None means 10).
    variant : {"c4.5", "j48"}, default="c4.5"
        Which program is followed where the two differ.
    min_gain : float or None, default=None
        If given, a node stays a leaf unless its largest gain, in bits and less the cost of a threshold, is larger.
    min_gain_ratio : float or None, default=None
        If given, a node stays a leaf unless its largest gain ratio is larger.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets
    >>> X, y = datasets.golf()
    >>> clf = C45Classifier().fit(X, y)
    >>> [str(branch) for branch in clf.tree_.branches(1)]
    ['humidity <= 75', 'humidity > 75']
    """

    criterion: str = "gain_ratio"
    min_cases: float = 2
    categorical: str = "levels"
    _pools_rare_levels = True

    thresholds: str = "value"
    prune: str | None = "pessimistic"
    raising: bool = True
    variant: str = "c4.5"
    min_gain_ratio: float | None = None

    def _recipe(self, data: TrainingData) -> Recipe:
        return c45_recipe(self.get_params(deep=False))

    def _grow(self, data: TrainingData) -> _core.Forest:
        # All threads that the process may use: the tree does not depend on their number.
        recipe: Recipe = {**self._recipe(data), "threads": threads_of(None)}
        return self._grow_tree(data, recipe, data.table._core_columns)

    def _grow_pruned(self, data: TrainingData, plan: PruningPlan) -> PrunedForest:
        from treewright._pruning import pessimistic
        from treewright._pruning.during_fit import grow_and_prune

        if plan.method != "pessimistic":
            by_rows = plan.method == "reduced_error"
            # Splits that save no training error are left for the held-out rows to judge.
            grow = self._grow_uncollapsed if by_rows else self._grow
            return grow_and_prune(grow, data, plan, as_weka=True)
        forest = self._grow(data)
        rules = pessimistic.words(self.variant, plan.confidence, tidy=self.categorical == "groups")
        rows = (data.table._core_columns, data.labels, data.weights) if self.raising else ()
        pruned, trace = self._prune_grown(forest, rules, *rows)
        return pruned, trace.about(Tree(forest, 0, data.schema))

    def _prune_grown(
        self, forest: _core.Forest, rules: PessimisticRules, *rows: Any
    ) -> PrunedForest:
        """Prune a grown tree, with rows if branches may be raised. A fit of several processes replaces it."""
        from treewright._pruning import pessimistic

        return pessimistic.run(forest, rules, *rows)

    def _grow_uncollapsed(self, data: TrainingData) -> _core.Forest:
        recipe = self._recipe(data)
        if recipe["fractions"] is not None:
            recipe["fractions"]["collapse"] = "none"
        return self._grow_tree(data, recipe)
