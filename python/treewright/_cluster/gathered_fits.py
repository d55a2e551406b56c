"""Fits of one process on all rows: the rows of all partitions, coded, come together where the fit runs.

The estimator is the local one, so its model has the bytes of a local fit.
"""

from __future__ import annotations

import copy
import time
import warnings
from dataclasses import dataclass
from typing import Any

from treewright._cluster.packed_rows import TrainingRows
from treewright._cluster.process_facts import peak_memory

__all__ = ["FittedModel", "copy_for_worker", "fit_rows"]


@dataclass(frozen=True, eq=False)
class FittedModel:
    """A fitted estimator, the warnings of its fit, what the fit took, and how the rows came together."""

    estimator: Any
    warnings: list[tuple[type[Warning], str]]
    seconds: float
    peak: int
    method: str = ""


def fit_rows(
    estimator: Any, rows: TrainingRows, is_named: bool, threads: int | None = None
) -> FittedModel:
    """Fit a copy of a local estimator to all rows."""
    estimator = copy_for_worker(estimator, threads)
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        weighted = () if rows.weights is None else (rows.weights,)
        estimator.fit(rows.table, rows.target, *weighted)
    if not is_named:
        estimator.__dict__.pop("feature_names_in_", None)
    notes = [(each.category, str(each.message)) for each in caught]
    return FittedModel(estimator, notes, time.perf_counter() - start, peak_memory())


def copy_for_worker(estimator: Any, threads: int | None) -> Any:
    """Return a copy that another fit cannot disturb, silent, with the threads of its worker."""
    other = copy.copy(estimator)
    if threads is not None and "n_jobs" in other.__dict__ and other.n_jobs is None:
        other.n_jobs = threads
    if "verbose" in other.__dict__:
        other.verbose = 0
    return other
