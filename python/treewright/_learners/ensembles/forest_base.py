"""How the trees of a forest are grown: parameters to a recipe and a sampling plan, then one call of the core.

Not here: the parameters (``forests``), how rows and columns are sampled (the core).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.tree_model import TreeModel
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.ensembles.out_of_bag import score_trees
from treewright._learners.ensembles.run_params import (
    progress_callback,
    seed_from,
    serializable_params,
)
from treewright._learners.ensembles.sampling import (
    Bag,
    count_columns,
    count_draws,
    count_rows,
    make_bag,
)
from treewright._learners.ensembles.warm_start import earlier_forest
from treewright._learners.trees.cart_recipe import cart_recipe
from treewright._model.training_data import TrainingData
from treewright._utils.validation import Recipe, check_integer, threads_of
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["Forest"]

SAMPLING: dict[Any, str] = {True: "bootstrap", False: "all", "balanced": "balanced"}


class Forest(TreeModel):
    """Trees that are grown independently on samples of rows and columns."""

    _saved_attributes: ClassVar[tuple[str, ...]] = ("oob_score_", "oob_curve_")
    # Whether thresholds are random, as in extremely randomized trees.
    _random_thresholds: ClassVar[bool] = False

    n_estimators: int
    bootstrap: Any
    max_samples: Any
    max_features: Any
    oob_score: Any
    n_jobs: int | None
    random_state: Any

    def _learn(
        self,
        table: Table,
        schema: Schema,
        target: ClassTarget | NumberTarget,
        weights: NDArray[np.float64] | None,
    ) -> _core.Forest:
        data = TrainingData(table, schema, target, weights)
        total = check_integer("n_estimators", self.n_estimators, minimum=1)
        forest = earlier_forest(self, schema, total)
        first = 0 if forest is None else forest.n_trees
        bag = self._bag(data)
        if forest is None or first < total:
            report = progress_callback(self, total - first)
            arguments = data.core_arguments
            grown = _core.grow_bag(self._recipe(data), bag, *arguments, first, total, report)
            forest = grown if forest is None else _core.Forest.joined([forest, grown])
        if self.oob_score:
            score_trees(self, forest, bag, data)
        return forest

    def _recipe(self, data: TrainingData) -> Recipe:
        params = self.get_params(deep=False)
        for name, least in (("min_samples_leaf", 1), ("min_samples_split", 2)):
            params[name] = count_rows(name, params[name], len(data), least)
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

    def _saved_params(self) -> dict[str, Any]:
        return serializable_params(super()._saved_params())
