"""Forests: many trees, each grown from its own sample of the rows, each node from its own draw of the columns.

A random forest (Breiman 2001) takes the best cut of the columns it draws; extremely randomised trees (Geurts, Ernst and
Wehenkel 2006) draw the cuts too. The answer is the mean of the trees' shares or numbers. Everything that is drawn is a
function of the seed, the tree, the node and what the rows hold: neither threads nor the order of the rows matter.

Not here: bagging of other learners, which is ``bagging``; how samples are drawn, which is the core's.

Glossary: a row is *out of the bag* of a tree that has not seen it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._learners.ensembles.forest_base import ForestClassifier, ForestRegressor
from treewright._learners.ensembles.sampling import Bag
from treewright._utils.validation import number

__all__ = [
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "bootstrap",
]


def bootstrap(n: int, seed: int = 0) -> NDArray[np.int64]:
    """Draw a bootstrap sample: as many rows as there are, each draw of any row.

    Parameters
    ----------
    n : int
        The number of rows.
    seed : int, default=0
        Which sample.

    Returns
    -------
    ndarray of int
        The drawn rows, ascending; about 37 of 100 rows are not among them, others are there several times.

    Examples
    --------
    >>> from treewright import bootstrap
    >>> rows = bootstrap(1000, seed=7)
    >>> len(rows), len(set(rows.tolist()))
    (1000, 637)
    """
    n = number("n", n, least=1, whole=True)
    rows = np.arange(n, dtype=np.float64)
    bag: Bag = {
        "sampling": "bootstrap",
        "draws": None,
        "seed": int(number("seed", seed, least=0, whole=True)),
        "columns": None,
        "cuts": False,
        "balanced": False,
        "given": None,
    }
    times = _core.sample_of(bag, [None], [rows], rows, None, None, 0)
    return np.repeat(np.arange(n), times)


@public
class RandomForestClassifier(ForestClassifier):
    """Many trees of bootstrap samples, each node of which takes the best split of a few columns that it draws.

    The answer is the class with the largest mean share. Splits are exact; columns of numbers and of categories,
    with missing values or without, are learnt from as they are. Of columns that save the same, the one drawn first is
    taken. Weights that are multiples of one number, such as counts, say how often a row is there to be drawn; only
    their ratios matter, so 100 for every row is 1 for every row. Other weights multiply what was drawn.

    Parameters
    ----------
    n_estimators : int, default=100
        How many trees.
    criterion : {"gini", "entropy"}, default="gini"
        What a split should save.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split : int or float, default=2
        Nodes with fewer rows stay leaves; a share of all rows where it is not whole. Repeated rows count once.
    min_samples_leaf : int or float, default=1
        The fewest rows of a child, likewise.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the whole training weight that a child has.
    max_features : {"sqrt", "log2"}, int, float or None, default="sqrt"
        How many columns a node looks at, or which share of them; None for all. Where none of them tells its rows
        apart, further columns are drawn until one does.
    max_leaf_nodes : int or None, default=None
        The most leaves of a tree; where given, the split that saves most is made first.
    min_gain : float or None, default=None
        Where given, a node stays a leaf unless the best split lowers its impurity by more.
    bootstrap : bool or "balanced", default=True
        Whether each tree has its own bootstrap sample: as many draws as there are rows, each of any row.
        "balanced" draws from each class as many as the smallest has.
        Without it every tree is grown from all rows.
    oob_score : bool or callable, default=False
        Whether to answer each training row by the trees that have not seen it, and to score that: by accuracy, or by
        a function of truth and answers.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use. The model does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        The seed. None is 0, not chance: the same data give the same model.
    verbose : int or callable, default=0
        Above 0, a line now and then says how many trees are done; a function is told, as ``verbose(done, total)``.
    warm_start : bool, default=False
        Whether a fit goes on with the trees of the last one. The model is the same as if all were grown at once.
    class_weight : dict, list, "balanced", "balanced_subsample" or None, default=None
        By how much the rows of each class count, by class or in the order of ``classes_``; "balanced" makes all
        classes weigh the same, "balanced_subsample" in each sample.
    max_samples : int, float or None, default=None
        How many rows a sample draws, or which share of them; None for as many as there are.
    monotonic_cst : dict, list or None, default=None
        For numeric columns, by name or one a column: 1 if the answer must not fall with it, -1 if it must not rise,
        0 for neither.
    missing : {"direction", "branch"}, default="direction"
        Where a row goes whose value is missing: to the side that saves more, or to a branch of its own.

    Attributes
    ----------
    trees_ : Trees
        The trees, a sequence of ``Tree``.
    feature_importances_ : ndarray
        How much each column matters: what its questions save, as shares, averaged over the trees.
    oob_score_ : float
        The score out of bag; only with ``oob_score``.
    oob_curve_ : ndarray
        The share of errors out of bag after each tree; only with ``oob_score``.
    oob_decision_function_ : ndarray
        The shares out of bag of each training row, NaN where every tree has seen the row; only with
        ``oob_score``, and files do not hold it.
    schema_ : Schema
        Names and levels and classes.
    classes_ : ndarray
        The classes, sorted.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> from treewright import RandomForestClassifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> model = RandomForestClassifier(n_estimators=20).fit(X, y)
    >>> len(model.trees_), model.score(X, y) > 0.9
    (20, True)
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        max_leaf_nodes: int | None = None,
        min_gain: float | None = None,
        bootstrap: Any = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: Any = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        max_samples: Any = None,
        monotonic_cst: Any = None,
        missing: str = "direction",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_gain = min_gain
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.missing = missing


@public
class RandomForestRegressor(ForestRegressor):
    """Many trees of bootstrap samples, each node of which takes the best split of a few columns that it draws.

    The answer is the mean of the trees' numbers. Splits are exact; columns of numbers and of categories,
    with missing values or without, are learnt from as they are. Of columns that save the same, the one drawn first is
    taken. Weights that are multiples of one number, such as counts, say how often a row is there to be drawn; only
    their ratios matter, so 100 for every row is 1 for every row. Other weights multiply what was drawn.

    Parameters
    ----------
    n_estimators : int, default=100
        How many trees.
    criterion : {"squared_error"}, default="squared_error"
        What a split should save.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split : int or float, default=2
        Nodes with fewer rows stay leaves; a share of all rows where it is not whole. Repeated rows count once.
    min_samples_leaf : int or float, default=1
        The fewest rows of a child, likewise.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the whole training weight that a child has.
    max_features : {"sqrt", "log2"}, int, float or None, default=1.0
        How many columns a node looks at, or which share of them; None for all. Where none of them tells its rows
        apart, further columns are drawn until one does.
    max_leaf_nodes : int or None, default=None
        The most leaves of a tree; where given, the split that saves most is made first.
    min_gain : float or None, default=None
        Where given, a node stays a leaf unless the best split lowers its impurity by more.
    bootstrap : bool, default=True
        Whether each tree has its own bootstrap sample: as many draws as there are rows, each of any row.
        Without it every tree is grown from all rows.
    oob_score : bool or callable, default=False
        Whether to answer each training row by the trees that have not seen it, and to score that: by R², or by
        a function of truth and answers.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use. The model does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        The seed. None is 0, not chance: the same data give the same model.
    verbose : int or callable, default=0
        Above 0, a line now and then says how many trees are done; a function is told, as ``verbose(done, total)``.
    warm_start : bool, default=False
        Whether a fit goes on with the trees of the last one. The model is the same as if all were grown at once.
    max_samples : int, float or None, default=None
        How many rows a sample draws, or which share of them; None for as many as there are.
    monotonic_cst : dict, list or None, default=None
        For numeric columns, by name or one a column: 1 if the answer must not fall with it, -1 if it must not rise,
        0 for neither.
    missing : {"direction", "branch"}, default="direction"
        Where a row goes whose value is missing: to the side that saves more, or to a branch of its own.

    Attributes
    ----------
    trees_ : Trees
        The trees, a sequence of ``Tree``.
    feature_importances_ : ndarray
        How much each column matters: what its questions save, as shares, averaged over the trees.
    oob_score_ : float
        The score out of bag; only with ``oob_score``.
    oob_curve_ : ndarray
        The mean squared error out of bag after each tree; only with ``oob_score``.
    oob_prediction_ : ndarray
        The answer out of bag for each training row, NaN where every tree has seen the row; only with
        ``oob_score``, and files do not hold it.
    schema_ : Schema
        Names and levels.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import RandomForestRegressor
    >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
    >>> model = RandomForestRegressor(n_estimators=20).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        max_leaf_nodes: int | None = None,
        min_gain: float | None = None,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: Any = 0,
        warm_start: bool = False,
        max_samples: Any = None,
        monotonic_cst: Any = None,
        missing: str = "direction",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_gain = min_gain
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.missing = missing


@public
class ExtraTreesClassifier(ForestClassifier):
    """Many trees whose nodes draw columns, and for each of them a cut, at random, and take the best of those.

    The answer is the class with the largest mean share. Splits are exact; columns of numbers and of categories,
    with missing values or without, are learnt from as they are. A cut is any
    number between the least and the greatest of the node, a set of categories any that leaves some on both sides, each
    as likely.
    Weights that are multiples of one number, such as counts, say how often a row is there to be drawn; only their
    ratios matter, so 100 for every row is 1 for every row. Other weights multiply what was drawn.

    Parameters
    ----------
    n_estimators : int, default=100
        How many trees.
    criterion : {"gini", "entropy"}, default="gini"
        What a split should save.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split : int or float, default=2
        Nodes with fewer rows stay leaves; a share of all rows where it is not whole. Repeated rows count once.
    min_samples_leaf : int or float, default=1
        The fewest rows of a child, likewise.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the whole training weight that a child has.
    max_features : {"sqrt", "log2"}, int, float or None, default="sqrt"
        How many columns a node looks at, or which share of them; None for all. Where none of them tells its rows
        apart, further columns are drawn until one does.
    max_leaf_nodes : int or None, default=None
        The most leaves of a tree; where given, the split that saves most is made first.
    min_gain : float or None, default=None
        Where given, a node stays a leaf unless the best split lowers its impurity by more.
    bootstrap : bool or "balanced", default=False
        Whether each tree has its own bootstrap sample: as many draws as there are rows, each of any row.
        "balanced" draws from each class as many as the smallest has.
        Without it every tree is grown from all rows.
    oob_score : bool or callable, default=False
        Whether to answer each training row by the trees that have not seen it, and to score that: by accuracy, or by
        a function of truth and answers.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use. The model does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        The seed. None is 0, not chance: the same data give the same model.
    verbose : int or callable, default=0
        Above 0, a line now and then says how many trees are done; a function is told, as ``verbose(done, total)``.
    warm_start : bool, default=False
        Whether a fit goes on with the trees of the last one. The model is the same as if all were grown at once.
    class_weight : dict, list, "balanced", "balanced_subsample" or None, default=None
        By how much the rows of each class count, by class or in the order of ``classes_``; "balanced" makes all
        classes weigh the same, "balanced_subsample" in each sample.
    max_samples : int, float or None, default=None
        How many rows a sample draws, or which share of them; None for as many as there are.
    monotonic_cst : dict, list or None, default=None
        For numeric columns, by name or one a column: 1 if the answer must not fall with it, -1 if it must not rise,
        0 for neither.
    missing : {"direction", "branch"}, default="direction"
        Where a row goes whose value is missing: to the side that saves more, or to a branch of its own.

    Attributes
    ----------
    trees_ : Trees
        The trees, a sequence of ``Tree``.
    feature_importances_ : ndarray
        How much each column matters: what its questions save, as shares, averaged over the trees.
    oob_score_ : float
        The score out of bag; only with ``oob_score``.
    oob_curve_ : ndarray
        The share of errors out of bag after each tree; only with ``oob_score``.
    oob_decision_function_ : ndarray
        The shares out of bag of each training row, NaN where every tree has seen the row; only with
        ``oob_score``, and files do not hold it.
    schema_ : Schema
        Names and levels and classes.
    classes_ : ndarray
        The classes, sorted.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> from treewright import ExtraTreesClassifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> model = ExtraTreesClassifier(n_estimators=20).fit(X, y)
    >>> len(model.trees_), model.score(X, y) > 0.9
    (20, True)
    """

    _cuts = True

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = "sqrt",
        max_leaf_nodes: int | None = None,
        min_gain: float | None = None,
        bootstrap: Any = False,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: Any = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        max_samples: Any = None,
        monotonic_cst: Any = None,
        missing: str = "direction",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_gain = min_gain
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.missing = missing


@public
class ExtraTreesRegressor(ForestRegressor):
    """Many trees whose nodes draw columns, and for each of them a cut, at random, and take the best of those.

    The answer is the mean of the trees' numbers. Splits are exact; columns of numbers and of categories,
    with missing values or without, are learnt from as they are. A cut is any
    number between the least and the greatest of the node, a set of categories any that leaves some on both sides, each
    as likely.
    Weights that are multiples of one number, such as counts, say how often a row is there to be drawn; only their
    ratios matter, so 100 for every row is 1 for every row. Other weights multiply what was drawn.

    Parameters
    ----------
    n_estimators : int, default=100
        How many trees.
    criterion : {"squared_error"}, default="squared_error"
        What a split should save.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split : int or float, default=2
        Nodes with fewer rows stay leaves; a share of all rows where it is not whole. Repeated rows count once.
    min_samples_leaf : int or float, default=1
        The fewest rows of a child, likewise.
    min_weight_fraction_leaf : float, default=0.0
        The least share of the whole training weight that a child has.
    max_features : {"sqrt", "log2"}, int, float or None, default=1.0
        How many columns a node looks at, or which share of them; None for all. Where none of them tells its rows
        apart, further columns are drawn until one does.
    max_leaf_nodes : int or None, default=None
        The most leaves of a tree; where given, the split that saves most is made first.
    min_gain : float or None, default=None
        Where given, a node stays a leaf unless the best split lowers its impurity by more.
    bootstrap : bool, default=False
        Whether each tree has its own bootstrap sample: as many draws as there are rows, each of any row.
        Without it every tree is grown from all rows.
    oob_score : bool or callable, default=False
        Whether to answer each training row by the trees that have not seen it, and to score that: by R², or by
        a function of truth and answers.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use. The model does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        The seed. None is 0, not chance: the same data give the same model.
    verbose : int or callable, default=0
        Above 0, a line now and then says how many trees are done; a function is told, as ``verbose(done, total)``.
    warm_start : bool, default=False
        Whether a fit goes on with the trees of the last one. The model is the same as if all were grown at once.
    max_samples : int, float or None, default=None
        How many rows a sample draws, or which share of them; None for as many as there are.
    monotonic_cst : dict, list or None, default=None
        For numeric columns, by name or one a column: 1 if the answer must not fall with it, -1 if it must not rise,
        0 for neither.
    missing : {"direction", "branch"}, default="direction"
        Where a row goes whose value is missing: to the side that saves more, or to a branch of its own.

    Attributes
    ----------
    trees_ : Trees
        The trees, a sequence of ``Tree``.
    feature_importances_ : ndarray
        How much each column matters: what its questions save, as shares, averaged over the trees.
    oob_score_ : float
        The score out of bag; only with ``oob_score``.
    oob_curve_ : ndarray
        The mean squared error out of bag after each tree; only with ``oob_score``.
    oob_prediction_ : ndarray
        The answer out of bag for each training row, NaN where every tree has seen the row; only with
        ``oob_score``, and files do not hold it.
    schema_ : Schema
        Names and levels.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import ExtraTreesRegressor
    >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
    >>> model = ExtraTreesRegressor(n_estimators=20).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """

    _cuts = True

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: Any = 1.0,
        max_leaf_nodes: int | None = None,
        min_gain: float | None = None,
        bootstrap: bool = False,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: Any = 0,
        warm_start: bool = False,
        max_samples: Any = None,
        monotonic_cst: Any = None,
        missing: str = "direction",
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_gain = min_gain
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.missing = missing
