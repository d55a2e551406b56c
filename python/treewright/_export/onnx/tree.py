"""Trees that send each row along one path, as a ``TreeEnsemble`` operator that outputs the leaf of each row.

Each branch is an operator node with two exits: its test holds, or the next branch is tried. A missing value passes no
test; it takes the exit that is marked for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treewright._export.combined_model import CombinedModel
from treewright._export.onnx.graph import Graph
from treewright._model.paths import Above, Among, AtMost, BranchTests, Missing, OrderedTests

__all__ = ["add_ends"]

AT_MOST, ABOVE, MEMBER = 0, 3, 6  # the operator's numbers for its tests
SUM, PLAIN = 1, 0
LARGEST = float(np.finfo(np.float64).max)


@dataclass
class _Ensemble:
    """The columns of the operator."""

    feature: list[int] = field(default_factory=list)
    mode: list[int] = field(default_factory=list)
    split: list[float] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    members: list[float] = field(default_factory=list)
    # Where the exits of a test lead: (position, whether that is a leaf), first the one if the test holds.
    exits: list[list[tuple[int, int]]] = field(default_factory=list)
    leaf_node: list[float] = field(default_factory=list)
    leaf_tree: list[int] = field(default_factory=list)
    roots: list[int] = field(default_factory=list)

    def leaf(self, tree: int, node: int) -> tuple[int, int]:
        """Add a leaf that outputs the number of a node."""
        self.leaf_node.append(float(node))
        self.leaf_tree.append(tree)
        return len(self.leaf_node) - 1, 1

    def add_test(self, feature: int, mode: int, split: float, missing: bool) -> int:
        """Add a test."""
        self.feature.append(feature)
        self.mode.append(mode)
        self.split.append(split)
        self.missing.append(int(missing))
        self.exits.append([(-1, 1), (-1, 1)])
        return len(self.mode) - 1


def add_ends(graph: Graph, model: CombinedModel) -> str:
    """Add the node where each row ends, rows by trees; return the name of the tensor."""
    ensemble = _Ensemble()
    for tree, splits in enumerate(model.trees):
        _add_tree(ensemble, graph, tree, splits)
    return graph.cast(_operator(ensemble, graph, len(model.trees)), np.int64)


def _add_tree(ensemble: _Ensemble, graph: Graph, tree: int, splits: OrderedTests) -> None:
    """Add the tests of a tree; nodes wait in a list with the exit that leads to them."""
    nodes = splits.tree
    ensemble.roots.append(len(ensemble.mode))
    # The operator has no tree without a test: this one holds for every row.
    start = ensemble.add_test(0, AT_MOST, np.inf, missing=True)
    ensemble.exits[start][1] = ensemble.leaf(tree, 0)
    waiting: list[tuple[int, tuple[int, int]]] = []
    _lead(ensemble, waiting, nodes, tree, -1, 0, (start, 0))
    while waiting:
        node, place = waiting.pop()
        *branches, last = splits.of(node)
        for branch in branches:
            test, otherwise = _add_test(ensemble, graph, branch)
            ensemble.exits[place[0]][place[1]] = (test, 0)
            _lead(ensemble, waiting, nodes, tree, node, branch.goes, (test, 1 - otherwise))
            place = (test, otherwise)
        _lead(ensemble, waiting, nodes, tree, node, last.goes, place)


def _lead(
    ensemble: _Ensemble,
    waiting: list[tuple[int, tuple[int, int]]],
    nodes: Any,
    tree: int,
    node: int,
    goes: int,
    place: tuple[int, int],
) -> None:
    """Let an exit lead to a node: to a leaf at once, to an inner node later."""
    if goes != node and nodes.n_children[goes]:
        waiting.append((goes, place))
    else:
        ensemble.exits[place[0]][place[1]] = ensemble.leaf(tree, goes)


def _add_test(ensemble: _Ensemble, graph: Graph, branch: BranchTests) -> tuple[int, int]:
    """Add the test of a branch; return it with the exit that is taken if it does not hold."""
    missing = any(isinstance(test, Missing) for test in branch.tests)
    known = [test for test in branch.tests if not isinstance(test, Missing)]
    if not known:  # every number is at most the largest one; a missing value is not
        return ensemble.add_test(branch.tests[0].feature, AT_MOST, LARGEST, missing=False), 0
    [test] = known
    match test:
        case AtMost(feature=feature, threshold=threshold):
            return ensemble.add_test(feature, AT_MOST, threshold, missing), 1
        case Above(feature=feature, threshold=threshold):
            return ensemble.add_test(feature, ABOVE, threshold, missing), 1
        case Among(feature=feature, codes=codes):
            ensemble.members += [*map(float, codes), np.nan]
            return ensemble.add_test(feature, MEMBER, 0.0, missing), 1
        case _:
            raise TypeError(f"unknown test: {test}")


def _operator(ensemble: _Ensemble, graph: Graph, trees: int) -> str:
    exits = np.array(ensemble.exits)
    tested = sorted(set(ensemble.feature))
    position = {feature: i for i, feature in enumerate(tested)}
    members = (
        {"membership_values": graph.tensor(np.array(ensemble.members))} if ensemble.members else {}
    )
    return graph.add(
        "TreeEnsemble",
        graph.features(tested),
        domain="ai.onnx.ml",
        n_targets=trees,
        aggregate_function=SUM,
        post_transform=PLAIN,
        nodes_featureids=[position[feature] for feature in ensemble.feature],
        nodes_modes=graph.tensor(np.array(ensemble.mode, dtype=np.uint8)),
        nodes_splits=graph.tensor(np.array(ensemble.split)),
        nodes_missing_value_tracks_true=ensemble.missing,
        nodes_truenodeids=exits[:, 0, 0].tolist(),
        nodes_trueleafs=exits[:, 0, 1].tolist(),
        nodes_falsenodeids=exits[:, 1, 0].tolist(),
        nodes_falseleafs=exits[:, 1, 1].tolist(),
        leaf_targetids=ensemble.leaf_tree,
        leaf_weights=graph.tensor(np.array(ensemble.leaf_node)),
        tree_roots=ensemble.roots,
        **members,
    )
