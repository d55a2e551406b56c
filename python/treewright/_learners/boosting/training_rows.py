"""The rows of a boosting fit: those that are learnt from, and those that are watched and held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.checks import read_rows
from treewright._input.encoding import encode_columns
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright.errors import DataError, UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["Lesson", "Watched", "lesson_of"]

Target = ClassTarget | NumberTarget
Weights = NDArray[np.float64] | None


@dataclass(frozen=True, slots=True)
class Watched:
    """Rows that ``fit`` is given to watch."""

    X: Any = None
    y: Any = None
    weights: Any = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """All rows, those held out included, as the core reads them."""

    columns: _core.Matrix | list[NDArray[Any]]
    target: NDArray[Any]
    weights: Weights
    held: NDArray[np.bool_] | None


def lesson_of(
    model: Any,
    watched: Watched,
    table: Table,
    schema: Schema,
    target: Target,
    weights: Weights,
    held: NDArray[np.bool_] | None,
) -> Lesson:
    """Return the rows of a table, of which some may be held out, and behind them those that are watched."""
    truth: NDArray[Any] = target.codes if isinstance(target, ClassTarget) else target.values
    if watched.X is None:
        if watched.y is not None:
            raise UsageError("y_val means nothing without X_val", slug="usage.parameter")
        columns = table._core_columns
        return Lesson(columns, truth, weights, held)
    more = read_rows(model, watched.X, schema)
    answers: NDArray[Any] = (
        _codes(watched.y, target)
        if isinstance(target, ClassTarget)
        else NumberTarget.of(watched.y).values
    )
    if len(answers) != len(more):
        raise DataError(f"X_val has {len(more)} rows, y_val {len(answers)}", slug="data.lengths")
    pairs = zip(encode_columns(table, schema), encode_columns(more, schema), strict=True)
    extra = weights_of(watched.weights, len(more))
    if weights is not None or extra is not None:
        first = np.ones(len(table)) if weights is None else weights
        weights = np.concatenate([first, np.ones(len(more)) if extra is None else extra])
    held = np.repeat([False, True], [len(table), len(more)])
    both = [np.concatenate(pair) for pair in pairs]
    return Lesson(both, np.concatenate([truth, answers]), weights, held)


def _codes(y: Any, target: ClassTarget) -> NDArray[np.uint32]:
    """Return the codes of the labels of the validation rows among the classes of the training rows."""
    watched = ClassTarget.of(y)
    unknown = [level for level in watched.levels if level not in target.levels]
    if unknown:
        message = f"y_val holds the class {unknown[0]!r}, which y does not"
        raise DataError(message, slug="fit.labels")
    return watched.codes_among(target.levels)
