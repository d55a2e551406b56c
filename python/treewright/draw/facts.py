"""The figures of nodes, as every view gives them: rows, class weights, criterion, gain, share, answer.

All are read from the node table: a node's criterion is its cost, and its gain what its question saves, both by its
weight. Nothing is computed again from data.

Glossary: classes stand in the order of their weight at the root, so the commonest is always the first; the others of
many classes are added up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from treewright.draw.caption import Caption
from treewright.draw.excerpt import Line
from treewright.draw.figures import count, decimals, fixed, percent, plural, weights
from treewright.draw.grid import Lane
from treewright.draw.paper import Paper
from treewright.tree import Tree

__all__ = [
    "answer",
    "class_order",
    "held",
    "hidden",
    "lanes",
    "mean",
    "share_lane",
    "spread",
    "weighted",
]

BAR = 10
HEAD = 12


def class_order(tree: Tree) -> NDArray[np.intp]:
    """Return the positions of the classes, the heaviest at the root first; ties in their own order."""
    return np.argsort(-tree.value[0], kind="stable")


def weighted(tree: Tree) -> bool:
    """Return whether rows weigh other than 1, so that views must show both."""
    return not np.allclose(tree.weight, tree.count, rtol=1e-9, atol=1e-9)


def per_weight(tree: Tree, amount: NDArray[np.float64], node: int) -> float:
    """Return a cost or gain by the weight of its node; NaN where no training row came."""
    weight = float(tree.weight[node])
    return float(amount[node]) / weight if weight > 0 else math.nan


def mean(tree: Tree, node: int) -> str:
    """Write what a node says where the target is a number."""
    return fixed(float(tree.value[node, 0]), digits(tree))


def spread(tree: Tree, node: int, paper: Paper) -> str:
    """Write the standard deviation of a node."""
    return _figure(deviation(tree, node), digits(tree), paper)


def digits(tree: Tree) -> int:
    """Return the decimals of means and deviations: three digits of the whole table's deviation."""
    return decimals(deviation(tree, 0) or abs(float(tree.value[0, 0])))


def deviation(tree: Tree, node: int) -> float:
    """Return the standard deviation of a numeric target, from a node's squared error; NaN without rows."""
    return math.sqrt(max(0.0, per_weight(tree, tree.cost, node))) if tree.weight[node] else math.nan


def answer(tree: Tree, node: int, paper: Paper) -> str:
    """Write what a node predicts, and what a reader must know about it: a tie, or no rows."""
    said = paper.level(tree.answer(node)) if tree.schema.classes else mean(tree, node)
    if not tree.count[node] and not tree.weight[node]:
        return f"{said} (no rows)"
    return f"{said} (tie)" if tree.tied(node) else said


def hidden(tree: Tree, line: Line, paper: Paper) -> str:
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


def held(tree: Tree, node: int, paper: Paper) -> list[str]:
    """Write what a node holds in short: the weight of each class there, or the mean."""
    if not tree.weight[node]:
        return []
    if not tree.schema.classes:
        return [f"mean {mean(tree, node)}"]
    order, amounts = class_order(tree), tree.class_weights(node)
    named = [i for i in order[: _named(order)] if amounts[i] > 0]
    rest = float(amounts.sum() - amounts[named].sum())
    figures = weights([*amounts[named], rest])
    names = [paper.level(tree.schema.classes[i], 20) for i in named]
    # A class that is a number must not be read as a figure.
    parts = [
        f"{name}: {amount}" if name[:1].isdigit() else f"{amount} {name}"
        for amount, name in zip(figures, names, strict=False)
    ]
    return [*parts, f"{figures[-1]} other"] if rest > 0 else parts


def lanes(tree: Tree, caption: Caption, nodes: Sequence[int], paper: Paper) -> list[Lane]:
    """Return the figures of nodes as aligned columns."""
    columns = [
        Lane("node", [f"#{node}" for node in nodes], left=True),
        Lane("rows", [count(tree.count[node]) for node in nodes], gap=2),
    ]
    if weighted(tree):
        columns.append(Lane("weight", weights([tree.weight[node] for node in nodes])))
    if tree.schema.classes:
        columns += _class_lanes(tree, nodes, paper)
        costs = [per_weight(tree, tree.cost, node) for node in nodes]
        columns.append(Lane(caption.criterion, [_figure(cost, 3, paper) for cost in costs]))
        places = 3
    else:
        columns.append(Lane("mean", [mean(tree, node) for node in nodes]))
        columns.append(Lane("sd", [spread(tree, node, paper) for node in nodes]))
        columns += _range_lane(tree, caption, nodes, paper)
        places = decimals(deviation(tree, 0) ** 2)
    gains = [
        per_weight(tree, tree.gain, node) if tree.n_children[node] else math.nan for node in nodes
    ]
    columns.append(Lane("gain", [_figure(gain, places, paper) for gain in gains]))
    return columns


def _range_lane(tree: Tree, caption: Caption, nodes: Sequence[int], paper: Paper) -> list[Lane]:
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
    return [Lane(f"[min{paper.glyphs.to}max]", cells)]


def share_lane(tree: Tree, nodes: Sequence[int], paper: Paper) -> Lane | None:
    """Return the share of the commonest class as bars; None where there are no classes."""
    if not tree.schema.classes:
        return None
    first = int(class_order(tree)[0])
    bars = []
    for node in nodes:
        share = float(tree.value[node, first])
        if not tree.weight[node]:
            bars.append("")
            continue
        full = int(share * BAR + 0.5)
        bar = paper.glyphs.full * full + paper.glyphs.empty * (BAR - full)
        bars.append(f"{bar} {percent(share):>4}")
    return Lane(f"share of {paper.level(tree.schema.classes[first], HEAD)}", bars, left=True)


def _class_lanes(tree: Tree, nodes: Sequence[int], paper: Paper) -> list[Lane]:
    order = class_order(tree)
    named = order[: _named(order)]
    table = np.array([tree.class_weights(node) for node in nodes]).reshape(-1, len(order))
    columns, heads = table[:, named], [paper.level(tree.schema.classes[i], HEAD) for i in named]
    if len(named) < len(order):
        columns = np.column_stack([columns, table[:, order[3:]].sum(axis=1)])
        heads.append(f"+{len(order) - 3:,} others")
    written = np.array(weights(columns), dtype=object).reshape(columns.shape)
    return [Lane(head, written[:, i].tolist(), gap=2 if i else 3) for i, head in enumerate(heads)]


def _named(order: NDArray[np.intp]) -> int:
    # Four columns at most: all classes, or the first three and the others together.
    return len(order) if len(order) <= 4 else 3


def _figure(x: float, places: int, paper: Paper) -> str:
    return paper.glyphs.none if math.isnan(x) else fixed(x, places)
