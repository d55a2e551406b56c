"""Answers for rows that the learner did not see: each row is answered by a model learnt without it.

Glossary: a *part* is some rows that are left out and answered together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli.app.console import Console
from treewright.cli.app.progress import watched
from treewright.cli.tables.training_data import Lesson

__all__ = ["Rows", "answers_left_out", "singles"]

Rows = NDArray[np.int64]


def singles(count: int) -> list[Rows]:
    """Give each row alone."""
    return list(np.arange(count)[:, None])


def answers_left_out(
    model: Any, lesson: Lesson, parts: Sequence[Rows], what: str, console: Console
) -> tuple[Rows, list[Any]]:
    """Learn without each part and answer it; return the rows and their answers."""
    from sklearn.base import clone

    alone = clone(model)
    if "oob_score" in alone.get_params(deep=False):  # each fold would count its own, for nobody
        alone.set_params(oob_score=False)
    every = np.arange(len(lesson.table))
    answers: list[Any] = []
    for part in watched(parts, len(parts), what, console):
        rest = lesson[np.setdiff1d(every, part)]
        learnt = rest.teach(clone(alone))
        answers += learnt.predict(lesson.table[part]).tolist()
    return np.concatenate(parts), answers
