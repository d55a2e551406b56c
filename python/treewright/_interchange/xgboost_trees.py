"""The nodes of a tree in the JSON of an XGBoost model; every number and every length is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._interchange.fitted_model import refuse
from treewright._interchange.node_tables import ForeignNodes, damaged, mean_of_children
from treewright._interchange.single_precision import largest_double_below

__all__ = ["tree_nodes"]


def tree_nodes(tree: Mapping[str, Any], n_levels: list[int | None]) -> ForeignNodes:
    """Return the nodes of a tree."""
    if int(tree.get("tree_param", {}).get("size_leaf_vector", 1)) > 1:
        raise refuse("an XGBoost model with several targets", "train one model for each target")
    left = _column(tree, "left_children", None, np.int64)
    nodes = len(left)
    right = _column(tree, "right_children", nodes, np.int64)
    feature = _column(tree, "split_indices", nodes, np.int64)
    inner = left >= 0
    if nodes == 0 or (feature < 0).any() or (feature[inner] >= len(n_levels)).any():
        raise damaged("a tree has no nodes, or tests a column that does not exist")
    conditions = _column(tree, "split_conditions", nodes, np.float32)
    weight = _column(tree, "sum_hessian", nodes, np.float32, 0.0)
    gain = _column(tree, "loss_changes", nodes, np.float32, 0.0)
    return ForeignNodes(
        left=left,
        right=right,
        feature=feature,
        threshold=largest_double_below(conditions),
        missing_left=_column(tree, "default_left", nodes, np.int64) != 0,
        # The file holds values of inner nodes too, but without the learning rate.
        value=mean_of_children(left, right, conditions[:, None], weight.astype(np.float64)),
        weight=np.maximum(weight.astype(np.float64), 0.0),
        count=np.zeros(nodes, dtype=np.int64),
        cost=np.zeros(nodes),
        gain=np.maximum(gain.astype(np.float64), 0.0) * inner,
        routes=_routes(tree, inner, feature, n_levels),
    )


def _column(
    tree: Mapping[str, Any], name: str, count: int | None, dtype: Any, default: float | None = None
) -> Any:
    if name not in tree and default is not None:
        return np.full(count or 0, default, dtype=dtype)
    values = np.array(tree[name], dtype=np.float64)
    if values.ndim != 1 or (count is not None and len(values) != count):
        raise damaged(f"{name} has not one number for each node")
    if not np.isfinite(values).all() or (np.abs(values) >= 3.5e38).any():
        raise damaged(f"{name} holds a number that is not finite")
    if dtype is np.int64 and (np.abs(values) >= 2.0**31).any():
        raise damaged(f"{name} holds a number that is too large")
    return values.astype(dtype)


def _routes(
    tree: Mapping[str, Any],
    inner: NDArray[np.bool_],
    feature: NDArray[np.int64],
    n_levels: list[int | None],
) -> dict[int, NDArray[np.uint16]]:
    """Return the branch of each category: those of the node's set go right, all others left."""
    parts = [tree.get(f"categories_{name}", []) for name in ("nodes", "segments", "sizes")]
    sets = {node: tree["categories"][a : a + n] for node, a, n in zip(*parts, strict=True)}
    kinds = _column(tree, "split_type", len(inner), np.int64, 0.0)
    routes = {}
    for node in np.flatnonzero(inner).tolist():
        levels = n_levels[feature[node]]
        if (kinds[node] == 1) != (levels is not None):
            raise damaged("a column is tested as numbers and as categories")
        if levels is None:
            continue
        route = np.zeros(levels, dtype=np.uint16)
        chosen = np.array(sets[node], dtype=np.int64)
        if len(chosen) and not (chosen.min() >= 0 and chosen.max() < levels - 1):
            raise damaged("a category has no name")
        route[chosen] = 1
        routes[node] = route
    return routes
