"""The trees of the operator ``TreeEnsemble`` (opset 5 of ``ai.onnx.ml``): tests and leaves lie in separate lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright._interchange.node_tables import damaged
from treewright._interchange.onnx_trees import (
    LEAF,
    MEMBER,
    Integers,
    OnnxNodes,
    read_integers,
    read_numbers,
)

__all__ = ["read_ensemble"]

AGGREGATES = (b"AVERAGE", b"SUM", b"MIN", b"MAX")
TRANSFORMATIONS = (b"NONE", b"SOFTMAX", b"LOGISTIC", b"SOFTMAX_ZERO", b"PROBIT")


def read_ensemble(attributes: Mapping[str, Any]) -> tuple[OnnxNodes, bytes, bytes]:
    """Return the nodes of trees with one target, how they are added up, and the transformation of the sum."""
    feature = read_integers(attributes, "nodes_featureids")
    tests = len(feature)
    mode = _tensor(attributes, "nodes_modes", tests).astype(np.int64)
    if tests == 0 or not (mode.min() >= 0 and mode.max() <= MEMBER):
        raise damaged("nodes_modes holds a number that is no test")
    targets = read_integers(attributes, "leaf_targetids")
    leaves = len(targets)
    if (targets != 0).any():
        raise damaged("leaf_targetids names a target that does not exist")
    weights = _tensor(attributes, "leaf_weights", leaves)
    if not np.isfinite(weights).all():
        raise damaged("leaf_weights holds a number that is not finite")
    split = _tensor(attributes, "nodes_splits", tests)
    missing = attributes.get("nodes_missing_value_tracks_true") or [0] * tests
    missing = read_integers({"missing": missing}, "missing", tests) != 0
    roots = read_integers(attributes, "tree_roots")
    if len(roots) and not (roots.min() >= 0 and roots.max() < tests):
        raise damaged("tree_roots names a node that does not exist")
    pad = np.zeros(leaves)
    nodes = OnnxNodes(
        mode=np.concatenate([mode, np.full(leaves, LEAF)]),
        feature=np.concatenate([feature, pad.astype(np.int64)]),
        split=np.concatenate([split, pad]),
        if_true=_children(attributes, "true", tests, leaves),
        if_false=_children(attributes, "false", tests, leaves),
        missing_true=np.concatenate([missing, pad.astype(bool)]),
        value=np.concatenate([np.zeros(tests), weights])[:, None],
        used=np.concatenate([np.zeros(tests), pad + 1]).astype(bool)[:, None],
        roots=roots,
        members=_members(attributes, mode),
    )
    return (
        nodes,
        _choice(attributes, "aggregate_function", 1, AGGREGATES),
        _choice(attributes, "post_transform", 0, TRANSFORMATIONS),
    )


def _tensor(attributes: Mapping[str, Any], name: str, count: int) -> Any:
    return read_numbers({f"{name}_as_tensor": attributes.get(name)}, name, count)


def _children(attributes: Mapping[str, Any], name: str, tests: int, leaves: int) -> Integers:
    """Return the places of children: leaves come after the tests."""
    child = read_integers(attributes, f"nodes_{name}nodeids", tests)
    is_leaf = read_integers(attributes, f"nodes_{name}leafs", tests) != 0
    bound = np.where(is_leaf, leaves, tests)
    if (child < 0).any() or (child >= bound).any():
        raise damaged("a node has a child that does not exist")
    return np.concatenate([np.where(is_leaf, child + tests, child), np.full(leaves, -1)])


def _members(attributes: Mapping[str, Any], mode: Integers) -> dict[int, set[float]]:
    """Return the sets of the tests for membership; in the file, NaN ends each set."""
    testing = np.flatnonzero(mode == MEMBER).tolist()
    if not testing:
        return {}
    tensor = attributes.get("membership_values")
    size = int(np.prod(tensor.dims)) if tensor is not None else 0
    values = read_numbers({"m_as_tensor": tensor}, "m", size, allow_nan=True)
    ends = np.flatnonzero(np.isnan(values))
    if len(ends) != len(testing):
        raise damaged("membership_values has not one set for each test")
    starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64)
    return {
        node: set(values[a:b].tolist()) for node, a, b in zip(testing, starts, ends, strict=True)
    }


def _choice(
    attributes: Mapping[str, Any], name: str, default: int, words: tuple[bytes, ...]
) -> bytes:
    number = attributes.get(name, default)
    if not isinstance(number, int) or not 0 <= number < len(words):
        raise damaged(f"{name} is {number!a}")
    return words[number]
