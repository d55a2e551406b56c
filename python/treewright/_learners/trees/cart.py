"""CART: binary trees by Breiman, Friedman, Olshen and Stone, for classes and for numbers.

The recipe: Gini index, entropy or squared error; thresholds in the middle between two neighboring training values,
levels divided into two sets; the split that saves most; the mean or the class shares at the leaves. ``cart_recipe``
checks the parameters and passes them to the core.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from treewright import _core
from treewright._catalog import public
from treewright._estimator.classifier import Classifier
from treewright._estimator.regressor import Regressor
from treewright._estimator.several_outputs import core_arguments
from treewright._estimator.training_data import TrainingData
from treewright._input.class_weights import cost_matrix
from treewright._input.target import ClassTarget
from treewright._learners.trees.cart_recipe import cart_recipe, drop_empty_rows
from treewright._learners.trees.grown_tree import GrownTree
from treewright._learners.trees.tree_params import CartParams, ClassTreeParams
from treewright._utils.docstrings import documented
from treewright._utils.renamed import renamed_parameters
from treewright._utils.validation import Recipe, threads_of
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["CARTClassifier", "CARTRegressor"]


@public
@renamed_parameters(seed="random_state")
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class CARTClassifier(GrownTree, Classifier, CartParams, ClassTreeParams):
    """A binary tree for classes.

    A node becomes a leaf if its rows have one class, if no column separates them, or at a limit. Ties go to the first
    column, then to the smaller threshold. The tree does not depend on the number of threads.

    Parameters
    ----------
    criterion : {class criteria}, default="gini"
        The impurity that splits reduce.
    class_weight : dict, list, "balanced" or None, default=None
        The weight of each class, by class or in the order of ``classes_``; "balanced" gives all classes the same
        total weight.
    priors : dict, list or None, default=None
        How frequent each class is where the tree will be used; the rows of each class are weighted accordingly, and the
        probabilities at the nodes are those under these priors.
    costs : dict of dicts, list of lists or None, default=None
        The cost of each prediction for each true class: ``{class: {prediction: cost}}`` (1 where none is given), or
        a row for each class and a column for each prediction in the order of ``classes_``. Classes that are costly to
        miss count more (the altered priors of the CART book), and the prediction is the class of least expected cost;
        the probabilities do not change.
    monotonic_cst : dict, list or None, default=None
        For numeric columns, by name or one for each column: 1 if the probability of the second of two classes must not
        fall with it, -1 if it must not rise, 0 for neither.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> clf = CARTClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"])
    >>> clf.tree_
    <Tree: 7 nodes, 4 leaves, depth 2>
    >>> clf.predict([[1, 0]])
    array(['yes'], dtype='<U3')
    """

    criterion: str = "gini"
    class_weight: Any = None
    priors: Any = None
    costs: Any = None

    def _describe(self, table: Table, target: ClassTarget) -> Schema:
        return replace(super()._describe(table, target), costs=cost_matrix(self.costs, target))

    def _recipe(self, data: TrainingData) -> Recipe:
        return cart_recipe(self.get_params(deep=False), data.schema, data.target, data.weights)

    _learns_sparse = property(lambda self: self.variant == "cart" and self.missing != "surrogate")

    def _grow(self, data: TrainingData) -> _core.Forest:
        return _grow(self, data)

    def _learn_outputs(self, data: list[TrainingData]) -> list[_core.Forest]:
        return _grow_outputs(self, data)

    @property
    def _pools_rare_levels(self) -> bool:  # type: ignore[override]
        return self.variant != "rpart"  # which takes every category as it is


@public
@renamed_parameters(seed="random_state")
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class CARTRegressor(GrownTree, Regressor, CartParams):
    """A binary tree for numbers: the mean at each leaf, splits by squared error.

    Ties go to the first column, then to the smaller threshold. The tree does not depend on the number of threads.

    Parameters
    ----------
    criterion : {"squared_error"}, default="squared_error"
        The cost that splits reduce.
    min_gain : float or None, default=None
        If given, a node stays a leaf unless the best split lowers its variance by more.
    monotonic_cst : dict, list or None, default=None
        For numeric columns, by name or one for each column: 1 if the prediction must not fall with it, -1 if it must
        not rise, 0 for neither.

    Examples
    --------
    >>> from treewright import CARTRegressor
    >>> reg = CARTRegressor(max_depth=1).fit([[1], [2], [10], [11]], [1.0, 2.0, 7.0, 8.0])
    >>> reg.predict([[0], [6.5]])
    array([1.5, 7.5])
    """

    criterion: str = "squared_error"

    def _recipe(self, data: TrainingData) -> Recipe:
        return cart_recipe(self.get_params(deep=False), data.schema, data.target, data.weights)

    _learns_sparse = property(lambda self: self.variant == "cart" and self.missing != "surrogate")

    def _grow(self, data: TrainingData) -> _core.Forest:
        return _grow(self, data)

    def _learn_outputs(self, data: list[TrainingData]) -> list[_core.Forest]:
        return _grow_outputs(self, data)

    @property
    def _pools_rare_levels(self) -> bool:  # type: ignore[override]
        return self.variant != "rpart"  # which takes every category as it is


def _grow(model: Any, data: TrainingData) -> _core.Forest:
    if model.variant == "rpart":
        data = replace(data, weights=drop_empty_rows(data.table, data.weights))
    recipe = model._recipe(data)
    recipe["threads"] = threads_of(model.n_jobs)
    forest: _core.Forest = model._grow_tree(data, recipe, data.table._core_columns)
    return forest


def _grow_outputs(model: Any, data: list[TrainingData]) -> list[_core.Forest]:
    recipe = model._recipe(data[0])
    recipe["threads"] = threads_of(model.n_jobs)
    return _core.grow_several(recipe, *core_arguments(data))
