"""The way of a row through a tree: nested ``CASE``, or for a deep tree, which parsers cannot nest, a list of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from treewright._export.sql.text import Words
from treewright._model.paths.ends import ends
from treewright._model.paths.ordered_tests import DIVIDED, OrderedTests
from treewright._model.paths.outline import outline
from treewright._model.paths.regions import walk_regions

__all__ = ["Say", "numbers", "walk"]

NESTED = 12  # older versions of SQLite parse no more than about twenty CASEs inside each other

Say = Callable[[int], str]


def walk(splits: OrderedTests, words: Words, say: Say) -> str:
    """Write what a tree says where the walk ends; NULL where the row is divided."""
    return (_nested if splits.tree.depth <= NESTED else _flat)(splits, words, say)


def numbers(splits: OrderedTests, words: Words, said: NDArray[np.float64]) -> str:
    """Write the number that a tree says, from those of all its nodes."""
    return walk(splits, words, lambda node: words.number(said[node]))


def _nested(splits: OrderedTests, words: Words, say: Say) -> str:
    text: list[str] = []
    for step in outline(splits):
        indent = "    " * step.depth
        match step.word:
            case "open":
                text.append(f"CASE {words.choice(step.branches)}" if step.picks else "CASE")
            case "branch":
                [branch] = step.branches
                test = str(branch.goes) if step.picks else words.one_of(branch.tests)
                text.append(f"\n{indent}  WHEN {test} THEN " if test else f"\n{indent}  ELSE ")
            case "end":
                text.append("NULL" if step.node == DIVIDED else say(step.node))
            case "close":
                text.append(f"\n{indent}END")
    return "".join(text)


def _flat(splits: OrderedTests, words: Words, say: Say) -> str:
    rules = _picked(splits, words) if splits.has_surrogates else _boxed(splits, words)
    whens = [f"  WHEN {rule} THEN {say(node)}\n" for node, rule in rules]
    return f"CASE\n{''.join(whens)}END"


def _boxed(splits: OrderedTests, words: Words) -> Iterator[tuple[int, str]]:
    for node, region in walk_regions(splits):
        tests = (words.within(feature, values) for feature, values in region.items())
        yield node, " AND ".join(test for test in tests if test)


def _picked(splits: OrderedTests, words: Words) -> Iterator[tuple[int, str]]:
    for node, path in ends(splits):
        yield (
            node,
            " AND ".join(f"{words.choice(splits.of(above))} = {goes}" for above, goes in path),
        )
