"""CART: binary trees by Breiman, Friedman, Olshen and Stone, for classes and for numbers.

The recipe in words: Gini's index, entropy or squared error; numbers are cut in the middle between two neighbouring
training values, categories are divided into two sets; the split that saves most; the mean or the shares at the leaves.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._build import levels_of
from treewright._cart_recipe import cart_recipe
from treewright._estimator import Classifier, Model, Regressor
from treewright._recipe import number
from treewright._target import ClassTarget, NumberTarget
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["CARTClassifier", "CARTRegressor"]


class _Cart(Model):
    """What both learners share: how a tree is grown."""

    n_jobs: int | None

    def _learn(
        self,
        table: Table,
        schema: Schema,
        target: ClassTarget | NumberTarget,
        weights: NDArray[np.float64] | None,
    ) -> _core.Forest:
        recipe = cart_recipe(self.get_params(deep=False), schema, target, weights)
        # Numbers without gaps and equal weights are held as columns of codes; the core sees to the rest.
        recipe["rows"], recipe["threads"] = "columns", threads_of(self.n_jobs)
        columns = table.matrix.core if table.matrix is not None else [s.data for s in table.series]
        if isinstance(target, ClassTarget):
            labels, classes = target.codes, len(target.levels)
            return _core.grow(recipe, levels_of(schema), columns, labels, classes, weights)
        return _core.grow(recipe, levels_of(schema), columns, target.values, None, weights)


class CARTClassifier(_Cart, Classifier):
    """A binary tree for classes.

    It stops at a node of one class, or where no column tells its rows apart, or at a limit. Ties go to the first column,
    then to the smaller threshold. The tree does not depend on the number of threads.

    Parameters
    ----------
    criterion : {"gini", "entropy"}, default="gini"
        What a split should save.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split : int, default=2
        Nodes with fewer rows stay leaves.
    min_samples_leaf : int, default=1
        The fewest rows of a child.
    min_gain : float or None, default=None
        Where given, a node stays a leaf unless the best split lowers its impurity by more. Without it even a split that
        saves nothing is made, so that the exclusive or is learnt.
    max_leaf_nodes : int or None, default=None
        The most leaves; where given, the split that saves most is made first.
    class_weight : dict, "balanced" or None, default=None
        By how much the rows of each class count; "balanced" makes all classes count the same.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree.
    schema_ : Schema
        Names, levels and classes.
    classes_ : ndarray
        The classes, sorted.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> clf = CARTClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"])
    >>> clf.tree_
    <Tree: 7 nodes, 4 leaves, depth 2>
    >>> clf.predict([[1, 0]])
    array(['yes'], dtype='<U3')
    """

    _title: ClassVar[str] = "CART (Gini index)"
    _impurity: ClassVar[str] = "gini"

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_gain: float | None = None,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.max_leaf_nodes = max_leaf_nodes
        self.class_weight = class_weight
        self.n_jobs = n_jobs


class CARTRegressor(_Cart, Regressor):
    """A binary tree for numbers: the mean at each leaf, splits by squared error.

    Ties go to the first column, then to the smaller threshold. The tree does not depend on the number of threads.

    Parameters
    ----------
    criterion : {"squared_error"}, default="squared_error"
        What a split should save.
    max_depth : int or None, default=None
        The most questions on a path.
    min_samples_split : int, default=2
        Nodes with fewer rows stay leaves.
    min_samples_leaf : int, default=1
        The fewest rows of a child.
    min_gain : float or None, default=None
        Where given, a node stays a leaf unless the best split lowers its variance by more.
    max_leaf_nodes : int or None, default=None
        The most leaves; where given, the split that saves most is made first.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use.

    Attributes
    ----------
    tree_ : Tree
        The fitted tree.
    schema_ : Schema
        Names and levels.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> from treewright import CARTRegressor
    >>> reg = CARTRegressor(max_depth=1).fit([[1], [2], [10], [11]], [1.0, 2.0, 7.0, 8.0])
    >>> reg.predict([[0], [6.5]])
    array([1.5, 7.5])
    """

    _title: ClassVar[str] = "CART (squared error)"
    _impurity: ClassVar[str] = "variance"

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_gain: float | None = None,
        max_leaf_nodes: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.max_leaf_nodes = max_leaf_nodes
        self.n_jobs = n_jobs


def threads_of(n_jobs: int | None) -> int:
    """Return how many threads the core may use, 0 for all; -1 means all, as in scikit-learn.

    Examples
    --------
    >>> threads_of(None), threads_of(2), threads_of(-1)
    (0, 2, 0)
    """
    if n_jobs is None or n_jobs == -1:
        return 0
    return int(number("n_jobs", n_jobs, least=1, whole=True))
