"""How a fit of an ensemble runs: warm start, threads, random seed and progress.

Not here: which rows and columns a seed selects (``sampling``), how a fit continues an earlier one (``warm_start``).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treewright._utils.validation import check_number
from treewright.errors import UsageError

__all__ = [
    "RunParams",
    "check_learning_rate",
    "progress_callback",
]


@dataclass(kw_only=True, eq=False, repr=False)
class RunParams:
    """Parameters that every ensemble has.

    Parameters
    ----------
    warm_start : bool, default=False
        Whether ``fit`` keeps the estimators of the previous fit and adds to them. The model is the same as if all were
        fitted at once.
    n_jobs : int or None, default=None
        Maximum number of threads; None uses all that the process may use. The model does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        Random seed. None means 0, so the same data always give the same model.
    verbose : int or callable, default=0
        If positive, progress is printed about once per second; gradient boosting prints the losses of every tenth
        round, or more often for larger numbers. A function is called as ``verbose(done, total)``.
    """

    warm_start: bool = False
    n_jobs: int | None = None
    random_state: Any = None
    verbose: Any = 0


def check_learning_rate(learning_rate: Any) -> float:
    """Return a positive, finite learning rate, or raise an error.

    Examples
    --------
    >>> check_learning_rate(0.1)
    0.1
    """
    rate = float(check_number("learning_rate", learning_rate, minimum=0))
    if not 0 < rate < math.inf:
        raise UsageError(
            f"learning_rate must be a number greater than 0; got {learning_rate!r}",
            slug="usage.parameter",
        )
    return rate


def progress_callback(model: Any, total: int) -> Callable[[int], None] | None:
    """Return a function that reports how many estimators are done, as ``verbose`` asks for it; None if it is 0."""
    verbose, name = model.verbose, type(model).__name__
    if callable(verbose):
        return lambda done: verbose(done, total)
    if not verbose:
        return None
    start = last = time.monotonic()

    def report(done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= 1 or done == total:
            last = now
            print(f"{name}: {done} of {total} trees, {now - start:.1f} s")

    return report
