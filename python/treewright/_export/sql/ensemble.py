"""Predictions in SQL: how trees are combined (sum, mean, vote, median), the link, and the choice of a class.

Glossary of columns: ``s0`` is a sum and, in the end, an output of the model. ``n3`` is the node where a row ends in
tree 3; ``o1`` is output 1 of one tree.
"""

from __future__ import annotations

from collections.abc import Iterator

from treewright._export.combined_model import CombinedModel
from treewright._export.sql.ctes import Ctes
from treewright._export.sql.fractional_rows import add_fractional_rows
from treewright._export.sql.link import add_link
from treewright._export.sql.median import combine_by_median
from treewright._export.sql.text import Dialect, indent
from treewright._export.sql.tree import write_numbers, write_path
from treewright._model.decision import EQUAL
from treewright._model.paths import OrderedTests

__all__ = ["write_output", "write_prediction"]

# In one expression: DuckDB's planning time grows with its square, and databases limit its depth, usually to 1000.
MAX_NODES = 300


def write_prediction(model: CombinedModel, sql: Dialect) -> str:
    """Write the predicted class or number."""
    if not model.schema.classes:
        return write_output(model, sql, 0)
    if not model.is_single_tree:
        return _decide(sql, _combine_trees(model, sql))
    [splits] = model.trees
    path = write_path(splits, sql, lambda node: sql.value(splits.tree.answer(node)))
    if not splits.divides:
        return path
    return _either(path, _decide(sql, _fractional_sums(splits, sql)))


def write_output(model: CombinedModel, sql: Dialect, output: int) -> str:
    """Write the probability of a class, or the number."""
    if not model.is_single_tree:
        return _combine_trees(model, sql).select(f"s{output}")
    [splits] = model.trees
    path = write_path(splits, sql, lambda node: sql.number(splits.tree.outputs[node, output]))
    if not splits.divides:
        return path
    return _either(path, _fractional_sums(splits, sql).select(f"s{output}"))


def _fractional_sums(splits: OrderedTests, sql: Dialect) -> Ctes:
    """Return the sums over all parts of a fractional row."""
    ctes, outputs = Ctes(), range(splits.tree.outputs.shape[1])
    sums = [f"s{k}" for k in outputs]
    ctes.add([f"{sql.number(0)} AS {s}" for s in sums])
    add_fractional_rows(ctes, splits, sql, sums, [(k, k) for k in outputs])
    return ctes


def _either(path: str, otherwise: str) -> str:
    """Write the value of a row that is not divided, or else of a fractional one."""
    return f"COALESCE(\n  {indent(path)},\n  {indent(otherwise)}\n)"


def _decide(sql: Dialect, ctes: Ctes) -> str:
    """Write the choice of a class by the last sums; ties go to the first class."""
    classes, costs = sql.schema.classes, sql.schema.costs
    n, sums, beats, slack = len(classes), "s", ">=", ""
    if costs:
        ctes.add(
            [
                " + ".join(f"s{i} * {sql.number(row[j])}" for i, row in enumerate(costs))
                + f" AS c{j}"
                for j in range(n)
            ]
        )
        sums, beats, slack = "c", "<=", f" * {sql.number(1 + EQUAL)}"
    whens = []
    for k in range(n - 1):
        tests = " AND ".join(f"{sums}{k} {beats} {sums}{j}{slack}" for j in range(n) if j != k)
        whens.append(f"  WHEN {tests} THEN {sql.value(classes[k])}\n")
    last = sql.value(classes[-1])
    return ctes.select(f"CASE\n{''.join(whens)}  ELSE {last}\nEND" if whens else last)


def _combine_trees(model: CombinedModel, sql: Dialect) -> Ctes:
    """Return expressions of which the last one has a column per output of the model."""
    if model.how == "median":
        return combine_by_median(model, sql)
    sums = [f"s{k}" for k in range(model.sums)]
    ctes = Ctes()
    ctes.add([f"{sql.number(x)} AS {s}" for x, s in zip(model.starts, sums, strict=True)])
    for trees in _batches(model):
        splits = model.trees[trees[0]]
        if splits.divides and model.how == "vote":
            _vote_in_parts(ctes, model, sql, trees[0])
        elif splits.divides:
            tree = trees[0]
            add_fractional_rows(ctes, splits, sql, sums, model.adds_to(tree), model.scale(tree))
        elif model.targets or len(sums) == 1:
            _add_numbers(ctes, model, sql, trees)
        else:
            _add_tables(ctes, model, sql, trees)
    if model.how == "mean":
        count = sql.number(len(model.trees))
        ctes.add([f"{s} / {count} AS {s}" for s in sums])
    if model.how == "vote":
        total, others = sql.number(model.total), sql.number(model.sums - 1)
        ctes.add([f"({s} - ({total} - {s}) / {others}) / {total} AS {s}" for s in sums])
    add_link(ctes, model, sql)
    return ctes


def _batches(model: CombinedModel) -> Iterator[list[int]]:
    """Yield the trees in their order: those with fractional rows alone, the others as many as fit together."""
    batch: list[int] = []
    nodes = 0
    for tree, splits in enumerate(model.trees):
        nodes += splits.tree.n_nodes
        if batch and (splits.divides or nodes > MAX_NODES):
            yield batch
            batch, nodes = [], splits.tree.n_nodes
        batch.append(tree)
        if splits.divides:
            yield batch
            batch, nodes = [], 0
    if batch:
        yield batch


def _add_numbers(ctes: Ctes, model: CombinedModel, sql: Dialect, trees: list[int]) -> None:
    """Add trees of one output each."""
    terms: list[str] = [f"s{k}" for k in range(model.sums)]
    for tree in trees:
        number = write_numbers(model.trees[tree], sql, model.node_terms(tree)[:, 0])
        terms[model.adds_to(tree)[0][1]] += f"\n+ {number}"
    ctes.add([f"{text} AS s{k}" for k, text in enumerate(terms)])


def _add_tables(ctes: Ctes, model: CombinedModel, sql: Dialect, trees: list[int]) -> None:
    """Add trees of several outputs: first the node where the row ends, then its values."""
    sums = [f"s{k}" for k in range(model.sums)]
    ends = (f"{write_path(model.trees[tree], sql, str)} AS n{tree}" for tree in trees)
    ctes.add([*sums, *ends])
    terms = list(sums)
    for tree in trees:
        node_terms = model.node_terms(tree)
        for k in range(model.sums):
            whens = "".join(
                f" WHEN {node} THEN {sql.number(value)}"
                for node, value in enumerate(node_terms[:, k].tolist())
                if value != 0
            )
            zero = sql.number(0)
            terms[k] += f"\n+ CASE n{tree}{whens} ELSE {zero} END" if whens else ""
    ctes.add([f"{text} AS s{k}" for k, text in enumerate(terms)])


def _vote_in_parts(ctes: Ctes, model: CombinedModel, sql: Dialect, tree: int) -> None:
    """Add the vote of a tree with fractional rows: its outputs first, then the class that it votes for."""
    sums = [f"s{k}" for k in range(model.sums)]
    own = [f"o{k}" for k in range(model.sums)]
    ctes.add([*sums, *(f"{sql.number(0)} AS {o}" for o in own)])
    pairs = [(k, len(sums) + k) for k in range(model.sums)]
    add_fractional_rows(ctes, model.trees[tree], sql, [*sums, *own], pairs)
    votes, scale, zero = [], sql.number(model.scale(tree)), sql.number(0)
    for k, s in enumerate(sums):
        # Ties go to the first class: above those before it, not below those after it.
        tests = [f"{own[k]} > {o}" for o in own[:k]] + [f"{own[k]} >= {o}" for o in own[k + 1 :]]
        votes.append(f"{s} + CASE WHEN {' AND '.join(tests)} THEN {scale} ELSE {zero} END AS {s}")
    ctes.add(votes)
