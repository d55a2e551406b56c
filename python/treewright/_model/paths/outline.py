"""A tree as steps of a program: open a question, take an arm, end at a node, close the question.

Languages that nest (``if``, ``CASE``, XML) write a line or an element for each step. The steps come from a list of open
nodes, so that a tree may be deeper than any stack.

Glossary: where an answer leads to a child by several arms that do not stand side by side (surrogates), the steps *pick*
the child first: ``arms`` then holds one arm without tests for each child.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from treewright._model.paths.ordered_tests import DIVIDED, Arm, Arms

__all__ = ["Step", "outline"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    Parameters
    ----------
    word : {"open", "arm", "end", "close"}
        What happens.
    depth : int
        How many questions are open above it.
    node : int
        The node that asks, or at which the walk ends; ``DIVIDED`` where the row is divided there.
    arms : tuple of Arm, default=()
        For "open" all arms of the node; for "arm" the one that is taken.
    picks : bool, default=False
        Whether the child is picked by number.
    """

    word: Literal["open", "arm", "end", "close"]
    depth: int
    node: int
    arms: tuple[Arm, ...] = ()
    picks: bool = False


def outline(arms: Arms) -> Iterator[Step]:
    """Give the steps of a tree from its root."""
    tree = arms.tree
    waiting: list[Step | int] = [0]
    depth = 0
    while waiting:
        step = waiting.pop()
        if isinstance(step, Step):
            depth = step.depth + (step.word == "arm")
            yield step
            continue
        if not tree.n_children[step]:
            yield Step("end", depth, step)
            continue
        node, asked = step, tuple(arms.of(step))
        if len(asked) == 1:  # every row has the same way on
            goes = asked[0].goes
            waiting.append(Step("end", depth, goes) if goes in (node, DIVIDED) else goes)
            continue
        targets = list(dict.fromkeys(arm.goes for arm in asked))
        picks = len(targets) < len(asked)
        yield Step("open", depth, node, asked, picks)
        waiting.append(Step("close", depth, node))
        for arm in reversed([Arm((), goes) for goes in targets] if picks else asked):
            # A walk that stops at a branch ends there; only a child is visited.
            stops = arm.goes in (node, DIVIDED)
            waiting.append(Step("end", depth + 1, arm.goes) if stops else arm.goes)
            waiting.append(Step("arm", depth, node, (arm,), picks))
