"""The name of the drawn model, and hints for drawing more of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._render.safe_text import visible

__all__ = ["Caption"]


@dataclass(frozen=True, slots=True)
class Caption:
    """How the tree was grown, and how the reader can see more of it.

    Parameters
    ----------
    method : str, default=""
        The algorithm and its split criterion, such as ``"ID3 (information gain)"``.
    criterion : str, default="cost"
        The name of the impurity of a node, such as ``"entropy"``.
    command : str, default=""
        The command that drew it, such as ``"treewright show m.tree"``; empty in Python.
    ranges : callable, default=None
        Returns the minimum and maximum of the target in each node, or None if the model does not store them.
    tree : int or None, default=None
        The number of the tree in its ensemble.

    Examples
    --------
    >>> Caption(command="treewright show m.tree").open(17)
    'treewright show m.tree --node 17'
    >>> Caption().open(17)
    'show(model, node=17)'
    >>> Caption(tree=2).open(17)
    'show(model, tree=2, node=17)'
    """

    method: str = ""
    criterion: str = "cost"
    command: str = ""
    ranges: Callable[[], NDArray[np.float64] | None] | None = None
    tree: int | None = None

    def title(self, target: str | None) -> str:
        """Return target and method: ``PlayTennis by ID3 (information gain)``."""
        return " by ".join(part for part in (target, self.method) if part) or "tree"

    def open(self, node: int) -> str:
        """Return the command that draws one subtree."""
        return self._call({}, "node", node)

    def more(self, lines: int, style: str = "tree") -> str:
        """Return the command that draws more lines."""
        return self._call({} if style == "tree" else {"style": style}, "lines", lines)

    def _call(self, words: dict[str, str], option: str, value: int) -> str:
        if self.command:
            style = "".join(f" --as {word}" for word in words.values())
            tree = "" if self.tree is None else f" --tree {self.tree}"
            return f"{visible(self.command)}{tree}{style} --{option} {value}"
        style = "".join(f'{name}="{word}", ' for name, word in words.items())
        tree = "" if self.tree is None else f"tree={self.tree}, "
        return f"show(model, {tree}{style}{option}={value})"
