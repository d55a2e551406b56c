"""Rows with their labels, in the codes of a fitted model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._estimator.model import Model
from treewright._input.checks import read_rows
from treewright._input.encoding import encode_columns
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._utils.validation import check_lengths
from treewright.errors import DataError, UsageError
from treewright.schema import label

__all__ = ["LabeledRows", "read_labeled"]


@dataclass(frozen=True, eq=False)
class LabeledRows:
    """Rows with their labels, as the core reads them."""

    columns: list[NDArray[Any]]
    target: NDArray[Any]
    classes: int | None
    weights: NDArray[np.float64]
    costs: tuple[float, ...] = ()


def read_labeled(
    model: Model,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    only: NDArray[np.bool_] | None = None,
) -> LabeledRows:
    """Read rows and their labels; if the model was fitted to a part of them, ``only`` the others.

    A class that only left-out rows have is unknown to the model: it predicts them wrongly in any case, so they cannot
    help to choose and do not count.
    """
    if X is None or y is None:
        raise UsageError("this needs rows: give X and y", slug="prune.no-rows")
    columns = encode_columns(read_rows(model, X, model.schema_), model.schema_)
    classes = model.schema_.classes
    target: Any = ClassTarget.of(y) if classes else NumberTarget.of(y)
    rows = len(columns[0])
    check_lengths(rows, len(target))
    weights = weights_of(sample_weight, rows)
    weights = np.ones(rows) if weights is None else weights
    labels = target.codes_among(classes) if classes else target.values
    if classes and only is None:
        _refuse_unknown(target, classes)
    if only is not None:
        used = only & (labels != len(classes)) if classes else only
        columns, labels, weights = [column[used] for column in columns], labels[used], weights[used]
    costs = tuple(cost for row in model.schema_.costs for cost in row)
    return LabeledRows(columns, np.ascontiguousarray(labels), len(classes) or None, weights, costs)


def _refuse_unknown(target: ClassTarget, classes: tuple[Any, ...]) -> None:
    unknown = next((level for level in target.levels if level not in classes), None)
    if unknown is not None:
        raise DataError(
            f'the target holds "{label(unknown)}", which the model does not know as a class',
            slug="data.unknown-class",
            hints=[f"classes: {', '.join(label(c) for c in classes)}"],
        )
