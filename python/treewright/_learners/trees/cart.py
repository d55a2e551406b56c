"""CART: binary trees by Breiman, Friedman, Olshen and Stone, for classes and for numbers.

The recipe in words: Gini's index, entropy or squared error; numbers are cut in the middle between two neighbouring
training values, categories are divided into two sets; the split that saves most; the mean or the shares at the leaves.
What the parameters mean to the core is said in ``_cart_recipe``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._estimator.model import Classifier, Regressor
from treewright._input.class_weights import cost_matrix
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.trees.cart_recipe import cart_recipe, present
from treewright._learners.trees.training_record import Keeper
from treewright._model.table_builder import levels_of
from treewright._utils.validation import threads_of
from treewright.schema import Schema
from treewright.table import Table

if TYPE_CHECKING:
    from treewright._pruning.during_fit import Lesson

__all__ = ["CARTClassifier", "CARTRegressor"]


class _Cart(Keeper):
    """What both learners share: how a tree is grown."""

    variant: str
    n_jobs: int | None

    def _learn(
        self,
        table: Table,
        schema: Schema,
        target: ClassTarget | NumberTarget,
        weights: NDArray[np.float64] | None,
    ) -> _core.Forest:
        classes = isinstance(target, ClassTarget)
        # Not needed to load a fitted model.
        from treewright._pruning.during_fit import Lesson, plan_of, pruned

        plan = plan_of(self.get_params(deep=False), classes=classes)
        lesson = Lesson(table, schema, target, weights)
        self._remember(lesson)
        if plan is None:
            return self._grow(lesson)
        forest, self.pruning_ = pruned(self._grow, lesson, plan)
        return forest

    def _grow(self, lesson: Lesson) -> _core.Forest:
        table, schema, weights = lesson.table, lesson.schema, lesson.weights
        if self.variant == "rpart":
            weights = present(table, weights)
        recipe = cart_recipe(self.get_params(deep=False), schema, lesson.target, weights)
        recipe["threads"] = threads_of(self.n_jobs)
        columns = table._core_columns
        classes = len(schema.classes) or None
        return _core.grow(recipe, levels_of(schema), columns, lesson.truth, classes, weights)


@public
class CARTClassifier(_Cart, Classifier):
    """A binary tree for classes.

    It stops at a node of one class, or where no column tells its rows apart, or at a limit. Ties go to the first
    column, then to the smaller threshold. The tree does not depend on the number of threads.

    Parameters
    ----------
    criterion : {"gini", "entropy"}, default="gini"
        What a split should save.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split : int or None, default=None
        Nodes with fewer rows stay leaves. None is 2, and with ``variant="rpart"`` 20, or three times
        ``min_samples_leaf`` where that is given (minsplit).
    min_samples_leaf : int or None, default=None
        The fewest rows of a child. None is 1, and with ``variant="rpart"`` a third of ``min_samples_split``
        (minbucket; of rows that know the answer).
    min_weight_fraction_leaf : float, default=0.0
        The least share of the whole training weight that a child has.
    min_gain : float or None, default=None
        Where given, a node stays a leaf unless the best split lowers its impurity by more. Without it even a split
        that saves nothing is made, so that the exclusive or is learnt.
    max_leaf_nodes : int or None, default=None
        The most leaves; where given, the split that saves most is made first.
    class_weight : dict, list, "balanced" or None, default=None
        By how much the rows of each class count, by class or in the order of ``classes_``; "balanced" makes all
        classes weigh the same.
    priors : dict, list or None, default=None
        How frequent each class is where the tree will be used; the rows of a class then count by so much more or
        less. The shares that nodes say are those under these priors.
    costs : dict of dicts, list of lists or None, default=None
        What an answer costs where a class is true: ``{class: {answer: cost}}`` (1 where nothing is said), or a row
        a class and a column an answer in the order of ``classes_``. The tree takes more care of classes that are
        costly to miss (the altered priors of the book), and answers what is expected to cost least; the shares stay
        what they are.
    monotonic_cst : dict, list or None, default=None
        For numeric columns, by name or one a column: 1 if the share of the second of two classes must not fall with
        it, -1 if it must not rise, 0 for neither.
    missing : {"direction", "branch", "surrogate"} or None, default=None
        Where a row goes whose value is missing. A learnt "direction": with the smaller or the greater values, or
        apart from all of them, whichever saves most. A "branch" of its own. Or where a "surrogate" sends it: the
        question about another column that agrees best with the one asked; splits are then judged by the rows that
        know the answer. None is "direction", and with ``variant="rpart"`` "surrogate". Where training had no such
        value at a node, it goes with the heavier child.
    max_surrogates : int, default=5
        How many surrogates a node keeps (maxsurrogate).
    max_competitors : int, default=4
        How many other good questions a node keeps to be read, with ``missing="surrogate"`` (maxcompete).
    undecided : {"majority", "stay"}, default="majority"
        With ``variant="rpart"``: where a row goes that no surrogate decides; "stay" leaves it at the node
        (usesurrogate 2 and 1).
    agreement : {"sent", "known"}, default="sent"
        Whether the agreement of a surrogate is a share of all rows that the node's question sends on, or of those
        among them that know the surrogate's answer (surrogatestyle 0 and 1).
    variant : {"cart", "rpart"}, default="cart"
        "rpart" keeps to the rules of R's package: its limits, surrogates, ties, and splits that must pay. Its names
        stand in brackets above.
    complexity : float or None, default=None
        With ``variant="rpart"``: the share of the root's risk that a split must save for each leaf it adds; None is
        0.01 (cp).
    max_p_value : float or None, default=None
        Where given, a split is not made if chance alone would divide the classes as unevenly with a greater
        probability, by the chi-square test.
    prune : {"pessimistic", "reduced_error", "cost_complexity", None}, default=None
        Whether questions are given up that are not expected to help on new rows (by their errors alone; no branch is
        raised), or that do not help on rows held out from the growing, which are then not learnt from, or that save
        less than the price of a leaf.
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
        What a leaf costs: its impurity, as in scikit-learn, or its errors, as in the CART book. None is "impurity", and
        with ``variant="rpart"`` "errors".
    seed : int, default=0
        Which rows are held out, and how folds are drawn.
    keep_work : {"auto", True, False}, default="auto"
        Whether the model keeps the figures that its nodes chose by, for ``work``; "auto" does so for small tables, and
        in files while they take at most 256 KB. They are sums over rows, never rows.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use.

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
    >>> from treewright import CARTClassifier
    >>> clf = CARTClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"])
    >>> clf.tree_
    <Tree: 7 nodes, 4 leaves, depth 2>
    >>> clf.predict([[1, 0]])
    array(['yes'], dtype='<U3')
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int | None = None,
        min_samples_leaf: int | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_gain: float | None = None,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        priors: Any = None,
        costs: Any = None,
        monotonic_cst: Any = None,
        missing: str | None = None,
        max_surrogates: int = 5,
        max_competitors: int = 4,
        undecided: str = "majority",
        agreement: str = "sent",
        variant: str = "cart",
        complexity: float | None = None,
        max_p_value: float | None = None,
        prune: str | None = None,
        confidence: float = 0.25,
        validation_fraction: float | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: str | None = None,
        folds: int | None = None,
        seed: int = 0,
        keep_work: Any = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_gain = min_gain
        self.max_leaf_nodes = max_leaf_nodes
        self.class_weight = class_weight
        self.priors = priors
        self.costs = costs
        self.monotonic_cst = monotonic_cst
        self.missing = missing
        self.max_surrogates = max_surrogates
        self.max_competitors = max_competitors
        self.undecided = undecided
        self.agreement = agreement
        self.variant = variant
        self.complexity = complexity
        self.max_p_value = max_p_value
        self.prune = prune
        self.confidence = confidence
        self.validation_fraction = validation_fraction
        self.ccp_alpha = ccp_alpha
        self.ccp_risk = ccp_risk
        self.folds = folds
        self.seed = seed
        self.keep_work = keep_work
        self.n_jobs = n_jobs

    def _describe(self, table: Table, target: ClassTarget) -> Schema:
        return replace(super()._describe(table, target), costs=cost_matrix(self.costs, target))


@public
class CARTRegressor(_Cart, Regressor):
    """A binary tree for numbers: the mean at each leaf, splits by squared error.

    Ties go to the first column, then to the smaller threshold. The tree does not depend on the number of threads.

    Parameters
    ----------
    criterion : {"squared_error"}, default="squared_error"
        What a split should save.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split : int or None, default=None
        Nodes with fewer rows stay leaves. None is 2, and with ``variant="rpart"`` 20, or three times
        ``min_samples_leaf`` where that is given (minsplit).
    min_samples_leaf : int or None, default=None
        The fewest rows of a child. None is 1, and with ``variant="rpart"`` a third of ``min_samples_split``
        (minbucket; of rows that know the answer).
    min_weight_fraction_leaf : float, default=0.0
        The least share of the whole training weight that a child has.
    min_gain : float or None, default=None
        Where given, a node stays a leaf unless the best split lowers its variance by more.
    max_leaf_nodes : int or None, default=None
        The most leaves; where given, the split that saves most is made first.
    monotonic_cst : dict, list or None, default=None
        For numeric columns, by name or one a column: 1 if the answer must not fall with it, -1 if it must not rise,
        0 for neither.
    missing : {"direction", "branch", "surrogate"} or None, default=None
        Where a row goes whose value is missing. A learnt "direction": with the smaller or the greater values, or
        apart from all of them, whichever saves most. A "branch" of its own. Or where a "surrogate" sends it: the
        question about another column that agrees best with the one asked; splits are then judged by the rows that
        know the answer. None is "direction", and with ``variant="rpart"`` "surrogate". Where training had no such
        value at a node, it goes with the heavier child.
    max_surrogates : int, default=5
        How many surrogates a node keeps (maxsurrogate).
    max_competitors : int, default=4
        How many other good questions a node keeps to be read, with ``missing="surrogate"`` (maxcompete).
    undecided : {"majority", "stay"}, default="majority"
        With ``variant="rpart"``: where a row goes that no surrogate decides; "stay" leaves it at the node
        (usesurrogate 2 and 1).
    agreement : {"sent", "known"}, default="sent"
        Whether the agreement of a surrogate is a share of all rows that the node's question sends on, or of those
        among them that know the surrogate's answer (surrogatestyle 0 and 1).
    variant : {"cart", "rpart"}, default="cart"
        "rpart" keeps to the rules of R's package: its limits, surrogates, ties, and splits that must pay. Its names
        stand in brackets above.
    complexity : float or None, default=None
        With ``variant="rpart"``: the share of the root's risk that a split must save for each leaf it adds; None is
        0.01 (cp).
    prune : {"reduced_error", "cost_complexity", None}, default=None
        Whether questions are given up that do not help on rows held out from the growing, which are then not learnt
        from, or that save less than the price of a leaf.
    validation_fraction : float or None, default=None
        With ``prune="reduced_error"``: hold out this share of the rows, at random.
    folds : int or None, default=None
        With ``prune="reduced_error"``: hold out one of so many folds (None is 3). With
        ``prune="cost_complexity"``: the folds of the cross-validation (None is 10).
    ccp_alpha : float or None, default=None
        With ``prune="cost_complexity"``: the price of a leaf, in the unit of ``ccp_risk`` by row;
        above 0 it prunes also without ``prune``. None lets
        cross-validation choose it: the smallest tree within one standard error of the least error.
    ccp_risk : {"impurity", "errors"} or None, default=None
        What a leaf costs; for a number both are its squared error.
    seed : int, default=0
        Which rows are held out, and how folds are drawn.
    keep_work : {"auto", True, False}, default="auto"
        Whether the model keeps the figures that its nodes chose by, for ``work``; "auto" does so for small tables, and
        in files while they take at most 256 KB. They are sums over rows, never rows.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree.
    pruning_ : PruneTrace
        What pruning decided at each node, and why; only after pruning, and files do not hold it.
    schema_ : Schema
        Names and levels.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> from treewright import CARTRegressor
    >>> reg = CARTRegressor(max_depth=1).fit([[1], [2], [10], [11]], [1.0, 2.0, 7.0, 8.0])
    >>> reg.predict([[0], [6.5]])
    array([1.5, 7.5])
    """

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int | None = None,
        min_samples_leaf: int | None = None,
        min_weight_fraction_leaf: float = 0.0,
        min_gain: float | None = None,
        max_leaf_nodes: int | None = None,
        monotonic_cst: Any = None,
        missing: str | None = None,
        max_surrogates: int = 5,
        max_competitors: int = 4,
        undecided: str = "majority",
        agreement: str = "sent",
        variant: str = "cart",
        complexity: float | None = None,
        prune: str | None = None,
        validation_fraction: float | None = None,
        ccp_alpha: float | None = None,
        ccp_risk: str | None = None,
        folds: int | None = None,
        seed: int = 0,
        keep_work: Any = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_gain = min_gain
        self.max_leaf_nodes = max_leaf_nodes
        self.monotonic_cst = monotonic_cst
        self.missing = missing
        self.max_surrogates = max_surrogates
        self.max_competitors = max_competitors
        self.undecided = undecided
        self.agreement = agreement
        self.variant = variant
        self.complexity = complexity
        self.prune = prune
        self.validation_fraction = validation_fraction
        self.ccp_alpha = ccp_alpha
        self.ccp_risk = ccp_risk
        self.folds = folds
        self.seed = seed
        self.keep_work = keep_work
        self.n_jobs = n_jobs
