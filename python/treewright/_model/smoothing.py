"""Smoothed class probabilities: a leaf with few rows does not claim to be certain.

The proportions of the classes at a node are estimates, and those of small nodes are extreme: one row of one class gives
a probability of 1. Smoothing adds imaginary rows: one of each class (Laplace), or ``m`` rows with the proportions of
the root (the m-estimate of Cestnik). The node table keeps the proportions of the training rows; predictions, the class
of each node and exports use the smoothed ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright._utils.validation import check_number
from treewright.errors import UsageError

__all__ = ["LAPLACE", "check_smoothing", "name_smoothing", "smooth_shares"]

LAPLACE = "laplace"
Numbers = NDArray[np.float64]


def check_smoothing(smoothing: str | float | None) -> str | float | None:
    """Check the parameter ``smoothing``.

    Examples
    --------
    >>> check_smoothing("laplace"), check_smoothing(2), check_smoothing(None)
    ('laplace', 2.0, None)
    """
    if smoothing is None or smoothing == LAPLACE:
        return smoothing
    if isinstance(smoothing, str):
        raise UsageError(
            f'smoothing must be None, "laplace" or a number; got {smoothing!r}',
            slug="usage.parameter",
        )
    return float(check_number("smoothing", smoothing, minimum=0))


def name_smoothing(smoothing: str | float) -> str:
    """Return the name of a kind of smoothing in a sentence.

    Examples
    --------
    >>> name_smoothing("laplace"), name_smoothing(2.0)
    ('Laplace smoothing', 'm-estimate with m = 2')
    """
    return "Laplace smoothing" if smoothing == LAPLACE else f"m-estimate with m = {smoothing:g}"


def smooth_shares(
    shares: Numbers, weights: Numbers, parents: NDArray[np.int64], smoothing: str | float
) -> Numbers:
    """Return the smoothed class proportions of all nodes of a tree.

    A node without training rows has those of its parent.

    Examples
    --------
    >>> shares, weights = np.array([[0.6, 0.4], [1.0, 0.0]]), np.array([5.0, 3.0])
    >>> smooth_shares(shares, weights, np.array([-1, 0]), "laplace").round(2).tolist()
    [[0.57, 0.43], [0.8, 0.2]]
    >>> smooth_shares(shares, weights, np.array([-1, 0]), 2.0).round(2).tolist()
    [[0.6, 0.4], [0.84, 0.16]]
    """
    n_classes = shares.shape[1]
    if smoothing == LAPLACE:
        rows, prior = float(n_classes), np.full(n_classes, 1.0 / n_classes)
    else:
        rows, prior = float(smoothing), shares[0]
    if not rows:
        return shares
    smoothed: Numbers = (shares * weights[:, None] + rows * prior) / (weights[:, None] + rows)
    for node in np.flatnonzero(weights == 0).tolist():  # parents come before their children
        smoothed[node] = smoothed[parents[node]] if node else shares[0]
    return smoothed
