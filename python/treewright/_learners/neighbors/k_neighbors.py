"""The neighbour models: the votes of the nearest rows, or their mean."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._estimator.model import Classifier, Regressor
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.neighbors.choose_k import Judge
from treewright._learners.neighbors.metric import LARGEST
from treewright._learners.neighbors.neighbors_base import Neighbours
from treewright._learners.neighbors.votes import Floats, Weights, mean, shares, unit_of

__all__ = ["KNeighborsClassifier", "KNeighborsRegressor"]


@public
class KNeighborsClassifier(Neighbours, Classifier):
    """The class of most of the nearest training rows.

    The neighbours are exact: those that a comparison with every row in double precision finds, whatever search is
    used and however many threads. Of rows at the same distance the one with the smaller number is nearer; ties in the
    votes go to the first class.

    Parameters
    ----------
    n_neighbors : int or "auto", default=5
        How many rows answer; all of them where there are fewer. "auto" takes the number with the fewest errors when
        each training row is left out in turn.
    weights : {"uniform", "distance", "squared_distance"} or callable, default="uniform"
        How much each neighbour counts: equally, 1/d or 1/d² of its distance, or what a function makes of an array of
        distances. With the two in the middle a row that meets training rows exactly gets their answer alone.
    metric : str, default="auto"
        "euclidean", "manhattan", "chebyshev", "minkowski", "cosine" for numbers; "hamming" for the share of columns
        that differ; "heom" and "gower" for tables of numbers and categories. "auto" is "euclidean" for complete
        numbers and "heom" for everything else.
    p : float, default=2
        The power of "minkowski".
    scale : {"auto", "range", "standard"} or None, default="auto"
        What numbers are divided by: the range or the standard deviation of their column in training, or nothing.
        "auto" is the range for "heom" and "gower" and nothing for the others.
    column_weights : mapping or sequence, default=None
        How much a difference in each column counts; 1 where a mapping does not name it.
    max_neighbors : int, default=50
        How many neighbours "auto" tries at most.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use.

    Attributes
    ----------
    n_neighbors_ : int
        How many rows answer.
    metric_ : str
        The metric in use.
    leave_one_out_ : ndarray
        With "auto", the share of wrong answers for 1, 2, ... neighbours when each row is left out in turn.
    schema_ : Schema
        Names, levels and classes.
    classes_ : ndarray
        The classes, sorted.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Notes
    -----
    A missing value costs as much as a different category in "heom" and "hamming". Elsewhere the columns that both rows
    have count for it too, in proportion; two rows without a common column are infinitely far apart. A category that
    training never saw differs from every other.

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

    def __init__(
        self,
        n_neighbors: int | str = 5,
        *,
        weights: Weights = "uniform",
        metric: str = "auto",
        p: float = 2,
        scale: str | None = "auto",
        column_weights: Any = None,
        max_neighbors: int = 50,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.metric = metric
        self.p = p
        self.scale = scale
        self.column_weights = column_weights
        self.max_neighbors = max_neighbors
        self.n_jobs = n_jobs

    def _answers_of(self, target: ClassTarget) -> NDArray[np.uint32]:
        return target.codes

    def _judge(self, answers: NDArray[Any], classes: int) -> Judge:
        def wrong(weights: Floats, near: NDArray[np.uint32], rows: slice) -> list[float]:
            votes, total = np.zeros((len(near), classes)), np.zeros(len(near))
            own, places = answers[rows], np.arange(len(near))
            errors = []
            for weight, neighbour in zip(weights.T, near.T, strict=True):
                votes[places, answers[neighbour]] += weight
                total += weight
                said = np.argmax(votes / total[:, None], axis=1)
                errors.append(float(np.count_nonzero(said != own)))
            return errors

        return wrong

    def _predict_values(self, X: Any) -> NDArray[np.float64]:
        rows, found = self._counted(X)
        classes, codes = len(self.schema_.classes), self._forest.target
        said = np.empty((rows, classes))
        for piece, near, weights in found:
            said[piece] = shares(weights, codes[near], classes)
        return said


@public
class KNeighborsRegressor(Neighbours, Regressor):
    """The mean of the nearest training rows.

    The neighbours are exact: those that a comparison with every row in double precision finds, whatever search is
    used and however many threads. Of rows at the same distance the one with the smaller number is nearer.

    Parameters
    ----------
    n_neighbors : int or "auto", default=5
        How many rows answer; all of them where there are fewer. "auto" takes the number with the least error when each
        training row is left out in turn.
    weights : {"uniform", "distance", "squared_distance"} or callable, default="uniform"
        How much each neighbour counts: equally, 1/d or 1/d² of its distance, or what a function makes of an array of
        distances. With the two in the middle a row that meets training rows exactly gets their answer alone.
    metric : str, default="auto"
        "euclidean", "manhattan", "chebyshev", "minkowski", "cosine" for numbers; "hamming" for the share of columns
        that differ; "heom" and "gower" for tables of numbers and categories. "auto" is "euclidean" for complete
        numbers and "heom" for everything else.
    p : float, default=2
        The power of "minkowski".
    scale : {"auto", "range", "standard"} or None, default="auto"
        What numbers are divided by: the range or the standard deviation of their column in training, or nothing.
        "auto" is the range for "heom" and "gower" and nothing for the others.
    column_weights : mapping or sequence, default=None
        How much a difference in each column counts; 1 where a mapping does not name it.
    max_neighbors : int, default=50
        How many neighbours "auto" tries at most.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use.

    Attributes
    ----------
    n_neighbors_ : int
        How many rows answer.
    metric_ : str
        The metric in use.
    leave_one_out_ : ndarray
        With "auto", the mean squared error for 1, 2, ... neighbours when each row is left out in turn.
    schema_ : Schema
        Names and levels.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Notes
    -----
    Missing values and unseen categories are those of :class:`KNeighborsClassifier`.

    Examples
    --------
    >>> from treewright import KNeighborsRegressor
    >>> reg = KNeighborsRegressor(n_neighbors=2).fit([[0.0], [1.0], [10.0]], [1.0, 3.0, 100.0])
    >>> reg.predict([[0.4]])
    array([2.])
    >>> reg.set_params(weights="squared_distance").predict([[0.5], [1.0]])
    array([2., 3.])
    """

    def __init__(
        self,
        n_neighbors: int | str = 5,
        *,
        weights: Weights = "uniform",
        metric: str = "auto",
        p: float = 2,
        scale: str | None = "auto",
        column_weights: Any = None,
        max_neighbors: int = 50,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.metric = metric
        self.p = p
        self.scale = scale
        self.column_weights = column_weights
        self.max_neighbors = max_neighbors
        self.n_jobs = n_jobs

    def _answers_of(self, target: NumberTarget) -> NDArray[np.float64]:
        return target.values

    def _judge(self, answers: NDArray[Any], classes: int) -> Judge:
        def squared(weights: Floats, near: NDArray[np.uint32], rows: slice) -> list[float]:
            sums, total, own = np.zeros(len(near)), np.zeros(len(near)), values[rows]
            errors = []
            for weight, neighbour in zip(weights.T, near.T, strict=True):
                sums += weight * values[neighbour]
                total += weight
                with np.errstate(over="ignore"):
                    squares = ((sums / total - own) / unit) ** 2
                errors.append(math.fsum(np.minimum(squares, most)))
            return errors

        # Errors of huge numbers are as large as they can be while their sum is a number.
        unit, most = unit_of(answers), LARGEST / len(answers)
        values = answers * unit

        return squared

    def _predict_values(self, X: Any) -> NDArray[np.float64]:
        n_rows, pieces = self._counted(X)
        values = self._forest.target
        predicted = np.empty((n_rows, 1))
        for piece, near, weights in pieces:
            predicted[piece, 0] = mean(weights, values[near])
        return predicted
