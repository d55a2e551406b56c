"""The work of a node as a document for the pages: ``NodeWork`` of ``web/src/contract.ts``, with every digit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from treewright import _core
from treewright._work.node_model import Cut, NodeWork, Split
from treewright._work.row_group import Group
from treewright.schema import Column

__all__ = ["node_work_document"]

ALGORITHMS = {"ID3": "id3", "C4.5": "c45", "CART": "cart"}
VERDICTS = {
    "chosen": "chosen",
    "best": "chosen",
    "tie: the first column is chosen": "tied",
    "gain below average": "below_average",
    "too few rows": "too_few_rows",
    "all values missing": "too_few_rows",
    "no admissible split": "too_few_rows",
    "adjusted gain not positive": "no_gain",
    "no split information": "no_gain",
    "no gain": "no_gain",
}
# The page's words for why a node is a leaf.
REASONS = {
    "no_rows": "no_rows",
    "pure": "pure",
    "min_samples_split": "min_rows",
    "max_depth": "max_depth",
    "sufficient_majority": "majority",
    "no_columns": "no_split",
    "no_candidate": "no_split",
    "min_gain": "min_gain",
    "min_gain_ratio": "min_gain",
    "max_p_value": "chance",
    "max_leaf_nodes": "max_leaves",
    "by_hand": "by_hand",
    "collapsed": "pruned",
    "pruned": "pruned",
}


def node_work_document(work: NodeWork, splits: Sequence[Split] | None = None) -> dict[str, Any]:
    """Return the work of a node as plain values.

    Parameters
    ----------
    work : NodeWork
        The work.
    splits : sequence of Split, optional
        The candidates in another order than that of the work.

    Returns
    -------
    dict
        The document.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> document = node_work_document(work(ID3Classifier().fit(*datasets.play_tennis()), 0).node)
    >>> document["group"]["value"], document["chosen"], document["candidates"][0]["verdict"]
    ([5, 9], 0, 'chosen')
    """
    splits = work.splits if splits is None else splits
    names = [split.column for split in splits]
    # Of a node that nobody has split yet, what the algorithm would take.
    taken = work.own.chosen if work.chosen is None and work.stop is None else work.chosen
    document: dict[str, Any] = {
        "node": work.node,
        "group": _group(work.group),
        "candidates": [_candidate(work, split) for split in splits],
        "chosen": names.index(taken) if taken in names else None,
        "would_choose": {
            ALGORITHMS[name]: names.index(column)
            for name, column in work.others.items()
            if column in names
        },
    }
    if work.stop is not None:
        document["reason"] = REASONS.get(work.stop.code, "pruned")
    if work.own.average is not None:
        document |= {"average_gain": work.own.average, "slack": work.own.slack or 0.0}
    return document


def _candidate(work: NodeWork, split: Split) -> dict[str, Any]:
    place = work.tree.schema.names.index(split.column)
    column = work.tree.schema.columns[place]
    document: dict[str, Any] = {
        "split": {"feature": place, **_rule(work, split, column)},
        "admissible": split.admissible,
        "known": _group(split.known),
        "unknown": None if split.unknown is None else _group(split.unknown),
        "children": [_group(group) for group in split.groups],
        "remaining": _remaining(split),
        "gain": split.net,
        "split_information": split.split_info or 0.0,
        "gain_ratio": split.ratio or 0.0,
        "verdict": _verdict(work, split),
    }
    if split.cuts:
        # Without their sides, thresholds of a file cannot be shown with both.
        document["cuts"] = [_cut(cut) for cut in split.cuts if len(cut.sides) == 2]
        document |= {"price": split.price, "tried": split.n_cuts}
    return document


def _verdict(work: NodeWork, split: Split) -> str:
    """Return in one word why a candidate was chosen or not."""
    if work.by_hand and split.column == work.chosen:
        return "by_hand"
    return VERDICTS.get(split.verdict, "less")


def _remaining(split: Split) -> float:
    """Return the impurity after the split, of the rows whose value is known."""
    if not split.known.weight:
        return 0.0
    return sum(group.weight * group.impurity for group in split.groups) / split.known.weight


def _rule(work: NodeWork, split: Split, column: Column) -> dict[str, Any]:
    """Return how rows would leave the node; of a column without any split, at its best threshold."""
    if split.rule is not None:
        return {name: value for name, value in split.rule.items() if name != "feature"}
    missing = _core.SHARE if work.method == "C4.5" else _core.STOP
    cut = split.best_cut if column.kind == "numeric" else None
    return {"missing": missing} | ({} if cut is None else {"threshold": cut.threshold})


def _cut(cut: Cut) -> dict[str, Any]:
    return {
        "below": cut.below,
        "above": cut.above,
        "threshold": cut.threshold,
        "gain": cut.gain,
        "sides": [_group(side) for side in cut.sides],
    }


def _group(group: Group) -> dict[str, Any]:
    value: Iterable[float] = group.amounts or (() if group.mean is None else (group.mean,))
    return {
        "rows": group.count,
        "weight": _short(group.weight),
        "value": [_short(x) for x in value],
        "impurity": group.impurity,
    }


def _short(x: float) -> float:
    return int(x) if float(x).is_integer() and abs(x) < 2**53 else x
