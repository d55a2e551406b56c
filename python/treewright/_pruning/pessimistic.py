"""Pessimistic pruning: the expected errors of a leaf on new rows are the upper end of a confidence interval.

A subtree is replaced if a leaf is not expected to make more errors (by more than 0.1); with the training rows a branch
may also replace its parent. C4.5 and J48 differ in how they compute the interval, and in ties.
"""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._pruning.trace import PruneTrace, Row
from treewright._render.numbers import fixed
from treewright._utils.validation import check_choice, check_number
from treewright.table import CoreColumns

__all__ = ["VARIANTS", "PessimisticRules", "expected_errors", "run", "words"]


class PessimisticRules(TypedDict):
    """How the core prunes."""

    confidence: float
    interval: str
    tolerance: float
    keep_class: bool
    empty: str
    criterion: str
    tidy: bool


# Where the programs differ. The tolerance keeps rounding from deciding an exact tie.
VARIANTS: dict[str, dict[str, Any]] = {
    "c4.5": {"interval": "table", "tolerance": 1e-9, "keep_class": True, "empty": "majority"},
    "j48": {"interval": "normal", "tolerance": 1e-6, "keep_class": False, "empty": "shares"},
}
DECISIONS = np.array(["keep", "leaf", "raise"])


def words(
    variant: str, confidence: float, criterion: str = "entropy", *, tidy: bool = False
) -> PessimisticRules:
    """Return the rules of a variant in the words of the core.

    Examples
    --------
    >>> words("j48", 0.25)["interval"]
    'normal'
    """
    return {"confidence": confidence, "criterion": criterion, "tidy": tidy, **VARIANTS[variant]}  # type: ignore[typeddict-item]


def expected_errors(
    rows: float, errors: float, confidence: float = 0.25, variant: str = "c4.5"
) -> float:
    """Return the errors that a leaf is expected to make on new rows.

    Parameters
    ----------
    rows : float
        The weight of its training rows.
    errors : float
        The weight of those that it predicts wrongly.
    confidence : float, default=0.25
        The confidence level; smaller values are more pessimistic.
    variant : {"c4.5", "j48"}, default="c4.5"
        The program to follow: C4.5 takes the normal quantile from a table, J48 computes it.

    Returns
    -------
    float
        The expected errors: at least those in training.

    Examples
    --------
    >>> round(expected_errors(16, 1), 4), round(sum(expected_errors(n, 0) for n in (6, 9, 1)), 4)
    (2.5069, 3.2726)
    """
    interval = VARIANTS[check_choice("variant", variant, tuple(VARIANTS))]["interval"]
    confidence = check_number("confidence", confidence, minimum=0, maximum=1)
    seen = check_number("errors", errors, minimum=0, maximum=check_number("rows", rows, minimum=0))
    return _core.expected_errors(float(rows), seen, confidence, interval)


def run(
    forest: _core.Forest,
    rules: PessimisticRules,
    columns: CoreColumns | None = None,
    target: NDArray[np.uint32] | None = None,
    weights: NDArray[np.float64] | None = None,
    peers: _core.Peers | None = None,
) -> tuple[_core.Forest, PruneTrace]:
    """Prune a forest of one tree; with columns and target, branches may replace their parent.

    ``peers`` are the processes that hold the other rows.
    """
    pruned, decided = _core.prune_pessimistic(forest, rules, columns, target, weights, peers)
    trace_columns = {
        "node": decided["node"],
        "before": decided["subtree"],
        "after": decided["leaf"],
        "raised": decided["raised"],
        "decision": DECISIONS[decided["decision"]],
    }
    if columns is None:
        del trace_columns["raised"]
    options = {"confidence": rules["confidence"], "interval": rules["interval"]}
    return pruned, PruneTrace("pessimistic", "expected errors", trace_columns, _why, options)


def _why(row: Row) -> str:
    errors = {"a leaf": row["after"], "the subtree": row["before"]}
    if "raised" in row:
        errors["its largest branch in its place"] = row["raised"]
    chosen = {"leaf": "a leaf", "keep": "the subtree"}.get(row["decision"], [*errors][-1])
    others = ", ".join(f"{name} {fixed(x, 2)}" for name, x in errors.items() if name != chosen)
    return f"{chosen} is expected to make {fixed(errors[chosen], 2)} errors, {others}"
