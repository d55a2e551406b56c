"""What the trees of a forest were grown from: drawn rows, drawn columns, and the votes of trees that did not see a row.

Samples are functions of the seed and the rows: they are drawn again here, not stored in the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._draw.conditions import path_to
from treewright._estimator.training_data import TrainingData
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.ensembles.sampling import usable_columns
from treewright._model.decision import decide
from treewright._pruning.pruning_rows import LabeledRows, read_labeled
from treewright.errors import DataError, Hint, UsageError
from treewright.schema import Schema
from treewright.table import Series, Table
from treewright.tree import Tree

__all__ = ["ForestSamples", "NodeColumns", "TreeSample", "forest_samples"]

TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class NodeColumns:
    """The columns that a node of a tree could choose from, in the order in which they were drawn."""

    node: int
    drawn: tuple[int, ...]
    chosen: int


@dataclass(frozen=True)
class TreeSample:
    """One tree of a forest with its sample."""

    tree: Tree
    times: NDArray[np.uint32]  # how often each row was drawn
    columns: tuple[NodeColumns, ...]  # of each node with a split; empty where all columns are used

    @property
    def out_of_bag(self) -> list[int]:
        """The rows that were not drawn."""
        return [int(row) for row in np.flatnonzero(self.times == 0)]


@dataclass(frozen=True)
class ForestSamples:
    """The trees of a forest with their samples, and the votes of each row's trees."""

    schema: Schema
    rows: LabeledRows  # without rows of weight 0
    index: NDArray[np.int64]  # the position of each of them in the table
    trees: tuple[TreeSample, ...]
    max_features: int  # how many columns a node draws

    @cached_property
    def outputs(self) -> list[NDArray[np.float64]]:
        """For each tree, its class probabilities or number for every row."""
        forest = self.trees[0].tree._forest
        return [
            sample.tree.outputs[forest.apply(place, self.rows.columns)]
            for place, sample in enumerate(self.trees)
        ]

    def tree_votes(self, row: int) -> list[tuple[int, float]]:
        """Return the trees that did not see a row, each with its prediction: a class (its position) or a number."""
        votes = []
        for place, (sample, outputs) in enumerate(zip(self.trees, self.outputs, strict=True)):
            if sample.times[row] == 0:
                votes.append((place, self._answer(outputs[row])))
        return votes

    def prediction(self, row: int) -> float | None:
        """Return the prediction of the trees that did not see a row: by the mean of their outputs."""
        outputs = [
            outputs[row]
            for sample, outputs in zip(self.trees, self.outputs, strict=True)
            if sample.times[row] == 0
        ]
        return self._answer(np.mean(outputs, axis=0)) if outputs else None

    @cached_property
    def predictions(self) -> list[float | None]:
        """The out-of-bag prediction of every row; None where every tree saw it."""
        return [self.prediction(row) for row in range(len(self.rows.target))]

    @cached_property
    def error(self) -> float | None:
        """The proportion of wrong out-of-bag predictions; for numbers their mean squared error."""
        known = [row for row, each in enumerate(self.predictions) if each is not None]
        if not known:
            return None
        predicted = np.array([self.predictions[row] for row in known], dtype=np.float64)
        truth, weights = self.rows.target[known], self.rows.weights[known]
        losses = predicted != truth if self.schema.classes else (predicted - truth) ** 2
        return float((weights * losses).sum() / weights.sum())

    def _answer(self, outputs: NDArray[np.float64]) -> float:
        if self.schema.classes:
            return int(decide(outputs[None, :], self.schema)[0])
        return float(outputs[0])


def forest_samples(model: Any, X: Any, y: Any, sample_weight: Any) -> ForestSamples:
    """Draw the samples of a forest again, from its training rows."""
    if hasattr(model, "imported_"):
        raise UsageError(
            "the work of a forest needs the samples of its trees, which another library does not store",
            slug="work.imported",
            hints=[Hint(call="explain", arguments=("model", "row"))],
        )
    if X is None or y is None:
        raise UsageError(
            "the work of a forest needs the training table",
            slug="work.no-rows",
            hints=[Hint(call="work", arguments=("model", "X", "y"))],
        )
    rows = read_labeled(model, X, y, sample_weight)
    index = np.flatnonzero(rows.weights > 0)
    if len(index) < len(rows.weights):
        columns = [column[index] for column in rows.columns]
        rows = LabeledRows(columns, rows.target[index], rows.classes, rows.weights[index])
    usable = usable_columns(model, model.schema_)
    data = _training_data(model, rows)
    data = data if usable is None else data.select(usable)
    bag = model._bag(data)
    samples = _core.Samples(bag, *data.core_arguments)
    places = list(range(len(model.schema_.columns))) if usable is None else usable
    trees = []
    for number, tree in enumerate(model.trees_):
        times = samples.times(number)
        _check(tree, times, number)
        trees.append(TreeSample(tree, times, _drawn_columns(tree, bag, number, places)))
    most = len(places) if bag["columns"] is None else min(bag["columns"], len(places))
    return ForestSamples(model.schema_, rows, index, tuple(trees), most)


def _training_data(model: Any, rows: LabeledRows) -> TrainingData:
    schema = model.schema_
    series = [
        Series(column.name, column.kind, data, column.levels)
        for column, data in zip(schema.columns, rows.columns, strict=True)
    ]
    target: Any = NumberTarget(schema.target, rows.target)
    if schema.classes:
        classes = np.arange(len(schema.classes))
        target = ClassTarget(schema.target, classes, classes, rows.target)
    weights = None if np.all(rows.weights == 1) else rows.weights
    return TrainingData(Table(series), schema, target, weights)


def _drawn_columns(tree: Tree, bag: Any, number: int, places: list[int]) -> tuple[NodeColumns, ...]:
    """Return the columns that each node drew: more than usual where the first ones did not separate its rows."""
    if bag["columns"] is None:
        return ()
    drawn = []
    for node in map(int, np.flatnonzero(tree.n_children)):
        path = path_to(tree, node)
        turns = [below - int(tree.first_child[above]) for above, below in pairwise(path)]
        order = [places[i] for i in _core.column_order(bag, number, turns, len(places)) or []]
        chosen = int(tree.feature[node])
        size = max(bag["columns"], order.index(chosen) + 1)
        drawn.append(NodeColumns(node, tuple(order[:size]), chosen))
    return tuple(drawn)


def _check(tree: Tree, times: NDArray[np.uint32], number: int) -> None:
    """Raise an error where the sample is not the one that the tree was grown from."""
    distinct = int(np.count_nonzero(times))
    if int(tree.count[0]) != distinct:
        raise DataError(
            f"this is not the training table: tree {number} was grown from {int(tree.count[0])} distinct rows, "
            f"its sample of this table has {distinct}",
            slug="work.other-rows",
            hints=["pass the training table with its weights"],
        )
