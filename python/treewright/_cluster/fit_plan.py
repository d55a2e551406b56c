"""What every process of a boosting fit must know before it reads its rows.

Workers import this module and not those that make the plan, which need the estimators.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from treewright._cluster.merged_schema import MergedSchema
from treewright._cluster.table_facts import TableFacts

if TYPE_CHECKING:
    from treewright._learners.boosting.boosting_recipe import Boost

__all__ = ["BoostingPlan"]


@dataclass(frozen=True)
class BoostingPlan:
    """A boosting fit whose rows are divided.

    Parameters
    ----------
    recipe : dict
        How the core grows the trees.
    merged : MergedSchema
        The columns.
    facts : TableFacts
        What is known of the table.
    factors : list of float
        The factor of each class; empty if all are 1.
    rounds : int
        Number of rounds.
    validation : float or None
        The fraction of rows that early stopping holds out.
    base : list of float or None
        Where the sums start; None for the best constant.
    """

    recipe: Boost
    merged: MergedSchema
    facts: TableFacts
    factors: list[float]
    rounds: int
    validation: float | None
    base: list[float] | None
