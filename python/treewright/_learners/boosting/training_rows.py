"""The rows of a boosting fit: training rows, and rows that are held out to watch the validation loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright._input.checks import read_rows
from treewright._input.encoding import encode_columns
from treewright._input.folds import held_out
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._utils.validation import check_number
from treewright.errors import DataError, UsageError

__all__ = ["CoreRows", "FitArguments", "choose_validation_rows", "core_rows"]


@dataclass(frozen=True, slots=True)
class FitArguments:
    """The arguments of ``fit`` as the user passed them; none if the model is fitted as the ``init`` of another."""

    X: Any = None
    y: Any = None
    rows: NDArray[np.int64] | None = None  # rows of X with a positive weight; None for all
    X_val: Any = None
    y_val: Any = None
    sample_weight_val: Any = None
    callback: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class CoreRows:
    """Training and validation rows as the core reads them."""

    columns: _core.Matrix | list[NDArray[Any]]
    truth: NDArray[Any]
    weights: NDArray[np.float64] | None
    held: NDArray[np.bool_] | None


def choose_validation_rows(data: TrainingData, fraction: Any, seed: int) -> NDArray[np.bool_]:
    """Return which rows are held out: a fraction of them, stratified by class; at least one, never all."""
    if not 0 < check_number("validation_fraction", fraction, minimum=0, maximum=1) < 1:
        raise UsageError(
            f"validation_fraction must be between 0 and 1; got {fraction!r}", slug="usage.parameter"
        )
    if len(data) < 2:
        raise UsageError("early_stopping needs at least two rows; got 1", slug="usage.parameter")
    held = np.zeros(len(data), dtype=bool)
    held[held_out(data.codes, data.order(seed), fraction)] = True
    return held


def core_rows(
    model: Any, arguments: FitArguments, data: TrainingData, held: NDArray[np.bool_] | None
) -> CoreRows:
    """Return the training rows, of which some may be held out, followed by the rows of ``X_val``."""
    if arguments.X_val is None:
        if arguments.y_val is not None:
            raise UsageError("y_val needs X_val", slug="usage.parameter")
        return CoreRows(data.table._core_columns, data.labels, data.weights, held)
    more = read_rows(model, arguments.X_val, data.schema)
    truth = _read_truth(arguments.y_val, data.target)
    if len(truth) != len(more):
        raise DataError(f"X_val has {len(more)} rows, y_val {len(truth)}", slug="data.lengths")
    tables = (data.table, more)
    columns = zip(*(encode_columns(table, data.schema) for table in tables), strict=True)
    weights = (data.weights, weights_of(arguments.sample_weight_val, len(more)))
    joined = None
    if any(part is not None for part in weights):
        pairs = zip(weights, tables, strict=True)
        joined = np.concatenate([np.ones(len(t)) if w is None else w for w, t in pairs])
    return CoreRows(
        [np.concatenate(pair) for pair in columns],
        np.concatenate([data.labels, truth]),
        joined,
        np.repeat([False, True], [len(data), len(more)]),
    )


def _read_truth(y_val: Any, target: ClassTarget | NumberTarget) -> NDArray[Any]:
    """Return the numbers of the validation rows, or their classes in the codes of the training rows."""
    if isinstance(target, NumberTarget):
        return NumberTarget.of(y_val).values
    validation = ClassTarget.of(y_val)
    unknown = [level for level in validation.levels if level not in target.levels]
    if unknown:
        raise DataError(
            f"y_val contains the class {unknown[0]!r}, which is not in y", slug="fit.labels"
        )
    return validation.codes_among(target.levels)
