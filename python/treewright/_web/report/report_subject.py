"""What a report is about: a fitted model, the rows that it was trained on, and rows that it was not trained on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treewright._draw.caption import Caption
from treewright._estimator.find import (
    column_names,
    find,
    find_trees,
    is_pipeline,
    kind_of,
    transform_rows,
    unwrap,
    unwrap_search,
)
from treewright._estimator.model import Model
from treewright._input.checks import read_rows
from treewright._input.target import weights_of
from treewright._utils.validation import check_lengths
from treewright._work.node_report import is_training_table
from treewright.errors import Hint, UsageError
from treewright.schema import Schema
from treewright.table import Table
from treewright.tree import Tree

__all__ = ["FileNames", "GivenRows", "Subject", "sample", "subject_of"]

TITLES = {"training": "training rows", "held-out": "held-out rows", "given": "the given rows"}


@dataclass(frozen=True)
class FileNames:
    """The files of a command without their folders, for the lines that make the report again; empty in Python."""

    model: str = ""
    training: str = ""
    table: str = ""  # with known target values: held-out rows, or those of the training


@dataclass(frozen=True, eq=False)
class GivenRows:
    """Rows with known target values."""

    X: Table  # as the model reads them
    y: Any
    weights: Any
    # "training", "held-out", or "given" if it is unknown whether the model was trained on them.
    role: str

    @property
    def title(self) -> str:
        """What a report calls them."""
        return TITLES[self.role]


@dataclass(frozen=True, eq=False)
class Subject:
    """A model with the rows of a report."""

    model: Model
    kind: str  # "tree", "trees", "rules" or "neighbors"
    caption: Caption
    schema: Schema  # with notes on the columns for views
    trees: tuple[Tree, ...]  # the trees that the report holds; the first ones of many
    n_trees: int
    training: GivenRows | None
    held_out: GivenRows | None
    is_step: bool  # whether the model is the last step of a Pipeline
    files: FileNames = field(default_factory=FileNames)

    @property
    def tree(self) -> Tree | None:
        """The tree of a model that has a single one."""
        return self.trees[0] if self.n_trees == 1 else None

    @property
    def measured(self) -> GivenRows | None:
        """The rows that say most about new rows: those that the model was not trained on."""
        return self.held_out or self.training

    @property
    def described(self) -> GivenRows | None:
        """The rows that describe the columns: those of the training, if they are given."""
        return self.training or self.held_out

    @property
    def can_prune(self) -> bool:
        """Whether smaller versions of the tree make sense: not for one rule or none."""
        return self.tree is not None and self.tree.n_leaves > 1 and self.model._work_unit == "node"


def subject_of(
    model: Any,
    rows: tuple[Any, Any, Any],
    test: tuple[Any, ...] | None,
    *,
    trees: int,
    files: FileNames,
) -> Subject:
    """Return the subject of a report; ``trees`` is how many trees of an ensemble it holds.

    Rows that are given alone are those of the training if the model can tell; with ``test`` they are by definition.
    """
    estimator = unwrap(model)
    if not isinstance(estimator, Model):
        raise UsageError(
            f"a report needs a fitted model of treewright, got {type(estimator).__name__}",
            slug="report.no-model",
            hints=[Hint(call="report", arguments=("model", "X", "y"))],
        )
    check_is_fitted(estimator)
    kind = kind_of(estimator)
    included, n_trees, caption, schema = _trees(model, estimator, kind, trees)
    training = held_out = None
    if test is not None:
        training = _read_rows(model, estimator, rows, "training")
        held_out = _read_rows(model, estimator, _pair(test), "held-out")
    else:
        only = _read_rows(model, estimator, rows, "given")
        if only is not None and n_trees == 1:
            same = is_training_table(estimator, only.X, only.y, only.weights)
            only = replace(only, role="training" if same else "held-out")
        training, held_out = (only, None) if only and only.role == "training" else (None, only)
    return Subject(
        *(estimator, kind, caption, schema, included, n_trees, training, held_out),
        is_pipeline(unwrap_search(model)),
        files,
    )


def _trees(
    model: Any, estimator: Model, kind: str, most: int
) -> tuple[tuple[Tree, ...], int, Caption, Schema]:
    """Return the trees that the report holds, how many there are, the caption, and the names."""
    if kind not in ("tree", "trees"):
        return (), 0, Caption(estimator._title), estimator._schema_with_notes()
    many = find_trees(model)
    if many is None:
        tree, caption = find(model)
        return (tree,), 1, caption, tree.schema
    trees, caption = many
    names = column_names(model)
    schema = trees.model_schema
    included = tuple(trees[i] for i in range(min(most, len(trees))))
    return (
        included,
        len(trees),
        caption,
        schema if names == schema.names else _renamed(schema, names),
    )


def _renamed(schema: Schema, names: tuple[str, ...]) -> Schema:
    pairs = zip(schema.columns, names, strict=True)
    return replace(schema, columns=tuple(replace(c, name=name) for c, name in pairs))


def _pair(test: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    parts = tuple(test) if isinstance(test, (tuple, list)) else ()
    if len(parts) not in (2, 3):
        raise UsageError(
            "test must be a pair: rows and their true values",
            slug="usage.parameter",
            hints=["pass the table and the true values as a tuple of two"],
        )
    return (*parts, None)[:3]


def _read_rows(
    model: Any, estimator: Model, rows: tuple[Any, Any, Any], role: str
) -> GivenRows | None:
    X, y, sample_weight = rows
    if X is None and y is None:
        return None
    if X is None or y is None:
        raise UsageError(
            "rows of a report need their true values: give X and y",
            slug="report.no-target",
            hints=[Hint(call="report", arguments=("model", "X", "y"))],
        )
    table = read_rows(estimator, transform_rows(model, X), estimator.schema_)
    values = y.to_numpy() if hasattr(y, "to_numpy") else y
    check_lengths(len(table), len(values))
    return GivenRows(table, values, weights_of(sample_weight, len(table)), role)


def sample(rows: GivenRows, most: int) -> GivenRows:
    """Return at most so many of the rows, at equal distances."""
    if len(rows.X) <= most:
        return rows
    chosen = np.unique(np.linspace(0, len(rows.X) - 1, most).round().astype(np.int64))
    weights = None if rows.weights is None else rows.weights[chosen]
    return GivenRows(rows.X[chosen], np.asarray(rows.y)[chosen], weights, rows.role)
