"""The parameters that both boosting learners have, with their defaults; described once.

Not here: what they mean to the core, which ``_boost_recipe`` knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["BoostParams"]


@dataclass(kw_only=True, eq=False, repr=False)
class BoostParams:
    """What boosting can be told.

    Parameters
    ----------
    n_estimators : int, default=100
        Rounds: a tree each, or one for each of several classes.
    learning_rate : float, default=0.1
        The factor of each tree.
    max_leaf_nodes : int or None, default=31
        The most leaves of a tree; the best split is made first. None leaves it to the depth.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_leaf : int or "auto", default="auto"
        The fewest rows of a leaf. "auto" is 20, or of fewer than 400 rows a twentieth of them.
    min_gain : float, default=0.0
        What a split must save, in the unit of the loss times rows.
    l2_regularization : float, default=0.0
        Draws what leaves say towards 0.
    max_bins : int, default=255
        The most bins of a column of numbers; of more categories the rare ones share a bin. Missing values have one
        of their own.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many columns, or which share of them, each split looks at; drawn anew for each.
    subsample : float, default=1.0
        The chance of each row to be in a round.
    splits : {"histogram", "exact"}, default="histogram"
        Between bins, or between any two numbers, as CART makes them; with ``max_leaf_nodes=None, max_depth=3,
        min_samples_leaf=1`` the latter is what scikit-learn's GradientBoosting learners do.
    monotonic_cst : array-like or dict, optional
        1 or -1 for columns along which the answer, or the share of the second class, may only rise or fall; by position
        or by name.
    init : None, "zero", number or learner, default=None
        Where the sums begin: None for the constant that costs least, "zero", a number (for each of several classes),
        or a learner that is fitted first and whose answers are the start. The trees of a learner of treewright become
        the first terms of the sums where that is what they are: trees and means or sums of them for numbers, single
        trees for classes and for counts. Any other learner is kept beside the model, which can then be pickled but
        not saved.
    early_stopping : bool, default=False
        Whether to hold out rows and to stop where their loss no longer falls; the best round is the last one kept.
    validation_fraction : float, default=0.1
        The share of rows held out, unless ``fit`` is given others.
    n_iter_no_change : int, default=10
        Rounds to wait for a smaller loss.
    tol : float, default=1e-7
        A loss is smaller if it is so by more than this.
    warm_start : bool, default=False
        Whether another ``fit`` adds rounds to those there are.
    random_state : int or None, default=None
        The number that all chance follows from; None is 0. The same number gives the same model, byte by byte.
    verbose : int, default=0
        Whether to print the losses: every tenth round, or with larger numbers more often.
    n_jobs : int or None, default=None
        Threads; None or -1 for all. The model does not depend on it.
    """

    n_estimators: int = 100
    learning_rate: float = 0.1
    max_leaf_nodes: int | None = 31
    max_depth: int | None = None
    min_samples_leaf: int | str = "auto"
    min_gain: float = 0.0
    l2_regularization: float = 0.0
    max_bins: int = 255
    max_features: Any = None
    subsample: float = 1.0
    splits: str = "histogram"
    monotonic_cst: Any = None
    init: Any = None
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 10
    tol: float = 1e-7
    warm_start: bool = False
    random_state: int | None = None
    verbose: int = 0
    n_jobs: int | None = None
