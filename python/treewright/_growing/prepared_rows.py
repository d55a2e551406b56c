"""From an estimator and a table to the rows that its tree is grown from, as `fit` prepares them.

Nothing of `fit` is repeated here: the estimator is fitted, and only the growing of its tree is replaced.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright._learners.trees.grown_tree import GrownTree
from treewright._learners.trees.training_record import TrainingRecord
from treewright._model.table_builder import levels_of
from treewright._pruning.during_fit import validation_rows
from treewright._utils.validation import Recipe
from treewright.errors import UsageError

__all__ = ["Prepared", "prepare"]


@dataclass(frozen=True, eq=False)
class Prepared:
    """An estimator with the rows of its fit."""

    model: Any  # fitted, with a tree of one leaf
    data: TrainingData  # all rows
    grown_from: TrainingData  # the same but for those that the fit holds out for pruning
    recipe: Recipe
    positions: NDArray[np.int64]  # of the rows that the tree is grown from in the table of the user
    hand: _core.ByHand
    record: TrainingRecord  # of all rows, for the work of every node
    kept: TrainingRecord | None  # what a fit of these rows would keep

    @property
    def prunes(self) -> bool:
        """Whether a fit takes splits out of the tree after it is grown."""
        fractions = self.recipe["fractions"]
        binary: Any = self.recipe.get("binary") or {}
        collapses = fractions is not None and fractions["collapse"] != "none"
        by_cost = (binary.get("surrogates") or {}).get("complexity") is not None
        return collapses or by_cost or self.model._pruning_plan(self.data.schema) is not None


def prepare(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Prepared:
    """Return an estimator, fitted with a tree of one leaf, and its rows."""
    if not isinstance(estimator, GrownTree):
        raise UsageError(
            f"{type(estimator).__name__} cannot be grown by hand",
            slug="grow.estimator",
            hints=["ID3Classifier, C45Classifier, CARTClassifier and CARTRegressor can"],
        )
    model: Any = clone(estimator)
    growth: list[tuple[TrainingData, TrainingData, Recipe, _core.ByHand]] = []

    def grow_leaf(data: TrainingData) -> _core.Forest:
        grown_from, recipe = _first_growth(model, data)
        hand = _core.ByHand(
            recipe,
            levels_of(grown_from.schema),
            grown_from.columns,
            grown_from.labels,
            grown_from.n_classes,
            grown_from.weights,
        )
        growth.append((data, grown_from, recipe, hand))
        return hand.act()[0]

    model.__dict__["_train"] = grow_leaf
    model.fit(X, y, sample_weight)
    del model.__dict__["_train"]
    if not growth:
        raise UsageError("one target is grown by hand at a time", slug="usage.several-outputs")
    data, grown_from, recipe, hand = growth[0]
    positions = _positions(model, data, grown_from, sample_weight)
    kept, model._record = model._record, None
    # A copy: the arrays of the user may change before the tree is finished.
    record = TrainingRecord(data.copy()) if kept is None or kept.data is None else kept
    data = data if record.data is None else record.data
    return Prepared(model, data, grown_from, recipe, positions, hand, record, kept)


class _FirstGrowthError(Exception):
    """The first tree that a fit wants to grow."""

    def __init__(self, data: TrainingData, recipe: Recipe) -> None:
        super().__init__()
        self.data, self.recipe = data, recipe


def _first_growth(model: Any, data: TrainingData) -> tuple[TrainingData, Recipe]:
    """Return the rows and the recipe of the first tree that training would grow."""

    def stop(rows: TrainingData, recipe: Recipe, columns: Any = None) -> _core.Forest:
        raise _FirstGrowthError(rows, recipe)

    model.__dict__["_grow_tree"] = stop
    try:
        GrownTree._train(model, data)
    except _FirstGrowthError as growth:
        return growth.data, growth.recipe
    finally:
        del model.__dict__["_grow_tree"]
    raise UsageError("this estimator grows no tree", slug="grow.estimator")


def _positions(
    model: Any, data: TrainingData, grown_from: TrainingData, sample_weight: Any
) -> NDArray[np.int64]:
    """Return where the rows of the tree are in the table of the user: a fit leaves out rows of weight 0."""
    positions = np.arange(len(data))
    if sample_weight is not None:
        positions = np.flatnonzero(np.asarray(sample_weight, dtype=np.float64) > 0)
    if len(grown_from) != len(data):
        plan = model._pruning_plan(data.schema)
        held_out = validation_rows(data.codes, len(data), plan, data.order)
        positions = positions[np.setdiff1d(np.arange(len(data)), held_out)]
    return positions
