"""Answers for rows that the learner did not see: each row is answered by a model learnt without it.

Glossary: a *part* is some rows that are left out and answered together. Parts hold the classes in the shares of the
whole table, as far as whole rows allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli.console import Console
from treewright.cli.lessons import Lesson
from treewright.cli.progress import watched
from treewright.table import Series

__all__ = ["Rows", "answers_left_out", "folds", "held_out", "singles"]

Rows = NDArray[np.int64]


def singles(count: int) -> list[Rows]:
    """Give each row alone."""
    return list(np.arange(count)[:, None])


def folds(target: Series, parts: int, seed: int) -> list[Rows]:
    """Divide the rows into parts, at random; each row is in one part.

    Examples
    --------
    >>> y = Series.of("y", ["a", "b", "a", "b", "a", "b"])
    >>> [sorted(y.values()[i] for i in part) for part in folds(y, 3, seed=0)]
    [['a', 'b'], ['a', 'b'], ['a', 'b']]
    """
    line = _line(target, seed)
    return [np.sort(line[first::parts]) for first in range(parts)]


def held_out(target: Series, share: float, seed: int) -> Rows:
    """Choose rows to hold out, at random: at least one, and not all."""
    line = _line(target, seed)
    wanted = min(len(line) - 1, max(1, round(share * len(line))))
    return np.sort(line[(2 * np.arange(wanted) + 1) * len(line) // (2 * wanted)])


def _line(target: Series, seed: int) -> Rows:
    """Line the rows up class by class, at random within a class: every even choice then has all classes."""
    # RandomState's numbers are the same in every version of numpy.
    order = np.random.RandomState(seed).permutation(len(target.data))
    if target.kind == "numeric":
        return order
    line: Rows = order[np.argsort(target.data[order], kind="stable")]
    return line


def answers_left_out(
    model: Any, lesson: Lesson, parts: Sequence[Rows], what: str, console: Console
) -> tuple[Rows, list[Any]]:
    """Learn without each part and answer it; return the rows and their answers."""
    from sklearn.base import clone

    every = np.arange(len(lesson.table))
    answers: list[Any] = []
    for part in watched(parts, len(parts), what, console):
        rest = lesson[np.setdiff1d(every, part)]
        learnt = clone(model).fit(rest.table, rest.target, rest.weights)
        answers += learnt.predict(lesson.table[part]).tolist()
    return np.concatenate(parts), answers
