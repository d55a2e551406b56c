"""A single tree whose rows stay in their processes: which fits are divided, and what each process does.

Not here: how the tree is grown (``exact_trees``).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright import _core
from treewright._cluster import exact_trees
from treewright._cluster.boosting_plan import note_facts
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.merged_schema import MergedSchema, encode_part, merge_schema
from treewright._cluster.packed_rows import PackedRows, align
from treewright._cluster.process_facts import peak_memory
from treewright._cluster.table_facts import TableFacts
from treewright._cluster.target_facts import join_targets
from treewright._estimator.training_data import TrainingData
from treewright._input import column_notes
from treewright._input.columns import to_levels
from treewright._learners.trees.c45 import C45Classifier
from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
from treewright._learners.trees.id3 import ID3Classifier
from treewright._model.table_builder import refuse_many_levels
from treewright._utils.random_state import GENERATORS
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import MISSING, Series, Table

__all__ = ["fit_divided", "is_divisible"]

TREES = (C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier)


@dataclass(frozen=True)
class _Plan:
    """The columns of a fit."""

    merged: MergedSchema
    facts: TableFacts


def is_divisible(estimator: Any, facts: TableFacts) -> bool:
    """Whether rows may stay where they are: a large table, and a tree that needs no row twice.

    The rows of a smaller table come together in one process, which is faster.
    """
    if not isinstance(estimator, TREES) or facts.rows <= exact_trees.SMALL_ROWS:
        return False
    params = estimator.get_params(deep=False)
    one_class = facts.target.classes is not None and len(facts.target.classes) == 1
    if facts.rows * len(facts.columns) <= column_notes.MAX_CELLS or one_class:
        return False
    if params["keep_work"] is True or isinstance(params["random_state"], GENERATORS):
        return False
    if params.get("missing") == "surrogate" or params.get("variant") == "rpart":
        return False
    try:
        exact_trees.check_pruning(estimator, Schema((), None, facts.target.empty.levels))
    except UsageError:
        return False
    return True


def fit_divided(
    peers: _core.Peers, parts: Sequence[PackedRows], facts: TableFacts, estimator: Any
) -> FittedModel:
    """Fit a tree to the rows of all processes, given those of this one; every process returns the same model."""
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        plan = _Plan(merge_schema(facts, pool=estimator._pools_rare_levels), facts)
        target = join_targets([part.target for part in parts], facts.target)
        table = _join_columns(plan, parts)
        noted = note_facts(plan)  # type: ignore[arg-type]
        columns = plan.merged.schema.columns if noted is None else noted.columns
        if isinstance(estimator, ID3Classifier):
            table = Table([_to_levels(series, peers) for series in table.series])
            refuse_many_levels(table)
            columns = tuple(
                old if old.kind == "categorical" else replace(series.column, missing=old.missing)
                for old, series in zip(columns, table.series, strict=True)
            )
        schema = replace(estimator._describe(table, target), columns=columns)
        weights = None
        if facts.has_weights:
            own = [part.weights for part in parts if part.weights is not None]
            weights = align(np.concatenate([np.zeros(0), *own]))
        estimator._clear_fitted()
        estimator._record = None
        data = TrainingData(table, schema, target, weights)
        estimator._forest = exact_trees.grow_tree(estimator, data, peers)
    estimator.schema_ = schema
    estimator.n_features_in_ = len(schema.columns)
    if facts.is_named:
        estimator.feature_names_in_ = np.array(schema.names, dtype=object)
    estimator._store_classes(target)
    notes = [(each.category, str(each.message)) for each in caught]
    return FittedModel(estimator, notes, time.perf_counter() - start, peak_memory())


def _join_columns(plan: _Plan, parts: Sequence[PackedRows]) -> Table:
    """Return the rows of this process, coded by the schema of the whole table."""
    schema = plan.merged.schema
    encoded = [encode_part(part, plan.facts, plan.merged) for part in parts if len(part)]
    series = []
    for place, column in enumerate(schema.columns):
        kind: Any = np.float64 if column.kind == "numeric" else np.uint32
        own = [c[:, place] if isinstance(c, np.ndarray) else c[place] for c in encoded]
        data = np.concatenate([np.zeros(0, dtype=kind), *own]).astype(kind)
        series.append(Series(column.name, column.kind, data, column.levels, meaning=column.meaning))
    return Table(series)


def _to_levels(series: Series, peers: _core.Peers) -> Series:
    """Return a column of numbers as one of categories, with a level for each number of any process."""
    if series.kind == "categorical" or (series.meaning is not None and series.meaning.order):
        return to_levels(series)
    present = ~np.isnan(series.data)
    own = np.unique(series.data[present])
    numbers = np.unique(np.concatenate([np.frombuffer(d) for d in peers.gather(own.tobytes())]))
    codes = np.full(len(series.data), MISSING, dtype=np.uint32)
    codes[present] = np.searchsorted(numbers, series.data[present])
    return Series(series.name, "categorical", codes, tuple(numbers.tolist()))
