"""Reduced-error pruning: a question goes where the tree answers rows that it was not grown from no worse without it."""

from __future__ import annotations

import numpy as np

from treewright import _core
from treewright.draw.figures import fixed
from treewright.pruning.rows import Evidence
from treewright.pruning.trace import PruneTrace, Row

__all__ = ["run"]


def run(
    forest: _core.Forest, rows: Evidence, *, in_parts: bool = False
) -> tuple[_core.Forest, PruneTrace]:
    """Prune a forest of one tree by rows that it was not grown from.

    A row that the tree divides counts by what the tree says of it, so the error on these rows never rises; or in parts,
    each by its own leaf, as in Weka.
    """
    nodes, figures = _core.prune_reduced_error(
        forest, rows.columns, rows.target, rows.classes, rows.weights, rows.costs, in_parts
    )
    columns = {
        "node": figures["node"],
        "rows": figures["weight"],
        "before": figures["before"],
        "after": figures["after"],
        "decision": np.where(figures["cut"], "leaf", "keep"),
    }
    unit = (
        "errors on the validation rows" if rows.classes else "squared error on the validation rows"
    )
    return _core.prune_nodes(forest, nodes), PruneTrace("reduced error", unit, columns, _why)


def _why(row: Row) -> str:
    if not row["rows"]:
        return "no validation row comes here"
    before, after = fixed(row["before"], 2), fixed(row["after"], 2)
    of = f"on {row['rows']:g} validation rows"
    if row["decision"] == "leaf":
        return f"a leaf costs {after} {of}, the subtree {before}"
    return f"the subtree costs {before} {of}, a leaf {after}"
