"""What is said of a row that is divided among branches: a sum over all ends, added as the core adds it.

The part of the row that arrives at an end is a product along its path: at each question 1 where the row goes that way,
0 where it goes another, and the weight of the child by that of the node where it is divided. Multiplying by 1 and
adding 0 change nothing, so the sum has the very bits of the core's.

Glossary of columns: ``g5`` is the node that the row goes to from node 5, ``p2`` the part that arrives at an end, ``s0``
the sum of a class.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright.exports.sql.words import Words, shifted
from treewright.exports.sums import refuse
from treewright.paths.arms import DIVIDED, Arms
from treewright.paths.ends import ends

__all__ = ["divided"]

TERMS = (
    500  # of a sum in one expression: databases bound the depth of an expression, by 1000 as a rule
)
QUESTIONS = 1500  # columns of one SELECT: SQLite bounds them by 2000


def divided(arms: Arms, words: Words) -> str:
    """Write a source of one row with the sums ``s0``, ``s1``, ... of a tree."""
    tree, reached = arms.tree, list(ends(arms))
    sums = [f"s{k}" for k in range(tree.value.shape[1])]
    nodes = sorted({node for _, path in reached for node, _ in path})
    if len(nodes) > QUESTIONS:
        reason = f"it divides rows among branches at {len(nodes):,} questions"
        raise refuse("SQL", reason, f"a query has room for {QUESTIONS:,}; a smaller tree fits")
    zero = words.number(0)
    goes = [f"{words.choice(arms.of(node))} AS g{node}" for node in nodes]
    source = _select([*(f"{zero} AS {s}" for s in sums), *goes], "", "goes")
    for begin in range(0, len(reached), TERMS):
        chunk = reached[begin : begin + TERMS]
        parts = [f"{_part(arms, words, path)} AS p{i}" for i, (_, path) in enumerate(chunk)]
        source = _select(["*", *parts], source, "parts")
        added = []
        for k, s in enumerate(sums):
            values = [words.number(tree.value[node, k]) for node, _ in chunk]
            terms = "".join(f" + p{i} * {value}" for i, value in enumerate(values))
            added.append(f"{s}{terms} AS {s}")
        carried = [f"g{node}" for node in nodes] if begin + TERMS < len(reached) else []
        source = _select([*added, *carried], source, "sums")
    return source


def _select(columns: Sequence[str], source: str, name: str) -> str:
    listed = ",\n    ".join(columns)
    origin = f"\n  FROM {shifted(source)}" if source else ""
    return f"(\n  SELECT\n    {listed}{origin}\n) AS {name}"


def _part(arms: Arms, words: Words, path: Sequence[tuple[int, int]]) -> str:
    tree = arms.tree
    one, zero = words.number(1), words.number(0)
    factors = []
    for node, goes in path:
        divides = goes != node and any(arm.goes == DIVIDED for arm in arms.of(node))
        share = f" WHEN {DIVIDED} THEN {words.number(tree.weight[goes])}" if divides else ""
        factor = f"CASE g{node} WHEN {goes} THEN {one}{share} ELSE {zero} END"
        if divides:
            whole = words.number(tree.weight[node])
            factor += f" / CASE g{node} WHEN {DIVIDED} THEN {whole} ELSE {one} END"
        factors.append(factor)
    return " * ".join(factors)
