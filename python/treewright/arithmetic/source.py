"""Where the figures of a node come from: rows that are given, or the training rows of a small model just fitted.

Either way the core divides the rows by the tree's own questions and asks the holder that grew it for its candidates
(``_core.study``); nothing is worked out a second time here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright import _core
from treewright._cart_recipe import cart_recipe
from treewright._estimator import Model
from treewright._target import ClassTarget, NumberTarget
from treewright.arithmetic.build import Method, method_of
from treewright.errors import DataError, UsageError
from treewright.pruning.rows import Evidence, evidence
from treewright.tree import Tree

__all__ = ["report_of"]

OTHER = (
    "these are not the rows that the model was fitted to: its nodes weigh or cost something else"
)


def report_of(
    model: Any, node: int, X: Any, y: Any, sample_weight: Any
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
        raise UsageError(
            "the work of a node needs the rows that the model was fitted to",
            slug="work.no-rows",
            hints=["try: work(model, node, X, y)"],
        )
    report = _studied(model, node, X, y, sample_weight)
    return method, report, [] if report["same"] else [OTHER]


def _studied(model: Model, node: int, X: Any, y: Any, sample_weight: Any) -> dict[str, Any]:
    rows = evidence(model, X, y, sample_weight)
    if any(c.dtype == np.uint32 and (c == _core.UNSEEN).any() for c in rows.columns):
        raise DataError(
            "the rows hold values that the model never saw: they are not those of its fit",
            slug="work.other-rows",
        )
    target: ClassTarget | NumberTarget
    if isinstance(model, Model) and model.schema_.classes:
        order, labels = getattr(model, "_order"), getattr(model, "classes_")  # noqa: B009
        target = ClassTarget(model.schema_.target, labels, order, rows.target)
    else:
        target = NumberTarget(model.schema_.target, rows.target)
    weights = None if np.all(rows.weights == 1) else rows.weights
    make = getattr(model, "_recipe", None)
    params = model.get_params(deep=False)
    recipe = cart_recipe(params, model.schema_, target, weights) if make is None else make()
    report = _core.study(
        model._forest, node, recipe, rows.columns, rows.target, rows.classes, weights
    )
    factors = (recipe.get("binary") or {}).get("class_weights") or ()
    return report | {"same": report["same"] and _same_leaves(model.tree_, rows, factors)}


def _same_leaves(tree: Tree, rows: Evidence, factors: Sequence[float]) -> bool:
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
