"""The tree learners. Each is a recipe: which parts of the core grow the tree.

=====  =========  ===========  ======  =====
name   criterion  categorical  choose  prune
=====  =========  ===========  ======  =====
ID3    entropy    levels       gain    none
=====  =========  ===========  ======  =====
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._estimator.model import Classifier
from treewright._input.columns import to_levels
from treewright._input.target import ClassTarget
from treewright._learners.trees.training_record import Keeper
from treewright._learners.trees.tree_recipes import id3_recipe
from treewright._model.table_builder import levels_of, refuse_many_levels
from treewright._utils.validation import Recipe
from treewright.schema import Schema
from treewright.table import Table

if TYPE_CHECKING:
    from treewright._pruning.during_fit import Lesson

__all__ = ["ID3Classifier"]


@public
class ID3Classifier(Keeper, Classifier):
    """Quinlan's ID3: ask about the column with the largest information gain, a branch for each value.

    It stops at a node of one class, or when every column has been asked on the path. A branch that no row reached
    answers like its parent; so does a value never seen in training. A missing value counts as a value of its own
    where it occurs in training. Each different number of a numeric column is a value too: for cut points take C4.5
    or CART.

    Parameters
    ----------
    min_gain : float or None, default=None
        Where given, a node stays a leaf unless the best gain, in bits, is above it. Without it even a gain of 0 is
        taken, as in the textbook, so that the exclusive or is learnt.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split : int, default=2
        Nodes with fewer rows stay leaves.
    sufficient_majority : float or None, default=None
        Where given, a node whose most frequent class has at least this share of its rows stays a leaf: it is pure
        enough.
    max_p_value : float or None, default=None
        Where given, a question is not asked if chance alone would divide the classes as unevenly with a greater
        probability, by the chi-square test.
    prune : {"pessimistic", "reduced_error", "cost_complexity", None}, default=None
        Whether questions are given up that are not expected to help on new rows (by their errors alone; no branch is
        raised), or that do not help on rows held out from the growing, which are then not learnt from, or that save
        less than the price of a leaf. ID3 itself does not prune.
    confidence : float, default=0.25
        With ``prune="pessimistic"``: the confidence of that expectation; the smaller, the smaller the tree.
    validation_fraction : float or None, default=None
        With ``prune="reduced_error"``: hold out this share of the rows, at random, the classes in their shares.
    folds : int or None, default=None
        With ``prune="reduced_error"``: hold out one of so many folds (None is 3). With
        ``prune="cost_complexity"``: the folds of the cross-validation (None is 10).
    ccp_alpha : float or None, default=None
        With ``prune="cost_complexity"``: the price of a leaf, in the unit of ``ccp_risk`` by row;
        above 0 it prunes also without ``prune``. None lets
        cross-validation choose it: the smallest tree within one standard error of the least error.
    ccp_risk : {"impurity", "errors"} or None, default=None
        What a leaf costs: its impurity, as in scikit-learn, or its errors, as in the CART book. None is "impurity".
    seed : int, default=0
        Which rows are held out, and how folds are drawn.
    keep_work : {"auto", True, False}, default="auto"
        Whether the model keeps the figures that its nodes chose by, for ``work``; "auto" does so for small tables, and
        in files while they take at most 256 KB. They are sums over rows, never rows.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree.
    pruning_ : PruneTrace
        What pruning decided at each node, and why; only after pruning, and files do not hold it.
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
    >>> from treewright import ID3Classifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> clf = ID3Classifier().fit(X, y)
    >>> clf.predict([{"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}])
    array(['No'], dtype='<U3')
    >>> clf.tree_
    <Tree: 8 nodes, 5 leaves, depth 2>
    """

    def __init__(
        self,
        *,
        min_gain: float | None = None,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        sufficient_majority: float | None = None,
        max_p_value: float | None = None,
        prune: str | None = None,
        confidence: float = 0.25,
        validation_fraction: float | None = None,
        folds: int | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: str | None = None,
        seed: int = 0,
        keep_work: Any = "auto",
    ) -> None:
        self.min_gain = min_gain
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.sufficient_majority = sufficient_majority
        self.max_p_value = max_p_value
        self.prune = prune
        self.confidence = confidence
        self.validation_fraction = validation_fraction
        self.folds = folds
        self.ccp_alpha = ccp_alpha
        self.ccp_risk = ccp_risk
        self.seed = seed
        self.keep_work = keep_work

    def _prepare(self, table: Table) -> Table:
        table = table.map(to_levels)
        refuse_many_levels(table)
        return table

    def _learn(
        self,
        table: Table,
        schema: Schema,
        target: ClassTarget,
        weights: NDArray[np.float64] | None,
    ) -> _core.Forest:
        # Not needed to import ID3, which is everybody's first learner.
        from treewright._pruning.during_fit import Lesson, plan_of, pruned

        plan = plan_of(self.get_params(deep=False))
        lesson = Lesson(table, schema, target, weights)
        self._remember(lesson)
        if plan is None:
            return self._grow(lesson)
        forest, self.pruning_ = pruned(self._grow, lesson, plan)
        return forest

    def _grow(self, lesson: Lesson) -> _core.Forest:
        columns = [s.data for s in lesson.table.series]
        levels, classes = levels_of(lesson.schema), len(lesson.schema.classes)
        return _core.grow(self._recipe(), levels, columns, lesson.truth, classes, lesson.weights)

    def _recipe(self) -> Recipe:
        return id3_recipe(self.get_params(deep=False))
