"""What was decided by hand in a tree: marks on its nodes, which a model keeps and a file holds."""

from __future__ import annotations

from typing import Any

from treewright._learners.trees.training_record import original_nodes
from treewright.tree import Tree

__all__ = ["MARKS", "Marks", "move_marks", "read_marks"]

# A question that the algorithm would not have asked; a leaf that it would have split; a node that nobody has split yet;
# at the root, a tree that is not pruned though a fit would prune it.
MARKS = ("split", "leaf", "open", "unpruned")
Marks = dict[int, str]


def read_marks(kept: Any, n_nodes: int) -> Marks:
    """Return the marks that a model file keeps, checked.

    Examples
    --------
    >>> read_marks({"by_hand": [[0, "split"], [2, "leaf"]]}, 5)
    {0: 'split', 2: 'leaf'}
    """
    pairs = kept.get("by_hand") if isinstance(kept, dict) and len(kept) == 1 else None
    if not isinstance(pairs, list) or not all(_is_mark(pair, n_nodes) for pair in pairs):
        raise ValueError("what was decided by hand does not fit the tree")
    return dict(pairs)


def _is_mark(pair: Any, n_nodes: int) -> bool:
    if not isinstance(pair, list) or len(pair) != 2 or type(pair[0]) is not int:
        return False
    return 0 <= pair[0] < n_nodes and pair[1] in MARKS


def move_marks(marks: Marks, before: Tree, after: Tree) -> Marks:
    """Return the marks of a tree after pruning; where a branch was raised, the root says that there were some."""
    nodes = original_nodes(before, after)
    if nodes is None:
        return {0: "split"} if marks else {}
    return {
        node: marks[was]
        for node, was in enumerate(nodes)
        if was in marks
        and (marks[was] == "unpruned" or bool(after.n_children[node]) == (marks[was] == "split"))
    }
