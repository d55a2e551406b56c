"""The trees of an ONNX operator as nodes: every number and every length is checked.

A test is one of six comparisons, or a test for membership in a set. A column that is only tested for equality becomes a
column of categories.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._interchange.fitted_model import refuse
from treewright._interchange.node_tables import (
    ForeignNodes,
    damaged,
    mean_of_children,
    order_by_level,
)
from treewright._interchange.single_precision import largest_double_below, largest_double_up_to

__all__ = [
    "OnnxNodes",
    "categories_of",
    "read_integers",
    "read_nodes",
    "read_numbers",
    "tree_nodes",
]

AT_MOST, BELOW, AT_LEAST, ABOVE, EQUAL, UNEQUAL, MEMBER, LEAF = range(8)
MODES = {
    b"BRANCH_LEQ": AT_MOST,
    b"BRANCH_LT": BELOW,
    b"BRANCH_GTE": AT_LEAST,
    b"BRANCH_GT": ABOVE,
    b"BRANCH_EQ": EQUAL,
    b"BRANCH_NEQ": UNEQUAL,
    b"LEAF": LEAF,
}
Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class OnnxNodes:
    """The nodes of all trees: tests with the child if they hold and the child if not, and the weights of leaves.

    ``members`` holds the set of each node that tests membership, ``value`` a weight for each node and class or target,
    ``used`` which of these the file gives.
    """

    mode: Integers
    feature: Integers
    split: Numbers
    if_true: Integers
    if_false: Integers
    missing_true: NDArray[np.bool_]
    value: Numbers
    used: NDArray[np.bool_]
    roots: Integers
    members: dict[int, set[float]]


def read_nodes(attributes: Mapping[str, Any], prefix: str, n_outputs: int) -> OnnxNodes:
    """Return the nodes of ``TreeEnsembleClassifier`` and ``TreeEnsembleRegressor``; the prefix is class or target."""
    trees = read_integers(attributes, "nodes_treeids")
    count = len(trees)
    ids = read_integers(attributes, "nodes_nodeids", count)
    names = attributes.get("nodes_modes", [])
    if len(names) != count or count == 0:
        raise damaged("nodes_modes has not one word for each node")
    unknown = next((name for name in names if name not in MODES), None)
    if unknown is not None:
        raise refuse(f"an ONNX model with tests of the kind {unknown[:40]!a}")
    mode = np.array([MODES[name] for name in names], dtype=np.int64)
    place = {key: i for i, key in enumerate(zip(trees.tolist(), ids.tolist(), strict=True))}
    if len(place) < count:
        raise damaged("two nodes of a tree have the same number")
    inner = mode != LEAF
    children = [
        _find(place, trees, read_integers(attributes, f"nodes_{name}nodeids", count), inner)
        for name in ("true", "false")
    ]
    roots = _roots(trees, inner, children)
    value, used = _leaf_values(attributes, prefix, n_outputs, place, mode)
    missing = attributes.get("nodes_missing_value_tracks_true") or [0] * count
    nodes = OnnxNodes(
        mode=mode,
        feature=read_integers(attributes, "nodes_featureids", count),
        split=read_numbers(attributes, "nodes_values", count),
        if_true=children[0],
        if_false=children[1],
        missing_true=read_integers({"missing": missing}, "missing", count) != 0,
        value=value,
        used=used,
        roots=roots,
        members={},
    )
    _join_equalities(nodes)
    return nodes


def _join_equalities(nodes: OnnxNodes) -> None:
    """Turn "is it a? else: is it b?" with the same child for both into one test for membership in {a, b}.

    Converters write sets of categories so. The arrays are changed in place.
    """
    for node in np.flatnonzero(nodes.mode == EQUAL).tolist():
        chosen, after = {float(nodes.split[node])}, int(nodes.if_false[node])
        while (
            nodes.mode[after] == EQUAL
            and nodes.feature[after] == nodes.feature[node]
            and nodes.if_true[after] == nodes.if_true[node]
            and float(nodes.split[after]) not in chosen  # a cycle would come back
        ):
            chosen.add(float(nodes.split[after]))
            nodes.missing_true[node] |= nodes.missing_true[after]
            after = int(nodes.if_false[after])
        if len(chosen) > 1:
            nodes.if_false[node] = after
            nodes.members[node] = chosen


def read_integers(attributes: Mapping[str, Any], name: str, count: int | None = None) -> Integers:
    """Return an attribute that holds whole numbers."""
    try:
        values = np.array(attributes.get(name, []), dtype=np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        raise damaged(f"{name} does not hold whole numbers") from error
    if values.ndim != 1 or (count is not None and len(values) != count):
        raise damaged(f"{name} has not one number for each node")
    return values


def read_numbers(
    attributes: Mapping[str, Any], name: str, count: int, allow_nan: bool = False
) -> Numbers:
    """Return an attribute that holds numbers, or the tensor that stands in for it."""
    tensor = attributes.get(f"{name}_as_tensor")
    try:
        if tensor is not None:
            from onnx import numpy_helper

            values = np.asarray(numpy_helper.to_array(tensor), dtype=np.float64)
        else:
            values = np.array(attributes.get(name, []), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise damaged(f"{name} does not hold numbers") from error
    if values.shape != (count,):
        raise damaged(f"{name} holds {values.size:,} numbers in place of {count:,}")
    if not allow_nan and np.isnan(values).any():
        raise damaged(f"{name} holds a number that is NaN")
    return values


def _find(
    place: Mapping[tuple[int, int], int],
    trees: Integers,
    children: Integers,
    inner: NDArray[np.bool_],
) -> Integers:
    """Return the place of each child, -1 for leaves."""
    keys = zip(trees.tolist(), children.tolist(), strict=True)
    places = np.array([place.get(key, -1) for key in keys], dtype=np.int64)
    places[~inner] = -1
    if (places[inner] < 0).any():
        raise damaged("a node has a child that does not exist")
    return places


def _roots(trees: Integers, inner: NDArray[np.bool_], children: list[Integers]) -> Integers:
    """Return the node of each tree that is no child, in the order in which the trees appear."""
    is_child = np.zeros(len(trees), dtype=bool)
    for places in children:
        is_child[places[inner]] = True
    roots = np.flatnonzero(~is_child)
    if len(np.unique(trees[roots])) != len(roots) or len(roots) != len(np.unique(trees)):
        raise damaged("a tree has no root, or several")
    return roots


def _leaf_values(
    attributes: Mapping[str, Any],
    prefix: str,
    n_outputs: int,
    place: Mapping[tuple[int, int], int],
    mode: Integers,
) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the weights of the leaves, and which of them the file gives."""
    trees = read_integers(attributes, f"{prefix}_treeids")
    nodes = read_integers(attributes, f"{prefix}_nodeids", len(trees))
    outputs = read_integers(attributes, f"{prefix}_ids", len(trees))
    weights = read_numbers(attributes, f"{prefix}_weights", len(trees))
    if not np.isfinite(weights).all():
        raise damaged(f"{prefix}_weights holds a number that is not finite")
    if len(outputs) and not (outputs.min() >= 0 and outputs.max() < n_outputs):
        raise damaged(f"{prefix}_ids names a class or target that does not exist")
    at = np.array(
        [place.get(key, -1) for key in zip(trees.tolist(), nodes.tolist(), strict=True)],
        dtype=np.int64,
    )
    if (at < 0).any() or (mode[at] != LEAF).any():
        raise damaged(f"{prefix}_nodeids names a node that is no leaf")
    value, used = np.zeros((len(mode), n_outputs)), np.zeros((len(mode), n_outputs), dtype=bool)
    value[at, outputs] = weights
    used[at, outputs] = True
    if used.sum() != len(at):
        raise damaged("a leaf has two weights for the same class or target")
    return value, used


def categories_of(nodes: OnnxNodes, width: int) -> list[list[float]]:
    """Return the categories of each column that is only tested for equality; none for columns of numbers."""
    inner = nodes.mode != LEAF
    feature, mode = nodes.feature, nodes.mode
    if (feature[inner] < 0).any() or (feature[inner] >= width).any():
        raise damaged("a tree tests a column that does not exist")
    equality = inner & np.isin(mode, (EQUAL, UNEQUAL, MEMBER))
    both = np.intersect1d(feature[equality], feature[inner & ~equality])
    if len(both):
        raise refuse(
            f"an ONNX model that tests column {int(both[0])} for equality and as a number",
            "give such a column twice: once as categories, once as numbers",
        )
    values: list[set[float]] = [set() for _ in range(width)]
    for node in np.flatnonzero(equality).tolist():
        values[feature[node]] |= nodes.members.get(node, {float(nodes.split[node])})
    if any(not np.isfinite(list(each)).all() for each in values):
        raise damaged("a category is not a finite number")
    return [sorted(each) for each in values]


def tree_nodes(
    nodes: OnnxNodes, root: int, categories: list[list[float]], single: NDArray[np.bool_]
) -> ForeignNodes:
    """Return the nodes of the tree with this root."""
    order = order_by_level(nodes.if_true, nodes.if_false, root)
    to_new = {node: i for i, node in enumerate(order.tolist())}
    mode = nodes.mode[order]
    inner = mode != LEAF
    # A test for "above" that holds goes right; for equality, the set goes left.
    is_turned = np.isin(mode, (AT_LEAST, ABOVE, UNEQUAL))
    true = np.array([to_new.get(n, -1) for n in nodes.if_true[order].tolist()], dtype=np.int64)
    false = np.array([to_new.get(n, -1) for n in nodes.if_false[order].tolist()], dtype=np.int64)
    left, right = np.where(is_turned, false, true), np.where(is_turned, true, false)
    # NaN is unequal to every number, whatever the mark for missing values says.
    missing_true = nodes.missing_true[order] | (mode == UNEQUAL)
    feature = np.where(inner, nodes.feature[order], 0)
    weight = _count_leaves(left, right)
    return ForeignNodes(
        left=left,
        right=right,
        feature=feature,
        threshold=_thresholds(nodes.split[order], mode, single[feature]),
        missing_left=missing_true != is_turned,
        value=mean_of_children(left, right, nodes.value[order], weight),
        weight=weight,
        count=np.zeros(len(order), dtype=np.int64),
        cost=np.zeros(len(order)),
        gain=np.zeros(len(order)),
        routes=_routes(nodes, order, feature, categories),
    )


def _count_leaves(left: Integers, right: Integers) -> Numbers:
    """Return the number of leaves below each node: a file has no rows, so every leaf counts the same."""
    counts = np.ones(len(left))
    for node in range(len(left) - 1, -1, -1):  # children come after their parent
        if left[node] >= 0:
            counts[node] = counts[left[node]] + counts[right[node]]
    return counts


def _thresholds(split: Numbers, mode: Integers, single: NDArray[np.bool_]) -> Numbers:
    """Return the largest number that goes left at each node."""
    strict = np.isin(mode, (BELOW, AT_LEAST))
    with np.errstate(over="ignore"):
        rounded = np.where(
            strict, largest_double_below(split.astype(np.float32)), largest_double_up_to(split)
        )
    plain = np.where(strict, np.nextafter(split, -np.inf), split)
    return np.where(single, rounded, plain)


def _routes(
    nodes: OnnxNodes, order: Integers, feature: Integers, categories: list[list[float]]
) -> dict[int, NDArray[np.uint16]]:
    """Return the branch of each category: those of the node's set go left, all others right."""
    routes = {}
    for new, node in enumerate(order.tolist()):
        if nodes.mode[node] not in (EQUAL, UNEQUAL, MEMBER):
            continue
        levels = categories[feature[new]]
        chosen = nodes.members.get(node, {float(nodes.split[node])})
        route = np.ones(len(levels) + 1, dtype=np.uint16)
        route[[i for i, level in enumerate(levels) if level in chosen]] = 0
        routes[new] = route
    return routes
