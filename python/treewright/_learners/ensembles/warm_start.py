"""Warm start: a fit that keeps the estimators of the previous fit and adds to them."""

from __future__ import annotations

from typing import Any

from treewright import _core
from treewright._utils.user_warnings import warn_user
from treewright.errors import Hint, UsageError
from treewright.schema import Schema

__all__ = ["check_count", "check_same_schema", "earlier_estimators", "earlier_forest"]


def earlier_forest(model: Any, schema: Schema, limit: int) -> _core.Forest | None:
    """Return the trees of the previous fit to continue; None without a warm start."""
    forest: _core.Forest | None = model.__dict__.get("_forest")
    if not model.warm_start or forest is None:
        return None
    check_same_schema(model, schema)
    check_count(forest.n_trees, limit)
    _warn_if_complete(forest.n_trees, limit)
    return forest


def earlier_estimators(model: Any, limit: int) -> list[Any]:
    """Return the estimators of another library that the previous fit fitted; none without a warm start."""
    estimators: list[Any] | None = model.__dict__.get("estimators_")
    if not model.warm_start or estimators is None:
        return []
    check_count(len(estimators), limit)
    _warn_if_complete(len(estimators), limit)
    return list(estimators)


def check_same_schema(model: Any, schema: Schema) -> None:
    """Raise an error if columns or classes differ from those of the previous fit."""
    if model.schema_ != schema:
        raise UsageError(
            "warm_start needs the same columns and classes as the previous fit",
            slug="usage.parameter",
            hints=[Hint(option="warm_start", value=False), "or use a new estimator"],
        )


def check_count(count: int, limit: int) -> None:
    """Raise an error if the previous fit has more estimators than this one should have."""
    if count > limit:
        raise UsageError(
            f"n_estimators={limit} must be larger or equal to {count}, the number of the previous fit, "
            "when warm_start==True",
            slug="usage.parameter",
        )


def _warn_if_complete(count: int, limit: int) -> None:
    if count == limit:
        warn_user("Warm-start fitting without increasing n_estimators does not fit new estimators.")
