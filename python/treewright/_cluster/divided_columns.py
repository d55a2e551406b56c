"""The columns of a fit whose rows stay in several processes: those of this process, and what a model says of all."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._cluster.agreement import agree_on_first, gather_in_first
from treewright._cluster.boosting_plan import note_facts, note_rows
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.merged_schema import MergedSchema, encode_part, merge_schema
from treewright._cluster.packed_rows import PackedRows, align
from treewright._cluster.process_facts import peak_memory
from treewright._cluster.table_facts import TableFacts
from treewright._cluster.target_facts import join_targets
from treewright._estimator.training_data import TrainingData
from treewright.schema import Schema
from treewright.table import Series, Table

__all__ = ["DividedColumns", "fit_columns", "join_weights", "store_columns"]


@dataclass(frozen=True)
class DividedColumns:
    """The columns of a table whose rows lie in several processes."""

    merged: MergedSchema
    facts: TableFacts

    @classmethod
    def of(cls, facts: TableFacts, estimator: Any) -> DividedColumns:
        """Decide what the columns are, as a local fit of an estimator would; it warns as that does."""
        return cls(merge_schema(facts, pool=estimator._pools_rare_levels), facts)

    def join(self, parts: Sequence[PackedRows]) -> Table:
        """Return the rows of this process, coded by the schema of the whole table."""
        encoded = [encode_part(part, self.facts, self.merged) for part in parts if len(part)]
        series = []
        for place, column in enumerate(self.merged.schema.columns):
            kind: Any = np.float64 if column.kind == "numeric" else np.uint32
            own = [c[:, place] if isinstance(c, np.ndarray) else c[place] for c in encoded]
            data = np.concatenate([np.zeros(0, dtype=kind), *own]).astype(kind)
            series.append(
                Series(column.name, column.kind, data, column.levels, meaning=column.meaning)
            )
        return Table(series)

    def note(self, peers: _core.Peers, parts: Sequence[PackedRows]) -> Schema:
        """Return the schema with notes on values; those of a small table are read in one process."""
        noted = note_facts(self)  # type: ignore[arg-type]
        if noted is not None:
            return noted
        # In any order: notes do not depend on it.
        rows = gather_in_first(peers, [(peers.rank, part) for part in parts if len(part)])
        return agree_on_first(peers, lambda: note_rows(self, rows))  # type: ignore[arg-type]


def fit_columns(
    peers: _core.Peers,
    parts: Sequence[PackedRows],
    facts: TableFacts,
    estimator: Any,
    learn: Callable[[Any, TrainingData, _core.Peers], _core.Forest],
) -> FittedModel:
    """Fit an estimator to the rows of all processes, given those of this one; every process returns the same model.

    Parameters
    ----------
    peers : _core.Peers
        The processes.
    parts : sequence of PackedRows
        The rows of this process.
    facts : TableFacts
        What is known of the table.
    estimator : estimator
        A local estimator, which becomes the model.
    learn : callable
        Returns the trees, given the estimator, the rows of this process and the processes.
    """
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        columns = DividedColumns.of(facts, estimator)
        noted = columns.note(peers, parts)
        target = join_targets([part.target for part in parts], facts.target)
        table = columns.join(parts)
        schema = replace(estimator._describe(table, target), columns=noted.columns)
        data = TrainingData(table, schema, target, join_weights(parts, facts))
        estimator._clear_fitted()
        estimator._forest = learn(estimator, data, peers)
        store_columns(estimator, data, facts)
    notes = [(each.category, str(each.message)) for each in caught]
    return FittedModel(estimator, notes, time.perf_counter() - start, peak_memory())


def join_weights(parts: Sequence[PackedRows], facts: TableFacts) -> NDArray[np.float64] | None:
    """Return the weights of this process; None if the table has none."""
    if not facts.has_weights:
        return None
    own = [part.weights for part in parts if part.weights is not None]
    return align(np.concatenate([np.zeros(0), *own]))


def store_columns(estimator: Any, data: TrainingData, facts: TableFacts) -> None:
    """Set what a fitted estimator knows of columns and classes."""
    estimator.schema_ = data.schema
    estimator.n_features_in_ = len(data.schema.columns)
    if facts.is_named:
        estimator.feature_names_in_ = np.array(data.schema.names, dtype=object)
    estimator._store_classes(data.target)
