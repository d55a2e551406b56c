"""The rows of a boosting fit: training rows, and rows that are held out to watch the validation loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._estimator.training_data import TrainingData
from treewright._input.encoding import encode_columns
from treewright._input.folds import held_out
from treewright._learners.boosting.evaluation_sets import EvaluationSet, check_set
from treewright._utils.validation import check_number
from treewright.errors import UsageError
from treewright.table import CoreColumns

__all__ = [
    "CoreRows",
    "FitArguments",
    "check_validation",
    "choose_validation_rows",
    "core_rows",
]


@dataclass(frozen=True, slots=True)
class FitArguments:
    """The arguments of ``fit`` as the user passed them; none if the model is fitted as the ``init`` of another."""

    X: Any = None
    y: Any = None
    rows: NDArray[np.int64] | None = None  # rows of X with a positive weight; None for all
    eval_sets: tuple[EvaluationSet, ...] = ()
    callbacks: tuple[Callable[[Any], Any], ...] = ()


@dataclass(frozen=True, slots=True)
class CoreRows:
    """Training and validation rows as the core reads them."""

    columns: CoreColumns
    truth: NDArray[Any]
    weights: NDArray[np.float64] | None
    held: NDArray[np.bool_] | None
    eval_starts: list[int] = field(default_factory=list)  # the first row of each evaluation set
    eval_weights: NDArray[np.float64] | None = None


def check_validation(fraction: Any, n_rows: int) -> float:
    """Return the fraction of the rows that are held out, or raise an error."""
    if not 0 < check_number("validation_fraction", fraction, minimum=0, maximum=1) < 1:
        raise UsageError(
            f"validation_fraction must be between 0 and 1; got {fraction!r}", slug="usage.parameter"
        )
    if n_rows < 2:
        raise UsageError("early_stopping needs at least two rows; got 1", slug="usage.parameter")
    return float(fraction)


def choose_validation_rows(data: TrainingData, fraction: Any, seed: int) -> NDArray[np.bool_]:
    """Return which rows are held out: a fraction of them, stratified by class; at least one, never all."""
    fraction = check_validation(fraction, len(data))
    held = np.zeros(len(data), dtype=bool)
    held[held_out(data.codes, data.order(seed), fraction)] = True
    return held


def core_rows(
    model: Any,
    arguments: FitArguments,
    data: TrainingData,
    held: NDArray[np.bool_] | None,
    loss: str,
) -> CoreRows:
    """Return the training rows, of which some may be held out, followed by the rows of the evaluation sets."""
    if not arguments.eval_sets:
        return CoreRows(data.table._core_columns, data.labels, data.weights, held)
    sets = [check_set(model, each, data.schema, data.target, loss) for each in arguments.eval_sets]
    tables = [data.table, *(each.table for each in sets)]
    columns = zip(*(encode_columns(table, data.schema) for table in tables), strict=True)
    sizes = [len(table) for table in tables]
    n_more = sum(sizes[1:])
    weights = None
    if data.weights is not None:
        # What is learned does not depend on the sets: their rows weigh nothing there.
        weights = np.concatenate([data.weights, np.zeros(n_more)])
    eval_weights = None
    if any(each.weights is not None for each in sets):
        eval_weights = np.concatenate(
            [np.ones(len(each.table)) if each.weights is None else each.weights for each in sets]
        )
    return CoreRows(
        [np.concatenate(parts) for parts in columns],
        np.concatenate([data.labels, *(each.truth for each in sets)]),
        weights,
        np.repeat([False, True], [len(data), n_more]),
        np.cumsum(sizes)[:-1].tolist(),
        eval_weights,
    )
