"""Reduced-error pruning: a split is removed if without it the tree predicts rows it was not grown from no worse."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._pruning.pruning_rows import LabeledRows
from treewright._pruning.trace import PruneTrace, Row
from treewright._render.numbers import fixed

__all__ = ["run", "tally_of"]


def run(
    forest: _core.Forest, rows: LabeledRows, *, in_parts: bool = False
) -> tuple[_core.Forest, PruneTrace]:
    """Prune a forest of one tree by rows that it was not grown from.

    A row that the tree divides counts with its prediction, so the error on these rows never rises; or, ``in_parts``,
    each part counts with its own leaf, as in Weka.
    """
    nodes, decided = _core.prune_reduced_error(
        forest, rows.columns, rows.target, rows.classes, rows.weights, rows.costs, in_parts
    )
    columns = {
        "node": decided["node"],
        "rows": decided["weight"],
        "before": decided["before"],
        "after": decided["after"],
        "decision": np.where(decided["cut"], "leaf", "keep"),
    }
    unit = (
        "errors on the validation rows" if rows.classes else "squared error on the validation rows"
    )
    trace = PruneTrace(
        *("reduced error", unit, columns, _why, {"in_parts": in_parts}),
        tally=tally_of(forest, rows),
    )
    return _core.prune_nodes(forest, nodes), trace


def tally_of(forest: _core.Forest, rows: LabeledRows) -> NDArray[np.float64]:
    """Return the weight of each class in each node of a tree; for numbers the total weight.

    A row that the tree divides is counted down to the node that divides it.
    """
    table = forest.tree(0)
    ends = forest.apply(0, rows.columns).astype(np.int64)
    width = rows.classes or 1
    cells = ends * width + (rows.target if rows.classes else 0)
    nodes = len(table.n_children)
    sums: Any = np.bincount(cells, weights=rows.weights, minlength=nodes * width)
    tally: NDArray[np.float64] = sums.reshape(nodes, width)
    for node in range(nodes - 1, -1, -1):  # children come after their parent
        first, count = int(table.first_child[node]), int(table.n_children[node])
        if count:
            tally[node] += tally[first : first + count].sum(axis=0)
    return tally


def _why(row: Row) -> str:
    if not row["rows"]:
        return "no validation row reaches this node"
    before, after = fixed(row["before"], 2), fixed(row["after"], 2)
    of = f"on {row['rows']:g} validation row{'' if row['rows'] == 1 else 's'}"
    if row["decision"] == "leaf":
        return f"a leaf costs {after} {of}, the subtree {before}"
    return f"the subtree costs {before} {of}, a leaf {after}"
