"""Models of many trees: predictions after each stage, and decision functions.

An ensemble derives from one of these three classes and adds how its forest is grown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright._estimator.classifier import Classifier
from treewright._estimator.regressor import Regressor
from treewright._estimator.tree_model import TreeModel

__all__ = ["AdditiveClassifier", "EnsembleClassifier", "EnsembleRegressor"]


def staged_predict(self: Any, X: Any) -> Iterator[NDArray[Any]]:
    """Yield the predictions after each stage.

    Parameters
    ----------
    X : table
        The rows, with the columns of the training table.

    Yields
    ------
    ndarray
        A class or a number for each row.
    """
    for values in self._stages(X, raw=False):
        yield self._labels(values) if isinstance(self, Classifier) else values[:, 0]


def staged_predict_proba(self: Any, X: Any) -> Iterator[NDArray[np.float64]]:
    """Yield the probabilities of the classes after each stage.

    Parameters
    ----------
    X : table
        The rows, with the columns of the training table.

    Yields
    ------
    ndarray of shape (rows, classes)
        Probabilities in the order of ``classes_``.
    """
    for shares in self._stages(X, raw=False):
        yield self._sort_classes(shares)


def staged_score(self: Any, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
    """Yield the score after each stage: the accuracy, or R².

    Parameters
    ----------
    X : table
        The rows, with the columns of the training table.
    y : array-like
        The true class or number of each row.
    sample_weight : array-like, optional
        A weight for each row.

    Yields
    ------
    float
        As by ``score``.
    """
    from sklearn.metrics import accuracy_score, r2_score  # slow to import

    score = accuracy_score if isinstance(self, Classifier) else r2_score
    for predictions in self.staged_predict(X):
        yield float(score(y, predictions, sample_weight=sample_weight))


class EnsembleClassifier(TreeModel, Classifier):
    """Many trees that predict a class."""

    _kind: ClassVar[str] = "trees"
    staged_predict = staged_predict
    staged_score = staged_score
    staged_predict_proba = staged_predict_proba


class EnsembleRegressor(TreeModel, Regressor):
    """Many trees that predict a number."""

    _kind: ClassVar[str] = "trees"
    staged_predict = staged_predict
    staged_score = staged_score


class AdditiveClassifier(TreeModel, Classifier):
    """Many trees whose weighted sums decide on the class."""

    _kind: ClassVar[str] = "trees"
    staged_predict = staged_predict
    staged_score = staged_score
    staged_predict_proba = staged_predict_proba

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the sums that the prediction is made from.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows,) or (rows, classes)
            For two classes one number, positive for the second; else one for each class, in the order of ``classes_``.
        """
        return self._decision(self._predict_sums(X))

    def staged_decision_function(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Yield the sums after each stage.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Yields
        ------
        ndarray of shape (rows,) or (rows, classes)
            As by :meth:`decision_function`.
        """
        for sums in self._stages(X, raw=True):
            yield self._decision(sums)

    def _decision(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        if len(self.classes_) > 2:
            return self._sort_classes(sums)
        second = sums[:, 0] if sums.shape[1] == 1 else sums[:, 1] - sums[:, 0]
        return second if self._order[0] == 0 else -second
