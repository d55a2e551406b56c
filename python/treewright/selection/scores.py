"""Measures as functions for scikit-learn's ``SelectKBest`` and its relatives: a score for each column."""

from __future__ import annotations

from collections.abc import Callable
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
DOCSTRING = """Return {what}.

    Parameters
    ----------
    X : array-like
        The rows.
    y : array-like
        The target value of each row.

    Returns
    -------
    ndarray of shape (columns,)
        The score of each column.

    Examples
    --------
    >>> {name}([[1, 0], [2, 0], [8, 0], [9, 0]], [1.0, 1.0, 5.0, 5.0]).tolist()
    {scores}
    """


def _make_score(by: str, what: str, scores: list[float]) -> Callable[[Any, Any], Scores]:
    """Return the score function of a measure, with its docstring; ``scores`` are those of the example."""

    def score(X: Any, y: Any) -> Scores:
        scores = np.empty(np.shape(X)[1])
        for column in rank_columns(X, y, by):
            scores[column.position] = column.score
        return scores

    name = f"{by}_score"
    score.__name__ = score.__qualname__ = name
    score.__doc__ = DOCSTRING.format(what=what, name=name, scores=scores)
    return score


gain_score = _make_score("gain", "the information gain of each column, in bits", [1.0, 0.0])
gain_ratio_score = _make_score("gain_ratio", "the gain ratio of each column", [1.0, 0.0])
mutual_information_score = _make_score(
    "mutual_information",
    "the mutual information of each column and the target, in bits",
    [1.0, 0.0],
)
gini_score = _make_score("gini", "the decrease of the Gini index by each column", [0.5, 0.0])
chi2_score = _make_score(
    "chi2", "the chi-squared statistic of each column; numbers are split once", [4.0, 0.0]
)
one_r_score = _make_score("one_r", "the accuracy of the 1-R rule of each column", [0.5, 0.5])
variance_reduction_score = _make_score(
    "variance_reduction",
    "how much each column reduces the variance of a numeric target",
    [4.0, 0.0],
)
