"""A fit that several processes run together: each reads its partitions and takes the same steps as the others.

An engine only has to start the processes and to connect them; nothing is decided outside of them. An error in one
process is raised in all, so that an engine does not take it for a lost process and begin again.
"""

from __future__ import annotations

import copy
import hashlib
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from treewright import _core
from treewright._cluster import boosting_plan, divided_stumps, divided_trees
from treewright._cluster.agreement import (
    Numbered,
    agree,
    agree_on_first,
    agree_on_own,
    gather_in_first,
)
from treewright._cluster.boosting_part import Progress, train_part
from treewright._cluster.boosting_plan import finish_model, note_facts, note_rows, plan_boosting
from treewright._cluster.forest_bytes import forest_from_bytes
from treewright._cluster.gathered_fits import FittedModel, fit_rows
from treewright._cluster.joint_forest import fit_forest, is_dealt
from treewright._cluster.packed_rows import join_rows, pack_partition
from treewright._cluster.partitions import read_partition
from treewright._cluster.table_facts import TableFacts, describe_partition, merge_partitions
from treewright._learners.boosting.gradient_boosting import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from treewright.errors import InternalError

__all__ = ["RawPartition", "fit_together"]

BOOSTING = (GradientBoostingClassifier, GradientBoostingRegressor)
# Other fits whose rows stay where they are: which these are, and what each process does.
DIVIDED = (
    (divided_trees.is_divisible, divided_trees.fit_divided),
    (divided_stumps.is_divisible, divided_stumps.fit_divided),
)


@dataclass(frozen=True, eq=False)
class RawPartition:
    """A partition as an engine holds it, and its number among all partitions."""

    number: int
    X: Any
    y: Any
    sample_weight: Any = None


def fit_together(
    peers: _core.Peers,
    parts: Sequence[RawPartition],
    estimator: Any,
    classes: bool,
    divides: bool = True,
) -> FittedModel:
    """Fit a local estimator to the rows of all processes; every process returns the same model.

    Parameters
    ----------
    peers : Peers
        The processes.
    parts : sequence of RawPartition
        The partitions that this process holds.
    estimator : estimator
        A local estimator with the parameters of the fit.
    classes : bool
        Whether the target holds classes; otherwise numbers.
    divides : bool, default=True
        Whether processes share the work. That takes many or large messages, which must be fast.
    """
    facts, packed = read_together(peers, parts, classes)
    if divides and isinstance(estimator, BOOSTING) and boosting_plan.is_divisible(estimator, facts):
        return replace(fit_boosting(peers, packed, estimator, facts), method="merged sums")
    for is_divisible, fit in DIVIDED:
        if divides and is_divisible(estimator, facts):
            own = [rows for _, rows in packed]
            return replace(fit(peers, own, facts, estimator), method="merged sums")
    if divides and is_dealt(estimator):
        return replace(fit_forest(peers, packed, estimator, facts), method="trees by number")
    return replace(fit_in_first(peers, packed, estimator, facts), method="one worker")


def fit_boosting(
    peers: _core.Peers, packed: Sequence[Numbered], estimator: Any, facts: TableFacts
) -> FittedModel:
    """Fit gradient boosting: every process keeps its rows, and all add up integers."""
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # One process plans, because a seed may be drawn.
        plan = agree_on_first(peers, lambda: plan_boosting(estimator, facts))
        own = [rows for _, rows in packed if len(rows)]
        trained = train_part(plan, peers, own, Progress(), lambda *_: None)
        if len(set(agree(peers, lambda: hashlib.sha256(trained.forest).digest()))) > 1:
            raise InternalError("the processes of a fit have grown different trees")
        schema = note_facts(plan)
        rows = gather_in_first(peers, packed) if schema is None else []

        def finish() -> Any:
            noted = note_rows(plan, rows) if schema is None else schema
            forest = forest_from_bytes(trained.forest)
            return finish_model(copy.copy(estimator), plan, forest, trained.losses, noted)

        model = agree_on_first(peers, finish)
    notes = [(each.category, str(each.message)) for each in caught]
    return FittedModel(model, notes, time.perf_counter() - start, trained.peak)


def fit_in_first(
    peers: _core.Peers, packed: Sequence[Numbered], estimator: Any, facts: TableFacts
) -> FittedModel:
    """Fit any estimator in the first process, to which the others send their rows in coded form."""
    parts = gather_in_first(peers, packed)
    return agree_on_first(
        peers, lambda: fit_rows(estimator, join_rows(parts, facts), facts.is_named, 1)
    )


def read_together(
    peers: _core.Peers, parts: Sequence[RawPartition], classes: bool
) -> tuple[TableFacts, list[Numbered]]:
    """Return what is known of the table, and the rows of this process: each partition with its number, coded."""
    read = agree_on_own(
        peers,
        lambda: [
            (each.number, read_partition(each.number, each.X, each.y, each.sample_weight, classes))
            for each in parts
        ],
    )
    described = agree(peers, lambda: [(number, describe_partition(part)) for number, part in read])
    ordered = sorted((pair for pairs in described for pair in pairs), key=lambda pair: pair[0])
    facts = merge_partitions([each for _, each in ordered])
    packed = agree_on_own(
        peers, lambda: [(number, pack_partition(number, part, facts)) for number, part in read]
    )
    return facts, packed
