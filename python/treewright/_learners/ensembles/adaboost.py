"""AdaBoost: weak learners fitted one after the other, each on rows that weigh more the worse they were predicted.

For classes SAMME (Zhu, Zou, Rosset and Hastie 2009), which for two classes is the AdaBoost of Freund and Schapire
(1997); for numbers AdaBoost.R2 (Drucker 1997).

Not here: the rounds (``adaboost_rounds``), how the core finds stumps.

Glossary: the *vote* (alpha) of a weak learner is the weight of its prediction.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from treewright._catalog import public
from treewright._estimator.ensemble import AdditiveClassifier, EnsembleRegressor
from treewright._learners.class_weight_params import ClassWeightParams
from treewright._learners.ensembles.adaboost_rounds import R2, AdaBoostMethod, Samme
from treewright._learners.ensembles.base_learner import BaseLearnerEnsemble
from treewright._learners.ensembles.run_params import RunParams
from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
from treewright._utils.docstrings import documented

__all__ = ["AdaBoostClassifier", "AdaBoostRegressor"]


@dataclass(eq=False, repr=False)
class AdaBoostParams:
    """Parameters and attributes of AdaBoost.

    Parameters
    ----------
    n_estimators : int, default=50
        Maximum number of rounds.
    learning_rate : float, default=1.0
        Factor of the votes, and so of the changes of weights.

    Attributes
    ----------
    rounds_ : tuple of Round
        Each round: weighted error, vote, and the rows that gained weight. Not stored in files.
    estimator_weights_ : ndarray
        Vote of each round.
    estimator_errors_ : ndarray
        Weighted error of each round.
    trees_ : Trees
        The trees, if the weak learners are trees of treewright.
    estimators_ : list
        The fitted weak learners. Model files store trees of treewright only; pickles store any.
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = ("estimator_weights_", "estimator_errors_")

    estimator: Any = None
    _: KW_ONLY
    n_estimators: int = 50
    learning_rate: float = 1.0


@public
@documented
@dataclass(eq=False, repr=False)
class AdaBoostClassifier(
    ClassWeightParams, RunParams, AdaBoostParams, BaseLearnerEnsemble, AdditiveClassifier
):
    """AdaBoost for classes (SAMME): a weighted vote of weak learners.

    A weak learner with weighted error e has the vote ``learning_rate * (log((1 - e) / e) + log(K - 1))`` for K
    classes; the rows that it misclassifies then weigh exp(vote) times as much. A learner without errors is the last
    one, with a vote of 1. A learner that is not better than chance ends the fit and has no vote, unless
    it is the first.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The weak learner: a tree of treewright, or any classifier whose ``fit`` takes ``sample_weight``. None is
        ``CARTClassifier(max_depth=1)`` for two classes: stumps, which are found faster if all columns are numeric
        without missing values. Of K classes it is the least depth with a leaf for each, log2 K rounded up: a stump
        cannot tell more than two classes apart.
    class_weight : dict, list, "balanced" or None, default=None
        The weight of each class, by class or in the order of ``classes_``; "balanced" gives all classes the same total
        weight. Each class then keeps its share of the total weight in every round, where AdaBoost would shift weight
        between classes and forget the weights after some rounds.

    Examples
    --------
    >>> from treewright import AdaBoostClassifier
    >>> model = AdaBoostClassifier(n_estimators=3).fit([[1], [2], [3], [4]], ["a", "b", "b", "a"])
    >>> [(round(r.error, 3), round(r.vote, 3), r.rows.tolist()) for r in model.rounds_]
    [(0.25, 1.099, [3]), (0.167, 1.609, [0]), (0.2, 1.386, [1, 2])]
    >>> model.predict([[1], [2], [4]])
    array(['a', 'b', 'a'], dtype='<U1')
    """

    _method = AdaBoostMethod(Samme, CARTClassifier, 1)


@public
@documented
@dataclass(eq=False, repr=False)
class AdaBoostRegressor(RunParams, AdaBoostParams, BaseLearnerEnsemble, EnsembleRegressor):
    """AdaBoost for numbers (AdaBoost.R2): the weighted median of weak learners.

    The losses of a round are scaled to at most 1; their weighted mean is its error e. The vote of a weak learner is
    ``learning_rate * log((1 - e) / e)``, and rows with small losses lose weight. A learner with an error of at least
    one half ends the fit and has no vote, unless it is the first.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The weak learner: a tree of treewright, or any regressor whose ``fit`` takes ``sample_weight``. None is
        ``CARTRegressor(max_depth=3)``.
    loss : {"linear", "square", "exponential"}, default="linear"
        The loss of an error.
    resample : bool, default=False
        Whether a weak learner is fitted to rows sampled in proportion to their weights, as in the paper and in
        scikit-learn, instead of weighted rows. Sampling adds noise, and makes the model depend on the order of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import AdaBoostRegressor
    >>> X = np.linspace(0, 1, 40).reshape(-1, 1)
    >>> model = AdaBoostRegressor(n_estimators=10).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """

    _method = AdaBoostMethod(R2, CARTRegressor, 3)

    loss: str = "linear"
    resample: bool = False
