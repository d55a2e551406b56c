"""A tree as steps of a program: open a split, enter a branch, end at a node, close the split.

Languages that nest (``if``, ``CASE``, XML) write a line or an element for each step. The steps come from a list of open
nodes, so the depth of a tree is not limited by the stack.

Glossary: where several branches lead to the same child (surrogates), the steps *pick* the number of the child first;
``branches`` then holds one entry without tests per child.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from treewright._model.paths.ordered_tests import DIVIDED, BranchTests, OrderedTests

__all__ = ["Step", "outline"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Parameters
    ----------
    word : {"open", "branch", "end", "close"}
        What happens.
    depth : int
        How many splits are open around it.
    node : int
        The node that is split, or where the path ends; ``DIVIDED`` where the row is divided.
    branches : tuple of BranchTests, default=()
        For "open" all branches of the node; for "branch" the one that is entered.
    picks : bool, default=False
        Whether the child is picked by number.
    """

    word: Literal["open", "branch", "end", "close"]
    depth: int
    node: int
    branches: tuple[BranchTests, ...] = ()
    picks: bool = False


def outline(splits: OrderedTests) -> Iterator[Step]:
    """Yield the steps of a tree from its root."""
    tree = splits.tree
    waiting: list[Step | int] = [0]
    depth = 0
    while waiting:
        step = waiting.pop()
        if isinstance(step, Step):
            depth = step.depth + (step.word == "branch")
            yield step
            continue
        if not tree.n_children[step]:
            yield Step("end", depth, step)
            continue
        node, branches = step, tuple(splits.of(step))
        if len(branches) == 1:  # every row goes the same way
            goes = branches[0].goes
            waiting.append(Step("end", depth, goes) if goes in (node, DIVIDED) else goes)
            continue
        targets = list(dict.fromkeys(branch.goes for branch in branches))
        picks = len(targets) < len(branches)
        yield Step("open", depth, node, branches, picks)
        waiting.append(Step("close", depth, node))
        for branch in reversed([BranchTests((), goes) for goes in targets] if picks else branches):
            # A path that stops at an inner node ends there; only children are visited.
            stops = branch.goes in (node, DIVIDED)
            waiting.append(Step("end", depth + 1, branch.goes) if stops else branch.goes)
            waiting.append(Step("branch", depth, node, (branch,), picks))
