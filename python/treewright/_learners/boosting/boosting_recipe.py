"""What the parameters of the boosting learners mean to the core: checked, in words and numbers.

Not here: how rounds follow each other, which ``boosting`` says, and what they do, which the core knows.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from treewright._input.folds import held_out
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.trees.cart_recipe import signs
from treewright._utils.validation import check_choice, check_integer, check_number, threads_of
from treewright.errors import Hint, UsageError
from treewright.schema import Schema

__all__ = ["LOSSES", "Boost", "base_of", "boost_recipe", "drawn"]

Target = ClassTarget | NumberTarget

# What a regressor's losses are called, and what the core calls them.
LOSSES = {
    "squared_error": "squared",
    "absolute_error": "absolute",
    "quantile": "quantile",
    "huber": "huber",
    "poisson": "poisson",
}
SPLITS = ("histogram", "exact")


class Boost(TypedDict):
    """What crosses into the core."""

    loss: str
    quantile: float
    classes: int
    rate: float
    max_leaves: int | None
    max_depth: int | None
    min_leaf: int
    min_gain: float
    l2: float
    max_features: int | None
    monotone: list[int]
    max_bins: int
    subsample: float
    seed: int
    patience: int | None
    tolerance: float
    tell: bool
    exact: bool
    threads: int
    plain: bool


def boost_recipe(params: Mapping[str, Any], schema: Schema, target: Target, seed: int) -> Boost:
    """Return the recipe of a boosting learner's parameters, and of the seed that its ``random_state`` stands for."""
    given = params.get
    exact = check_choice("splits", given("splits", "histogram"), SPLITS) == "exact"
    leaves = check_integer("max_leaf_nodes", given("max_leaf_nodes"), minimum=2, optional=True)
    stops = _flag("early_stopping", given("early_stopping", False))
    rounds = check_integer("n_iter_no_change", given("n_iter_no_change", 10), minimum=1)
    monotone = signs(given("monotonic_cst"), schema, target)
    subsample = check_number("subsample", given("subsample", 1.0), minimum=0, maximum=1)
    if subsample == 0:
        raise UsageError("subsample must be greater than 0; got 0", slug="usage.parameter")
    squared = given("loss") == "squared_error" and not given("l2_regularization", 0.0)
    if exact and monotone and not squared:
        raise UsageError(
            'monotonic_cst with splits="exact" needs loss="squared_error" and l2_regularization=0',
            slug="usage.parameter",
            hints=[Hint(option="splits", value="histogram", note="accepts it with every loss")],
        )
    max_features = _columns(given("max_features"), len(schema.columns))
    if exact and monotone and max_features is not None:
        raise UsageError(
            'monotonic_cst and max_features exclude each other with splits="exact"',
            slug="usage.parameter",
            hints=[Hint(option="splits", value="histogram", note="accepts both")],
        )
    loss = _loss(given("loss"), target)
    quantile = check_number("quantile", given("quantile", 0.9), minimum=0, maximum=1)
    classes = len(target.levels) if isinstance(target, ClassTarget) else 0
    if not classes and not 0 < quantile < 1:
        raise UsageError(
            f"quantile must lie between 0 and 1; got {quantile:g}", slug="usage.parameter"
        )
    return {
        # The median has one convention: the middle between two numbers where both halves weigh the same.
        "loss": "absolute" if loss == "quantile" and quantile == 0.5 else loss,
        "quantile": quantile,
        "classes": classes,
        "rate": _rate(given("learning_rate", 0.1)),
        "max_leaves": leaves,
        "max_depth": check_integer("max_depth", given("max_depth"), minimum=1, optional=True),
        "min_leaf": _rows(given("min_samples_leaf", "auto"), len(target)),
        "min_gain": check_number("min_gain", given("min_gain", 0.0), minimum=0),
        "l2": check_number("l2_regularization", given("l2_regularization", 0.0), minimum=0),
        "max_features": max_features,
        "monotone": monotone,
        "max_bins": check_integer("max_bins", given("max_bins", 255), minimum=2, maximum=255),
        "subsample": subsample,
        "seed": seed,
        "patience": rounds if stops else None,
        "tolerance": check_number("tol", given("tol", 1e-7), minimum=0),
        "tell": bool(given("verbose", 0)),
        "exact": exact,
        "threads": threads_of(given("n_jobs")),
        "plain": False,
    }


def _rows(least: Any, rows: int) -> int:
    """Return the fewest rows of a leaf: as many as are asked for, or as many as a table of so many rows can spare."""
    if isinstance(least, str):
        check_choice("min_samples_leaf", least, ("auto",))
        return max(1, min(20, rows // 20))
    # The core counts in 32 bits; no leaf has so many rows.
    return min(int(check_integer("min_samples_leaf", least, minimum=1)), 1 << 31)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise UsageError(f"{name} must be True or False; got {value!r}", slug="usage.parameter")
    return bool(value)


def _rate(rate: Any) -> float:
    checked = check_number("learning_rate", rate, minimum=0)
    if not 0 < checked < math.inf:
        raise UsageError(
            f"learning_rate must be a number greater than 0; got {rate!r}", slug="usage.parameter"
        )
    return float(checked)


def _loss(loss: Any, target: Target) -> str:
    if isinstance(target, ClassTarget):
        check_choice("loss", loss, ("log_loss",))
        return "logistic" if len(target.levels) <= 2 else "softmax"
    found = LOSSES[check_choice("loss", loss, tuple(LOSSES))]
    if found == "poisson" and (target.values < 0).any():
        least = target.values.min()
        raise UsageError(
            f'loss="poisson" is for counts; the least number of the target is {least:g}',
            slug="usage.parameter",
        )
    if found == "poisson" and not target.values.any():
        raise UsageError(
            'loss="poisson" needs a target that is not 0 everywhere', slug="usage.parameter"
        )
    return found


def _columns(max_features: Any, columns: int) -> int | None:
    """Return how many columns a split looks at: a number, a share, or a word of scikit-learn's."""
    if max_features is None:
        return None
    if max_features == "sqrt":
        return max(1, math.isqrt(columns))
    if max_features == "log2":
        return max(1, int(math.log2(columns)))
    if isinstance(max_features, numbers.Integral):
        return min(int(check_integer("max_features", max_features, minimum=1)), columns)
    if isinstance(max_features, str):
        check_choice("max_features", max_features, ("sqrt", "log2"))
    share = check_number("max_features", max_features, minimum=0, maximum=1)
    return max(1, int(share * columns))


def base_of(init: Any, sums: int) -> list[float] | None:
    """Return where the scores begin: None for the loss's own start.

    Examples
    --------
    >>> base_of("zero", 2), base_of(1.5, 1), base_of(None, 1)
    ([0.0, 0.0], [1.5], None)
    """
    if init is None:
        return None
    if isinstance(init, str):
        check_choice("init", init, ("zero",))
        return [0.0] * sums
    try:
        base = [float(x) for x in np.asarray(init, dtype=np.float64).ravel()]
    except (TypeError, ValueError):
        base = []
    if len(base) != sums or not all(map(math.isfinite, base)):
        what = "a number" if sums == 1 else f"{sums} numbers, one for each class"
        raise UsageError(
            f'init must be None, "zero", {what}, or a learner; got {init!r}', slug="usage.parameter"
        )
    return base


def drawn(target: Target, fraction: Any, order: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which rows are held out: this fraction of them, of each class as near as can be; at least one, never all.

    They are chosen along an order of the rows.

    Examples
    --------
    >>> int(drawn(NumberTarget.of([1.0, 2.0, 3.0, 4.0]), 0.5, np.arange(4)).sum())
    2
    """
    share = check_number("validation_fraction", fraction, minimum=0, maximum=1)
    rows = len(target)
    if not 0 < share < 1:
        raise UsageError(
            f"validation_fraction must lie between 0 and 1; got {fraction!r}",
            slug="usage.parameter",
        )
    if rows < 2:
        raise UsageError(
            "early_stopping needs at least two rows, one of them held out; got 1",
            slug="usage.parameter",
        )
    held = np.zeros(rows, dtype=bool)
    held[held_out(target.codes if isinstance(target, ClassTarget) else None, order, share)] = True
    return held
