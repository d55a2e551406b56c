"""The core's report on a node: from rows that are passed, or from the training record of a small model.

In both cases the core sends the rows through the tree and lists the candidates of the node (``_core.study``); nothing
is computed a second time here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright import _core
from treewright._estimator.model import Model
from treewright._learners.trees.report_codec import trim_pure
from treewright._learners.trees.training_record import (
    Rows,
    digest_of,
    recipe_of,
    study_nodes,
)
from treewright._pruning.pruning_rows import LabeledRows, read_labeled
from treewright._work.node_builder import Method, method_of
from treewright.errors import DataError, Hint, ModelFileError, UsageError
from treewright.tree import Tree

__all__ = ["is_training_table", "report_of", "reports_of", "rows_of"]

OTHER_ROWS = "this is not the training table, so the numbers are not those of the training"


def report_of(
    model: Any, node: int, X: Any, y: Any, sample_weight: Any, cuts: int
) -> tuple[Method, dict[str, Any], list[str]]:
    """Return the method of the model, the report on a node, and notes on the rows."""
    method, reports, notes = reports_of(model, [node], X, y, sample_weight, cuts)
    return method, reports[0], notes


def reports_of(
    model: Any, nodes: Sequence[int], X: Any, y: Any, sample_weight: Any, cuts: int
) -> tuple[Method, list[dict[str, Any]], list[str]]:
    """Return the method of the model, the reports on some nodes, ascending, and notes on the rows."""
    method = None
    if isinstance(model, Model):
        method = method_of(type(model).__name__, model.get_params(deep=False))
    if method is None:
        raise UsageError(
            f"work does not support {type(model).__name__}",
            slug="work.no-candidates",
            hints=[
                "it supports fitted ID3, C4.5 and CART trees, forests, AdaBoost, gradient boosting, kNN, 0-R and 1-R"
            ],
        )
    if X is None or y is None:
        return method, _kept(model, nodes, cuts), []
    reports, same = _studied(model, nodes, X, y, sample_weight, cuts)
    return method, reports, [] if same else [OTHER_ROWS]


def _kept(model: Any, nodes: Sequence[int], cuts: int) -> list[dict[str, Any]]:
    """Return what the model itself knows of some nodes."""
    held = getattr(model, "_record", None)
    try:
        reports: list[dict[str, Any]] | None = (
            None if held is None else held.reports(model, nodes, cuts)
        )
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        if held is None or held.packed is None:
            raise
        raise ModelFileError(
            f"the work in the model is wrong: {str(error)[:200]!a}", slug="model.document"
        ) from error
    if reports is None:
        raise UsageError(
            "the training table is needed: this model does not store the candidates of its nodes",
            slug="work.no-rows",
            hints=[Hint(call="work", arguments=("model", "node", "X", "y"))],
        )
    return reports


def rows_of(model: Any, X: Any, y: Any, sample_weight: Any) -> Rows:
    """Return the rows that are passed, or those that the model still holds from its fit."""
    if X is not None and y is not None:
        return _read(model, X, y, sample_weight)[1]
    held = getattr(model, "_record", None)
    rows: Rows | None = None if held is None else held.rows(model)
    if rows is None:
        raise UsageError(
            "the training table is needed",
            slug="work.no-rows",
            hints=[
                Hint(
                    call="work",
                    arguments=("model", "node", "X", "y"),
                    option="what",
                    value="distribution",
                )
            ],
        )
    return rows


def _read(model: Any, X: Any, y: Any, sample_weight: Any) -> tuple[LabeledRows, Rows]:
    labeled = read_labeled(model, X, y, sample_weight)
    if any(c.dtype == np.uint32 and (c == _core.UNSEEN).any() for c in labeled.columns):
        raise DataError(
            "this is not the training table: it has categories that the model has not seen",
            slug="work.other-rows",
        )
    weights = None if np.all(labeled.weights == 1) else labeled.weights
    rows = Rows(labeled.columns, labeled.target, weights)
    return labeled, rows


def _studied(
    model: Any, nodes: Sequence[int], X: Any, y: Any, sample_weight: Any, cuts: int
) -> tuple[list[dict[str, Any]], bool]:
    """Return the reports from rows, and whether they are the training rows."""
    labeled, rows = _read(model, X, y, sample_weight)
    reports = [trim_pure(report) for report in study_nodes(model, rows, nodes, cuts)]
    known = _digest_of_training(model) is not None or all(report["same"] for report in reports)
    return reports, known and _is_same(model, labeled, rows)


def is_training_table(model: Any, X: Any, y: Any, sample_weight: Any = None) -> bool:
    """Whether these are the rows that a model of one tree was trained on, in any order.

    A digest of the training rows decides; without one, whether the rows fill the leaves as the training rows did.
    """
    try:
        return _is_same(model, *_read(model, X, y, sample_weight))
    except DataError as error:
        if error.slug in ("work.other-rows", "data.unknown-class"):
            return False
        raise


def _digest_of_training(model: Any) -> str | None:
    """Return the digest of the training rows; None if the model does not know it."""
    held = getattr(model, "_record", None)
    if held is None:
        return None
    own = held.rows(model)
    digest: str | None = held.digest if own is None else digest_of(own)
    return digest


def _is_same(model: Any, labeled: LabeledRows, rows: Rows) -> bool:
    digest = _digest_of_training(model)
    if digest is not None:
        return digest_of(rows) == digest
    weighted = getattr(model, "class_weight", None) or getattr(model, "priors", None)
    recipe = recipe_of(model, rows) if weighted else {}
    factors = (recipe.get("binary") or {}).get("class_weights") or ()
    return _same_leaves(model.tree_, labeled, factors)


def _same_leaves(tree: Tree, rows: LabeledRows, factors: Sequence[float]) -> bool:
    """Whether the rows fill the leaves as the training rows did: as many in each, with the same classes or mean.

    The rows of a single node are not enough: at the root every order of the labels looks the same.
    """
    ends = tree._forest.apply(tree._index, rows.columns)
    present = rows.weights > 0
    leaf = tree.n_children == 0
    undivided = bool(leaf[ends[present]].all())
    counts = np.bincount(ends[present], minlength=tree.n_nodes)
    scale = np.ones(len(ends))
    stored = tree.weight * tree.value[:, 0]
    if rows.classes is not None:
        if len(factors):
            scale = np.asarray(factors, dtype=np.float64)[rows.target]
        cells = ends.astype(np.int64) * rows.classes + rows.target
        size = tree.n_nodes * rows.classes
        sums = np.bincount(cells, weights=rows.weights * scale, minlength=size)
        sums = sums.reshape(-1, rows.classes)[leaf]
        stored = (tree.weight[:, None] * tree.value)[leaf]
    else:
        sums = np.bincount(ends, weights=rows.weights * rows.target, minlength=tree.n_nodes)[leaf]
        stored = stored[leaf]
    if not undivided:  # fractional rows are not counted in the sums
        return bool(np.all(counts[leaf] <= tree.count[leaf]))
    same = np.allclose(sums, stored, rtol=1e-9, atol=1e-9)
    return bool(np.array_equal(counts[leaf], tree.count[leaf]) and same)
