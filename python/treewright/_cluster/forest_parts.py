"""Forests whose trees are grown by their numbers in several processes, each of which has all rows.

A process codes the rows once and keeps the codes between its tasks, beside the rows themselves: who drops the rows
drops the codes. Trees travel once, in few bytes, and become the model without another fit.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._cluster.gathered_fits import FittedModel, copy_for_worker, fit_rows
from treewright._cluster.packed_rows import TrainingRows
from treewright._cluster.process_facts import peak_memory
from treewright._estimator.training_data import TrainingData
from treewright._learners.ensembles.quantile_forest import check_keep_targets
from treewright._learners.ensembles.sampling import usable_columns
from treewright._model.table_builder import levels_of, widen_forest
from treewright.schema import Schema

__all__ = [
    "ForestScores",
    "TreePart",
    "grow_part",
    "join_parts",
    "make_shell",
    "needs_all_trees",
    "score_forest",
    "split_trees",
]

# Tasks of a thread: enough that none waits long for another; fewer where a tree takes about as long as a task.
TASKS, FEW_TASKS = 50, 5
FEW_ROWS = 20_000
# Fitted attributes that need all trees and all rows.
SCORES = ("oob_score_", "oob_curve_", "oob_decision_function_", "oob_prediction_")


@dataclass(frozen=True, eq=False)
class TreePart:
    """Some trees of a forest, by the number of the first, and what they took.

    Parameters
    ----------
    first, count : int
        The number of the first tree, and how many there are.
    trees : ndarray of uint8
        The trees as the core packs them. Pickles of protocol 5 do not copy it.
    seconds : float
        Wall time.
    peak : int
        The largest memory of the process so far, in bytes.
    worker : str, default=""
        The address of the process.
    """

    first: int
    count: int
    trees: NDArray[np.uint8]
    seconds: float
    peak: int
    worker: str = ""


class _CodedForest:
    """A forest without trees, and the coded rows that its trees are grown from."""

    def __init__(self, estimator: Any, rows: TrainingRows, is_named: bool) -> None:
        estimator = copy_for_worker(estimator, 1)
        prepared: list[Any] = []
        estimator._learn = lambda *data: prepared.append(data)
        self.shell = fit_rows(estimator, rows, is_named)
        for name in ("_learn", "_forest", "estimators_samples_"):
            self.shell.estimator.__dict__.pop(name, None)
        data = TrainingData(*prepared[0])
        check_keep_targets(estimator, data.target)
        self._schema: Schema = data.schema
        self._usable = usable_columns(estimator, data.schema)
        if self._usable is not None:
            data = data.select(self._usable)
        recipe = estimator._recipe(data) | {"threads": 1}
        self._grower = _core.TreeGrower(recipe, estimator._bag(data), *data.core_arguments)

    def grow(self, trees: range) -> _core.Forest:
        """Grow trees by their numbers, on one thread. Several threads may call it at the same time."""
        forest = self._grower.grow(trees.start, trees.stop)
        if self._usable is not None:
            forest = widen_forest(forest, self._usable, self._schema)
        return forest


def _coded(estimator: Any, rows: TrainingRows, is_named: bool) -> _CodedForest:
    coded: _CodedForest = rows.kept.get(lambda: _CodedForest(estimator, rows, is_named))
    return coded


def make_shell(estimator: Any, rows: TrainingRows, is_named: bool) -> FittedModel:
    """Code the rows in this process, and return the fitted estimator but for its trees."""
    return _coded(estimator, rows, is_named).shell


def grow_part(estimator: Any, rows: TrainingRows, is_named: bool, trees: range) -> TreePart:
    """Grow some trees of a forest; the rows are coded if this process has not done so."""
    start = time.perf_counter()
    forest = _coded(estimator, rows, is_named).grow(trees)
    packed = _core.pack_trees(forest)
    return TreePart(trees.start, len(trees), packed, time.perf_counter() - start, peak_memory())


def join_parts(schema: Schema, parts: Sequence[TreePart]) -> _core.Forest:
    """Return the forest of all parts, which may come in any order."""
    arriving = _core.ArrivingTrees(levels_of(schema))
    for part in parts:
        arriving.add(part.first, part.trees)
    return arriving.finish(min(part.first for part in parts))


def needs_all_trees(estimator: Any) -> bool:
    """Whether something of the model beside its trees needs all of them together with all rows."""
    return bool(estimator.oob_score) or bool(getattr(estimator, "keep_targets", False))


@dataclass(frozen=True, eq=False)
class ForestScores:
    """What a forest has beside its trees, and the warnings of computing it."""

    attributes: dict[str, Any]
    leaf_targets: bytes | None
    warnings: list[tuple[type[Warning], str]]

    def store(self, estimator: Any) -> None:
        """Set the attributes of an estimator that has its trees."""
        estimator.__dict__.update(self.attributes)
        if self.leaf_targets is not None:
            targets = _core.LeafTargets.from_bytes(self.leaf_targets, estimator._forest)
            estimator._leaf_targets = targets


def score_forest(
    estimator: Any, rows: TrainingRows, is_named: bool, parts: Sequence[TreePart], threads: int
) -> ForestScores:
    """Compute what needs all trees and all rows; a warm start brings its earlier trees in the estimator."""
    new = join_parts(_coded(estimator, rows, is_named).shell.estimator.schema_, parts)
    estimator = copy_for_worker(estimator, threads)
    estimator._grow_trees = lambda *_: new
    result = fit_rows(estimator, rows, is_named)
    state = vars(result.estimator)
    targets = state.get("_leaf_targets")
    return ForestScores(
        {name: state[name] for name in SCORES if name in state},
        None if targets is None else bytes(targets.to_bytes(result.estimator._forest)),
        result.warnings,
    )


def split_trees(trees: range, threads: int, rows: int) -> list[range]:
    """Return the numbers of the trees of each task, for so many threads of the cluster.

    Examples
    --------
    >>> split_trees(range(10), threads=1, rows=1000)
    [range(0, 2), range(2, 4), range(4, 6), range(6, 8), range(8, 10)]
    """
    tasks = (FEW_TASKS if rows < FEW_ROWS else TASKS) * threads
    step = max(1, len(trees) // tasks)
    return [trees[start : start + step] for start in range(0, len(trees), step)]
