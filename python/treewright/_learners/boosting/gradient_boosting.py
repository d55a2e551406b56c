"""Gradient boosting: many small trees, each fitted to the gradients of the loss of the trees before it.

Numbers become at most 255 bins and categories stay as they are. A tree is grown best split first, its leaves take a
Newton step, and a fraction of its predictions is added to the sums. With ``splits="exact"`` each tree is a CART
regression tree of the gradients, as Friedman described it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright._catalog import public
from treewright._estimator.ensemble import AdditiveClassifier
from treewright._learners.boosting.boosting_base import Boosting
from treewright._learners.boosting.boosting_rounds import Round
from treewright._learners.boosting.interval_models import IntervalBoosting
from treewright._learners.ensembles.run_params import RunParams
from treewright._utils.docstrings import documented

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor", "Round"]


@dataclass(kw_only=True, eq=False, repr=False)
class BoostingParams:
    """Parameters and attributes of gradient boosting.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of rounds. A round adds one tree, or one for each class if there are more than two.
    learning_rate : float, default=0.1
        Factor of the predictions of each tree.
    max_leaf_nodes : int or None, default=31
        Maximum number of leaves of a tree; the best split is made first. None for no limit.
    max_depth : int or None, default=None
        Maximum depth of a tree.
    min_samples_leaf : int, float or "auto", default="auto"
        Minimum number of rows of a leaf; a float is a fraction of all rows. "auto" is 20, or 5% of the rows if there
        are fewer than 400.
    min_gain : float, default=0.0
        Minimum loss decrease of a split, in the unit of the loss times rows.
    l2_regularization : float, default=0.0
        L2 penalty that shrinks the predictions of leaves towards 0.
    max_bins : int, default=255
        Maximum number of bins of a column. If a column has more categories, the rare ones share a bin. Missing values
        have a bin of their own.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Number of randomly chosen columns that each split considers, or a fraction of them; None for all.
    subsample : float, default=1.0
        Probability of each row to be used in a round.
    splits : {"histogram", "exact"}, default="histogram"
        Whether thresholds lie between bins, or between any two numbers as in CART. With ``max_leaf_nodes=None,
        max_depth=3, min_samples_leaf=1``, "exact" does what scikit-learn's GradientBoosting estimators do.
    monotonic_cst : array-like or dict, optional
        For numeric columns, by name or one for each column: 1 if the prediction, or the probability of the second
        class, must not decrease when the column increases, -1 if it must not increase, 0 for no constraint.
    interaction_constraints : list of lists of columns, "pairwise", "no_interactions" or None, default=None
        Groups of columns, by name or number. All splits on a path of a tree use columns of one group; a column may be
        in several groups, and the columns of no group form one of their own. "no_interactions" lets each tree use one
        column only, "pairwise" two. None for no constraint.
    init : None, "zero", number or estimator, default=None
        Where the sums start: None for the constant that minimizes the loss, "zero", a number (one for each of several
        classes), or an estimator that is fitted first and whose predictions are the start. The trees of a treewright
        estimator become the first trees of the model if its predictions are sums of trees: trees, and means or sums of
        them, for numbers; single trees for classes and for losses with a logarithm. Any other estimator is stored
        beside the trees; the model can then be pickled but not saved.
    early_stopping : bool, default=False
        Whether to stop when the loss of validation rows no longer decreases; the model ends with the best round.
    validation_fraction : float, default=0.1
        Fraction of rows held out for validation, unless ``fit`` gets ``eval_set``.
    n_iter_no_change : int, default=10
        Number of rounds without a smaller loss before stopping.
    tol : float, default=1e-7
        Minimum decrease of the loss that counts.

    Attributes
    ----------
    trees_ : Trees
        The trees; not available with an external ``init``.
    n_estimators_ : int
        Number of rounds of the model.
    n_init_trees_ : int
        Number of trees of ``init``, which come before those of the first round.
    init_ : estimator
        The fitted ``init``, if it is stored beside the trees.
    train_score_, validation_score_ : ndarray
        Mean loss at the start and after each round, if ``verbose`` or early stopping needs it.
    evals_result_ : dict
        Mean loss of each evaluation set after each round, by the names of the set and of the loss.
    best_iteration_, best_score_ : int and float
        The round with the smallest loss of the validation rows, and that loss.
    """

    n_estimators: int = 100
    learning_rate: float = 0.1
    max_leaf_nodes: int | None = 31
    max_depth: int | None = None
    min_samples_leaf: float | str = "auto"
    min_gain: float = 0.0
    l2_regularization: float = 0.0
    max_bins: int = 255
    max_features: Any = None
    subsample: float = 1.0
    splits: str = "histogram"
    monotonic_cst: Any = None
    interaction_constraints: Any = None
    init: Any = None
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 10
    tol: float = 1e-7


@public
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class GradientBoostingClassifier(RunParams, BoostingParams, Boosting, AdditiveClassifier):
    """Gradient boosting for classes: sums of trees, turned into probabilities.

    Two classes have one sum, the log odds of the second class. More classes have one sum each, and each round adds one
    tree for each class. Rows with a missing number go to the side with the larger loss decrease. Categories are split
    into two sets.

    Parameters
    ----------
    loss : {"log_loss"}, default="log_loss"
        The loss: cross-entropy.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class.

    Examples
    --------
    >>> from treewright import GradientBoostingClassifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> clf = GradientBoostingClassifier(n_estimators=20).fit(X, y)
    >>> float(clf.score(X, y)), clf.predict(X[:3]).tolist()
    (1.0, ['No', 'No', 'Yes'])
    """

    loss: str = "log_loss"
    class_weight: Any = None


@public
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class GradientBoostingRegressor(RunParams, BoostingParams, IntervalBoosting):
    """Gradient boosting for numbers: a sum of trees.

    Rows with a missing number go to the side with the larger loss decrease. Categories are split into two sets.

    Parameters
    ----------
    loss : str, default="squared_error"
        The loss. "squared_error" predicts a mean, "absolute_error" a median, "quantile" a quantile, "huber" a mean that
        outliers hardly change. The others predict a mean that is never negative, through its logarithm: "poisson" of
        counts, "gamma" of positive numbers that spread in proportion to their mean, "tweedie" of numbers of which many
        are 0, such as the sum of the claims on a policy. Their losses are deviances.
    quantile : float, default=0.9
        The quantile of ``loss="quantile"``; for "huber" the fraction of errors that are not treated as outliers.
    power : float, default=1.5
        The variance of ``loss="tweedie"`` grows with this power of the mean: between 1 ("poisson") and 2 ("gamma").
    interval : float or None, default=None
        The part of the targets that the intervals of ``predict_interval`` should contain, such as 0.9. Their ends are
        predicted by two further models with ``loss="quantile"``, so that the fit takes three times as long.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import GradientBoostingRegressor
    >>> X = np.arange(200.0).reshape(-1, 1)
    >>> reg = GradientBoostingRegressor().fit(X, X[:, 0] > 100)
    >>> reg.predict([[20], [180]]).round(3)
    array([0., 1.])
    """

    loss: str = "squared_error"
    quantile: float = 0.9
    power: float = 1.5
    interval: float | None = None
