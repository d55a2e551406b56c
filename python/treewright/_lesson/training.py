"""A tree with its training rows: which rows are in each node, and how a lesson writes names and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._draw.conditions import path_to
from treewright._input.short_numbers import write_cut, write_value
from treewright._model.decision import decide
from treewright._model.node import Branch
from treewright._pruning.pruning_rows import LabeledRows
from treewright._render.numbers import weights as write_weights
from treewright._work.criteria import CRITERIA, Criterion, Unit
from treewright._work.lecture_rounding import Rounding
from treewright._work.node_builder import Method
from treewright._work.row_group import Group
from treewright.schema import Column, Level, label
from treewright.table import MISSING
from treewright.tree import Tree

__all__ = ["SIGNS", "Training"]

Values = dict[str, Any]
# Branches that other views write in English; a question mark is a missing value, as in the table.
SIGNS = {"missing": "?", "known": "≠ ?", "all numbers": "(−∞, ∞)"}


@dataclass(frozen=True)
class Training:
    """What every step of a lesson is made from."""

    model: Any  # a fitted ID3, C4.5 or CART tree
    rows: LabeledRows  # the training rows in the codes of the model
    table: tuple[Any, Any, Any]  # the same as they were given: X, y, sample_weight
    target: str  # the name of the target
    method: Method
    unit: Unit
    rounding: Rounding

    @property
    def tree(self) -> Tree:
        """The finished tree."""
        tree: Tree = self.model.tree_
        return tree

    @property
    def criterion(self) -> Criterion:
        """The criterion of the tree."""
        return CRITERIA[self.method.criterion]

    @property
    def classes(self) -> tuple[Level, ...]:
        """The classes; empty for a numeric target."""
        return self.tree.schema.classes

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of each feature, by name."""
        return {name: place for place, name in enumerate(self.tree.schema.names)}

    @cached_property
    def leaf_shares(self) -> list[dict[int, float]]:
        """For each row, the nodes where it ends and its share in each: 1, or less where a value is missing."""
        tree, columns = self.tree, self.rows.columns
        return [
            {
                int(node): float(share)
                for node, share in tree._forest.parts(
                    tree._index, [column[i : i + 1] for column in columns]
                )
            }
            for i in range(len(self.rows.target))
        ]

    @cached_property
    def node_shares(self) -> list[dict[int, float]]:
        """For each node, its rows with their shares."""
        shares: list[dict[int, float]] = [{} for _ in range(self.tree.n_nodes)]
        for row, ends in enumerate(self.leaf_shares):
            if self.rows.weights[row] <= 0:
                continue
            for end, share in ends.items():
                for node in path_to(self.tree, end):
                    shares[node][row] = shares[node].get(row, 0.0) + share
        return shares

    # ---- names and numbers

    def number(self, value: float) -> Values:
        """Return a number of a sentence, with its text."""
        return {"number": value, "text": self.rounding.round_off(value)}

    def weight(self, value: float) -> Values:
        """Return a number of rows, or their weight, for a sentence."""
        if float(value).is_integer():
            return {"count": int(value)}
        return {"number": value, "text": write_weights([value])[0]}

    def cell(self, feature: int, row: int) -> Any:
        """Return a value of the table as it is written; a plain number stays a number, None is missing."""
        column: Column = self.tree.schema.columns[feature]
        value = self.rows.columns[feature][row]
        if column.kind == "categorical":
            return None if value == MISSING else label(column.levels[int(value)])
        if np.isnan(value):
            return None
        return write_value(float(value), column) if column.in_words else float(value) + 0.0

    def branch(self, branch: Branch) -> str:
        """Write a branch of the tree: ``Sunny``, ``≤ 75``."""
        if branch.op in ("<=", ">"):
            feature = int(self.tree.feature[self.tree.parents[branch.child]])
            cut: Any = branch.value
            text = write_cut(float(cut), self.tree.schema.columns[feature])
            return f"{'≤' if branch.op == '<=' else '>'} {text}"
        if branch.op in ("known", "missing"):
            return SIGNS[branch.op]
        value: Any = branch.value
        return ", ".join(map(label, value if isinstance(value, tuple) else (value,)))

    def group_values(self, group: Group) -> Values:
        """Return a set of rows as the pages read it."""
        value = list(group.amounts) if self.classes else [group.mean or 0.0]
        figures = {"rows": group.count, "weight": group.weight}
        return figures | {"value": value, "impurity": group.impurity}

    @cached_property
    def predictions(self) -> NDArray[Any]:
        """What the tree predicts for each row: the position of a class, or a number."""
        tree = self.tree
        outputs = np.array(
            [sum(share * tree.outputs[n] for n, share in ends.items()) for ends in self.leaf_shares]
        )
        return self.answers_of(outputs)

    def answers_of(self, outputs: NDArray[np.float64]) -> NDArray[Any]:
        """Return predictions from class probabilities or numbers."""
        return decide(outputs, self.tree.schema) if self.classes else outputs[:, 0]

    def error_of(self, predictions: NDArray[Any]) -> float:
        """Return the weight of the wrong rows; for numbers the mean squared error."""
        weights = self.rows.weights
        if self.classes:
            return float(weights[predictions != self.rows.target].sum())
        return float((weights * (predictions - self.rows.target) ** 2).sum() / weights.sum())

    def code(self, level: Any) -> int:
        """Return the position of a class."""
        return self.classes.index(level)
