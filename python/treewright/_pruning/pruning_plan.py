"""The parameters of pruning during a fit, checked; loading a model checks them, too, and needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treewright._utils.choices import FIT_PRUNING, RISKS
from treewright._utils.random_state import check_seed
from treewright._utils.validation import check_choice, check_integer, check_number
from treewright.errors import UsageError

__all__ = ["PruningPlan", "plan_of"]

# Default number of folds: one of three is held out; each of ten is left out in turn.
FOLDS = {"reduced_error": 3, "cost_complexity": 10}


@dataclass(frozen=True)
class PruningPlan:
    """The checked parameters of pruning."""

    method: str
    confidence: float
    fraction: float | None
    alpha: float | None
    risk: str
    folds: int
    seed: int
    shallow: bool
    # Whether rows are held out by their position in the table, as Weka does.
    by_position: bool


def plan_of(params: Mapping[str, Any], *, classes: bool = True) -> PruningPlan | None:
    """Check the parameters of pruning; None if the tree is not pruned."""
    param = params.get
    shallow = param("variant") == "rpart"
    method = param("prune")
    alpha = check_number("ccp_alpha", param("ccp_alpha"), minimum=0, optional=True)
    if method is not None:
        # Pessimistic pruning counts errors, which only trees of classes make.
        check_choice("prune", method, FIT_PRUNING if classes else FIT_PRUNING[1:])
    if alpha and method not in (None, "cost_complexity"):
        raise UsageError(
            f"ccp_alpha belongs to prune='cost_complexity', not to {method!r}",
            slug="usage.parameter",
        )
    if alpha:
        method = "cost_complexity"
    n_folds = check_integer("folds", param("folds"), minimum=2, optional=True)
    fraction = check_number(
        "validation_fraction", param("validation_fraction"), minimum=0, maximum=1, optional=True
    )
    plan = PruningPlan(
        method or "",
        check_number("confidence", param("confidence", 0.25), minimum=0, maximum=1),
        fraction,
        alpha,
        check_choice("ccp_risk", param("ccp_risk") or ("errors" if shallow else "impurity"), RISKS),
        n_folds or FOLDS.get(method or "", 2),
        check_seed(param("random_state")),
        shallow,
        param("variant") == "j48",
    )
    return plan if method else None
