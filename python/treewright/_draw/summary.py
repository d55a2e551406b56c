"""A tree in a few sentences: its size, the columns it tests, its training accuracy, its largest leaves."""

from __future__ import annotations

import textwrap

import numpy as np
from numpy.typing import NDArray

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import condition_text, conditions_of
from treewright._draw.excerpt import Scope, members, size
from treewright._draw.rules import rule_nodes
from treewright._model.smoothing import name_smoothing
from treewright._render.numbers import amounts, count, percent, plural
from treewright._render.page_format import PageFormat
from treewright.tree import Tree

__all__ = ["correct_weights", "render"]

MAX_COLUMNS = 6
MAX_LEAVES = 3


def render(tree: Tree, caption: Caption, scope: Scope, page: PageFormat) -> str:
    """Write the summary of a tree."""
    target = None if tree.schema.target is None else page.name(tree.schema.target)
    extent = size(tree, scope.node)
    part = f", from node #{scope.node}" if scope.node else ""
    sentences = [
        f"{page.name(caption.title(target), 120)}{part}: {plural(extent.nodes, 'node')}, "
        f"{plural(extent.leaves, 'leaf')}, depth {extent.depth:,}, "
        f"from {plural(extent.rows, 'training row')}.",
        *_columns(tree, scope, page),
        _fit(tree, scope, page),
        *_smoothing(tree),
        *_largest(tree, scope, page),
    ]
    return "\n".join(line for text in sentences for line in _wrap(text, page))


def _wrap(text: str, page: PageFormat) -> list[str]:
    return textwrap.wrap(text, max(20, page.width), break_on_hyphens=False, subsequent_indent="  ")


def _columns(tree: Tree, scope: Scope, page: PageFormat) -> list[str]:
    nodes = members(tree, scope.node)
    branches = nodes[tree.n_children[nodes] > 0]
    splits = np.bincount(tree.feature[branches], minlength=len(tree.schema.columns))
    order = [i for i in np.argsort(-splits, kind="stable").tolist() if splits[i]]
    if not order:
        return ["It has no splits."]
    columns = [
        f"{page.name(tree.schema.names[i])} ({plural(int(splits[i]), 'split')})"
        for i in order[:MAX_COLUMNS]
    ]
    if len(order) > MAX_COLUMNS:
        columns.append(f"{len(order) - MAX_COLUMNS:,} more")
    return [
        f"It tests {len(order):,} of {plural(len(tree.schema.columns), 'column')}: "
        f"{', '.join(columns)}."
    ]


def _fit(tree: Tree, scope: Scope, page: PageFormat) -> str:
    top = scope.node
    total = float(tree.weight[top])
    if not total:
        return "No training row reached it."
    if not tree.schema.classes:
        return f"Mean {facts.mean(tree, top)}, standard deviation {facts.spread(tree, top, page)}."
    right = float(correct_weights(tree)[members(tree, top)].sum())
    baseline = total - tree.errors(top)
    noun = _unit(tree, top)
    texts = amounts([right, total, baseline])
    correct = f"It predicts {texts[0]} of the {texts[1]} training {noun} correctly"
    sentence = f"{correct} ({percent(right / total)})"
    if not tree.n_children[top]:
        return f"{sentence}."
    always = f'always "{page.level(tree.answer(top))}", {texts[2]} ({percent(baseline / total)})'
    return f"{sentence}; baseline: {always}."


def _smoothing(tree: Tree) -> list[str]:
    smoothing = tree.schema.smoothing
    return [] if smoothing is None else [f"Class probabilities: {name_smoothing(smoothing)}."]


def _unit(tree: Tree, top: int) -> str:
    """Return the unit: rows, their weight, or rows of which some are split fractionally by missing values."""
    if not facts.weighted(tree):
        return "rows"
    divided = float(tree.weight[top]) == int(tree.count[top])
    return "rows, fractional ones by their fraction" if divided else "weight"


def correct_weights(tree: Tree) -> NDArray[np.float64]:
    """Return for each node the weight that ends there and that it predicts correctly."""
    rows = np.arange(tree.n_nodes)
    right: NDArray[np.float64] = tree.value[rows, tree.answers] * tree.weight
    parents = tree.parents[1:]
    passed = tree.value[rows[1:], tree.answers[parents]] * tree.weight[1:]
    right -= np.bincount(parents, passed, minlength=tree.n_nodes)
    # Proportions times weights are whole numbers only up to rounding.
    rounded = np.round(right)
    return np.where(np.abs(right - rounded) < 1e-9 * np.maximum(1.0, tree.weight), rounded, right)


def _largest(tree: Tree, scope: Scope, page: PageFormat) -> list[str]:
    nodes = rule_nodes(tree, scope).tolist()
    if not scope.node and not tree.n_children[0]:
        return [f"It always predicts {facts.answer(tree, 0, page)}."]
    total = max(1, int(tree.count[scope.node]))
    leaves = [
        f"{', '.join(condition_text(c, page) for c in conditions_of(tree, node))}: {facts.answer(tree, node, page)} "
        f"({plural(int(tree.count[node]), 'row')}, {percent(int(tree.count[node]) / total)})"
        for node in nodes[:MAX_LEAVES]
    ]
    others = f"; and {count(len(nodes) - MAX_LEAVES)} more" if len(nodes) > MAX_LEAVES else ""
    return [f"Largest leaves: {'; '.join(leaves)}{others}."] if leaves else []
