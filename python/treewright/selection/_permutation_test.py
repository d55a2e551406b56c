"""Permutation test: how often does chance alone score as high? The target is shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.source_columns import prepare_training
from treewright.selection._column_splits import Columns, divide
from treewright.selection._measures import figures
from treewright.selection._rank import Question
from treewright.selection._ranking import ColumnRanking
from treewright.table import Table

__all__ = ["p_values"]


def p_values(
    question: Question, table: Table, y: Any, ranking: ColumnRanking, rounds: int, seed: int
) -> NDArray[np.float64]:
    """Return for each column the fraction of scores, its own included, that are at least its own.

    Counting the own score keeps the p-value above zero and the test valid for any number of rounds.
    """
    by = ranking.by
    target, _ = question.target(y, by)
    columns = Columns.of(prepare_training(table))
    own = np.empty(len(ranking))
    for column in ranking:
        own[column.position] = column.score
    random = np.random.default_rng(seed)
    as_high = np.ones(len(own))
    for _ in range(rounds):
        shuffled = target.take(random.permutation(len(target)))
        divisions = divide(columns, shuffled, question.way(by), question.threads)
        scores = np.array([figures(division, question.missing)[by] for division in divisions])
        # Scores that differ by rounding only are equal.
        as_high += scores >= own - 1e-12 * np.abs(own)
    return as_high / (rounds + 1)
