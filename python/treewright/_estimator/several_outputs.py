"""Several outputs at once: one tree, or one forest, whose splits save the mean of what they save for each output.

The fitted model has ``outputs_``: a model of the same class for each output, with the same splits, whose nodes predict
that output. So views, explanations, exports and files work with each of them; the model itself predicts all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright._input.checks import read_training
from treewright._input.source_columns import prepare_training
from treewright._input.target import weights_of
from treewright._model.trees import importances
from treewright._utils.validation import check_lengths
from treewright.errors import UsageError

__all__ = [
    "core_arguments",
    "explain_missing",
    "fit_outputs",
    "join_importances",
    "of_outputs",
    "split_outputs",
]

# Parameters that are about one output, with the values that say nothing.
SINGLE_OUTPUT: dict[str, tuple[Any, ...]] = {
    "class_weight": (None,),
    "priors": (None,),
    "costs": (None,),
    "monotonic_cst": (None,),
    "max_p_value": (None,),
    "prune": (None, False),
    "ccp_alpha": (None, 0, 0.0),
    "variant": ("cart",),
    "missing": (None, "direction", "branch"),
    "bootstrap": (True, False),
    "oob_score": (False,),
    "warm_start": (False,),
    "callback": (None,),
}


def split_outputs(model: Any, y: Any) -> list[Any] | None:
    """Return the columns of a target of several outputs, if the estimator learns such targets; else None."""
    # Asked of the class: a model that lacks it would first make up an error.
    if not hasattr(type(model), "_learn_outputs") or isinstance(y, str):
        return None
    if (
        hasattr(y, "iloc") and getattr(y, "ndim", 1) == 2
    ):  # pandas: columns may be of different kinds
        columns = [y.iloc[:, i] for i in range(y.shape[1])]
    elif hasattr(y, "get_columns"):  # Polars
        columns = list(y.get_columns())
    else:
        if not isinstance(y, np.ndarray):
            if (
                not isinstance(y, Sequence)
                or not len(y)
                or not isinstance(y[0], (list, tuple, np.ndarray))
            ):
                return None
            y = np.asarray(y)
        columns = [y[:, i] for i in range(y.shape[1])] if y.ndim == 2 else []
    return columns if len(columns) > 1 else None


def fit_outputs(model: Any, X: Any, columns: Sequence[Any], sample_weight: Any) -> None:
    """Fit a model to several outputs, and set its fitted attributes."""
    _check_params(model)
    table = read_training(model, X)
    targets = [model._check_target(column) for column in columns]
    weights = weights_of(sample_weight, len(table))
    check_lengths(len(table), len(targets[0]))
    if weights is not None and not weights.all():
        present = weights > 0
        table, weights = table[present], weights[present]
        targets = [target.take(present) for target in targets]
    table = model._prepare(prepare_training(table, pool=model._pools_rare_levels))
    data = [TrainingData(table, model._describe(table, t), t, weights) for t in targets]
    forests = model._learn_outputs(data)
    model.outputs_ = [_model_of(model, *pair) for pair in zip(data, forests, strict=True)]
    model.n_outputs_ = len(targets)
    if hasattr(model.outputs_[0], "classes_"):
        model.classes_ = [one.classes_ for one in model.outputs_]
        model.n_classes_ = [len(classes) for classes in model.classes_]


def _check_params(model: Any) -> None:
    params = model.get_params(deep=False)
    for name, allowed in SINGLE_OUTPUT.items():
        value = params.get(name, allowed[0])
        if not any(value is one or (type(value) is type(one) and value == one) for one in allowed):
            raise UsageError(
                f"{name}={value!r} is not supported with several outputs",
                slug="usage.several-outputs",
                hints=["fit an estimator to each output, for example with MultiOutputClassifier"],
            )


def _model_of(model: Any, data: TrainingData, forest: _core.Forest) -> Any:
    """Return the fitted model of one output."""
    one = copy(model)
    one.n_features_in_, one._forest, one._record = model.n_features_in_, forest, None
    if hasattr(model, "feature_names_in_"):
        one.feature_names_in_ = model.feature_names_in_
    one.schema_ = one._add_notes(data.schema, data.table)
    one._store_classes(data.target)
    return one


def core_arguments(data: Sequence[TrainingData]) -> tuple[Any, Any, Any, Any, Any]:
    """Return levels, columns, labels, numbers of classes and weights, as the core takes several outputs."""
    levels, columns, _, _, weights = data[0].core_arguments
    return levels, columns, [d.labels for d in data], [d.n_classes for d in data], weights


def of_outputs(model: Any, method: Callable[[Any], NDArray[Any]]) -> list[NDArray[Any]] | None:
    """Return what a method gives for the model of each output; None for a model of one output."""
    outputs = model.__dict__.get("outputs_")
    return None if outputs is None else [method(one) for one in outputs]


def join_importances(outputs: Sequence[Any]) -> NDArray[np.float64]:
    """Return the importance of each column: its part of what all splits save for all outputs."""
    forests = [one._forest for one in outputs]
    saved = np.array([sum(f.tree(i).gain.sum() for i in range(f.n_trees)) for f in forests])
    shares = np.array([importances(forest) for forest in forests])
    total = float(saved.sum())
    joined: NDArray[np.float64] = saved @ shares / total if total > 0 else shares[0]
    return joined


def explain_missing(model: Any, name: str) -> AttributeError:
    """Return the error for an attribute that a model does not have."""
    n_outputs = len(model.__dict__.get("outputs_", ()))
    if n_outputs and (name.endswith("_") or name == "_forest"):
        return AttributeError(
            f"this model predicts {n_outputs} outputs and has no {name} of its own: "
            "take the model of one output, such as outputs_[0]"
        )
    return AttributeError(f"{type(model).__name__!r} object has no attribute {name!r}")
