"""Bagging (Breiman 1996): an estimator fitted to many samples of the rows; the prediction is the mean of theirs.

Not here: forests, whose nodes also sample columns (``forests``); how estimators are fitted (``bagging_method``).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from treewright._catalog import public
from treewright._estimator.ensemble import EnsembleClassifier, EnsembleRegressor
from treewright._learners.ensembles.bagging_method import BaggingMethod
from treewright._learners.ensembles.base_learner import BaseLearnerEnsemble
from treewright._learners.ensembles.run_params import RunParams
from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
from treewright._utils.docstrings import documented

__all__ = ["BaggingClassifier", "BaggingRegressor"]


@dataclass(eq=False, repr=False)
class BaggingParams:
    """Parameters and attributes of bagging.

    Parameters
    ----------
    n_estimators : int, default=10
        Number of estimators.
    max_samples : int, float or None, default=None
        Number of rows of a sample, or a fraction of them; None for as many as there are.
    max_features : int or float, default=1.0
        Number of columns that each estimator uses, or a fraction of them.
    bootstrap : bool, default=True
        Whether rows are sampled with replacement.
    oob_score : bool or callable, default=False
        Whether to score each training row with the estimators whose samples do not contain it; by accuracy or R², or by
        a function of the true and the predicted values.

    Attributes
    ----------
    trees_ : Trees
        The trees, if the base estimator is a tree of treewright.
    estimators_ : list
        The estimators, if they are not trees of treewright. Model files cannot store them; pickles can.
    estimators_features_ : list of ndarray
        The columns that each of them uses.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, if the training table had names.
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = ("oob_score_", "oob_curve_")

    estimator: Any = None
    n_estimators: int = 10
    _: KW_ONLY
    max_samples: Any = None
    max_features: Any = 1.0
    bootstrap: bool = True
    oob_score: Any = False


@public
@documented
@dataclass(eq=False, repr=False)
class BaggingClassifier(RunParams, BaggingParams, BaseLearnerEnsemble, EnsembleClassifier):
    """Bagging of a classifier: the prediction is the class with the highest mean probability.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The base estimator: a tree of treewright or any other classifier. None is ``CARTClassifier()``.

    Attributes
    ----------
    oob_score_ : float
        The out-of-bag score; only with ``oob_score``.
    oob_curve_ : ndarray
        The out-of-bag error rate after each tree of treewright; only with ``oob_score``.
    oob_decision_function_ : ndarray
        Out-of-bag class probabilities, NaN if every sample contains the row. Not stored in files.
    classes_ : ndarray
        The classes, sorted.

    Examples
    --------
    >>> from treewright import BaggingClassifier, C45Classifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> model = BaggingClassifier(C45Classifier(), n_estimators=15).fit(X, y)
    >>> len(model.trees_)
    15
    """

    _method = BaggingMethod(CARTClassifier)


@public
@documented
@dataclass(eq=False, repr=False)
class BaggingRegressor(RunParams, BaggingParams, BaseLearnerEnsemble, EnsembleRegressor):
    """Bagging of a regressor: the prediction is the mean of the estimators' predictions.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The base estimator: a tree of treewright or any other regressor. None is ``CARTRegressor()``.

    Attributes
    ----------
    oob_score_ : float
        The out-of-bag score; only with ``oob_score``.
    oob_curve_ : ndarray
        The out-of-bag mean squared error after each tree of treewright; only with ``oob_score``.
    oob_prediction_ : ndarray
        Out-of-bag predictions, NaN if every sample contains the row. Not stored in files.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import BaggingRegressor
    >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
    >>> model = BaggingRegressor(n_estimators=20).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """

    _method = BaggingMethod(CARTRegressor)
