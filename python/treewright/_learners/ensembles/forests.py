"""Random forests and extremely randomized trees, for classes and for numbers.

A random forest (Breiman 2001) grows each tree on its own bootstrap sample, and each node uses the best split of a few
randomly chosen columns. Extremely randomized trees (Geurts, Ernst and Wehenkel 2006) also choose the thresholds at
random. The prediction is the mean over the trees. Every random choice depends on the seed, the tree, the node and the
content of the rows, never on threads or on the order of the rows.

Not here: bagging of other estimators (``bagging``), how samples are taken (the core).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._estimator.ensemble import EnsembleClassifier
from treewright._estimator.several_outputs import core_arguments
from treewright._estimator.training_data import TrainingData
from treewright._estimator.tree_model import TreeModel
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.ensembles.fitted_trees import (
    SampledRows,
    cart_like,
    fit_trees,
)
from treewright._learners.ensembles.out_of_bag import OutOfBagParams, score_trees
from treewright._learners.ensembles.quantile_forest import QuantileForest, QuantileParams
from treewright._learners.ensembles.run_params import (
    RunParams,
    progress_callback,
)
from treewright._learners.ensembles.sampling import (
    Bag,
    count_columns,
    count_draws,
    make_bag,
    usable_columns,
)
from treewright._learners.ensembles.warm_start import earlier_forest
from treewright._learners.trees.cart_recipe import cart_recipe
from treewright._model.table_builder import widen_forest
from treewright._utils.docstrings import documented
from treewright._utils.random_state import seed_from
from treewright._utils.validation import Recipe, check_integer, threads_of
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = [
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
]

SAMPLING: dict[Any, str] = {True: "bootstrap", False: "all", "balanced": "balanced"}


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
    bootstrap : bool or "balanced", default=True
        Whether each tree is grown on a bootstrap sample instead of all rows. "balanced", only for classifiers, samples
        from each class as many rows as the smallest class has.
    max_samples : int, float or None, default=None
        Size of a bootstrap sample: a number of rows or a fraction of them; None for as many as there are.
    monotonic_cst : dict, list or None, default=None
        For numeric columns, by name or one for each column: 1 if the prediction must not decrease when the column
        increases, -1 if it must not increase, 0 for no constraint.
    missing : {"direction", "branch"}, default="direction"
        Where a row with a missing value goes: to the side with the larger impurity decrease, or to a third branch.

    Attributes
    ----------
    feature_importances_ : ndarray
        Importance of each column: its fraction of the impurity decrease, averaged over the trees.
    estimators_ : list
        The trees as fitted CART models.
    estimators_samples_ : list of ndarray
        The rows that each tree was grown from, each as often as it was drawn. Not stored in files.
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
    max_samples: Any = None
    monotonic_cst: Any = None
    missing: str = "direction"


@dataclass(kw_only=True, eq=False, repr=False)
class ClassForestParams(RunParams, OutOfBagParams, ForestParams):
    """Parameters and attributes of forests that predict classes.

    Parameters
    ----------
    criterion : {class criteria}, default="gini"
        The impurity that splits decrease.
    max_features : {"sqrt", "log2"}, int, float or None, default="sqrt"
        Number of columns that a node considers, or a fraction of them; None for all. If none of them separates the
        rows, further columns are sampled until one does.
    class_weight : dict, list, "balanced", "balanced_subsample" or None, default=None
        Weight of each class, by class or in the order of ``classes_``. "balanced" gives all classes the same total
        weight, "balanced_subsample" does so in each sample.
    """

    class_weight: Any = None


@dataclass(kw_only=True, eq=False, repr=False)
class NumberForestParams(RunParams, OutOfBagParams, QuantileParams, ForestParams):
    """Parameters and attributes of forests that predict numbers.

    Parameters
    ----------
    criterion : {"squared_error"}, default="squared_error"
        The impurity that splits decrease.
    max_features : {"sqrt", "log2"}, int, float or None, default=1.0
        Number of columns that a node considers, or a fraction of them; None for all. If none of them separates the
        rows, further columns are sampled until one does.
    """

    criterion: str = "squared_error"
    max_features: Any = 1.0


@dataclass(kw_only=True, eq=False, repr=False)
class ExtraTreesParams:
    """The parameter that differs in extremely randomized trees.

    Parameters
    ----------
    bootstrap : bool or "balanced", default=False
        Whether each tree is grown on a bootstrap sample instead of all rows. "balanced", only for classifiers, samples
        from each class as many rows as the smallest class has.
    """

    _random_thresholds: ClassVar[bool] = True

    bootstrap: Any = False


class Forest(TreeModel):
    """Trees that are grown independently on samples of rows and columns."""

    # A fit reads only the stored numbers of a sparse matrix.
    _learns_sparse: ClassVar[bool] = True
    # Whether thresholds are random, as in extremely randomized trees.
    _random_thresholds: ClassVar[bool] = False
    _pools_rare_levels = True

    n_estimators: int
    bootstrap: Any
    max_samples: Any
    max_features: Any
    oob_score: Any
    n_jobs: int | None
    random_state: Any
    estimators_samples_: SampledRows

    def _learn(
        self,
        table: Table,
        schema: Schema,
        target: ClassTarget | NumberTarget,
        weights: NDArray[np.float64] | None,
    ) -> _core.Forest:
        data = TrainingData(table, schema, target, weights)
        usable = usable_columns(self, schema)
        if usable is not None:
            return widen_forest(self._grow_forest(data.select(usable)), usable, schema)
        return self._grow_forest(data)

    def _grow_forest(self, data: TrainingData) -> _core.Forest:
        total = check_integer("n_estimators", self.n_estimators, minimum=1)
        forest = earlier_forest(self, data.schema, total)
        first = 0 if forest is None else forest.n_trees
        bag = self._bag(data)
        samples = _core.Samples(bag, *data.core_arguments)
        if forest is None or first < total:
            report = progress_callback(self, total - first)
            grown = self._grow_trees(data, bag, range(first, total), report, samples)
            forest = grown if forest is None else _core.Forest.joined([forest, grown])
        self.estimators_samples_ = SampledRows(samples, forest.n_trees)
        if self.oob_score:
            score_trees(self, forest, bag, data)
        return forest

    def _grow_trees(
        self,
        data: TrainingData,
        bag: Bag,
        trees: range,
        report: Callable[[int], None] | None,
        samples: _core.Samples,
    ) -> _core.Forest:
        """Grow trees by their numbers. A fit on a cluster replaces it: others grow some of them."""
        recipe, arguments = self._recipe(data), data.core_arguments
        return _core.grow_bag(recipe, bag, *arguments, trees.start, trees.stop, report, samples)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        super()._fit(X, y, sample_weight)
        if "estimators_samples_" in self.__dict__:
            self.estimators_samples_ = self.estimators_samples_.among(sample_weight)

    def _learn_outputs(self, data: list[TrainingData]) -> list[_core.Forest]:
        """Grow the trees for several outputs: one forest for each, with the same splits."""
        total = check_integer("n_estimators", self.n_estimators, minimum=1)
        recipe, bag, report = (
            self._recipe(data[0]),
            self._bag(data[0]),
            progress_callback(self, total),
        )
        return _core.grow_bag_several(recipe, bag, *core_arguments(data), 0, total, report)

    def _make_estimators(self) -> list[Any]:
        return fit_trees(self, cart_like(self), self.trees_)

    @property
    def estimators_(self) -> list[Any]:
        """The trees as fitted CART models, in the order in which they were grown; ``trees_`` is cheaper."""
        return self._fitted_trees()

    def _recipe(self, data: TrainingData) -> Recipe:
        params = self.get_params(deep=False)
        if params.get("class_weight") == "balanced_subsample":
            params["class_weight"] = None
        recipe = cart_recipe(params, data.schema, data.target, data.weights)
        if recipe["binary"]["surrogates"] is not None:
            raise UsageError(
                'missing must be "direction" or "branch" for forests', slug="usage.parameter"
            )
        recipe["threads"] = threads_of(self.n_jobs)
        return recipe

    def _bag(self, data: TrainingData) -> Bag:
        if self.bootstrap not in tuple(SAMPLING):
            raise UsageError(
                f'bootstrap must be True, False or "balanced"; got {self.bootstrap!r}',
                slug="usage.parameter",
            )
        if self.bootstrap == "balanced" and data.n_classes is None:
            raise UsageError(
                'bootstrap="balanced" works only for classifiers', slug="usage.parameter"
            )
        if not self.bootstrap and self.max_samples is not None:
            raise ValueError("`max_sample` cannot be set if `bootstrap=False`")
        if not self.bootstrap and self.oob_score:
            raise ValueError("Out of bag estimation only available if bootstrap=True")
        return make_bag(
            SAMPLING[self.bootstrap],
            seed_from(self.random_state),
            count_draws(self.max_samples, data.weights, len(data)),
            columns=count_columns(self.max_features, len(data.schema.columns)),
            random_thresholds=self._random_thresholds,
            balanced=getattr(self, "class_weight", None) == "balanced_subsample",
        )


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
class RandomForestRegressor(NumberForestParams, QuantileForest, Forest):
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
class ExtraTreesClassifier(ExtraTreesParams, ClassForestParams, Forest, EnsembleClassifier):
    """Extremely randomized trees for classes: each node uses the best of a few random splits.

    The prediction is the class with the highest mean probability over the trees. A random threshold is any number
    between the minimum and maximum of the node; a random set of categories is any that leaves some on both sides, each
    equally likely. Numeric and categorical columns are used as they are, with or without missing values.

    Sample weights that are multiples of one number, such as counts, are frequencies: a row of weight 2 is sampled like
    two rows. Only the ratios of weights matter. Other weights multiply the sampled rows.

    Examples
    --------
    >>> from treewright import ExtraTreesClassifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> model = ExtraTreesClassifier(n_estimators=20).fit(X, y)
    >>> len(model.trees_), model.score(X, y) > 0.9
    (20, True)
    """


@public
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class ExtraTreesRegressor(ExtraTreesParams, NumberForestParams, QuantileForest, Forest):
    """Extremely randomized trees for numbers: each node uses the best of a few random splits.

    The prediction is the mean of the trees' predictions. A random threshold is any number between the minimum and
    maximum of the node; a random set of categories is any that leaves some on both sides, each equally likely. Numeric
    and categorical columns are used as they are, with or without missing values.

    Sample weights that are multiples of one number, such as counts, are frequencies: a row of weight 2 is sampled like
    two rows. Only the ratios of weights matter. Other weights multiply the sampled rows.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import ExtraTreesRegressor
    >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
    >>> model = ExtraTreesRegressor(n_estimators=20).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """
