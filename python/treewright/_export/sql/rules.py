"""A rule set in SQL: a ``CASE`` with a ``WHEN`` per rule."""

from __future__ import annotations

from collections.abc import Callable

from treewright._export.rule_set import RegionRule, RuleSet
from treewright._export.sql.text import Dialect

__all__ = ["write_output", "write_prediction"]


def write_prediction(model: RuleSet, sql: Dialect) -> str:
    """Write the predicted class."""
    return _case(model, sql, lambda rule: sql.value(rule.answer))


def write_output(model: RuleSet, sql: Dialect, output: int) -> str:
    """Write the probability of a class."""
    return _case(model, sql, lambda rule: sql.number(rule.shares[output]))


def _case(model: RuleSet, sql: Dialect, write: Callable[[RegionRule], str]) -> str:
    *rules, last = model.rules
    if not rules:
        return write(last)
    whens = "".join(
        f"  WHEN {sql.in_region(rule.region) or 'TRUE'} THEN {write(rule)}\n" for rule in rules
    )
    return f"CASE\n{whens}  ELSE {write(last)}\nEND"
