"""What becomes of the words of many trees in SQL: the sums, added in the order of the trees, or votes, then the link.

Glossary of columns: ``s0`` is a sum, and at last what the model says; ``n3`` is the node where a row ends in tree 3,
``v3`` the position of the class that tree 3 votes for.
"""

from __future__ import annotations

from collections.abc import Iterator

from treewright._export.combined_model import CombinedModel
from treewright._export.sql.ctes import Layers
from treewright._export.sql.fractional_rows import divided
from treewright._export.sql.link import link
from treewright._export.sql.median import median
from treewright._export.sql.text import Words
from treewright._export.sql.tree import numbers, walk

__all__ = ["combined"]

# Nodes of the trees in one layer: DuckDB's time to plan grows with the square of what is in one expression, and all
# databases bound its depth, by 1000 as a rule.
NODES = 300


def combined(model: CombinedModel, words: Words) -> Layers:
    """Return layers of which the last one has a column for each output of the model."""
    if model.how == "median":
        return median(model, words)
    sums = [f"s{k}" for k in range(model.sums)]
    layers = Layers()
    layers.add([f"{words.number(x)} AS {s}" for x, s in zip(model.starts, sums, strict=True)])
    for trees in _batches(model):
        splits = model.trees[trees[0]]
        if splits.divides and model.how == "vote":
            _vote_in_parts(layers, model, words, trees[0])
        elif splits.divides:
            tree = trees[0]
            divided(layers, splits, words, sums, model.adds_to(tree), model.scale(tree))
        elif model.targets or len(sums) == 1:
            _add_numbers(layers, model, words, trees)
        else:
            _add_tables(layers, model, words, trees)
    if model.how == "mean":
        count = words.number(len(model.trees))
        layers.add([f"{s} / {count} AS {s}" for s in sums])
    if model.how == "vote":
        total, others = words.number(model.total), words.number(model.sums - 1)
        layers.add([f"({s} - ({total} - {s}) / {others}) / {total} AS {s}" for s in sums])
    link(layers, model, words)
    return layers


def _batches(model: CombinedModel) -> Iterator[list[int]]:
    """Give the trees in their order: those that divide rows alone, the others together as far as there is room."""
    batch: list[int] = []
    nodes = 0
    for tree, splits in enumerate(model.trees):
        nodes += splits.tree.n_nodes
        if batch and (splits.divides or nodes > NODES):
            yield batch
            batch, nodes = [], splits.tree.n_nodes
        batch.append(tree)
        if splits.divides:
            yield batch
            batch, nodes = [], 0
    if batch:
        yield batch


def _add_numbers(layers: Layers, model: CombinedModel, words: Words, trees: list[int]) -> None:
    """Add trees that say one number each."""
    terms: list[str] = [f"s{k}" for k in range(model.sums)]
    for tree in trees:
        said = numbers(model.trees[tree], words, model.node_terms(tree)[:, 0])
        terms[model.adds_to(tree)[0][1]] += f"\n+ {said}"
    layers.add([f"{text} AS s{k}" for k, text in enumerate(terms)])


def _add_tables(layers: Layers, model: CombinedModel, words: Words, trees: list[int]) -> None:
    """Add trees that say several numbers: first where the row ends, then what is said there."""
    sums = [f"s{k}" for k in range(model.sums)]
    ends = []
    for tree in trees:
        said = walk(model.trees[tree], words, str)
        ends.append(f"{said} AS n{tree}")
    layers.add([*sums, *ends])
    terms = list(sums)
    for tree in trees:
        given = model.node_terms(tree)
        for k in range(model.sums):
            told = "".join(
                f" WHEN {node} THEN {words.number(value)}"
                for node, value in enumerate(given[:, k].tolist())
                if value != 0
            )
            zero = words.number(0)
            terms[k] += f"\n+ CASE n{tree}{told} ELSE {zero} END" if told else ""
    layers.add([f"{text} AS s{k}" for k, text in enumerate(terms)])


def _vote_in_parts(layers: Layers, model: CombinedModel, words: Words, tree: int) -> None:
    """Add the vote of a tree that divides rows: what it says, then to whom it goes."""
    sums = [f"s{k}" for k in range(model.sums)]
    own = [f"o{k}" for k in range(model.sums)]
    layers.add([*sums, *(f"{words.number(0)} AS {o}" for o in own)])
    pairs = [(k, len(sums) + k) for k in range(model.sums)]
    divided(layers, model.trees[tree], words, [*sums, *own], pairs)
    voted, scale, zero = [], words.number(model.scale(tree)), words.number(0)
    for k, s in enumerate(sums):
        # Ties go to the first: above those before it, not below those behind it.
        tests = [f"{own[k]} > {o}" for o in own[:k]] + [f"{own[k]} >= {o}" for o in own[k + 1 :]]
        voted.append(f"{s} + CASE WHEN {' AND '.join(tests)} THEN {scale} ELSE {zero} END AS {s}")
    layers.add(voted)
