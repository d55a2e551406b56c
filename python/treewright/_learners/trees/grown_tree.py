"""A single tree that is grown by a recipe, pruned as its parameters say, and keeps a training record.

ID3, C4.5 and CART derive from it; each adds its parameters and its recipe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.single_tree import get_depth, get_n_leaves
from treewright._estimator.training_data import TrainingData
from treewright._estimator.tree_model import TreeModel
from treewright._input.class_weights import weigh_rows
from treewright._learners.class_weight_params import ClassWeightParams
from treewright._learners.trees.training_record import TrainingRecord
from treewright._model.smoothing import check_smoothing
from treewright._model.value_ranges import Ranges
from treewright._utils.random_state import GENERATORS, check_seed
from treewright._utils.validation import Recipe
from treewright.schema import Schema
from treewright.table import Table
from treewright.tree import Tree

if TYPE_CHECKING:  # pruning and marks are loaded by those who have them
    from treewright._learners.trees.hand_marks import Marks
    from treewright._pruning.during_fit import PrunedForest
    from treewright._pruning.pruning_plan import PruningPlan

__all__ = ["GrownTree"]


class GrownTree(TreeModel):
    """A single tree with a training record."""

    get_depth = get_depth
    get_n_leaves = get_n_leaves

    keep_work: Any
    random_state: Any
    _drawn_seed: int | None = None
    _record: TrainingRecord | None = None
    by_hand_: Marks  # what was decided by hand, where something was

    @property
    def _title(self) -> str:
        title = self._title_and_unit()[0]
        return f"{title}, grown by hand" if self.__dict__.get("by_hand_") else title

    def _recipe(self, data: TrainingData) -> Recipe:
        """Return the checked parameters in the words of the core."""
        raise TypeError(f"{type(self).__name__} has no recipe")

    def _describe(self, table: Table, target: Any) -> Schema:
        schema: Schema = super()._describe(table, target)
        smoothing = check_smoothing(getattr(self, "smoothing", None))
        return schema if smoothing is None else replace(schema, smoothing=smoothing)

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: NDArray[np.float64] | None
    ) -> _core.Forest:
        self.__dict__.pop("_drawn_seed", None)
        if isinstance(self.random_state, GENERATORS):
            self._drawn_seed = check_seed(self.random_state)
        self._pruning_plan(
            schema
        )  # says what is wrong with the parameters before anything is computed
        data = TrainingData(table, schema, target, self._weigh_rows(target, weights))
        self._record = TrainingRecord.of(data, self.keep_work)
        return self._train(data)

    def _train(self, data: TrainingData) -> _core.Forest:
        """Grow a tree and prune it as the parameters say."""
        plan = self._pruning_plan(data.schema)
        if plan is None:
            return self._grow(data)
        forest, self.pruning_ = self._grow_pruned(data, plan)
        return forest

    def _pruning_plan(self, schema: Schema) -> PruningPlan | None:
        """Return the checked parameters of pruning; None if the tree is not pruned."""
        from treewright._pruning.pruning_plan import plan_of

        return plan_of(self._seeded_params(), classes=bool(schema.classes))

    def _weigh_rows(
        self, target: Any, weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        """Return the weights of rows with those of their classes, unless the recipe takes the latter."""
        if not isinstance(self, ClassWeightParams):
            return weights
        return weigh_rows(self.class_weight, target, weights)

    def _seeded_params(self) -> dict[str, Any]:
        params = super()._seeded_params()
        drawn = isinstance(self.random_state, GENERATORS) and self._drawn_seed is not None
        return params | ({"random_state": self._drawn_seed} if drawn else {})

    def _grow(self, data: TrainingData) -> _core.Forest:
        return self._grow_tree(data, self._recipe(data))

    def _grow_tree(self, data: TrainingData, recipe: Recipe, columns: Any = None) -> _core.Forest:
        """Grow one tree: the only place where a recipe and rows become one. Growing by hand replaces it."""
        return data.grow(recipe, columns)

    def _grow_pruned(self, data: TrainingData, plan: PruningPlan) -> PrunedForest:
        from treewright._pruning.during_fit import grow_and_prune

        return grow_and_prune(self._grow, data, plan)

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Return the penalties at which the full tree loses splits, in scikit-learn's form.

        The tree is grown on the rows without pruning; this model does not change. :func:`treewright.pruning_path` gives
        the path of a fitted tree with more numbers, and with cross-validation.

        Parameters
        ----------
        X : table
            The training rows.
        y : array-like
            The class or the number of each row.
        sample_weight : array-like, optional
            A weight for each row.

        Returns
        -------
        sklearn.utils.Bunch
            ``ccp_alphas``, the penalty from which each pruned tree is the best, and ``impurities``, the total impurity
            of its leaves. The full tree comes first; each further entry makes one more node a leaf.
        """
        from sklearn.utils import Bunch

        from treewright._pruning.cost_complexity import pruning_steps
        from treewright._pruning.cross_validation import pruning_path, unpruned

        full = unpruned(self).fit(X, y, sample_weight)
        alphas, impurities = pruning_steps(full.tree_, pruning_path(full))
        return Bunch(ccp_alphas=alphas, impurities=impurities)

    # ---- notes on columns

    def _add_notes(self, schema: Schema, table: Table) -> Schema:
        # A small fit takes no longer than the notes would: they wait until somebody reads them.
        has_rows = self._record is not None and self._record.data is not None
        return schema if has_rows else super()._add_notes(schema, table)

    def _schema_with_notes(self) -> Schema:
        record = self._record
        if record is None or record.data is None:
            return self.schema_
        if record.schema_with_notes != self.schema_:
            record.schema_with_notes = super()._add_notes(self.schema_, record.data.table)
        return record.schema_with_notes

    def _ranges(self) -> Ranges | None:
        """Return the smallest and the largest number in each node, if they are recorded."""
        return None if self._record is None else self._record.node_ranges(self)

    def _marks_after(self, pruned: Tree) -> Marks:
        """Return what was decided by hand in a tree that was pruned."""
        from treewright._learners.trees.hand_marks import move_marks

        return move_marks(self.__dict__.get("by_hand_", {}), self.tree_, pruned)

    # ---- files

    def _saved_params(self) -> dict[str, Any]:
        params = super()._saved_params()
        # Without smoothing, a file is the one that earlier versions wrote and can read.
        if params.get("smoothing") is None:
            params.pop("smoothing", None)
        return params

    def _extra_metadata(self) -> dict[str, Any]:
        record = {} if self._record is None else self._record.metadata(self)
        by_hand = self.__dict__.get("by_hand_")
        kept = {"by_hand": [[node, what] for node, what in by_hand.items()]} if by_hand else {}
        return super()._extra_metadata() | ({"kept": kept} if kept else {}) | record

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        super()._restore(metadata, contents)
        self._record = TrainingRecord.from_metadata(metadata)
        kept = metadata.get("kept", {})
        if kept:
            from treewright._learners.trees.hand_marks import read_marks

            self.by_hand_ = read_marks(kept, self.tree_.n_nodes)

    def _check_restored(self) -> None:
        super()._check_restored()
        self._pruning_plan(self.schema_)
