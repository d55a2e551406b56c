"""What is said of a row that is divided among branches: a sum over all ends, added as the core adds it.

The part of the row that arrives at an end is a product along its path: at each question 1 where the row goes that way,
0 where it goes another, and the weight of the child by that of the node where it is divided. Multiplying by 1 and
adding 0 change nothing, so the sum has the very bits of the core's.

Glossary of columns: ``g5`` is the node that the row goes to from node 5, ``p2`` the part that arrives at an end, ``s0``
a sum.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright._export.combined_model import refuse
from treewright._export.sql.ctes import Layers
from treewright._export.sql.text import Words
from treewright._model.paths.ends import ends
from treewright._model.paths.ordered_tests import DIVIDED, OrderedTests

__all__ = ["divided"]

TERMS = (
    500  # of a sum in one expression: databases bound the depth of an expression, by 1000 as a rule
)
QUESTIONS = 1500  # columns of one SELECT: SQLite bounds them by 2000


def divided(
    layers: Layers,
    splits: OrderedTests,
    words: Words,
    sums: Sequence[str],
    adds_to: Sequence[tuple[int, int]],
    scale: float = 1.0,
) -> None:
    """Add layers that add what a tree says to sums; ``adds_to`` pairs its outputs with them."""
    tree, reached = splits.tree, list(ends(splits))
    nodes = sorted({node for _, path in reached for node, _ in path})
    if len(nodes) > QUESTIONS:
        reason = f"it divides rows among branches at {len(nodes):,} questions"
        raise refuse("SQL", reason, f"a query has room for {QUESTIONS:,}; a smaller tree fits")
    goes = [f"{words.choice(splits.of(node))} AS g{node}" for node in nodes]
    layers.add([*sums, *goes])
    factor = "" if scale == 1.0 else f" * {words.number(scale)}"
    for begin in range(0, len(reached), TERMS):
        chunk = reached[begin : begin + TERMS]
        parts = [f"{_part(splits, words, path)} AS p{i}" for i, (_, path) in enumerate(chunk)]
        layers.add(["*", *parts])
        added = {}
        for output, target in adds_to:
            values = [words.number(tree.value[node, output]) for node, _ in chunk]
            terms = "".join(f" + p{i}{factor} * {value}" for i, value in enumerate(values))
            added[sums[target]] = f"{sums[target]}{terms} AS {sums[target]}"
        carried = [f"g{node}" for node in nodes] if begin + TERMS < len(reached) else []
        layers.add([*(added.get(s, s) for s in sums), *carried])


def _part(splits: OrderedTests, words: Words, path: Sequence[tuple[int, int]]) -> str:
    tree = splits.tree
    one, zero = words.number(1), words.number(0)
    factors = []
    for node, goes in path:
        divides = goes != node and any(branch.goes == DIVIDED for branch in splits.of(node))
        share = f" WHEN {DIVIDED} THEN {words.number(tree.weight[goes])}" if divides else ""
        factor = f"CASE g{node} WHEN {goes} THEN {one}{share} ELSE {zero} END"
        if divides:
            whole = words.number(tree.weight[node])
            factor += f" / CASE g{node} WHEN {DIVIDED} THEN {whole} ELSE {one} END"
        factors.append(factor)
    return " * ".join(factors) or one
