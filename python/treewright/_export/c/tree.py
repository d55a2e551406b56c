"""Trees in C: the node tables of all trees end to end, so that a node has one number in the model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treewright._export.c.ensemble import write_constants, write_outputs, write_prediction
from treewright._export.c.text import TREES, category_number, join, number, table
from treewright._export.combined_model import CombinedModel
from treewright._export.exact_exp import C_TEXT
from treewright._model.paths import DIVIDED, Above, Among, AtMost, BranchTests, OrderedTests

__all__ = ["write_trees"]


def write_trees(model: CombinedModel, names: dict[str, str]) -> str:
    """Write the tables of the trees and the functions that predict with them."""
    return TREES.format(
        **names,
        **_tables(model),
        sums=model.sums,
        tree_outputs=model.tree_outputs,
        divided=DIVIDED,
        outputs_are="the probability of each class" if model.schema.classes else "one number",
        constants=write_constants(model),
        functions="" if model.link == "identity" else C_TEXT + "\n",
        says=write_outputs(model, names),
        max_parts=max(_max_parts(splits) for splits in model.trees),
        predict=write_prediction(model, names),
    )


def _tables(model: CombinedModel) -> dict[str, str]:
    tests: list[str] = []
    levels: list[float] = []
    first_test = [0]
    first_child: list[int] = []
    roots = []
    for splits in model.trees:
        tree, start = splits.tree, len(first_child)
        roots.append(start)
        for node in range(tree.n_nodes):
            for branch in splits.of(node) if tree.n_children[node] else []:
                tests += _tests(model, branch, start, levels)
            first_test.append(len(tests))
            first_child.append(start + int(tree.first_child[node]))
    trees = [splits.tree for splits in model.trees]
    return {
        "tests": "".join(tests) or "    {0},\n",
        "levels": ", ".join(map(number, levels)) or "0.0",
        "first_test": join(first_test),
        "first_child": join(first_child),
        "children": join(np.concatenate([tree.n_children for tree in trees])),
        "weights": ", ".join(map(number, np.concatenate([tree.weight for tree in trees]).tolist())),
        "values": table(np.concatenate([tree.outputs for tree in trees]).tolist()),
        "roots": join(roots),
    }


def _tests(
    model: CombinedModel, branch: BranchTests, start: int, levels: list[float]
) -> Iterator[str]:
    goes = branch.goes if branch.goes == DIVIDED else start + branch.goes
    if not branch.tests:
        yield f"    {{OTHERWISE, 0, 0.0, 0, 0, {goes}}},\n"
    for test in branch.tests:
        word, threshold, at, n = "MISSING", 0.0, 0, 0
        match test:
            case AtMost(threshold=threshold):
                word = "AT_MOST"
            case Above(threshold=threshold):
                word = "ABOVE"
            case Among(codes=codes):
                column = model.schema.columns[test.feature]
                word, at, n = "AMONG", len(levels), len(codes)
                levels += [category_number(column, code) for code in codes]
        yield f"    {{{word}, {test.feature}, {number(threshold)}, {at}, {n}, {goes}}},\n"


def _max_parts(splits: OrderedTests) -> int:
    """Return how many parts of a fractional row may wait at one time."""
    tree = splits.tree
    if not splits.divides:
        return 1
    waiting = np.ones(tree.n_nodes, dtype=np.int64)
    for node in range(1, tree.n_nodes):
        parent = int(tree.parents[node])
        waiting[node] = waiting[parent] + int(tree.n_children[parent]) - 1
    return int(waiting.max())
