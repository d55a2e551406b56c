"""The nodes where paths end, in the order in which the core visits the parts of a fractional row."""

from __future__ import annotations

from collections.abc import Iterator

from treewright._model.paths.ordered_tests import DIVIDED, OrderedTests

__all__ = ["ends"]

Path = list[tuple[int, int]]


def ends(splits: OrderedTests) -> Iterator[tuple[int, Path]]:
    """Yield every node where a path may end, with the steps to it: (node, next node).

    Children come in their order. A path that stops at an inner node ends with a step from that node to itself. A part
    of a fractional row never goes to a child of weight 0; an undivided row may.
    """
    tree = splits.tree
    waiting: list[tuple[int, Path]] = [(0, [])]
    while waiting:
        node, path = waiting.pop()
        if not tree.n_children[node] or (path and path[-1] == (node, node)):
            yield node, path
            continue
        goes = {branch.goes for branch in splits.of(node)}
        first = int(tree.first_child[node])
        reached = [
            child
            for child in range(first, first + int(tree.n_children[node]))
            if child in goes or (DIVIDED in goes and tree.weight[child] > 0)
        ]
        if node in goes:
            reached.append(node)
        waiting += [(child, [*path, (node, child)]) for child in reversed(reached)]
