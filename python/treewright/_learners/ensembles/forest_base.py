"""What all forests share: how their trees are grown, and what they say out of bag.

Not here: their parameters, which ``forests`` tells; how samples are drawn, which is the core's.

Glossary: a row is *out of the bag* of a tree that has not seen it.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.ensemble import EnsembleClassifier, EnsembleRegressor
from treewright._estimator.tree_model import TreeModel
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.ensembles.run_params import (
    progress_callback,
    seed_from,
    serializable_params,
)
from treewright._learners.ensembles.sampling import Bag, columns_of, copies_of, draws_of, rows_of
from treewright._learners.trees.cart_recipe import cart_recipe
from treewright._model.table_builder import levels_of
from treewright._utils.user_warnings import warn_user
from treewright._utils.validation import number, threads_of
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["ForestClassifier", "ForestRegressor", "given", "in_order"]

Target = ClassTarget | NumberTarget
Weights = NDArray[np.float64] | None


class _Forest(TreeModel):
    """What all forests share: how their trees are grown, and what they say out of bag."""

    _saved_attributes: ClassVar[tuple[str, ...]] = ("oob_score_", "oob_curve_")
    # Whether cuts are drawn.
    _cuts: ClassVar[bool] = False

    n_estimators: int
    bootstrap: Any
    max_samples: Any
    max_features: Any
    oob_score: Any
    n_jobs: int | None
    random_state: Any
    verbose: Any
    warm_start: bool

    def _learn(
        self, table: Table, schema: Schema, target: Target, weights: Weights
    ) -> _core.Forest:
        trees = number("n_estimators", self.n_estimators, least=1, whole=True)
        grown = self._grown(schema, trees)
        first = 0 if grown is None else grown.n_trees
        bag = self._bag(table, target, weights)
        columns, codes, classes = given(table, target)
        forest = grown
        if first < trees:
            recipe = self._recipe(table, schema, target, weights)
            tell = progress_callback(self, trees - first)
            more = _core.grow_bag(
                *(recipe, bag, levels_of(schema), columns, codes, classes, weights, first, trees),
                tell,
            )
            forest = more if grown is None else _core.Forest.joined([grown, more])
        assert forest is not None
        self._ask_out_of_bag(forest, bag, table, target, weights)
        return forest

    def _saved_params(self) -> dict[str, Any]:
        return serializable_params(super()._saved_params())

    def _grown(self, schema: Schema, trees: int) -> _core.Forest | None:
        """Return the trees that a warm start goes on with."""
        forest: _core.Forest | None = self.__dict__.get("_forest")
        if not self.warm_start or forest is None:
            return None
        if self.schema_ != schema:
            raise ValueError(
                "a warm start goes on with the same table; its columns or classes have changed"
            )
        if forest.n_trees > trees:
            raise ValueError(
                f"n_estimators={trees} must be larger or equal to the {forest.n_trees} trees there are "
                "when warm_start==True"
            )
        if forest.n_trees == trees:
            warn_user("Warm-start fitting without increasing n_estimators does not fit new trees.")
        return forest

    def _recipe(self, table: Table, schema: Schema, target: Target, weights: Weights) -> Any:
        params = self.get_params(deep=False)
        for name, least in (("min_samples_leaf", 1), ("min_samples_split", 2)):
            params[name] = rows_of(name, params[name], len(table), least)
        if params.get("class_weight") == "balanced_subsample":
            params["class_weight"] = None
        recipe = cart_recipe(params, schema, target, weights)
        if recipe["binary"]["surrogates"] is not None:
            raise UsageError(
                'forests know missing="direction" and missing="branch"', slug="usage.parameter"
            )
        recipe["threads"] = threads_of(self.n_jobs)
        return recipe

    def _bag(self, table: Table, target: Target, weights: Weights) -> Bag:
        if self.bootstrap not in (True, False, "balanced"):
            raise UsageError(
                f'bootstrap must be True, False or "balanced"; got {self.bootstrap!r}',
                slug="usage.parameter",
            )
        if self.bootstrap == "balanced" and not isinstance(target, ClassTarget):
            raise UsageError('bootstrap="balanced" is about classes', slug="usage.parameter")
        if not self.bootstrap and self.max_samples is not None:
            raise ValueError("`max_sample` cannot be set if `bootstrap=False`")
        if not self.bootstrap and self.oob_score:
            raise ValueError("Out of bag estimation only available if bootstrap=True")
        words: dict[Any, str] = {True: "bootstrap", False: "all", "balanced": "balanced"}
        copies = copies_of(weights)
        rows = len(table) if copies is None else int(copies.sum())
        return {
            "sampling": words[self.bootstrap],
            "draws": draws_of(self.max_samples, rows),
            "seed": seed_from(self.random_state),
            "columns": columns_of(self.max_features, len(table.columns)),
            "cuts": self._cuts,
            "balanced": getattr(self, "class_weight", None) == "balanced_subsample",
            "given": None,
        }

    def _ask_out_of_bag(
        self, forest: _core.Forest, bag: Bag, table: Table, target: Target, weights: Weights
    ) -> None:
        if not self.oob_score:
            return
        columns, codes, classes = given(table, target)
        says, trees, self.oob_curve_ = _core.out_of_bag(
            forest, bag, columns, codes, classes, weights, threads_of(self.n_jobs)
        )
        if not trees.all():
            warn_user(
                "Some inputs do not have OOB scores. This probably means too few trees were used "
                "to compute any reliable OOB estimates."
            )
        self._keep_out_of_bag(says, target, trees > 0)

    def _keep_out_of_bag(
        self, says: NDArray[np.float64], target: Any, answered: NDArray[np.bool_]
    ) -> None:
        raise TypeError(f"{type(self).__name__} has no answers out of bag")


def given(table: Table, target: Target) -> tuple[Any, NDArray[Any], int | None]:
    """Return columns, target and classes as the core takes them."""
    columns = table._core_columns
    if isinstance(target, ClassTarget):
        return columns, target.codes, len(target.levels)
    return columns, target.values, None


def in_order(
    truth: NDArray[np.float64], answers: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return pairs of numbers sorted: what is added up over them does not depend on the order of the rows.

    Examples
    --------
    >>> in_order(np.array([2.0, 1.0]), np.array([5.0, 7.0]))
    (array([1., 2.]), array([7., 5.]))
    """
    order = np.lexsort((answers, truth))
    return truth[order], answers[order]


class ForestClassifier(_Forest, EnsembleClassifier):
    """A forest that answers with a class."""

    def _keep_out_of_bag(
        self, says: NDArray[np.float64], target: ClassTarget, answered: NDArray[np.bool_]
    ) -> None:
        self.oob_decision_function_ = np.empty_like(says)
        self.oob_decision_function_[:, target.order] = says
        if not answered.any():
            self.oob_score_ = float("nan")
            return
        from sklearn.metrics import accuracy_score  # it takes its time

        truth = target.sorted[target.order[target.codes[answered]]]
        answers = target.sorted[target.order[says[answered].argmax(axis=1)]]
        score = self.oob_score if callable(self.oob_score) else accuracy_score
        self.oob_score_ = float(score(truth, answers))


class ForestRegressor(_Forest, EnsembleRegressor):
    """A forest that answers with a number."""

    def _keep_out_of_bag(
        self, says: NDArray[np.float64], target: NumberTarget, answered: NDArray[np.bool_]
    ) -> None:
        self.oob_prediction_ = says[:, 0]
        if answered.sum() < 2:
            self.oob_score_ = float("nan")
            return
        from sklearn.metrics import r2_score  # it takes its time

        score = self.oob_score if callable(self.oob_score) else r2_score
        truth, answers = in_order(target.values[answered], says[answered, 0])
        self.oob_score_ = float(score(truth, answers))
