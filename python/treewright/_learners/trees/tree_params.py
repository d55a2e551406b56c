"""The parameters that several tree learners share, with their defaults and descriptions.

Not here: how they are checked and passed to the core (``tree_recipes``, ``cart_recipe``), and how pruning reads them
(``_pruning.during_fit``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright._learners.class_weight_params import ClassWeightParams

__all__ = ["CartParams", "ClassTreeParams", "QuinlanParams", "TreeParams"]


@dataclass(kw_only=True, eq=False, repr=False)
class TreeParams:
    """Parameters of every single tree.

    Parameters
    ----------
    max_depth : int or None, default=None
        The largest number of splits on a path.
    prune : {"reduced_error", "cost_complexity", None}, default=None
        How the tree is pruned. "reduced_error" removes splits that do not help on rows held out from growing;
        "cost_complexity" removes splits that save less than the penalty of their leaves.
    validation_fraction : float or None, default=None
        With ``prune="reduced_error"``: hold out this fraction of the rows, at random, stratified by class.
    folds : int or None, default=None
        With ``prune="reduced_error"``: hold out one of this number of folds (None means 3). With
        ``prune="cost_complexity"``: the number of folds of the cross-validation (None means 10).
    ccp_alpha : float or None, default=None
        With ``prune="cost_complexity"``: the penalty per leaf, in the unit of ``ccp_risk`` per row; a value above 0
        also prunes without ``prune``. None chooses it by cross-validation: the smallest tree within one standard error
        of the smallest error.
    ccp_risk : {"impurity", "errors"} or None, default=None
        The cost of a leaf: its impurity, as in scikit-learn, or its errors, as in the CART book. None means "impurity".
    random_state : int, RandomState, Generator or None, default=0
        Seed for the rows that are held out and for the folds; None means 0.
    keep_work : {"auto", True, False}, default="auto"
        Whether the model keeps the numbers behind its splits, for ``work``. "auto" keeps them for small tables, and in
        files as long as they take at most 256 KB. They are sums over rows, never rows.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree.
    pruning_ : PruneTrace
        The decision of pruning at each node, with its reason. Only after pruning; not in files.
    schema_ : Schema
        Names, levels and classes.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        The names of the columns, if the table had names.
    """

    max_depth: int | None = None
    prune: str | None = None
    validation_fraction: float | None = None
    folds: int | None = None
    ccp_alpha: float | None = None
    ccp_risk: str | None = None
    random_state: Any = 0
    keep_work: Any = "auto"


@dataclass(kw_only=True, eq=False, repr=False)
class ClassTreeParams(TreeParams):
    """Parameters of single trees that predict classes.

    Parameters
    ----------
    max_p_value : float or None, default=None
        If given, a split is not made if the chi-square test of its classes has a larger p-value.
    prune : {"pessimistic", "reduced_error", "cost_complexity", None}, default=None
        How the tree is pruned. "pessimistic" removes splits that are not expected to reduce the errors on new rows;
        "reduced_error" removes splits that do not help on rows held out from growing; "cost_complexity" removes splits
        that save less than the penalty of their leaves.
    confidence : float, default=0.25
        With ``prune="pessimistic"``: the confidence level of the expected errors, between 0 and 1; smaller values give
        smaller trees.
    smoothing : "laplace", float or None, default=None
        How class probabilities are smoothed. None predicts the proportions of the training rows at a node: a leaf with
        one row is certain. "laplace" counts one more row of each class; a number m adds m rows with the class
        proportions of the whole training table (the m-estimate). The tree is the same.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    """

    max_p_value: float | None = None
    confidence: float = 0.25
    smoothing: Any = None


@dataclass(kw_only=True, eq=False, repr=False)
class QuinlanParams(ClassWeightParams, ClassTreeParams):
    """Parameters of ID3 and C4.5.

    Parameters
    ----------
    sufficient_majority : float or None, default=None
        If given, a node stays a leaf when its most frequent class has at least this fraction of its rows.
    """

    min_gain: float | None = None
    sufficient_majority: float | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class CartParams(TreeParams):
    """Parameters of both CART learners. Names in brackets are those of R's package rpart.

    Parameters
    ----------
    min_samples_split : int, float or None, default=None
        Nodes with fewer rows stay leaves; a float is a fraction of all rows. None means 2, and with ``variant="rpart"``
        20, or three times ``min_samples_leaf`` if that is given (minsplit).
    min_samples_leaf : int, float or None, default=None
        The smallest number of rows in a child; a float is a fraction of all rows. None means 1, and with
        ``variant="rpart"`` a third of ``min_samples_split`` (minbucket; rows without a missing value in the split
        column).
    min_weight_fraction_leaf : float, default=0.0
        The smallest fraction of the total training weight in a child.
    min_gain : float or None, default=None
        If given, a node stays a leaf unless the best split lowers its impurity by more. Without it even a split that
        saves nothing is made, so that the exclusive or can be learned.
    max_leaf_nodes : int or None, default=None
        The largest number of leaves; if given, the split that saves most is made first.
    missing : {"direction", "branch", "surrogate"} or None, default=None
        Where a row with a missing value goes. "direction": to the child that saves more in training, or apart from all
        known values if that saves most. "branch": to a child of its own. "surrogate": where the best agreeing split on
        another column sends it; splits are then judged by rows without a missing value. None means "direction", and
        with ``variant="rpart"`` "surrogate". If training had no missing value at a node, to the heavier child.
    max_surrogates : int, default=5
        The number of surrogate splits that a node keeps (maxsurrogate).
    max_competitors : int, default=4
        The number of other good splits that a node keeps for reading, with ``missing="surrogate"`` (maxcompete).
    undecided : {"majority", "stay"}, default="majority"
        With ``variant="rpart"``: where a row goes that no surrogate can decide; "stay" leaves it at the node
        (usesurrogate 2 and 1).
    agreement : {"sent", "known"}, default="sent"
        Whether the agreement of a surrogate is a fraction of all rows that the primary split sends to a child, or of
        those among them without a missing value in the surrogate's column (surrogatestyle 0 and 1).
    variant : {"cart", "rpart"}, default="cart"
        "rpart" follows the rules of R's package: its limits, surrogates, ties, and its complexity parameter.
    complexity : float or None, default=None
        With ``variant="rpart"``: the fraction of the root's risk that a split must save for each leaf that it adds;
        None means 0.01 (cp).
    ccp_risk : {"impurity", "errors"} or None, default=None
        The cost of a leaf: its impurity, as in scikit-learn, or its errors, as in the CART book. None means "impurity",
        and with ``variant="rpart"`` "errors". For a number both are the squared error.
    n_jobs : int or None, default=None
        The largest number of threads; None means all that the process may use.
    """

    min_samples_split: float | None = None
    min_samples_leaf: float | None = None
    min_weight_fraction_leaf: float = 0.0
    min_gain: float | None = None
    max_leaf_nodes: int | None = None
    monotonic_cst: Any = None
    missing: str | None = None
    max_surrogates: int = 5
    max_competitors: int = 4
    undecided: str = "majority"
    agreement: str = "sent"
    variant: str = "cart"
    complexity: float | None = None
    n_jobs: int | None = None
