"""The ends of a tree, in the order in which the core visits the parts of a row that is divided."""

from __future__ import annotations

from collections.abc import Iterator

from treewright._model.paths.ordered_tests import DIVIDED, Arms

__all__ = ["ends"]

Path = list[tuple[int, int]]


def ends(arms: Arms) -> Iterator[tuple[int, Path]]:
    """Give every node where a walk may end, with the steps to it: (node, next node).

    Children come in their order; a walk that stops at a branch takes the step from it to itself. A part of a row never
    goes to a child without weight, but a whole row may.
    """
    tree = arms.tree
    waiting: list[tuple[int, Path]] = [(0, [])]
    while waiting:
        node, path = waiting.pop()
        if not tree.n_children[node] or (path and path[-1] == (node, node)):
            yield node, path
            continue
        goes = {arm.goes for arm in arms.of(node)}
        first = int(tree.first_child[node])
        reached = [
            child
            for child in range(first, first + int(tree.n_children[node]))
            if child in goes or (DIVIDED in goes and tree.weight[child] > 0)
        ]
        if node in goes:
            reached.append(node)
        waiting += [(child, [*path, (node, child)]) for child in reversed(reached)]
