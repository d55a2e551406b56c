"""A single tree whose rows stay in their processes: which fits are divided, and what each process does.

Not here: how the tree is grown (``exact_trees``).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from treewright import _core
from treewright._cluster import exact_trees
from treewright._cluster.boosting_plan import note_facts
from treewright._cluster.divided_columns import DividedColumns, join_weights, store_columns
from treewright._cluster.gathered_fits import FittedModel, copy_for_worker
from treewright._cluster.packed_rows import PackedRows
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
    peers: _core.Peers,
    parts: Sequence[PackedRows],
    facts: TableFacts,
    estimator: Any,
    threads: int | None = None,
) -> FittedModel:
    """Fit a tree to the rows of all processes, given those of this one; every process returns the same model."""
    start = time.perf_counter()
    estimator = copy_for_worker(estimator, threads)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        divided = DividedColumns.of(facts, estimator)
        target = join_targets([part.target for part in parts], facts.target)
        table = divided.join(parts)
        noted = note_facts(divided)  # type: ignore[arg-type]
        columns = divided.merged.schema.columns if noted is None else noted.columns
        if isinstance(estimator, ID3Classifier):
            table = Table([_to_levels(series, peers) for series in table.series])
            refuse_many_levels(table)
            columns = tuple(
                old if old.kind == "categorical" else replace(series.column, missing=old.missing)
                for old, series in zip(columns, table.series, strict=True)
            )
        schema = replace(estimator._describe(table, target), columns=columns)
        estimator._clear_fitted()
        estimator._record = None
        data = TrainingData(table, schema, target, join_weights(parts, facts))
        estimator._forest = exact_trees.grow_tree(estimator, data, peers)
        store_columns(estimator, data, facts)
    notes = [(each.category, str(each.message)) for each in caught]
    return FittedModel(estimator, notes, time.perf_counter() - start, peak_memory())


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
