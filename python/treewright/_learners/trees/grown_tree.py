"""A single tree that is grown by a recipe, pruned as its parameters say, and keeps a training record.

ID3, C4.5 and CART derive from it; each adds its parameters and its recipe.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright._estimator.tree_model import TreeModel
from treewright._learners.trees.training_record import TrainingRecord
from treewright._model.value_ranges import Ranges
from treewright._utils.validation import Recipe
from treewright.schema import Schema
from treewright.table import Table

if TYPE_CHECKING:  # pruning is loaded by those who prune
    from treewright._pruning.during_fit import PrunedForest
    from treewright._pruning.pruning_plan import PruningPlan

__all__ = ["GrownTree"]


class GrownTree(TreeModel):
    """A single tree with a training record."""

    keep_work: Any
    _record: TrainingRecord | None = None

    def _recipe(self, data: TrainingData) -> Recipe:
        """Return the checked parameters in the words of the core."""
        raise TypeError(f"{type(self).__name__} has no recipe")

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: NDArray[np.float64] | None
    ) -> _core.Forest:
        from treewright._pruning.pruning_plan import plan_of

        plan = plan_of(self.get_params(deep=False), classes=bool(schema.classes))
        data = TrainingData(table, schema, target, weights)
        self._record = TrainingRecord.of(data, self.keep_work)
        if plan is None:
            return self._grow(data)
        forest, self.pruning_ = self._grow_pruned(data, plan)
        return forest

    def _grow(self, data: TrainingData) -> _core.Forest:
        return data.grow(self._recipe(data))

    def _grow_pruned(self, data: TrainingData, plan: PruningPlan) -> PrunedForest:
        from treewright._pruning.during_fit import grow_and_prune

        return grow_and_prune(self._grow, data, plan)

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

    # ---- files

    def _extra_metadata(self) -> dict[str, Any]:
        record = {} if self._record is None else self._record.metadata(self)
        return super()._extra_metadata() | record

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        super()._restore(metadata, contents)
        self._record = TrainingRecord.from_metadata(metadata)

    def _check_restored(self) -> None:
        from treewright._pruning.pruning_plan import plan_of

        super()._check_restored()
        plan_of(self.get_params(deep=False), classes=bool(self.schema_.classes))
