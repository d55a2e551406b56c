"""What the model says in SQL: the class or number of its one tree, or the mean of several and the choice among sums."""

from __future__ import annotations

from treewright._decide import EQUAL
from treewright.exports.sql.divided import divided
from treewright.exports.sql.walk import walk
from treewright.exports.sql.words import Words, shifted
from treewright.exports.sums import Sum, refuse
from treewright.paths.arms import Arms

__all__ = ["answer", "says"]


def answer(model: Sum, words: Words) -> str:
    """Write what the model predicts."""
    if not model.schema.classes:
        return says(model, words, 0)
    if len(model.trees) > 1:
        sums = [f"{says(model, words, k)} AS s{k}" for k in range(model.outputs)]
        listed = ",\n    ".join(shifted(text, 2) for text in sums)
        return _decide(words, f"(\n  SELECT\n    {listed}\n) AS says")
    [arms] = model.trees
    walked = walk(arms, words, lambda node: words.value(arms.tree.answer(node)))
    if not arms.divides:
        return walked
    return _either(walked, _decide(words, divided(arms, words)))


def says(model: Sum, words: Words, output: int) -> str:
    """Write the share of a class, or the number."""
    if len(model.trees) > 1 and model.divides:
        raise refuse("SQL", "it has several trees that divide rows among branches")
    trees = [_tree_says(arms, words, output) for arms in model.trees]
    if len(trees) == 1:
        return trees[0]
    added = "\n+ ".join(f"({text})" for text in trees)
    return f"({added}) / {words.number(len(trees))}"


def _tree_says(arms: Arms, words: Words, output: int) -> str:
    walked = walk(arms, words, lambda node: words.number(arms.tree.value[node, output]))
    if not arms.divides:
        return walked
    return _either(walked, f"(SELECT s{output} FROM {divided(arms, words)})")


def _either(walked: str, otherwise: str) -> str:
    return f"COALESCE(\n  {shifted(walked)},\n  {shifted(otherwise)}\n)"


def _decide(words: Words, source: str) -> str:
    """Write the choice of a class among the sums of a source; ties go to the first."""
    classes, costs = words.schema.classes, words.schema.costs
    n, sums, beats, slack = len(classes), "s", ">=", ""
    if costs:
        columns = [
            " + ".join(f"s{i} * {words.number(row[j])}" for i, row in enumerate(costs))
            + f" AS c{j}"
            for j in range(n)
        ]
        source = f"(\n  SELECT {', '.join(columns)}\n  FROM {shifted(source)}\n) AS expected"
        sums, beats, slack = "c", "<=", f" * {words.number(1 + EQUAL)}"
    whens = []
    for k in range(n - 1):
        tests = " AND ".join(f"{sums}{k} {beats} {sums}{j}{slack}" for j in range(n) if j != k)
        whens.append(f"    WHEN {tests} THEN {words.value(classes[k])}\n")
    last = words.value(classes[-1])
    chosen = f"CASE\n{''.join(whens)}    ELSE {last}\n  END" if whens else last
    return f"(\n  SELECT {chosen}\n  FROM {shifted(source)}\n)"
