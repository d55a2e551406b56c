"""What the model says in SQL: the class or number of its one tree, or what is made of the words of many."""

from __future__ import annotations

from treewright._export.combined_model import CombinedModel
from treewright._export.sql.ctes import Layers
from treewright._export.sql.ensemble import combined
from treewright._export.sql.fractional_rows import divided
from treewright._export.sql.text import Words, shifted
from treewright._export.sql.tree import walk
from treewright._model.decision import EQUAL
from treewright._model.paths.ordered_tests import OrderedTests

__all__ = ["answer", "says"]


def answer(model: CombinedModel, words: Words) -> str:
    """Write what the model predicts."""
    if not model.schema.classes:
        return says(model, words, 0)
    if not model.is_single_tree:
        return _decide(words, combined(model, words))
    [splits] = model.trees
    walked = walk(splits, words, lambda node: words.value(splits.tree.answer(node)))
    if not splits.divides:
        return walked
    return _either(walked, _decide(words, _parts(splits, words)))


def says(model: CombinedModel, words: Words, output: int) -> str:
    """Write the share of a class, or the number."""
    if not model.is_single_tree:
        return combined(model, words).select(f"s{output}")
    [splits] = model.trees
    walked = walk(splits, words, lambda node: words.number(splits.tree.value[node, output]))
    if not splits.divides:
        return walked
    return _either(walked, _parts(splits, words).select(f"s{output}"))


def _parts(splits: OrderedTests, words: Words) -> Layers:
    """Return the sums over all parts of a row."""
    layers, outputs = Layers(), range(splits.tree.value.shape[1])
    sums = [f"s{k}" for k in outputs]
    layers.add([f"{words.number(0)} AS {s}" for s in sums])
    divided(layers, splits, words, sums, [(k, k) for k in outputs])
    return layers


def _either(walked: str, otherwise: str) -> str:
    return f"COALESCE(\n  {shifted(walked)},\n  {shifted(otherwise)}\n)"


def _decide(words: Words, layers: Layers) -> str:
    """Write the choice of a class among the sums of the last layer; ties go to the first."""
    classes, costs = words.schema.classes, words.schema.costs
    n, sums, beats, slack = len(classes), "s", ">=", ""
    if costs:
        layers.add(
            [
                " + ".join(f"s{i} * {words.number(row[j])}" for i, row in enumerate(costs))
                + f" AS c{j}"
                for j in range(n)
            ]
        )
        sums, beats, slack = "c", "<=", f" * {words.number(1 + EQUAL)}"
    whens = []
    for k in range(n - 1):
        tests = " AND ".join(f"{sums}{k} {beats} {sums}{j}{slack}" for j in range(n) if j != k)
        whens.append(f"  WHEN {tests} THEN {words.value(classes[k])}\n")
    last = words.value(classes[-1])
    return layers.select(f"CASE\n{''.join(whens)}  ELSE {last}\nEND" if whens else last)
