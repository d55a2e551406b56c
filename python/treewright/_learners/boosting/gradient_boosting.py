"""Gradient boosting: many small trees, each grown on what is left over by those before it.

The recipe in words: numbers become at most 255 bins, categories stay what they are; a tree is grown best split first on
the gradients of a loss, its leaves take a Newton step, and a fraction of what it says is added to the sums. Or with
``splits="exact"`` as Friedman described it: each tree is a CART regression tree of the gradients.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._estimator.ensemble import AdditiveClassifier, EnsembleRegressor
from treewright._input.class_weights import factors
from treewright._input.target import ClassTarget
from treewright._learners.boosting.boosting_base import Boosting, Round
from treewright._model.decision import decide
from treewright._utils.docstrings import documented
from treewright.schema import Level

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor", "Round"]

Weights = NDArray[np.float64] | None


@public
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class GradientBoostingClassifier(Boosting, AdditiveClassifier):
    """Gradient boosting for classes: sums of trees, turned into shares.

    Two classes have one sum, the logarithm of the odds of the second; more have one each, and a tree for each in every
    round. Numbers may be missing: they go to the side where they save more. Categories are divided as they are.

    Parameters
    ----------
    loss : {"log_loss"}, default="log_loss"
        The deviance.
    class_weight : dict, "balanced" or None, default=None
        By how much the rows of each class count.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.

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

    def _class_weights(self, target: ClassTarget, weights: Weights) -> Weights:
        counts = factors(self.class_weight, None, target, weights)
        if not counts:
            return weights
        by_class = np.array(counts)[target.codes]
        return by_class if weights is None else weights * by_class

    # ---- answers where the start is kept apart

    def _predict_values(self, X: Any) -> NDArray[np.float64]:
        return super()._predict_values(X) if self._apart() is None else self._says(X)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the sums that the answer comes from.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows,) or (rows, classes)
            For two classes one number, positive for the second; else one for each class, in the order of ``classes_``.
        """
        if self._apart() is None:
            return super().decision_function(X)
        return self._decision(self._says(X, raw=True))

    def predict_one(self, row: Any) -> Level:
        """Return the class of one row, as quickly as possible.

        Parameters
        ----------
        row : ndarray, sequence or mapping
            One value for each column: in their order, or by name. An array of floats is fastest.

        Returns
        -------
        class
            One of ``schema_.classes``, as a plain value.
        """
        if self._apart() is None:
            return super().predict_one(row)
        return self.schema_.classes[int(decide(self._says_one(row), self.schema_)[0])]


@public
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class GradientBoostingRegressor(Boosting, EnsembleRegressor):
    """Gradient boosting for numbers: a sum of trees.

    Numbers may be missing: they go to the side where they save more. Categories are divided as they are.

    Parameters
    ----------
    loss : {"squared_error", "absolute_error", "quantile", "huber", "poisson"}, default="squared_error"
        What errors cost. "absolute_error" and "quantile" answer with a median or a quantile, "huber" with a mean that
        far errors hardly move, "poisson" with the mean of counts.
    quantile : float, default=0.9
        The quantile of ``loss="quantile"``; for "huber" the share of errors that count as near.

    Attributes
    ----------
    trees_ : Trees
        The fitted trees.

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

    # ---- answers where the start is kept apart

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the number of each row.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of float
            A number for each row.
        """
        return super().predict(X) if self._apart() is None else self._says(X)[:, 0]

    def predict_one(self, row: Any) -> float:
        """Return the number of one row, as quickly as possible.

        Parameters
        ----------
        row : ndarray, sequence or mapping
            One value for each column: in their order, or by name. An array of floats is fastest.

        Returns
        -------
        float
            The number.
        """
        if self._apart() is None:
            return super().predict_one(row)
        return float(self._says_one(row)[0, 0])
