"""Pessimistic pruning: what a leaf is expected to get wrong on new rows is the upper end of a confidence interval.

A subtree goes where a leaf is not expected to make more errors (by a grace of 0.1); with the training rows at hand a
branch may also take its parent's place. The two programs that do so differ in how they find the interval, and in ties.
"""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._pruning.trace import PruneTrace, Row
from treewright._render.numbers import fixed
from treewright._utils.validation import check_choice, check_number

__all__ = ["VARIANTS", "Words", "expected_errors", "run", "words"]


class Words(TypedDict):
    """What crosses into the core."""

    confidence: float
    interval: str
    tolerance: float
    keep_class: bool
    empty: str
    criterion: str
    tidy: bool


# Where the programs differ. A hair of tolerance keeps rounding from deciding an exact tie.
VARIANTS: dict[str, dict[str, Any]] = {
    "c4.5": {"interval": "table", "tolerance": 1e-9, "keep_class": True, "empty": "majority"},
    "j48": {"interval": "normal", "tolerance": 1e-6, "keep_class": False, "empty": "shares"},
}
DECISIONS = np.array(["keep", "leaf", "raise"])


def words(
    variant: str, confidence: float, criterion: str = "entropy", *, tidy: bool = False
) -> Words:
    """Return the words for a variant.

    Examples
    --------
    >>> words("j48", 0.25)["interval"]
    'normal'
    """
    return {"confidence": confidence, "criterion": criterion, "tidy": tidy, **VARIANTS[variant]}  # type: ignore[typeddict-item]


def expected_errors(
    rows: float, errors: float, confidence: float = 0.25, variant: str = "c4.5"
) -> float:
    """Return the errors to expect on new rows of a leaf.

    Parameters
    ----------
    rows : float
        The weight of its training rows.
    errors : float
        The weight of those that it answers wrongly.
    confidence : float, default=0.25
        The smaller, the more pessimistic.
    variant : {"c4.5", "j48"}, default="c4.5"
        Whose estimate: the first reads the normal quantile from a table, the second computes it.

    Returns
    -------
    float
        The errors seen, and some more.

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
    rules: Words,
    columns: list[NDArray[Any]] | None = None,
    target: NDArray[np.uint32] | None = None,
    weights: NDArray[np.float64] | None = None,
) -> tuple[_core.Forest, PruneTrace]:
    """Prune a forest of one tree; with columns and target branches may be raised."""
    small, figures = _core.prune_pessimistic(forest, rules, columns, target, weights)
    found = {
        "node": figures["node"],
        "before": figures["subtree"],
        "after": figures["leaf"],
        "raised": figures["raised"],
        "decision": DECISIONS[figures["decision"]],
    }
    if columns is None:
        del found["raised"]
    options = {"confidence": rules["confidence"], "interval": rules["interval"]}
    return small, PruneTrace("pessimistic", "expected errors", found, _why, options)


def _why(row: Row) -> str:
    figures = {"a leaf": row["after"], "the subtree": row["before"]}
    if "raised" in row:
        figures["its largest branch in its place"] = row["raised"]
    chosen = {"leaf": "a leaf", "keep": "the subtree"}.get(row["decision"], [*figures][-1])
    others = ", ".join(f"{name} {fixed(x, 2)}" for name, x in figures.items() if name != chosen)
    return f"{chosen} is expected to make {fixed(figures[chosen], 2)} errors, {others}"
