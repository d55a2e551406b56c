"""The methods that only models of one tree have: its depth and its number of leaves, by scikit-learn's names."""

from __future__ import annotations

from typing import Any

__all__ = ["get_depth", "get_n_leaves"]


def get_depth(self: Any) -> int:
    """Return the number of splits on the longest path, like ``tree_.depth``.

    Returns
    -------
    int
        The depth; 0 for a single leaf.
    """
    depth: int = self.tree_.depth
    return depth


def get_n_leaves(self: Any) -> int:
    """Return the number of leaves, like ``tree_.n_leaves``.

    Returns
    -------
    int
        The number of leaves.
    """
    leaves: int = self.tree_.n_leaves
    return leaves
