"""The recipe of gradient boosting: its parameters, checked, in the words and numbers of the core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.boosting.interaction_constraints import interaction_groups
from treewright._learners.ensembles.run_params import check_learning_rate
from treewright._learners.ensembles.sampling import count_columns
from treewright._learners.trees.cart_recipe import monotone_signs
from treewright._utils import choices
from treewright._utils.validation import (
    check_choice,
    check_integer,
    check_number,
    count_rows,
    threads_of,
)
from treewright.errors import Hint, UsageError
from treewright.schema import Schema

__all__ = ["LOSSES", "Boost", "boost_recipe", "check_loss_target", "count_sums"]

Target = ClassTarget | NumberTarget

# The losses of a regressor, and their words in the core.
LOSSES = {name: name.removesuffix("_error") for name in choices.LOSSES}
# The smallest numbers that losses with a logarithm accept: 0, or any number above it.
NOT_NEGATIVE, POSITIVE = ("poisson", "tweedie"), ("gamma",)
MAX_LEAF_ROWS = 1 << 31  # the core counts in 32 bits


class Boost(TypedDict):
    """The recipe as the core reads it."""

    loss: str
    quantile: float
    power: float
    classes: int
    rate: float
    max_leaves: int | None
    max_depth: int | None
    min_leaf: int
    min_gain: float
    l2: float
    max_features: int | None
    monotone: list[int]
    interactions: list[list[int]]
    max_bins: int
    subsample: float
    seed: int
    patience: int | None
    tolerance: float
    tell: bool
    exact: bool
    threads: int
    plain: bool


def boost_recipe(
    params: Mapping[str, Any], schema: Schema, target: Target, seed: int, n_rows: int | None = None
) -> Boost:
    """Return the recipe for all parameters of an estimator and the seed of its ``random_state``.

    ``n_rows`` is the number of rows if the target has only some of them: numbers, the smallest and the largest.
    """
    n_rows = len(target) if n_rows is None else n_rows
    loss, quantile, power = _check_loss(params, target)
    columns, max_features = len(schema.columns), params["max_features"]
    patience = check_integer("n_iter_no_change", params["n_iter_no_change"], minimum=1)
    if not isinstance(params["early_stopping"], (bool, np.bool_)):
        raise UsageError(
            f"early_stopping must be True or False; got {params['early_stopping']!r}",
            slug="usage.parameter",
        )
    subsample = check_number("subsample", params["subsample"], minimum=0, maximum=1)
    if subsample == 0:
        raise UsageError("subsample must be greater than 0; got 0", slug="usage.parameter")
    recipe: Boost = {
        "loss": loss,
        "quantile": quantile,
        "power": power,
        "classes": len(target.levels),
        "rate": check_learning_rate(params["learning_rate"]),
        "max_leaves": _check_limit(params, "max_leaf_nodes", 2),
        "max_depth": _check_limit(params, "max_depth", 1),
        "min_leaf": _check_min_leaf(params["min_samples_leaf"], n_rows),
        "min_gain": check_number("min_gain", params["min_gain"], minimum=0),
        "l2": check_number("l2_regularization", params["l2_regularization"], minimum=0),
        "max_features": None if max_features is None else count_columns(max_features, columns),
        "monotone": monotone_signs(params["monotonic_cst"], schema, target),
        "interactions": interaction_groups(params["interaction_constraints"], schema),
        "max_bins": check_integer("max_bins", params["max_bins"], minimum=2, maximum=255),
        "subsample": subsample,
        "seed": seed,
        "patience": patience if params["early_stopping"] else None,
        "tolerance": check_number("tol", params["tol"], minimum=0),
        "tell": bool(params["verbose"]) and not callable(params["verbose"]),
        "exact": check_choice("splits", params["splits"], ("histogram", "exact")) == "exact",
        "threads": threads_of(params["n_jobs"]),
        "plain": False,
    }
    _check_exact(recipe)
    return recipe


def count_sums(recipe: Boost) -> int:
    """Return the number of sums of a model: one for numbers and for two classes, else one for each class."""
    return recipe["classes"] if recipe["classes"] > 2 else 1


def _check_exact(recipe: Boost) -> None:
    """Raise an error for constraints that exact splits do not support."""
    if recipe["exact"] and recipe["interactions"]:
        raise UsageError(
            'interaction_constraints cannot be combined with splits="exact"',
            slug="usage.parameter",
            hints=[Hint(option="splits", value="histogram", note="accepts them")],
        )
    if not recipe["exact"] or not recipe["monotone"]:
        return
    if recipe["loss"] != "squared" or recipe["l2"]:
        raise UsageError(
            'monotonic_cst with splits="exact" needs loss="squared_error" and l2_regularization=0',
            slug="usage.parameter",
            hints=[Hint(option="splits", value="histogram", note="accepts it with every loss")],
        )
    if recipe["max_features"] is not None:
        raise UsageError(
            'monotonic_cst and max_features cannot be combined with splits="exact"',
            slug="usage.parameter",
            hints=[Hint(option="splits", value="histogram", note="accepts both")],
        )


def _check_limit(params: Mapping[str, Any], name: str, least: int) -> int | None:
    limit: int | None = check_integer(name, params[name], minimum=least, optional=True)
    return limit


def _check_min_leaf(min_samples_leaf: Any, n_rows: int) -> int:
    if isinstance(min_samples_leaf, str):
        check_choice("min_samples_leaf", min_samples_leaf, ("auto",))
        return max(1, min(20, n_rows // 20))
    rows = int(count_rows("min_samples_leaf", min_samples_leaf, n_rows, minimum=1))
    return min(rows, MAX_LEAF_ROWS)


def _check_loss(params: Mapping[str, Any], target: Target) -> tuple[str, float, float]:
    """Return the core's word for the loss, the quantile, and the power of the variance."""
    quantile = check_number("quantile", params.get("quantile", 0.9), minimum=0, maximum=1)
    power = check_number("power", params.get("power", 1.5), minimum=1, maximum=2)
    if isinstance(target, ClassTarget):
        check_choice("loss", params["loss"], ("log_loss",))
        return "logistic" if len(target.levels) <= 2 else "softmax", quantile, power
    loss = LOSSES[check_choice("loss", params["loss"], tuple(LOSSES))]
    if not 0 < quantile < 1:
        raise UsageError(
            f"quantile must be between 0 and 1; got {quantile:g}", slug="usage.parameter"
        )
    # The median has one convention: the middle between two numbers if both halves weigh the same.
    if loss == "quantile" and quantile == 0.5:
        loss = "absolute"
    if loss == "tweedie" and power in (1, 2):
        loss = "poisson" if power == 1 else "gamma"
    check_loss_target(loss, target.values, "a")
    if loss in (*NOT_NEGATIVE, *POSITIVE) and not target.values.any():
        raise UsageError(
            f'loss="{loss}" needs a target that is not 0 everywhere', slug="usage.parameter"
        )
    return loss, quantile, power


def check_loss_target(loss: str, values: NDArray[np.float64], label: str) -> None:
    """Raise an error for numbers that a loss cannot take a logarithm of; ``label`` is "a" for the training target."""
    target = "a {} target" if label == "a" else f"{label} to be {{}}"
    if loss in NOT_NEGATIVE and (values < 0).any():
        kind = "non-negative"
    elif loss in POSITIVE and (values <= 0).any():
        kind = "positive"
    else:
        return
    hints = []
    if kind == "positive" and values.min() == 0:
        hints.append(Hint(option="loss", value="tweedie", note="accepts zeros"))
    raise UsageError(
        f'loss="{loss}" needs {target.format(kind)}; its minimum is {values.min():g}',
        slug="usage.parameter",
        hints=hints,
    )
