"""Which nodes of a tree are drawn, and in which order: the same choice for every view.

Nodes are opened best-first by their number of training rows until the lines are used up, so a reader sees where most
rows go, whatever the shape of the tree. The cost is that of the drawn lines, plus a few array operations over the node
table for the sizes of what is left out. Nothing here recurses, so a tree may be a chain of any length.

Glossary: the *top* is the node at which the drawing begins. A node is *opened* if its children are drawn. A branching
node that is not opened is *cut* and stands for its subtree. Small children of one node are *folded* into a single
line.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from treewright.tree import Branch, Tree

__all__ = ["Line", "Scope", "Size", "excerpt", "members", "size"]


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of a tree to draw.

    Parameters
    ----------
    node : int, default=0
        The node at which the drawing begins.
    depth : int or None, default=None
        Maximum depth below it.
    min_rows : int, default=0
        Children with fewer rows are folded, or left out of a list.
    """

    node: int = 0
    depth: int | None = None
    min_rows: int = 0


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a tree or subtree."""

    rows: int
    nodes: int
    leaves: int
    depth: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a drawing.

    Parameters
    ----------
    node : int
        The node; for folded children, their parent.
    depth : int
        Its depth below the top.
    last : bool
        Whether no sibling comes after it.
    branch : Branch or None
        The branch that leads to it; None for the top and for folded children.
    opened : bool
        Whether its children follow.
    hidden : int, default=0
        The number of nodes that it stands for: of a cut subtree, itself included, or of folded ones.
    folded : ndarray
        The children that it stands for.
    """

    node: int
    depth: int
    last: bool
    branch: Branch | None
    opened: bool
    hidden: int = 0
    folded: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))


def owners(tree: Tree, heads: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each node its nearest ancestor among ``heads``, itself included; else the root.

    Pointers double their reach in each round, so a chain of a million nodes takes twenty rounds.
    """
    owner = tree.parents.copy()
    owner[0] = 0
    owner[heads] = heads
    while True:
        further = owner[owner]
        if np.array_equal(further, owner):
            return owner
        owner = further


def members(tree: Tree, top: int) -> NDArray[np.int64]:
    """Return the nodes of a subtree, in the order of the table."""
    if top == 0:
        return np.arange(tree.n_nodes)
    return np.flatnonzero(owners(tree, np.array([top])) == top)


def size(tree: Tree, top: int = 0) -> Size:
    """Measure a tree, or the subtree of a node."""
    nodes = members(tree, top)
    leaves = np.count_nonzero(tree.n_children[nodes] == 0)
    depths = tree.depths
    deepest = depths[nodes].max() - depths[top]
    return Size(int(tree.count[top]), len(nodes), int(leaves), int(deepest))


def excerpt(tree: Tree, scope: Scope, lines: int) -> list[Line]:
    """Choose the nodes to draw, in reading order: each opened node is followed by its children."""
    opened = _open(tree, scope, lines)
    drawn: list[Line] = []
    # What is still to be drawn, the next one last; None in place of a node means the folded children of its parent.
    stack: list[tuple[int | None, int, int, bool, Branch | None]] = [(scope.node, 0, 0, True, None)]
    while stack:
        node, parent, depth, last, branch = stack.pop()
        if node is None:
            drawn.append(Line(parent, depth, last, None, False, folded=opened[parent][1]))
            continue
        drawn.append(Line(node, depth, last, branch, node in opened))
        if node not in opened:
            continue
        visible, folded = opened[node]
        if len(folded):
            stack.append((None, node, depth + 1, True, None))
        branches = {branch.child: branch for branch in tree.branches(node)}
        for child in reversed(visible.tolist()):
            end = child == visible[-1] and not len(folded)
            stack.append((child, node, depth + 1, end, branches[child]))
    return _count_hidden(tree, drawn)


Opened = dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]]


def _open(tree: Tree, scope: Scope, lines: int) -> Opened:
    """Open nodes best-first; return the drawn and the folded children of each opened node."""
    rows, first, n_children = tree.count, tree.first_child, tree.n_children
    opened: Opened = {}
    used = 1
    waiting = [(0, scope.node, 0)]
    while waiting:
        _, node, depth = heappop(waiting)
        if n_children[node] == 0 or depth == scope.depth:
            continue
        children = int(first[node]) + np.arange(int(n_children[node]))
        visible, folded = _fold(children, rows[children] >= scope.min_rows)
        if used + len(visible) + bool(len(folded)) > lines:
            room = lines - used - 1
            if node != scope.node or room < 1:
                continue
            # The top is always opened: of thousands of branches its largest ones are drawn.
            order = np.argsort(-rows[children].astype(np.int64), kind="stable")
            visible, folded = np.sort(children[order[:room]]), np.sort(children[order[room:]])
        if not len(visible):
            continue
        opened[node] = visible, folded
        used += len(visible) + bool(len(folded))
        for child in visible.tolist():
            if n_children[child] and rows[child] >= scope.min_rows:
                heappush(waiting, (-int(rows[child]), child, depth + 1))
    return opened


def _fold(
    children: NDArray[np.int64], large: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    # One small child takes a line either way, and its own line says more.
    if np.count_nonzero(~large) < 2:
        return children, children[:0]
    return children[large], children[~large]


def _count_hidden(tree: Tree, drawn: list[Line]) -> list[Line]:
    """Fill in how many nodes each cut or folded line stands for."""
    heads = [line.folded if len(line.folded) else _cut_node(tree, line) for line in drawn]
    every = np.concatenate(heads)
    if not len(every):
        return drawn
    sizes = np.bincount(owners(tree, every), minlength=tree.n_nodes)
    return [
        replace(line, hidden=int(sizes[head].sum())) if len(head) else line
        for line, head in zip(drawn, heads, strict=True)
    ]


def _cut_node(tree: Tree, line: Line) -> NDArray[np.int64]:
    cut = not line.opened and tree.n_children[line.node] > 0
    return np.array([line.node] if cut else [], dtype=np.int64)
