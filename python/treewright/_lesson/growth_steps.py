"""Screens 3 to 8 of a lesson as data: impurity, candidates, thresholds, choice, the growing tree, and paths of rows."""

from __future__ import annotations

import numpy as np

from treewright._draw.conditions import path_to
from treewright._input.short_numbers import write_between, write_value
from treewright._lesson.node_steps import NodeSteps
from treewright._lesson.text_tables import Sentence, say, screen
from treewright._lesson.training import Training, Values
from treewright._web.tree_document import plain_number
from treewright._work.node_model import Split

__all__ = ["growth_order", "node_screens", "path_screen", "split_screen"]


def growth_order(training: Training) -> list[int]:
    """Return the nodes with a split; a parent stands before its children."""
    return [int(node) for node in np.flatnonzero(training.tree.n_children)]


def node_screens(training: Training, steps: list[NodeSteps]) -> list[Values]:
    """Return screens 3 to 6, those that apply."""
    splitting = [step.node for step in steps if step.splits]
    criterion = training.criterion.key
    what = say(f"impurity.{criterion}")
    if criterion == "entropy" and training.unit.name != "bits":
        what = say("impurity.entropy.unit", unit=training.unit.name)
    screens = [screen("impurity", [what], nodes=[s.node for s in steps])]
    root = steps[0].work.group
    if training.classes:
        screens[0]["sentences"].append(say("impurity.pure"))
    screens[0]["sentences"].append(
        say("impurity.node", value=training.number(root.impurity), rows=root.count)
    )
    if not splitting:
        return screens
    candidates = [say("candidates.what"), say(f"candidates.gain.{criterion}")]
    if training.method.by == "gain ratio":
        candidates.append(say("candidates.ratio"))
    screens.append(screen("candidates", candidates, nodes=splitting))
    columns = [
        _threshold(training, step, split) for step in steps for split in step.splits if split.cuts
    ]
    if columns:
        sentences = [say("thresholds.what"), say("thresholds.best")]
        if training.method.name == "C4.5":
            sentences.append(say("thresholds.price"))
        screens.append(screen("thresholds", sentences, columns=columns))
    screens.append(screen("choice", [say("choice.what")], nodes=splitting))
    return screens


def _threshold(training: Training, step: NodeSteps, split: Split) -> Values:
    feature = training.places[split.column]
    rows = training.rows
    column = rows.columns[feature]
    here = [r for r in training.node_shares[step.node] if not np.isnan(column[r])]
    here.sort(key=lambda row: (column[row], row))
    values = [
        {
            "value": float(column[row]) + 0.0,
            "row": row,
            "target": rows.target[row].item(),
            "weight": float(rows.weights[row]) * training.node_shares[step.node][row],
        }
        for row in here
    ]
    return {
        "node": step.node,
        "feature": feature,
        "values": values,
        "least_side": split.least_side,
        "note": _threshold_note(training, split),
    }


def _threshold_note(training: Training, split: Split) -> Sentence | None:
    cut = split.best_cut
    if cut is None or not split.threshold_note():
        return None
    column = training.tree.schema.columns[training.places[split.column]]
    assert split.threshold is not None
    return say(
        "thresholds.value",
        threshold=write_value(split.threshold, column),
        midpoint=write_between(cut.midpoint, cut.above, column),
        below=write_value(cut.below, column),
        above=write_value(cut.above, column),
    )


def split_screen(training: Training) -> Values:
    """Return screen 7: the order of growth, and the tree after each split."""
    tree, order = training.tree, []
    leaves = {0}
    for node in growth_order(training):
        first, size = int(tree.first_child[node]), int(tree.n_children[node])
        leaves = leaves - {node} | set(range(first, first + size))
        names = {branch.child: training.branch(branch) for branch in tree.branches(node)}
        order.append(
            {
                "node": node,
                "feature": int(tree.feature[node]),
                "split": _rule(training, node),
                "children": [
                    _child(training, child, names[child]) for child in range(first, first + size)
                ],
                "leaves": len(leaves),
                "error": _error(training, sorted(leaves)),
            }
        )
    sentences = [say("split.what"), say("split.repeat"), say("split.stop")]
    return screen("split", sentences, order=order)


def _child(training: Training, node: int, branch: str) -> Values:
    shares = training.node_shares[node]
    rows = {"rows": list(shares), "fraction": list(shares.values())}
    return {"node": node, "branch": branch} | rows


def _rule(training: Training, node: int) -> Values:
    tree = training.tree
    rule: Values = {"feature": int(tree.feature[node]), "missing": int(tree.missing[node])}
    column = tree.schema.columns[rule["feature"]]
    if column.kind == "numeric":
        return rule | {"threshold": plain_number(float(tree.threshold[node]))}
    start = int(tree.route_start[node])
    return rule | {"route": tree.route[start : start + len(column.levels)].tolist()}


def _error(training: Training, leaves: list[int]) -> float:
    """Return the training errors of the tree whose leaves are these; for numbers the mean squared error."""
    total = float(training.tree.errors_of(np.array(leaves)).sum())
    return total if training.classes else total / float(training.tree.weight[0])


def path_screen(training: Training) -> Values:
    """Return screen 8: the path of each row, and how many are predicted correctly."""
    tree, rows = training.tree, training.rows
    paths = []
    for row, ends in enumerate(training.leaf_shares):
        main = max(ends, key=lambda end: (ends[end], -end))
        prediction = training.predictions[row].item()
        paths.append(
            {
                "nodes": path_to(tree, main),
                "leaves": [{"node": node, "fraction": share} for node, share in ends.items()],
                "prediction": prediction,
                "correct": bool(prediction == rows.target[row]) if training.classes else None,
            }
        )
    longest = max(range(len(paths)), key=lambda row: (len(paths[row]["nodes"]), -row))
    error = training.error_of(training.predictions)
    sentences = [
        say("path.size", nodes=tree.n_nodes, leaves=tree.n_leaves, depth=tree.depth),
        say("path.what"),
        _path_error(training, error),
    ]
    return screen("path", sentences, paths=paths, error=error, row=longest)


def _path_error(training: Training, error: float) -> Sentence:
    if not training.classes:
        return say("path.error.number", error=training.number(error))
    rows = float(training.rows.weights.sum())
    return say("path.error", errors=training.weight(error), rows=training.weight(rows))
