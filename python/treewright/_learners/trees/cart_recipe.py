"""The recipe of CART: its checked parameters in the words of the core.

Not here: class weights, priors and costs (``_input.class_weights``). rpart is the R package whose rules
``variant="rpart"`` follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import criteria_of
from treewright._input.class_weights import Costs, cost_matrix, factors, prices, totals
from treewright._input.target import ClassTarget, NumberTarget
from treewright._utils.validation import (
    Binary,
    Recipe,
    Surrogates,
    check_choice,
    check_integer,
    check_number,
    count_rows,
)
from treewright.errors import DataError, UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["VARIANTS", "cart_recipe", "drop_empty_rows", "monotone_signs"]

VARIANTS = ("cart", "rpart")
Target = ClassTarget | NumberTarget
Weights = NDArray[np.float64] | None


def cart_recipe(
    params: Mapping[str, Any], schema: Schema, target: Target, weights: Weights
) -> Recipe:
    """Return the recipe for CART's parameters; those that are missing have their default."""
    param = params.get
    rpart = check_choice("variant", param("variant", "cart"), VARIANTS) == "rpart"
    leaf, split = (
        count_rows(name, param(name), len(target), minimum=least, optional=True)
        for name, least in (("min_samples_leaf", 1), ("min_samples_split", 2))
    )
    if split is None:
        split = 2 if not rpart else 20 if leaf is None else 3 * leaf
    if leaf is None:
        leaf = max(1, round(split / 3)) if rpart else 1
    depth = check_integer("max_depth", param("max_depth"), minimum=1, optional=True)
    criteria = criteria_of("classify" if isinstance(target, ClassTarget) else "regress")
    default, *_ = criteria
    criterion = check_choice("criterion", param("criterion", default), tuple(criteria))
    return {
        "criterion": criteria[criterion].core,
        "categorical": "subset",
        "choose": "gain",
        "min_gain": check_number("min_gain", param("min_gain"), minimum=0, optional=True),
        "max_depth": 30 if rpart and depth is None else depth,
        "min_samples_split": split,
        "max_p_value": check_number(
            "max_p_value", param("max_p_value"), minimum=0, maximum=1, optional=True
        ),
        "fractions": None,
        "binary": _binary(param, rpart, leaf, schema, target, weights),
    }


def _binary(
    param: Any, rpart: bool, leaf: int, schema: Schema, target: Target, weights: Weights
) -> Binary:
    missing = param("missing") or ("surrogate" if rpart else "direction")
    missing = check_choice("missing", missing, ("direction", "branch", "surrogate"))
    monotone = monotone_signs(param("monotonic_cst"), schema, target)
    if rpart and missing != "surrogate":
        raise _excludes('variant="rpart"', f'missing="{missing}"')
    if monotone and missing == "surrogate":
        raise _excludes("monotonic_cst", 'missing="surrogate"')
    leaves = check_integer("max_leaf_nodes", param("max_leaf_nodes"), minimum=2, optional=True)
    if rpart and leaves is not None:
        raise _excludes('variant="rpart"', "max_leaf_nodes")
    if param("complexity") is not None and not rpart:
        raise _excludes("complexity", 'variant="cart"')
    share = check_number(
        "min_weight_fraction_leaf", param("min_weight_fraction_leaf", 0.0), minimum=0, maximum=0.5
    )
    if rpart and share:
        raise _excludes('variant="rpart"', "min_weight_fraction_leaf")
    counts: list[float] = []
    price: list[float] = []
    costs: Costs = ()
    if isinstance(target, ClassTarget):
        counts = factors(param("class_weight"), param("priors"), target, weights)
        costs = cost_matrix(param("costs"), target)
        if costs:
            weight = totals(target, weights)
            shares = [f * n for f, n in zip(counts, weight, strict=True)] if counts else weight
            price = prices(costs, shares)
    surrogates = _surrogates(param, rpart, costs) if missing == "surrogate" else None
    return {
        "missing": missing,
        "min_leaf": leaf,
        "min_leaf_share": share,
        "max_leaves": leaves,
        "monotone": monotone,
        "class_weights": counts,
        "class_prices": price,
        "surrogates": surrogates,
    }


def _surrogates(param: Any, rpart: bool, costs: Costs) -> Surrogates:
    max_surrogates = check_integer("max_surrogates", param("max_surrogates", 5), minimum=0)
    majority = (
        check_choice("undecided", param("undecided", "majority"), ("majority", "stay"))
        == "majority"
    )
    if not rpart and not majority:
        raise _excludes('undecided="stay"', 'variant="cart"')
    share = check_number("complexity", param("complexity"), minimum=0, optional=True)
    undecided = "heavier"
    if rpart:  # without a surrogate rpart leaves such rows at the node in any case
        undecided = "heavier-or-stay" if majority and max_surrogates else "stay"
    return {
        "max_surrogates": max_surrogates,
        "max_competitors": check_integer("max_competitors", param("max_competitors", 4), minimum=0),
        "of_known": check_choice("agreement", param("agreement", "sent"), ("sent", "known"))
        == "known",
        "imperfect": rpart,
        "undecided": undecided,
        "later_by_count": majority if rpart else None,
        "vanishing": 1e-10 if rpart else None,
        "exhaustive": 16 if rpart else 10,
        "orderly": rpart,
        "complexity": (0.01 if share is None else share) if rpart else None,
        "costs": [cost for row in costs for cost in row],
    }


def monotone_signs(monotonic_cst: Any, schema: Schema, target: Target) -> list[int]:
    """Return 1, -1 or 0 for each column: the core's prediction must rise, fall or neither; empty if all are 0.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> schema = Schema((Column("age", "numeric"), Column("size", "numeric")))
    >>> monotone_signs({"size": -1}, schema, NumberTarget.of([1.0]))
    [0, -1]
    """
    if monotonic_cst is None:
        return []
    constraints = monotonic_cst
    if isinstance(constraints, Mapping):
        unknown = [name for name in constraints if name not in schema.names]
        if unknown:
            raise UsageError(
                f"monotonic_cst names the column {unknown[0]!r}, which the table does not have",
                slug="usage.parameter",
                hints=[f"columns: {', '.join(schema.names[:8])}"],
            )
        constraints = [constraints.get(name, 0) for name in schema.names]
    listed = np.asarray(constraints).ravel().tolist()
    if len(listed) != len(schema.columns) or any(sign not in (-1, 0, 1) for sign in listed):
        raise UsageError(
            f"monotonic_cst must be -1, 0 or 1 for each of the {len(schema.columns)} columns; "
            f"got {monotonic_cst!r}",
            slug="usage.parameter",
        )
    for column, sign in zip(schema.columns, listed, strict=True):
        if sign and column.kind != "numeric":
            raise UsageError(
                f'monotonic_cst is about numbers; "{column.name}" holds categories',
                slug="usage.parameter",
            )
    if not any(listed):
        return []
    sign_of_core = 1
    if isinstance(target, ClassTarget):
        if len(target.levels) > 2:
            raise UsageError(
                "monotonic_cst is not supported with more than two classes", slug="usage.parameter"
            )
        # Users constrain the second of classes_, the core its own second class.
        sign_of_core = 1 if target.order[-1] == len(target.order) - 1 else -1
    return [sign_of_core * int(sign) for sign in listed]


def drop_empty_rows(table: Table, weights: Weights) -> Weights:
    """Return the weights with 0 for rows without any value, which rpart drops.

    Examples
    --------
    >>> from treewright.table import Series
    >>> drop_empty_rows(Table([Series("a", "numeric", np.array([1.0, np.nan]))]), None).tolist()
    [1.0, 0.0]
    """
    absent = np.ones(len(table), dtype=bool)
    for series in table.series:
        data = series.data
        absent &= np.isnan(data) if series.kind == "numeric" else data == _core.MISSING
    if not absent.any():
        return weights
    if absent.all():
        raise DataError("no row has a single value", slug="data.empty")
    return np.where(absent, 0.0, 1.0 if weights is None else weights)


def _excludes(one: str, other: str) -> UsageError:
    return UsageError(f"{one} and {other} exclude each other", slug="usage.parameter")
