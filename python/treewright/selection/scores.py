"""Measures as functions for scikit-learn's ``SelectKBest`` and its relatives: a score for each column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.selection._rank import rank_columns

__all__ = [
    "chi2_score",
    "gain_ratio_score",
    "gain_score",
    "gini_score",
    "mutual_information_score",
    "one_r_score",
    "variance_reduction_score",
]

Scores = NDArray[np.float64]


def _scores(X: Any, y: Any, by: str) -> Scores:
    scores = np.empty(np.shape(X)[1])
    for column in rank_columns(X, y, by):
        scores[column.position] = column.score
    return scores


def gain_score(X: Any, y: Any) -> Scores:
    """Return the information gain of each column, in bits.

    Parameters
    ----------
    X : array-like
        The rows.
    y : array-like
        The class of each row.

    Examples
    --------
    >>> gain_score([[1, 0], [2, 0], [8, 0], [9, 0]], [0, 0, 1, 1]).tolist()
    [1.0, 0.0]
    """
    return _scores(X, y, "gain")


def gain_ratio_score(X: Any, y: Any) -> Scores:
    """Return the gain ratio of each column.

    Parameters
    ----------
    X : array-like
        The rows.
    y : array-like
        The class of each row.

    Examples
    --------
    >>> gain_ratio_score([[1, 0], [2, 0], [8, 0], [9, 0]], [0, 0, 1, 1]).tolist()
    [1.0, 0.0]
    """
    return _scores(X, y, "gain_ratio")


def mutual_information_score(X: Any, y: Any) -> Scores:
    """Return the mutual information of each column and the target, in bits.

    Parameters
    ----------
    X : array-like
        The rows.
    y : array-like
        The class of each row.

    Examples
    --------
    >>> mutual_information_score([[1, 0], [2, 0], [8, 0], [9, 0]], [0, 0, 1, 1]).tolist()
    [1.0, 0.0]
    """
    return _scores(X, y, "mutual_information")


def gini_score(X: Any, y: Any) -> Scores:
    """Return how much smaller each column makes the Gini index.

    Parameters
    ----------
    X : array-like
        The rows.
    y : array-like
        The class of each row.

    Examples
    --------
    >>> gini_score([[1, 0], [2, 0], [8, 0], [9, 0]], [0, 0, 1, 1]).tolist()
    [0.5, 0.0]
    """
    return _scores(X, y, "gini")


def chi2_score(X: Any, y: Any) -> Scores:
    """Return the statistic of chi-squared of each column, its numbers cut once where it is largest.

    Parameters
    ----------
    X : array-like
        The rows.
    y : array-like
        The class of each row.

    Examples
    --------
    >>> chi2_score([[1, 0], [2, 0], [8, 0], [9, 0]], [0, 0, 1, 1]).tolist()
    [4.0, 0.0]
    """
    return _scores(X, y, "chi2")


def one_r_score(X: Any, y: Any) -> Scores:
    """Return the share of rows that 1-R's rule of each column gets right.

    Parameters
    ----------
    X : array-like
        The rows.
    y : array-like
        The class of each row.

    Examples
    --------
    >>> one_r_score([[1, 0], [2, 0], [8, 0], [9, 0]], [0, 0, 1, 1]).tolist()
    [0.5, 0.5]
    """
    return _scores(X, y, "one_r")


def variance_reduction_score(X: Any, y: Any) -> Scores:
    """Return how much smaller each column makes the variance of a numeric target.

    Parameters
    ----------
    X : array-like
        The rows.
    y : array-like
        The number of each row.

    Examples
    --------
    >>> variance_reduction_score([[1, 0], [2, 0], [8, 0], [9, 0]], [1.0, 1.0, 5.0, 5.0]).tolist()
    [4.0, 0.0]
    """
    return _scores(X, y, "variance_reduction")
