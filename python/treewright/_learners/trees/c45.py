"""C4.5: Quinlan's successor of ID3, with numbers, missing values and gain ratio.

The recipe in words: entropy; a branch for each level, or for groups of levels; cuts at training values, which pay for
being chosen; the largest gain ratio among gains of at least the average; a row with a missing value goes to every
branch in fractions; splits that save no error are undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._estimator.model import Classifier
from treewright._input.target import ClassTarget
from treewright._learners.trees.training_record import Keeper
from treewright._learners.trees.tree_recipes import c45_recipe
from treewright._model.table_builder import levels_of
from treewright._utils.validation import Recipe
from treewright.schema import Schema
from treewright.table import Table
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright._pruning.during_fit import Lesson

__all__ = ["C45Classifier"]


@public
class C45Classifier(Keeper, Classifier):
    """Quinlan's C4.5 (release 8): gain ratio, numeric cuts, missing values, groups of levels.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        What is maximised: the ratio of gain to split information among gains of at least the average, or the gain.
    min_cases : float, default=2
        The weight that at least two branches of a split must have.
    categorical : {"levels", "groups"}, default="levels"
        A branch for each level, or for groups of levels that are found by joining (the original's option ``-s``).
    thresholds : {"value", "midpoint"}, default="value"
        Cut at the greatest training value that is not above the midpoint, or, as in lectures, at the midpoint.
    prune : {"pessimistic", "reduced_error", "cost_complexity", None}, default="pessimistic"
        Whether subtrees are replaced that are not expected to help on new rows, or that do not help on rows held out
        from the growing, which are then not learnt from, or that save less than the price of their leaves.
    confidence : float, default=0.25
        The confidence of that expectation, between 0 and 1; the smaller, the smaller the tree.
    raising : bool, default=True
        Whether pessimistic pruning may also put a branch in its parent's place.
    validation_fraction : float or None, default=None
        With ``prune="reduced_error"``: hold out this share of the rows, at random, the classes in their shares.
    folds : int or None, default=None
        With ``prune="reduced_error"``: hold out one of so many folds (None is 3), the classes in their shares; with
        ``variant="j48"`` dealt out without chance, as Weka does, so that the order of the rows counts. With
        ``prune="cost_complexity"``: the folds of the cross-validation (None is 10).
    ccp_alpha : float or None, default=None
        With ``prune="cost_complexity"``: the price of a leaf, in the unit of ``ccp_risk`` by row. None lets
        cross-validation choose it: the smallest tree within one standard error of the least error.
    ccp_risk : {"impurity", "errors"} or None, default=None
        What a leaf costs: its impurity, as in scikit-learn, or its errors, as in the CART book. None is "impurity".
    seed : int, default=0
        Which rows are held out, and how folds are drawn.
    variant : {"c4.5", "j48"}, default="c4.5"
        Which program decides where the two differ.
    max_depth : int or None, default=None
        The most questions on a path.
    min_gain : float or None, default=None
        Where given, a node stays a leaf unless its largest gain, in bits and less the price of a cut, is above it.
    min_gain_ratio : float or None, default=None
        Where given, a node stays a leaf unless its largest gain ratio is above it.
    sufficient_majority : float or None, default=None
        Where given, a node whose most frequent class has at least this share of its rows stays a leaf: it is pure
        enough.
    max_p_value : float or None, default=None
        Where given, a question is not asked if chance alone would divide the classes as unevenly with a greater
        probability, by the chi-square test.
    keep_work : {"auto", True, False}, default="auto"
        Whether the model keeps the figures that its nodes chose by, for ``work``; "auto" does so for small tables, and
        in files while they take at most 256 KB. They are sums over rows, never rows.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree.
    pruning_ : PruneTrace
        What pruning decided at each node, and why; files do not hold it.
    schema_ : Schema
        Names, levels and classes.
    classes_ : ndarray
        The classes, sorted.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets
    >>> X, y = datasets.golf()
    >>> clf = C45Classifier().fit(X, y)
    >>> [str(branch) for branch in clf.tree_.branches(1)]
    ['humidity <= 75', 'humidity > 75']
    """

    def __init__(
        self,
        *,
        criterion: str = "gain_ratio",
        min_cases: float = 2,
        categorical: str = "levels",
        thresholds: str = "value",
        prune: str | None = "pessimistic",
        confidence: float = 0.25,
        raising: bool = True,
        validation_fraction: float | None = None,
        folds: int | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: str | None = None,
        seed: int = 0,
        variant: str = "c4.5",
        max_depth: int | None = None,
        min_gain: float | None = None,
        min_gain_ratio: float | None = None,
        sufficient_majority: float | None = None,
        max_p_value: float | None = None,
        keep_work: Any = "auto",
    ) -> None:
        self.criterion = criterion
        self.min_cases = min_cases
        self.categorical = categorical
        self.thresholds = thresholds
        self.prune = prune
        self.confidence = confidence
        self.raising = raising
        self.validation_fraction = validation_fraction
        self.folds = folds
        self.ccp_alpha = ccp_alpha
        self.ccp_risk = ccp_risk
        self.seed = seed
        self.variant = variant
        self.max_depth = max_depth
        self.min_gain = min_gain
        self.min_gain_ratio = min_gain_ratio
        self.sufficient_majority = sufficient_majority
        self.max_p_value = max_p_value
        self.keep_work = keep_work

    def _learn(
        self,
        table: Table,
        schema: Schema,
        target: ClassTarget,
        weights: NDArray[np.float64] | None,
    ) -> _core.Forest:
        # Not needed to load a fitted model.
        from treewright._pruning import pessimistic
        from treewright._pruning.during_fit import Lesson, plan_of, pruned

        plan = plan_of(self.get_params(deep=False))
        lesson = Lesson(table, schema, target, weights)
        self._remember(lesson)
        if plan is None:
            return self._grow(lesson)
        if plan.by != "pessimistic":
            by_rows = plan.by == "reduced_error"
            # What saves no training error is left for the rows held out to judge.
            forest, self.pruning_ = pruned(
                lambda some: self._grow(some, collapse=not by_rows), lesson, plan, as_weka=True
            )
            return forest
        forest = self._grow(lesson)
        rules = pessimistic.words(self.variant, plan.confidence, tidy=self.categorical == "groups")
        rows = ([s.data for s in table.series], target.codes, weights) if self.raising else ()
        small, trace = pessimistic.run(forest, rules, *rows)
        self.pruning_ = trace.about(Tree(forest, 0, schema))
        return small

    def _grow(self, lesson: Lesson, *, collapse: bool = True) -> _core.Forest:
        recipe = self._recipe()
        if not collapse and recipe["fractions"] is not None:
            recipe["fractions"]["collapse"] = "none"
        columns = [s.data for s in lesson.table.series]
        levels, classes = levels_of(lesson.schema), len(lesson.schema.classes)
        return _core.grow(recipe, levels, columns, lesson.truth, classes, lesson.weights)

    def _recipe(self) -> Recipe:
        return c45_recipe(self.get_params(deep=False))
