"""Where the figures of a node come from: rows that are given, or what a small model kept of its training.

Either way the core divides the rows by the tree's own questions and asks the holder that grew it for its candidates
(``_core.study``); nothing is worked out a second time here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright import _core
from treewright._estimator.model import Model
from treewright._learners.trees.training_record import (
    Rows,
    digest_of,
    recipe_of,
    study_nodes,
    trim_pure,
)
from treewright._pruning.pruning_rows import LabeledRows, read_labeled
from treewright._work.node_builder import Method, method_of
from treewright.errors import DataError, Hint, ModelFileError, UsageError
from treewright.tree import Tree

__all__ = ["report_of", "rows_of"]

OTHER = "these are not the rows that the model was fitted to, so the figures are not those that it chose by"


def report_of(
    model: Any, node: int, X: Any, y: Any, sample_weight: Any, cuts: int
) -> tuple[Method, dict[str, Any], list[str]]:
    """Return how the model judges, what the core says of a node, and what a reader should know about the rows."""
    method = None
    if isinstance(model, Model):
        method = method_of(type(model).__name__, model.get_params(deep=False))
    if method is None:
        raise UsageError(
            f"a {type(model).__name__} has no candidates to show",
            slug="work.no-candidates",
            hints=["work takes a fitted ID3, C4.5 or CART model"],
        )
    if X is None or y is None:
        return method, _kept(model, node, cuts), []
    report, same = _studied(model, node, X, y, sample_weight, cuts)
    return method, report, [] if same else [OTHER]


def _kept(model: Any, node: int, cuts: int) -> dict[str, Any]:
    """Return what the model itself knows of a node."""
    held = getattr(model, "_record", None)
    try:
        report: dict[str, Any] | None = None if held is None else held.report(model, node, cuts)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        if held is None or held.packed is None:
            raise
        raise ModelFileError(
            f"the work in the model is wrong: {str(error)[:200]!a}", slug="model.document"
        ) from error
    if report is None:
        raise UsageError(
            "the work of a node needs the rows that the model was fitted to: it was too large to keep its work",
            slug="work.no-rows",
            hints=[Hint(call="work", arguments=("model", "node", "X", "y"))],
        )
    return report


def rows_of(model: Any, X: Any, y: Any, sample_weight: Any) -> Rows:
    """Return the rows that are given, or those of a fit that are still held."""
    if X is not None and y is not None:
        return _read(model, X, y, sample_weight)[1]
    held = getattr(model, "_record", None)
    rows: Rows | None = None if held is None else held.rows(model)
    if rows is None:
        raise UsageError(
            "this needs the rows that the model was fitted to",
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
    given = read_labeled(model, X, y, sample_weight)
    if any(c.dtype == np.uint32 and (c == _core.UNSEEN).any() for c in given.columns):
        raise DataError(
            "the rows hold values that the model never saw: they are not those of its fit",
            slug="work.other-rows",
        )
    weights = None if np.all(given.weights == 1) else given.weights
    rows = Rows(given.columns, given.target, weights)
    return given, rows


def _studied(
    model: Any, node: int, X: Any, y: Any, sample_weight: Any, cuts: int
) -> tuple[dict[str, Any], bool]:
    """Return what rows say of a node, and whether they are those of the fit."""
    given, rows = _read(model, X, y, sample_weight)
    report = trim_pure(study_nodes(model, rows, node, cuts)[0])
    held = model._record
    if held is not None:
        own = held.rows(model)
        return report, digest_of(rows) == (held.digest if own is None else digest_of(own))
    factors = (recipe_of(model, rows).get("binary") or {}).get("class_weights") or ()
    return report, report["same"] and _same_leaves(model.tree_, given, factors)


def _same_leaves(tree: Tree, rows: LabeledRows, factors: Sequence[float]) -> bool:
    """Whether the rows fill the leaves as those of the fit did: as many in each, and of the same classes or mean.

    The way to one node says nothing of the others: at the root every order of the labels looks the same.
    """
    ends = tree._forest.apply(tree._index, rows.columns)
    present = rows.weights > 0
    leaf = tree.n_children == 0
    whole = bool(leaf[ends[present]].all())
    counts = np.bincount(ends[present], minlength=tree.n_nodes)
    scale = np.ones(len(ends))
    said = rows.target.astype(np.float64)
    stored = tree.weight * tree.value[:, 0]
    if rows.classes is not None:
        if len(factors):
            scale = np.asarray(factors, dtype=np.float64)[rows.target]
        cells = ends.astype(np.int64) * rows.classes + rows.target
        size = tree.n_nodes * rows.classes
        sums = np.bincount(cells, weights=rows.weights * scale, minlength=size)
        found, stored = (
            sums.reshape(-1, rows.classes)[leaf],
            (tree.weight[:, None] * tree.value)[leaf],
        )
    else:
        found = np.bincount(ends, weights=rows.weights * said, minlength=tree.n_nodes)[leaf]
        stored = stored[leaf]
    if not whole:  # parts of divided rows are missing from what was found
        return bool(np.all(counts[leaf] <= tree.count[leaf]))
    same = np.allclose(found, stored, rtol=1e-9, atol=1e-9)
    return bool(np.array_equal(counts[leaf], tree.count[leaf]) and same)
