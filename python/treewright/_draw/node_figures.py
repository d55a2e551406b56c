"""The figures of nodes, as every view gives them: rows, class weights, criterion, gain, share, answer.

All are read from the node table: a node's criterion is its cost, and its gain what its question saves, both by its
weight. Nothing is computed again from data.

Glossary: up to four classes stand in the order of their weight at the root, so the commonest is always the first. Of
more, each node names its own most frequent ones, and adds up the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from treewright._draw.caption import Caption
from treewright._draw.excerpt import Line
from treewright._render.numbers import amounts, count, decimals, fixed, percent, plural
from treewright._render.page_format import PageFormat
from treewright._render.table_grid import TableColumn
from treewright.schema import Level, label
from treewright.tree import Tree

__all__ = [
    "answer",
    "class_order",
    "cost_lanes",
    "held",
    "hidden",
    "lanes",
    "mean",
    "own_classes",
    "prediction",
    "remark",
    "row_lanes",
    "share_lane",
    "spread",
    "value_lanes",
    "weighted",
]

BAR = 10
HEAD = 12
CLASSES = 4  # that have columns of their own, or are named in one node


def class_order(tree: Tree) -> NDArray[np.intp]:
    """Return the positions of the classes, the heaviest at the root first; ties in their own order."""
    return np.argsort(-tree.value[0], kind="stable")


def weighted(tree: Tree, nodes: Sequence[int] | None = None) -> bool:
    """Return whether rows weigh other than 1 in a tree or in some of its nodes, so that views must show both."""
    some = slice(None) if nodes is None else list(nodes)
    return not np.allclose(tree.weight[some], tree.count[some], rtol=1e-9, atol=1e-9)


def per_weight(tree: Tree, amount: NDArray[np.float64], node: int) -> float:
    """Return a cost or gain by the weight of its node; NaN where no training row came."""
    weight = float(tree.weight[node])
    return float(amount[node]) / weight if weight > 0 else math.nan


def mean(tree: Tree, node: int) -> str:
    """Write what a node says where the target is a number."""
    return fixed(float(tree.value[node, 0]), digits(tree))


def spread(tree: Tree, node: int, paper: PageFormat) -> str:
    """Write the standard deviation of a node."""
    return _figure(deviation(tree, node), digits(tree), paper)


def digits(tree: Tree) -> int:
    """Return the decimals of means and deviations: three digits of the whole table's deviation."""
    return decimals(deviation(tree, 0) or abs(float(tree.value[0, 0])))


def deviation(tree: Tree, node: int) -> float:
    """Return the standard deviation of a numeric target, from a node's squared error; NaN without rows."""
    return math.sqrt(max(0.0, per_weight(tree, tree.cost, node))) if tree.weight[node] else math.nan


def answer(tree: Tree, node: int, paper: PageFormat) -> str:
    """Write what a node predicts, and what a reader must know about it: a tie, or no rows."""
    return prediction(tree, node, paper.name) + remark(tree, node)


def prediction(tree: Tree, node: int, name: Callable[[str], str]) -> str:
    """Write the class that a node predicts, as ``name`` writes names, or its number."""
    return name(label(tree.answer(node))) if tree.schema.classes else mean(tree, node)


def remark(tree: Tree, node: int) -> str:
    """Write what a reader must know about a prediction."""
    if not tree.count[node] and not tree.weight[node]:
        return " (no rows)"
    return " (tie)" if tree.tied(node) else ""


def hidden(tree: Tree, line: Line, paper: PageFormat) -> str:
    """Write what a cut or folded line stands for: ``… 212 nodes, 1,204 rows, mostly "good" (83%)``."""
    nodes = line.folded if len(line.folded) else np.array([line.node])
    weight = tree.weight[nodes]
    rows = int(tree.count[nodes].sum(dtype=np.int64))
    parts = [plural(line.hidden, "node"), plural(rows, "row")]
    if len(line.folded):
        parts.insert(0, plural(len(nodes), "more branch"))
    if weight.sum() > 0:
        shares = weight @ tree.value[nodes] / weight.sum()
        if tree.schema.classes:
            most = int(np.argmax(shares))
            name = paper.level(tree.schema.classes[most], 20)
            parts.append(f'mostly "{name}" ({percent(float(shares[most]))})')
        else:
            parts.append(f"mean {fixed(float(shares[0]), digits(tree))}")
    return f"{paper.glyphs.dots} {', '.join(parts)}"


def held(tree: Tree, node: int, paper: PageFormat, most: int = CLASSES) -> list[str]:
    """Write what a node holds in short: its classes with their weight, or for a number what its line does not say."""
    if not tree.weight[node]:
        return []
    if not tree.schema.classes:
        # The title of a leaf is its mean.
        mean_or_sd = (
            ("mean", mean(tree, node))
            if tree.n_children[node]
            else ("sd", spread(tree, node, paper))
        )
        return [" ".join(mean_or_sd)]
    own = tree.class_weights(node)
    named, others = own_classes(tree, node, most)
    rest = float(own.sum() - own[named].sum()) if others else 0.0
    figures = amounts([*own[named], rest])
    names = [paper.level(tree.schema.classes[i], 20) for i in named]
    # A class that is a number must not be read as a figure.
    parts = [
        f"{name}: {amount}" if name[:1].isdigit() else f"{amount} {name}"
        for amount, name in zip(figures, names, strict=False)
    ]
    return [*parts, f"{figures[-1]} other"] if others else parts


def own_classes(tree: Tree, node: int, most: int = CLASSES) -> tuple[list[int], int]:
    """Return the classes that a node names, and the number of its others.

    Few classes stand in the order of the root; of many the node's own most frequent come first, ties in their order.
    """
    own = tree.class_weights(node)
    few = len(own) <= CLASSES
    order = class_order(tree) if few else np.argsort(-own, kind="stable")
    present = [int(i) for i in order if own[i] > 0]
    # The others take a place too, so one class more is named where it would be the only one.
    named = present if len(present) <= most else present[: max(1, most - 1)]
    return named, len(present) - len(named)


def lanes(
    tree: Tree, caption: Caption, nodes: Sequence[int], paper: PageFormat
) -> list[TableColumn]:
    """Return the figures of nodes as aligned columns."""
    columns = [*row_lanes(tree, nodes), *value_lanes(tree, caption, nodes, paper)]
    return [*columns, *cost_lanes(tree, caption, nodes, paper)]


def row_lanes(tree: Tree, nodes: Sequence[int]) -> list[TableColumn]:
    """Return the numbers of nodes, their rows, and the weight of these where it differs."""
    columns = [
        TableColumn("node", [f"#{node}" for node in nodes], left=True),
        TableColumn("rows", [count(tree.count[node]) for node in nodes], gap=2),
    ]
    if weighted(tree, nodes):
        columns.append(TableColumn("weight", amounts(tree.weight[list(nodes)], aligned=True)))
    return columns


def value_lanes(
    tree: Tree, caption: Caption, nodes: Sequence[int], paper: PageFormat, most: int = CLASSES
) -> list[TableColumn]:
    """Return what nodes hold: the weights of classes, or mean, deviation and range."""
    if tree.schema.classes:
        return class_lanes(tree, nodes, paper, most)
    return [
        TableColumn("mean", [mean(tree, node) for node in nodes]),
        TableColumn("sd", [spread(tree, node, paper) for node in nodes]),
        *_range_lane(tree, caption, nodes, paper),
    ]


def cost_lanes(
    tree: Tree, caption: Caption, nodes: Sequence[int], paper: PageFormat
) -> list[TableColumn]:
    """Return the criterion of nodes, for a number without its variance, and what their questions gain."""
    columns, places = [], decimals(deviation(tree, 0) ** 2) if not tree.schema.classes else 3
    if tree.schema.classes:
        costs = [per_weight(tree, tree.cost, node) for node in nodes]
        columns = [TableColumn(caption.criterion, [_figure(cost, 3, paper) for cost in costs])]
    gains = [
        per_weight(tree, tree.gain, node) if tree.n_children[node] else math.nan for node in nodes
    ]
    return [*columns, TableColumn("gain", [_figure(gain, places, paper) for gain in gains])]


def _range_lane(
    tree: Tree, caption: Caption, nodes: Sequence[int], paper: PageFormat
) -> list[TableColumn]:
    """Return the least and the greatest number of each node, where the model keeps them."""
    kept = None if caption.ranges is None or tree.schema.classes else caption.ranges()
    if kept is None or len(kept) != tree.n_nodes:
        return []
    to = paper.glyphs.to if np.nanmin(kept, initial=0.0) >= 0 else " to "
    cells = [
        paper.glyphs.none
        if math.isnan(low)
        else f"[{fixed(low, digits(tree))}{to}{fixed(high, digits(tree))}]"
        for low, high in kept[list(nodes)].tolist()
    ]
    return [TableColumn(f"[min{paper.glyphs.to}max]", cells)]


def share_lane(
    tree: Tree, nodes: Sequence[int], paper: PageFormat, *, bars: bool = True
) -> TableColumn | None:
    """Return the share of the commonest class, of many classes that of each node's own largest; None for a number."""
    if not tree.schema.classes:
        return None
    columns = shown_classes(tree, nodes)
    cells = []
    for node in nodes:
        share = float(tree.value[node].max() if columns is None else tree.value[node, columns[0]])
        if not tree.weight[node]:
            cells.append("")
            continue
        full = int(share * BAR + 0.5)
        bar = paper.glyphs.full * full + paper.glyphs.empty * (BAR - full)
        of = "" if bars or columns else f"{paper.level(_largest(tree, node), HEAD)}: "
        cells.append(f"{bar} {percent(share):>4}" if bars else of + percent(share))
    of = "" if columns is None else paper.level(tree.schema.classes[columns[0]], HEAD)
    head = f"share of {of}" if bars else of  # a percentage under a class says what it is
    return TableColumn(head if of else "largest class", cells, left=bars)


def _largest(tree: Tree, node: int) -> Level:
    return tree.schema.classes[int(tree.value[node].argmax())]


def shown_classes(tree: Tree, nodes: Sequence[int]) -> list[int] | None:
    """Return the classes that get columns in a table of nodes: all, or all that occur; None where these are many."""
    order = class_order(tree)
    if len(order) > CLASSES and len(nodes):
        order = np.argsort(-tree.value[nodes[0]], kind="stable")
        order = order[(tree.value[list(nodes)] > 0).any(axis=0)[order]]
    return order.tolist() if len(order) <= CLASSES else None


def class_lanes(
    tree: Tree, nodes: Sequence[int], paper: PageFormat, most: int = CLASSES
) -> list[TableColumn]:
    """Return the weights of the classes: a column a class, or one column in which each node names its own."""
    columns = shown_classes(tree, nodes)
    if columns is None:
        cells = [", ".join(held(tree, node, paper, most)) for node in nodes]
        return [TableColumn("classes", cells, left=True)]
    table = np.array([tree.class_weights(node)[columns] for node in nodes])
    table = table.reshape(-1, len(columns))
    written = np.array(amounts(table, aligned=True), dtype=object).reshape(table.shape)
    heads = [paper.level(tree.schema.classes[i], HEAD) for i in columns]
    return [
        TableColumn(head, written[:, i].tolist(), gap=2 if i else 3) for i, head in enumerate(heads)
    ]


def _figure(x: float, places: int, paper: PageFormat) -> str:
    return paper.glyphs.none if math.isnan(x) else fixed(x, places)
