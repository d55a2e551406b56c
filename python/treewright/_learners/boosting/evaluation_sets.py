"""Evaluation sets of boosting: rows that are passed to ``fit``, are never learned from, and whose loss is watched.

Not here: rows of the training table that early stopping holds out (``training_rows``), and the loss itself, which the
core computes after each round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.checks import read_rows
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._learners.boosting.boosting_recipe import check_loss_target
from treewright.errors import DataError, UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = [
    "CheckedSet",
    "EvaluationSet",
    "check_set",
    "evaluation_sets",
    "results_from_json",
    "results_to_json",
]

Numbers = NDArray[np.float64]
Results = dict[str, dict[str, list[float]]]


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Rows, their target and their weights as the user passed them, and how messages name each of them."""

    name: str
    X: Any
    y: Any
    weights: Any
    labels: tuple[str, str]


@dataclass(frozen=True, slots=True)
class CheckedSet:
    """The same, checked: a table, classes in the codes of the training rows or numbers, and weights."""

    table: Table
    truth: NDArray[Any]
    weights: Numbers | None


def evaluation_sets(
    eval_set: Any, X_val: Any = None, y_val: Any = None, sample_weight_val: Any = None
) -> tuple[EvaluationSet, ...]:
    """Return the evaluation sets of the arguments of ``fit``, in their order.

    Examples
    --------
    >>> [each.name for each in evaluation_sets([([[1]], [0]), ([[2]], [1])])]
    ['validation_0', 'validation_1']
    >>> [each.name for each in evaluation_sets({"test": ([[1]], [0])})]
    ['test']
    """
    if X_val is None and y_val is not None:
        raise UsageError("y_val needs X_val", slug="usage.parameter")
    if eval_set is None:
        if X_val is None:
            return ()
        labels = ("X_val", "y_val")
        return (EvaluationSet("validation_0", X_val, y_val, sample_weight_val, labels),)
    if X_val is not None:
        raise UsageError("eval_set and X_val cannot be combined", slug="usage.parameter")
    return tuple(_named_set(name, part) for name, part in _list_sets(eval_set))


def _list_sets(eval_set: Any) -> list[tuple[str, Any]]:
    """Return the name and the part of each set; sets without a name are numbered."""
    if isinstance(eval_set, Mapping):
        return [(str(name), part) for name, part in eval_set.items()]
    is_pair = isinstance(eval_set, tuple) and not all(isinstance(x, tuple) for x in eval_set)
    if not is_pair and not isinstance(eval_set, (list, tuple)):
        raise _wrong_set(eval_set)
    parts = [eval_set] if is_pair else eval_set
    return [(f"validation_{i}", part) for i, part in enumerate(parts)]


def _named_set(name: str, part: Any) -> EvaluationSet:
    if not isinstance(part, (list, tuple)) or len(part) not in (2, 3):
        raise _wrong_set(part)
    X, y, *weights = part
    labels = (f"X of the evaluation set {name!r}", f"y of the evaluation set {name!r}")
    return EvaluationSet(name, X, y, weights[0] if weights else None, labels)


def _wrong_set(part: Any) -> UsageError:
    what = f"{len(part)} items" if isinstance(part, (list, tuple)) else f"a {type(part).__name__}"
    return UsageError(
        f"an evaluation set must be a pair of rows and target; got {what}",
        slug="usage.parameter",
        hints=["a tuple of X and y, or a list of such tuples"],
    )


def check_set(
    model: Any,
    each: EvaluationSet,
    schema: Schema,
    target: ClassTarget | NumberTarget,
    loss: str,
) -> CheckedSet:
    """Return an evaluation set with its rows read as those of ``predict``."""
    rows_label, target_label = each.labels
    table = read_rows(model, each.X, schema)
    if isinstance(target, ClassTarget):
        truth: NDArray[Any] = _code_classes(each, target)
    else:
        truth = NumberTarget.of(each.y).values
        check_loss_target(loss, truth, target_label)
    if len(truth) != len(table):
        raise DataError(
            f"{rows_label} has {len(table)} rows, {target_label} {len(truth)}", slug="data.lengths"
        )
    return CheckedSet(table, truth, weights_of(each.weights, len(table)))


def _code_classes(each: EvaluationSet, target: ClassTarget) -> NDArray[np.uint32]:
    classes = ClassTarget.of(each.y)
    unknown = [level for level in classes.levels if level not in target.levels]
    if unknown:
        raise DataError(
            f"{each.labels[1]} contains the class {unknown[0]!r}, which is not in y",
            slug="fit.labels",
        )
    return classes.codes_among(target.levels)


def results_to_json(results: Results) -> list[list[Any]]:
    """Return the losses of all sets as a model file holds them: set, loss, numbers.

    Examples
    --------
    >>> results_to_json({"test": {"log_loss": [0.5, 0.25]}})
    [['test', 'log_loss', [0.5, 0.25]]]
    """
    return [
        [name, loss, [value if np.isfinite(value) else None for value in values]]
        for name, by_loss in results.items()
        for loss, values in by_loss.items()
    ]


def results_from_json(rows: Any) -> Results:
    """Return what :func:`results_to_json` wrote.

    Examples
    --------
    >>> results_from_json([["test", "log_loss", [0.5, None]]])
    {'test': {'log_loss': [0.5, nan]}}
    """
    results: Results = {}
    for name, loss, values in rows:
        is_text = isinstance(name, str) and isinstance(loss, str)
        if not is_text or not isinstance(values, Sequence) or isinstance(values, str):
            raise ValueError("the losses of its evaluation sets are wrong")
        if not all(value is None or type(value) is float for value in values):
            raise ValueError("a loss of its evaluation sets is not a number")
        numbers = [float("nan") if value is None else value for value in values]
        results.setdefault(name, {})[loss] = numbers
    return results
