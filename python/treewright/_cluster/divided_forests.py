"""Forests whose rows stay where they are, because they fit no process: one tree after the other from merged sums.

Not here: forests whose processes have all rows (``forest_parts``), which is faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from treewright import _core
from treewright._cluster import exact_trees
from treewright._cluster.divided_columns import fit_columns
from treewright._cluster.gathered_fits import FittedModel, copy_for_worker
from treewright._cluster.packed_rows import PackedRows
from treewright._cluster.table_facts import TableFacts
from treewright._estimator.training_data import TrainingData
from treewright._learners.ensembles.sampling import Bag, count_draws, usable_columns
from treewright._model.table_builder import widen_forest
from treewright._utils.validation import check_integer

__all__ = ["fit_divided", "option_for_all_rows"]


def option_for_all_rows(estimator: Any) -> str | None:
    """Return the option of a forest that needs all rows in one process; None if it has none.

    Examples
    --------
    >>> from treewright import RandomForestClassifier
    >>> option_for_all_rows(RandomForestClassifier(oob_score=True))
    'oob_score=True'
    """
    names = ["oob_score", "keep_targets"]
    if "_forest" in estimator.__dict__:
        names.append("warm_start")
    values = {name: getattr(estimator, name, False) for name in names}
    return next((f"{name}={value!r}" for name, value in values.items() if value), None)


def fit_divided(
    peers: _core.Peers,
    parts: Sequence[PackedRows],
    facts: TableFacts,
    estimator: Any,
    threads: int | None = None,
) -> FittedModel:
    """Fit a forest to the rows of all processes, given those of this one; every process returns the same model."""
    return fit_columns(peers, parts, facts, copy_for_worker(estimator, threads), _grow)


def _grow(estimator: Any, data: TrainingData, peers: _core.Peers) -> _core.Forest:
    target = exact_trees.count_rows_of_all(data.target, data.weights, peers)
    data, schema = replace(data, target=target), data.schema
    usable = usable_columns(estimator, schema)
    if usable is not None:
        data = data.select(usable)
    total = check_integer("n_estimators", estimator.n_estimators, minimum=1)
    small = exact_trees.SMALL_ROWS
    recipe, bag = estimator._recipe(data), _make_bag(estimator, data, peers)
    forest = _core.grow_bag_merged(recipe, bag, *data.core_arguments, 0, total, peers, small)
    return forest if usable is None else widen_forest(forest, usable, schema)


def _make_bag(estimator: Any, data: TrainingData, peers: _core.Peers) -> Bag:
    """Return how rows are sampled; how many depends on the rows and weights of all processes."""
    bag: Bag = estimator._bag(replace(data, weights=None))
    if data.weights is None:
        return bag
    everywhere = np.concatenate([np.frombuffer(d) for d in peers.gather(data.weights.tobytes())])
    bag["draws"] = count_draws(estimator.max_samples, everywhere, len(data))
    return bag
