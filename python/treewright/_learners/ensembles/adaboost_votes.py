"""The predictions of AdaBoost from those of estimators that are not trees of treewright.

Trees of treewright are combined by the core.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["shares_of", "sum_votes", "weighted_median"]

Numbers = NDArray[np.float64]


def sum_votes(model: Any, X: Any) -> Iterator[Numbers]:
    """Yield the weighted votes of the first estimator, of the first two, and so on, in the order of ``classes_``."""
    n_classes, total, votes = len(model.classes_), 0.0, None
    for estimator, vote in zip(model.estimators_, model.estimator_weights_, strict=True):
        places = np.searchsorted(model.classes_, estimator.predict(X))
        votes = np.zeros((len(places), n_classes)) if votes is None else votes
        votes[np.arange(len(places)), places] += vote
        total += vote
        if n_classes == 1:
            yield np.zeros_like(votes)
        else:
            yield np.asarray((votes - (total - votes) / (n_classes - 1)) / total)


def shares_of(sums: Numbers) -> Numbers:
    """Return the shares of the classes that weighted votes stand for.

    Examples
    --------
    >>> shares_of(np.array([[0.0, 0.0]])).tolist()
    [[0.5, 0.5]]
    """
    powers = np.exp(sums / max(sums.shape[1] - 1, 1))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def weighted_median(values: Numbers, votes: Numbers) -> Numbers:
    """Return the weighted median of the columns, as one column.

    Examples
    --------
    >>> weighted_median(np.array([[3.0, 1.0, 2.0]]), np.array([1.0, 1.0, 5.0])).tolist()
    [[2.0]]
    """
    order = np.argsort(values, axis=1, kind="stable")
    reached = np.cumsum(votes[order], axis=1)
    middle = (reached >= 0.5 * reached[:, -1:]).argmax(axis=1)
    return np.take_along_axis(np.take_along_axis(values, order, 1), middle[:, None], 1)
