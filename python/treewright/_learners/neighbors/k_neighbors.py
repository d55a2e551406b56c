"""The neighbor models: the vote of the nearest rows, or their mean."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._estimator.classifier import Classifier
from treewright._estimator.regressor import Regressor
from treewright._input.class_weights import factors
from treewright._input.target import ClassTarget
from treewright._learners.class_weight_params import ClassWeightParams
from treewright._learners.neighbors.choose_k import ErrorSums
from treewright._learners.neighbors.metric import LARGEST
from treewright._learners.neighbors.neighbors_base import NeighborModel
from treewright._learners.neighbors.votes import Floats, mean, shares, unit_of
from treewright._utils.docstrings import documented
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor"]


@public
@documented
@dataclass(eq=False, repr=False)
class KNeighborsClassifier(NeighborModel, Classifier, ClassWeightParams):
    """The class of most of the nearest training rows.

    The neighbors are exact: those that a comparison with every row in double precision finds, for any search and any
    number of threads. Among rows at the same distance the one with the smaller number is nearer; ties in the vote go
    to the first class.

    Attributes
    ----------
    leave_one_out_ : ndarray
        With "auto", the fraction of wrong predictions for 1, 2, ... neighbors when each row is left out in turn.
    classes_ : ndarray
        The classes, sorted.

    Notes
    -----
    A missing value costs as much as a different category in "heom" and "hamming". With the other metrics the columns
    that both rows have count for it too, in proportion; two rows without a common column are infinitely far apart. A
    category that did not occur in training differs from every other.

    Examples
    --------
    >>> from treewright import KNeighborsClassifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> clf = KNeighborsClassifier(n_neighbors=3).fit(X, y)
    >>> clf.metric_, clf.predict(X[:3]).tolist()
    ('heom', ['No', 'No', 'Yes'])
    >>> clf = KNeighborsClassifier(n_neighbors="auto").fit(X, y)
    >>> clf.n_neighbors_, clf.leave_one_out_[:3].round(2).tolist()
    (7, [0.57, 0.71, 0.5])
    """

    def _learn(
        self, table: Table, schema: Schema, target: ClassTarget, weights: Floats | None
    ) -> _core.Cases:
        self._class_factors = factors(self.class_weight, None, target, None)
        return super()._learn(table, schema, target, weights)

    def _restore(self, metadata: Mapping[str, Any], contents: _core.Cases) -> None:
        super()._restore(metadata, contents)
        target = ClassTarget(None, self.classes_, self._order, contents.target)
        self._class_factors = factors(self.class_weight, None, target, None)

    def _class_factors_of(self, codes: NDArray[np.uint32]) -> Any:
        return np.array(self._class_factors)[codes] if self._class_factors else 1.0

    def _error_sums(self, labels: NDArray[Any], classes: int) -> ErrorSums:
        def count_errors(weights: Floats, near: NDArray[np.uint32], rows: slice) -> list[float]:
            votes, total = np.zeros((len(near), classes)), np.zeros(len(near))
            own, places = labels[rows], np.arange(len(near))
            errors = []
            weights = weights * self._class_factors_of(labels[near])
            for weight, neighbor in zip(weights.T, near.T, strict=True):
                votes[places, labels[neighbor]] += weight
                total += weight
                predicted = np.argmax(votes / total[:, None], axis=1)
                errors.append(float(np.count_nonzero(predicted != own)))
            return errors

        return count_errors

    def _predict_values(self, X: Any) -> NDArray[np.float64]:
        n_rows, neighbors = self._find_neighbors(X)
        classes, codes = len(self.schema_.classes), self._forest.target
        predicted = np.empty((n_rows, classes))
        for piece, near, weights in neighbors:
            votes = weights * self._class_factors_of(codes[near])
            predicted[piece] = shares(votes, codes[near], classes)
        return predicted


@public
@documented
class KNeighborsRegressor(NeighborModel, Regressor):
    """The mean of the nearest training rows.

    The neighbors are exact: those that a comparison with every row in double precision finds, for any search and any
    number of threads. Among rows at the same distance the one with the smaller number is nearer.

    Attributes
    ----------
    leave_one_out_ : ndarray
        With "auto", the mean squared error for 1, 2, ... neighbors when each row is left out in turn.

    Notes
    -----
    Missing values and unseen categories are treated as by :class:`KNeighborsClassifier`.

    Examples
    --------
    >>> from treewright import KNeighborsRegressor
    >>> reg = KNeighborsRegressor(n_neighbors=2).fit([[0.0], [1.0], [10.0]], [1.0, 3.0, 100.0])
    >>> reg.predict([[0.4]])
    array([2.])
    >>> reg.set_params(weights="squared_distance").predict([[0.5], [1.0]])
    array([2., 3.])
    """

    def _error_sums(self, labels: NDArray[Any], classes: int) -> ErrorSums:
        # Errors of huge numbers are limited so that their sum is finite.
        unit, limit = unit_of(labels), LARGEST / len(labels)
        values = labels * unit

        def sum_squares(weights: Floats, near: NDArray[np.uint32], rows: slice) -> list[float]:
            sums, total, own = np.zeros(len(near)), np.zeros(len(near)), values[rows]
            errors = []
            for weight, neighbor in zip(weights.T, near.T, strict=True):
                sums += weight * values[neighbor]
                total += weight
                with np.errstate(over="ignore"):
                    squares = ((sums / total - own) / unit) ** 2
                errors.append(math.fsum(np.minimum(squares, limit)))
            return errors

        return sum_squares

    def _predict_values(self, X: Any) -> NDArray[np.float64]:
        n_rows, neighbors = self._find_neighbors(X)
        values = self._forest.target
        predicted = np.empty((n_rows, 1))
        for piece, near, weights in neighbors:
            predicted[piece, 0] = mean(weights, values[near])
        return predicted
