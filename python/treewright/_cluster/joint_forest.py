"""A forest that several processes grow together: each gets all rows and grows some of the trees, by their numbers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright import _core
from treewright._cluster.agreement import (
    Numbered,
    agree_on_first,
    agree_on_own,
    gather_rows,
    send_to_first,
)
from treewright._cluster.forest_parts import grow_part, join_parts, make_shell, needs_all_trees
from treewright._cluster.gathered_fits import FittedModel
from treewright._cluster.packed_rows import TrainingRows, join_rows
from treewright._cluster.process_facts import peak_memory
from treewright._cluster.table_facts import TableFacts
from treewright._learners.ensembles.forests import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from treewright._utils.validation import check_integer

__all__ = ["fit_forest", "is_dealt"]

FORESTS = (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)


def is_dealt(estimator: Any) -> bool:
    """Whether processes may grow trees of an estimator apart: a forest that needs no tree together with all rows.

    Examples
    --------
    >>> is_dealt(RandomForestClassifier()), is_dealt(RandomForestClassifier(oob_score=True))
    (True, False)
    """
    if not isinstance(estimator, FORESTS) or needs_all_trees(estimator):
        return False
    return not (estimator.warm_start and "_forest" in estimator.__dict__)


def fit_forest(
    peers: _core.Peers, packed: Sequence[Numbered], estimator: Any, facts: TableFacts
) -> FittedModel:
    """Fit a forest in all processes, given the rows of this one; every process returns the same model."""
    start = time.perf_counter()
    rows = join_rows(gather_rows(peers, packed), facts)
    own = agree_on_own(peers, lambda: _grow_own(peers, rows, estimator, facts))
    sent = send_to_first(peers, own[1:])

    def finish() -> FittedModel:
        shell: FittedModel = own[0]
        parts = [part for parts in sent for part in parts]
        shell.estimator._forest = join_parts(shell.estimator.schema_, parts)
        return FittedModel(
            shell.estimator, shell.warnings, time.perf_counter() - start, peak_memory()
        )

    return agree_on_first(peers, finish)


def _grow_own(
    peers: _core.Peers, rows: TrainingRows, estimator: Any, facts: TableFacts
) -> list[Any]:
    """Return the forest without trees, then the trees of this process, if it has any."""
    total = check_integer("n_estimators", estimator.n_estimators, minimum=1)
    numbers = np.array_split(np.arange(total), peers.size)[peers.rank]
    shell = make_shell(estimator, rows, facts.is_named)
    if not len(numbers):
        return [shell]
    trees = range(int(numbers[0]), int(numbers[-1]) + 1)
    return [shell, grow_part(estimator, rows, facts.is_named, trees)]
