"""Fractional rows in SQL: the output is a sum over all ends, added in the order of the core.

The part of a row that arrives at an end is a product along its path: 1 where the row goes that way, 0 where it goes
another, and the weight of the child divided by that of the node where the row is divided. Multiplying by 1 and adding 0
change nothing, so the sum has the same bits as in the core.

Glossary of columns: ``g5`` is the node that the row goes to from node 5, ``p2`` the part that arrives at an end, ``s0``
a sum.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright._export.combined_model import refuse
from treewright._export.sql.ctes import Ctes
from treewright._export.sql.text import Dialect
from treewright._model.paths import DIVIDED, OrderedTests, ends

__all__ = ["add_fractional_rows"]

MAX_TERMS = 500  # of a sum: databases limit the depth of an expression, usually to 1000
MAX_SPLITS = 1500  # columns of one SELECT: SQLite has at most 2000


def add_fractional_rows(
    ctes: Ctes,
    splits: OrderedTests,
    sql: Dialect,
    sums: Sequence[str],
    adds_to: Sequence[tuple[int, int]],
    scale: float = 1.0,
) -> None:
    """Add a tree to sums; ``adds_to`` pairs its outputs with them."""
    tree, reached = splits.tree, list(ends(splits))
    nodes = sorted({node for _, path in reached for node, _ in path})
    if len(nodes) > MAX_SPLITS:
        reason = f"it divides rows among branches at {len(nodes):,} splits"
        raise refuse("SQL", reason, f"a query has room for {MAX_SPLITS:,}; a smaller tree fits")
    goes = [f"{sql.next_node(splits.of(node))} AS g{node}" for node in nodes]
    ctes.add([*sums, *goes])
    factor = "" if scale == 1.0 else f" * {sql.number(scale)}"
    for begin in range(0, len(reached), MAX_TERMS):
        chunk = reached[begin : begin + MAX_TERMS]
        parts = [f"{_part(splits, sql, path)} AS p{i}" for i, (_, path) in enumerate(chunk)]
        ctes.add(["*", *parts])
        added = {}
        for output, target in adds_to:
            values = [sql.number(tree.outputs[node, output]) for node, _ in chunk]
            terms = "".join(f" + p{i}{factor} * {value}" for i, value in enumerate(values))
            added[sums[target]] = f"{sums[target]}{terms} AS {sums[target]}"
        carried = [f"g{node}" for node in nodes] if begin + MAX_TERMS < len(reached) else []
        ctes.add([*(added.get(s, s) for s in sums), *carried])


def _part(splits: OrderedTests, sql: Dialect, path: Sequence[tuple[int, int]]) -> str:
    tree = splits.tree
    one, zero = sql.number(1), sql.number(0)
    factors = []
    for node, goes in path:
        divides = goes != node and any(branch.goes == DIVIDED for branch in splits.of(node))
        share = f" WHEN {DIVIDED} THEN {sql.number(tree.weight[goes])}" if divides else ""
        factor = f"CASE g{node} WHEN {goes} THEN {one}{share} ELSE {zero} END"
        if divides:
            total = sql.number(tree.weight[node])
            factor += f" / CASE g{node} WHEN {DIVIDED} THEN {total} ELSE {one} END"
        factors.append(factor)
    return " * ".join(factors) or one
