"""The work of a node as a document for the pages: ``NodeWork`` of ``web/src/contract.ts``, with every digit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from treewright import _core
from treewright._web.tree_document import plain_number
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
    "collapsed": "pruned",
    "pruned": "pruned",
}


Report = Mapping[str, Any]


def node_work_document(
    work: NodeWork,
    splits: Sequence[Split] | None = None,
    reports: Mapping[str, Report] | None = None,
) -> dict[str, Any]:
    """Return the work of a node as plain values.

    Parameters
    ----------
    work : NodeWork
        The work.
    splits : sequence of Split, optional
        The candidates in another order than that of the work.
    reports : dict of str to report, optional
        What the core says of each column, for where missing values would go.

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
    document: dict[str, Any] = {
        "node": work.node,
        "group": _group(work.group),
        "candidates": [
            _candidate(work, split, (reports or {}).get(split.column)) for split in splits
        ],
        "chosen": names.index(work.chosen) if work.chosen in names else None,
        "would_choose": {
            ALGORITHMS[name]: names.index(column)
            for name, column in work.others.items()
            if column in names
        },
    }
    if work.stop is not None:
        document["reason"] = REASONS.get(work.stop.code, "pruned")
    if work.average is not None:
        document |= {"average_gain": work.average, "slack": work.own.slack or 0.0}
    return document


def _candidate(work: NodeWork, split: Split, report: Report | None) -> dict[str, Any]:
    place = work.tree.schema.names.index(split.column)
    column = work.tree.schema.columns[place]
    document: dict[str, Any] = {
        "split": {"feature": place, **_rule(work, split, column, report)},
        "admissible": split.admissible,
        "known": _group(split.known),
        "unknown": None if split.unknown is None else _group(split.unknown),
        "children": [_group(group) for group in split.groups],
        "remaining": split.remaining,
        "gain": split.net,
        "split_information": split.split_info or 0.0,
        "gain_ratio": split.ratio or 0.0,
        "verdict": VERDICTS.get(split.verdict, "less"),
    }
    if split.cuts:
        # Without their sides, thresholds of a file cannot be shown with both.
        document["cuts"] = [_cut(cut) for cut in split.cuts if len(cut.sides) == 2]
        document |= {"price": split.price, "tried": split.n_cuts}
    return document


def _rule(work: NodeWork, split: Split, column: Column, report: Report | None) -> dict[str, Any]:
    """Return how rows would leave the node; without a report of the core, as its branches tell."""
    missing = next((i for i, group in enumerate(split.groups) if group.missing), None)
    if missing is None:
        shares = work.method == "C4.5" or split.unknown is not None
        missing = _core.SHARE if shares else _core.STOP
    if report is not None:
        missing = int(report.get("missing", _core.STOP))
    if column.kind == "numeric":
        cut = split.threshold
        if cut is None and split.best_cut is not None:
            cut = split.best_cut.threshold
        return {"threshold": None if cut is None else plain_number(cut), "missing": missing}
    children = {level: i for i, group in enumerate(split.groups) for level in group.levels or ()}
    return {
        "route": [children.get(level, _core.STOP) for level in column.levels],
        "missing": missing,
    }


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
