"""Which answers a change should lead to: any other, a class by its name, or a bound on a number."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from treewright.errors import Hint, UsageError
from treewright.schema import label
from treewright.tree import Tree

__all__ = ["accepting"]

COMPARED = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
BOUND = re.compile(r"\s*(>=|<=|>|<)\s*(\S+)\s*")


def accepting(tree: Tree, want: Any, answer: Any) -> Callable[[int], bool] | None:
    """Return which leaves are wanted; None where a number is predicted and nothing was said."""
    classes = tree.schema.classes
    if not classes:
        return None if want is None else _bound(tree, str(want))
    if want is None:
        return lambda node: tree.answer(node) != answer
    named = [c for c in classes if c == want or label(c) == str(want)]
    if not named:
        shown = ", ".join(label(c) for c in classes[:20])
        raise UsageError(
            f'the model has no class "{want}"', slug="explain.want", hints=[f"classes: {shown}"]
        )
    return lambda node: tree.answer(node) == named[0]


def _bound(tree: Tree, want: str) -> Callable[[int], bool]:
    found = BOUND.fullmatch(want)
    try:
        word, bound = (found[1], float(found[2])) if found else ("", 0.0)
    except ValueError:
        word = ""
    if not word:
        raise UsageError(
            f'"{want}" is no bound of a number',
            slug="explain.want",
            hints=[Hint(option="want", value=">= 200")],
        )
    compare = COMPARED[word]
    return lambda node: bool(compare(tree.value[node, 0], bound))
