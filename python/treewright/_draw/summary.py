"""A tree in a few sentences: how large it is, what it asks about, how often it is right, where most rows end."""

from __future__ import annotations

import textwrap

import numpy as np
from numpy.typing import NDArray

from treewright._draw import node_figures as facts
from treewright._draw.caption import Caption
from treewright._draw.conditions import asked, words
from treewright._draw.excerpt import Scope, members, size
from treewright._draw.rules import rule_nodes
from treewright._render.numbers import amounts, count, percent, plural
from treewright._render.page_format import PageFormat
from treewright.tree import Tree

__all__ = ["render"]

MAX_COLUMNS = 6
MAX_LEAVES = 3


def render(tree: Tree, caption: Caption, scope: Scope, paper: PageFormat) -> str:
    """Write about a tree."""
    target = None if tree.schema.target is None else paper.name(tree.schema.target)
    extent = size(tree, scope.node)
    part = f", from node #{scope.node}" if scope.node else ""
    sentences = [
        f"{paper.name(caption.title(target), 120)}{part}: {plural(extent.nodes, 'node')}, "
        f"{plural(extent.leaves, 'leaf')}, depth {extent.depth:,}, "
        f"from {plural(extent.rows, 'training row')}.",
        *_columns(tree, scope, paper),
        _fit(tree, scope, paper),
        *_largest(tree, scope, paper),
    ]
    return "\n".join(line for text in sentences for line in _wrapped(text, paper))


def _wrapped(text: str, paper: PageFormat) -> list[str]:
    return textwrap.wrap(text, max(20, paper.width), break_on_hyphens=False, subsequent_indent="  ")


def _columns(tree: Tree, scope: Scope, paper: PageFormat) -> list[str]:
    nodes = members(tree, scope.node)
    branches = nodes[tree.n_children[nodes] > 0]
    splits = np.bincount(tree.feature[branches], minlength=len(tree.schema.columns))
    order = [i for i in np.argsort(-splits, kind="stable").tolist() if splits[i]]
    if not order:
        return ["It has no splits."]
    columns = [
        f"{paper.name(tree.schema.names[i])} ({plural(int(splits[i]), 'split')})"
        for i in order[:MAX_COLUMNS]
    ]
    if len(order) > MAX_COLUMNS:
        columns.append(f"{len(order) - MAX_COLUMNS:,} more")
    return [
        f"It tests {len(order):,} of {plural(len(tree.schema.columns), 'column')}: "
        f"{', '.join(columns)}."
    ]


def _fit(tree: Tree, scope: Scope, paper: PageFormat) -> str:
    top = scope.node
    total = float(tree.weight[top])
    if not total:
        return "No training row came here."
    if not tree.schema.classes:
        return f"Mean {facts.mean(tree, top)}, standard deviation {facts.spread(tree, top, paper)}."
    right = float(_ended(tree)[members(tree, top)].sum())
    usual = total - tree.errors(top)
    noun = _unit(tree, top)
    written = amounts([right, total, usual])
    correct = f"It predicts {written[0]} of the {written[1]} training {noun} correctly"
    sentence = f"{correct} ({percent(right / total)})"
    if not tree.n_children[top]:
        return f"{sentence}."
    always = f'always "{paper.level(tree.answer(top))}", {written[2]} ({percent(usual / total)})'
    return f"{sentence}; baseline: {always}."


def _unit(tree: Tree, top: int) -> str:
    """Say what is counted: rows, their weight, or the parts of rows that missing values divided."""
    if not facts.weighted(tree):
        return "rows"
    divided = float(tree.weight[top]) == int(tree.count[top])
    return "rows, divided ones counted by their parts" if divided else "weight"


def _ended(tree: Tree) -> NDArray[np.float64]:
    """Return for each node the weight that ended there and has its answer: not passed on to a child."""
    rows = np.arange(tree.n_nodes)
    right: NDArray[np.float64] = tree.value[rows, tree.answers] * tree.weight
    parents = tree.parents[1:]
    passed = tree.value[rows[1:], tree.answers[parents]] * tree.weight[1:]
    right -= np.bincount(parents, passed, minlength=tree.n_nodes)
    # Shares times weight are whole only to rounding.
    whole = np.round(right)
    return np.where(np.abs(right - whole) < 1e-9 * np.maximum(1.0, tree.weight), whole, right)


def _largest(tree: Tree, scope: Scope, paper: PageFormat) -> list[str]:
    nodes = rule_nodes(tree, scope).tolist()
    if not scope.node and not tree.n_children[0]:
        return [f"It always predicts {facts.answer(tree, 0, paper)}."]
    total = max(1, int(tree.count[scope.node]))
    leaves = [
        f"{', '.join(words(c, paper) for c in asked(tree, node))}: {facts.answer(tree, node, paper)} "
        f"({plural(int(tree.count[node]), 'row')}, {percent(int(tree.count[node]) / total)})"
        for node in nodes[:MAX_LEAVES]
    ]
    others = f"; and {count(len(nodes) - MAX_LEAVES)} more" if len(nodes) > MAX_LEAVES else ""
    return [f"Largest leaves: {'; '.join(leaves)}{others}."] if leaves else []
