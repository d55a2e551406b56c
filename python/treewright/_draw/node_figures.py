"""The numbers of nodes, as every view shows them: rows, class weights, impurity, gain, proportion, prediction.

All are read from the node table: a node's impurity is its cost and its gain the decrease by its split, both divided by
its weight. Nothing is computed again from data.

Glossary: up to four classes stand in the order of their weight at the root, so the most frequent is always the first.
Of more, each node names its own most frequent ones, and adds up the others.
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
    "cost_columns",
    "held",
    "hidden",
    "mean",
    "node_columns",
    "own_classes",
    "prediction",
    "remark",
    "row_columns",
    "share_column",
    "spread",
    "value_columns",
    "weighted",
]

BAR_LENGTH = 8
HEAD_WIDTH = 12
MAX_CLASSES = 4  # classes with a column of their own, or named in one node


def class_order(tree: Tree) -> NDArray[np.intp]:
    """Return the positions of the classes, the heaviest at the root first; ties in their own order."""
    return np.argsort(-tree.value[0], kind="stable")


def weighted(tree: Tree, nodes: Sequence[int] | None = None) -> bool:
    """Return whether weight and number of rows differ in a tree or in some of its nodes."""
    some = slice(None) if nodes is None else list(nodes)
    return not np.allclose(tree.weight[some], tree.count[some], rtol=1e-9, atol=1e-9)


def per_weight(tree: Tree, amount: NDArray[np.float64], node: int) -> float:
    """Return a cost or gain divided by the weight of its node; NaN without training rows."""
    weight = float(tree.weight[node])
    return float(amount[node]) / weight if weight > 0 else math.nan


def mean(tree: Tree, node: int) -> str:
    """Write the mean that a node predicts."""
    return fixed(float(tree.value[node, 0]), digits(tree))


def spread(tree: Tree, node: int, page: PageFormat) -> str:
    """Write the standard deviation of a node."""
    return _write_number(deviation(tree, node), digits(tree), page)


def digits(tree: Tree) -> int:
    """Return the decimals of means and deviations: three digits of the deviation at the root."""
    return decimals(deviation(tree, 0) or abs(float(tree.value[0, 0])))


def deviation(tree: Tree, node: int) -> float:
    """Return the standard deviation of a numeric target, from a node's squared error; NaN without rows."""
    return math.sqrt(max(0.0, per_weight(tree, tree.cost, node))) if tree.weight[node] else math.nan


def answer(tree: Tree, node: int, page: PageFormat) -> str:
    """Write the prediction of a node, with a remark on a tie or on missing rows."""
    return prediction(tree, node, page.name) + remark(tree, node)


def prediction(tree: Tree, node: int, name: Callable[[str], str]) -> str:
    """Write the class that a node predicts, as ``name`` writes names, or its number."""
    return name(label(tree.answer(node))) if tree.schema.classes else mean(tree, node)


def remark(tree: Tree, node: int) -> str:
    """Write a remark on a prediction: a tie, or no rows."""
    if not tree.count[node] and not tree.weight[node]:
        return " (no rows)"
    return " (tie)" if tree.tied(node) else ""


def hidden(tree: Tree, line: Line, page: PageFormat) -> str:
    """Summarize the nodes of a cut or folded line: ``… 212 nodes, 1,204 rows, mostly "good" (83.4%)``."""
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
            name = page.level(tree.schema.classes[most], 20)
            parts.append(f'mostly "{name}" ({percent(float(shares[most]))})')
        else:
            parts.append(f"mean {fixed(float(shares[0]), digits(tree))}")
    return f"{page.glyphs.dots} {', '.join(parts)}"


def held(tree: Tree, node: int, page: PageFormat, most: int = MAX_CLASSES) -> list[str]:
    """Write the classes of a node with their weight, or for a number its mean or deviation."""
    if not tree.weight[node]:
        return []
    if not tree.schema.classes:
        # The title of a leaf is its mean.
        mean_or_sd = (
            ("mean", mean(tree, node))
            if tree.n_children[node]
            else ("sd", spread(tree, node, page))
        )
        return [" ".join(mean_or_sd)]
    own = tree.class_weights(node)
    named, others = own_classes(tree, node, most)
    rest = float(own.sum() - own[named].sum()) if others else 0.0
    figures = amounts([*own[named], rest])
    names = [page.level(tree.schema.classes[i], 20) for i in named]
    # A class that is a number must not be read as a weight.
    parts = [
        f"{name}: {amount}" if name[:1].isdigit() else f"{amount} {name}"
        for amount, name in zip(figures, names, strict=False)
    ]
    return [*parts, f"{figures[-1]} other"] if others else parts


def own_classes(tree: Tree, node: int, most: int = MAX_CLASSES) -> tuple[list[int], int]:
    """Return the classes that a node names, and the number of its others.

    Few classes stand in the order of the root; of many the node's own most frequent come first, ties in their order.
    """
    own = tree.class_weights(node)
    few = len(own) <= MAX_CLASSES
    order = class_order(tree) if few else np.argsort(-own, kind="stable")
    present = [int(i) for i in order if own[i] > 0]
    # The others take a place too, so a single other class is named as well.
    named = present if len(present) <= most else present[: max(1, most - 1)]
    return named, len(present) - len(named)


def node_columns(
    tree: Tree, caption: Caption, nodes: Sequence[int], page: PageFormat
) -> list[TableColumn]:
    """Return the numbers of nodes as columns."""
    columns = [*row_columns(tree, nodes), *value_columns(tree, caption, nodes, page)]
    return [*columns, *cost_columns(tree, caption, nodes, page)]


def row_columns(tree: Tree, nodes: Sequence[int]) -> list[TableColumn]:
    """Return the numbers of the nodes, their rows, and their weight if it differs."""
    columns = [
        TableColumn("node", [f"#{node}" for node in nodes], left=True),
        TableColumn("rows", [count(tree.count[node]) for node in nodes], gap=2),
    ]
    if weighted(tree, nodes):
        columns.append(TableColumn("weight", amounts(tree.weight[list(nodes)], aligned=True)))
    return columns


def value_columns(
    tree: Tree, caption: Caption, nodes: Sequence[int], page: PageFormat, most: int = MAX_CLASSES
) -> list[TableColumn]:
    """Return the values of nodes: the weights of classes, or mean, deviation and range."""
    if tree.schema.classes:
        return class_columns(tree, nodes, page, most)
    return [
        TableColumn("mean", [mean(tree, node) for node in nodes]),
        TableColumn("sd", [spread(tree, node, page) for node in nodes]),
        *_range_column(tree, caption, nodes, page),
    ]


def cost_columns(
    tree: Tree, caption: Caption, nodes: Sequence[int], page: PageFormat
) -> list[TableColumn]:
    """Return the impurity of nodes (not for numbers, where it is the variance) and the gain of their splits."""
    columns, places = [], decimals(deviation(tree, 0) ** 2) if not tree.schema.classes else 3
    if tree.schema.classes:
        costs = [per_weight(tree, tree.cost, node) for node in nodes]
        columns = [TableColumn(caption.criterion, [_write_number(cost, 3, page) for cost in costs])]
    gains = [
        per_weight(tree, tree.gain, node) if tree.n_children[node] else math.nan for node in nodes
    ]
    return [*columns, TableColumn("gain", [_write_number(gain, places, page) for gain in gains])]


def _range_column(
    tree: Tree, caption: Caption, nodes: Sequence[int], page: PageFormat
) -> list[TableColumn]:
    """Return the minimum and maximum of the target in each node, if the model stores them."""
    ranges = None if caption.ranges is None or tree.schema.classes else caption.ranges()
    if ranges is None or len(ranges) != tree.n_nodes:
        return []
    to = page.glyphs.to if np.nanmin(ranges, initial=0.0) >= 0 else " to "
    cells = [
        page.glyphs.none
        if math.isnan(low)
        else f"[{fixed(low, digits(tree))}{to}{fixed(high, digits(tree))}]"
        for low, high in ranges[list(nodes)].tolist()
    ]
    return [TableColumn(f"[min{page.glyphs.to}max]", cells)]


def share_column(
    tree: Tree, nodes: Sequence[int], page: PageFormat, *, bars: bool = True
) -> TableColumn | None:
    """Return the predicted share of the most frequent class, or of each node's own class; None for a number."""
    if not tree.schema.classes:
        return None
    columns = column_classes(tree, nodes)
    cells = []
    for node in nodes:
        shares = tree.outputs[node]
        share = float(shares.max() if columns is None else shares[columns[0]])
        if not tree.weight[node]:
            cells.append("")
            continue
        full = int(share * BAR_LENGTH + 0.5)
        bar = page.glyphs.full * full + page.glyphs.empty * (BAR_LENGTH - full)
        of = "" if bars or columns else f"{page.level(_largest(tree, node), HEAD_WIDTH)}: "
        cells.append(f"{bar} {percent(share):>5}" if bars else of + percent(share))
    of = "" if columns is None else page.level(tree.schema.classes[columns[0]], HEAD_WIDTH)
    wide = f"share of {of}" if tree.schema.smoothing is None else f"P({of})"
    head = wide if bars else of  # a percentage under a class says what it is
    return TableColumn(head if of else "largest class", cells, left=bars)


def _largest(tree: Tree, node: int) -> Level:
    return tree.schema.classes[int(tree.value[node].argmax())]


def column_classes(tree: Tree, nodes: Sequence[int]) -> list[int] | None:
    """Return the classes that get columns in a table of nodes: all, or all that occur; None if these are many."""
    order = class_order(tree)
    if len(order) > MAX_CLASSES and len(nodes):
        order = np.argsort(-tree.value[nodes[0]], kind="stable")
        order = order[(tree.value[list(nodes)] > 0).any(axis=0)[order]]
    return order.tolist() if len(order) <= MAX_CLASSES else None


def class_columns(
    tree: Tree, nodes: Sequence[int], page: PageFormat, most: int = MAX_CLASSES
) -> list[TableColumn]:
    """Return the weights of the classes: one column per class, or one column in which each node names its own."""
    columns = column_classes(tree, nodes)
    if columns is None:
        cells = [", ".join(held(tree, node, page, most)) for node in nodes]
        return [TableColumn("classes", cells, left=True)]
    table = np.array([tree.class_weights(node)[columns] for node in nodes])
    table = table.reshape(-1, len(columns))
    texts = np.array(amounts(table, aligned=True), dtype=object).reshape(table.shape)
    heads = [page.level(tree.schema.classes[i], HEAD_WIDTH) for i in columns]
    return [
        TableColumn(head, texts[:, i].tolist(), gap=2 if i else 3) for i, head in enumerate(heads)
    ]


def _write_number(x: float, places: int, page: PageFormat) -> str:
    return page.glyphs.none if math.isnan(x) else fixed(x, places)
