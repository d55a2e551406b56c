"""Random forests and extremely randomized trees, for classes and for numbers.

A random forest (Breiman 2001) grows each tree on its own bootstrap sample, and each node uses the best split of a few
randomly chosen columns. Extremely randomized trees (Geurts, Ernst and Wehenkel 2006) also choose the thresholds at
random. The prediction is the mean over the trees. Every random choice depends on the seed, the tree, the node and the
content of the rows, never on threads or on the order of the rows.

Not here: bagging of other estimators (``bagging``), how samples are taken (the core).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._estimator.ensemble import EnsembleClassifier, EnsembleRegressor
from treewright._learners.ensembles.forest_base import Forest
from treewright._learners.ensembles.run_params import RunParams
from treewright._learners.ensembles.sampling import make_bag, sample_rows
from treewright._utils.docstrings import documented
from treewright._utils.validation import check_integer

__all__ = [
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "bootstrap",
]


def bootstrap(n: int, seed: int = 0) -> NDArray[np.int64]:
    """Return a bootstrap sample: n row numbers sampled with replacement.

    Parameters
    ----------
    n : int
        Number of rows.
    seed : int, default=0
        Random seed.

    Returns
    -------
    ndarray of int
        The sampled rows in ascending order. On average 37% of the rows are not among them; others occur several times.

    Examples
    --------
    >>> from treewright import bootstrap
    >>> rows = bootstrap(1000, seed=7)
    >>> len(rows), len(set(rows.tolist()))
    (1000, 637)
    """
    n = check_integer("n", n, minimum=1)
    bag = make_bag("bootstrap", int(check_integer("seed", seed, minimum=0)))
    return np.repeat(np.arange(n), sample_rows(bag, n, 0))


@dataclass(eq=False, repr=False)
class ForestParams:
    """Parameters and attributes that all forests have.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    max_depth : int or None, default=None
        Maximum depth of a tree.
    min_samples_split : int or float, default=2
        Minimum number of rows of a node that is split; a float is a fraction of all rows. Repeated rows count once.
    min_samples_leaf : int or float, default=1
        Minimum number of rows of a leaf, in the same way.
    min_weight_fraction_leaf : float, default=0.0
        Minimum weight of a leaf, as a fraction of the total weight.
    max_leaf_nodes : int or None, default=None
        Maximum number of leaves of a tree. If set, the split with the largest impurity decrease is made first.
    min_gain : float or None, default=None
        If set, a node is split only if that decreases its impurity by more than this.
    max_samples : int, float or None, default=None
        Size of a bootstrap sample: a number of rows or a fraction of them; None for as many as there are.
    monotonic_cst : dict, list or None, default=None
        For numeric columns, by name or one for each column: 1 if the prediction must not decrease when the column
        increases, -1 if it must not increase, 0 for no constraint.
    missing : {"direction", "branch"}, default="direction"
        Where a row with a missing value goes: to the side with the larger impurity decrease, or to a third branch.

    Attributes
    ----------
    trees_ : Trees
        The trees, a sequence of ``Tree``.
    feature_importances_ : ndarray
        Importance of each column: its fraction of the impurity decrease, averaged over the trees.
    oob_score_ : float
        The out-of-bag score; only with ``oob_score``.
    schema_ : Schema
        Names, kinds and categories of the columns, and the classes.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, if the training table had names.
    """

    n_estimators: int = 100
    _: KW_ONLY
    criterion: str = "gini"
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    max_features: Any = "sqrt"
    max_leaf_nodes: int | None = None
    min_gain: float | None = None
    bootstrap: Any = True
    oob_score: Any = False
    max_samples: Any = None
    monotonic_cst: Any = None
    missing: str = "direction"


@dataclass(kw_only=True, eq=False, repr=False)
class ClassForestParams(RunParams, ForestParams):
    """Parameters and attributes of forests that predict classes.

    Parameters
    ----------
    criterion : {"gini", "entropy"}, default="gini"
        The impurity that splits decrease.
    max_features : {"sqrt", "log2"}, int, float or None, default="sqrt"
        Number of columns that a node considers, or a fraction of them; None for all. If none of them separates the
        rows, further columns are sampled until one does.
    bootstrap : bool or "balanced", default=True
        Whether each tree is grown on a bootstrap sample instead of all rows. "balanced" samples from each class as many
        rows as the smallest class has.
    oob_score : bool or callable, default=False
        Whether to score each training row with the trees whose samples do not contain it: by accuracy, or by a function
        of the true and the predicted classes.
    class_weight : dict, list, "balanced", "balanced_subsample" or None, default=None
        Weight of each class, by class or in the order of ``classes_``. "balanced" gives all classes the same total
        weight, "balanced_subsample" does so in each sample.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    oob_curve_ : ndarray
        The out-of-bag error rate after each tree; only with ``oob_score``.
    oob_decision_function_ : ndarray
        Out-of-bag class probabilities of each training row, NaN if every sample contains the row; only with
        ``oob_score``, and not stored in files.
    """

    class_weight: Any = None


@dataclass(kw_only=True, eq=False, repr=False)
class NumberForestParams(RunParams, ForestParams):
    """Parameters and attributes of forests that predict numbers.

    Parameters
    ----------
    criterion : {"squared_error"}, default="squared_error"
        The impurity that splits decrease.
    max_features : {"sqrt", "log2"}, int, float or None, default=1.0
        Number of columns that a node considers, or a fraction of them; None for all. If none of them separates the
        rows, further columns are sampled until one does.
    bootstrap : bool, default=True
        Whether each tree is grown on a bootstrap sample instead of all rows.
    oob_score : bool or callable, default=False
        Whether to score each training row with the trees whose samples do not contain it: by R², or by a function of
        the true and the predicted numbers.

    Attributes
    ----------
    oob_curve_ : ndarray
        The out-of-bag mean squared error after each tree; only with ``oob_score``.
    oob_prediction_ : ndarray
        Out-of-bag prediction of each training row, NaN if every sample contains the row; only with ``oob_score``, and
        not stored in files.
    """

    criterion: str = "squared_error"
    max_features: Any = 1.0


@public
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class RandomForestClassifier(ClassForestParams, Forest, EnsembleClassifier):
    """Random forest for classes: each node uses the best split of a few randomly chosen columns.

    The prediction is the class with the highest mean probability over the trees. Splits are exact, and numeric and
    categorical columns are used as they are, with or without missing values. Of equally good columns, the one that was
    sampled first is used.

    Sample weights that are multiples of one number, such as counts, are frequencies: a row of weight 2 is sampled like
    two rows. Only the ratios of weights matter. Other weights multiply the sampled rows.

    Examples
    --------
    >>> from treewright import RandomForestClassifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> model = RandomForestClassifier(n_estimators=20).fit(X, y)
    >>> len(model.trees_), model.score(X, y) > 0.9
    (20, True)
    """


@public
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class RandomForestRegressor(NumberForestParams, Forest, EnsembleRegressor):
    """Random forest for numbers: each node uses the best split of a few randomly chosen columns.

    The prediction is the mean of the trees' predictions. Splits are exact, and numeric and categorical columns are used
    as they are, with or without missing values. Of equally good columns, the one that was sampled first is used.

    Sample weights that are multiples of one number, such as counts, are frequencies: a row of weight 2 is sampled like
    two rows. Only the ratios of weights matter. Other weights multiply the sampled rows.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import RandomForestRegressor
    >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
    >>> model = RandomForestRegressor(n_estimators=20).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """


@public
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class ExtraTreesClassifier(ClassForestParams, Forest, EnsembleClassifier):
    """Extremely randomized trees for classes: each node uses the best of a few random splits.

    The prediction is the class with the highest mean probability over the trees. A random threshold is any number
    between the minimum and maximum of the node; a random set of categories is any that leaves some on both sides, each
    equally likely. Numeric and categorical columns are used as they are, with or without missing values.

    Sample weights that are multiples of one number, such as counts, are frequencies: a row of weight 2 is sampled like
    two rows. Only the ratios of weights matter. Other weights multiply the sampled rows.

    Parameters
    ----------
    bootstrap : bool or "balanced", default=False
        Whether each tree is grown on a bootstrap sample instead of all rows. "balanced" samples from each class as many
        rows as the smallest class has.

    Examples
    --------
    >>> from treewright import ExtraTreesClassifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> model = ExtraTreesClassifier(n_estimators=20).fit(X, y)
    >>> len(model.trees_), model.score(X, y) > 0.9
    (20, True)
    """

    _random_thresholds = True

    bootstrap: Any = False


@public
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class ExtraTreesRegressor(NumberForestParams, Forest, EnsembleRegressor):
    """Extremely randomized trees for numbers: each node uses the best of a few random splits.

    The prediction is the mean of the trees' predictions. A random threshold is any number between the minimum and
    maximum of the node; a random set of categories is any that leaves some on both sides, each equally likely. Numeric
    and categorical columns are used as they are, with or without missing values.

    Sample weights that are multiples of one number, such as counts, are frequencies: a row of weight 2 is sampled like
    two rows. Only the ratios of weights matter. Other weights multiply the sampled rows.

    Parameters
    ----------
    bootstrap : bool, default=False
        Whether each tree is grown on a bootstrap sample instead of all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import ExtraTreesRegressor
    >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
    >>> model = ExtraTreesRegressor(n_estimators=20).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """

    _random_thresholds = True

    bootstrap: Any = False
