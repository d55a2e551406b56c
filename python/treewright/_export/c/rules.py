"""A rule set in C: an ``if`` per rule."""

from __future__ import annotations

from treewright._export.c.text import RULES, category_number, join, number, table
from treewright._export.rule_set import RuleSet, bounds
from treewright._model.paths import Interval, Values

__all__ = ["write_rules"]


def write_rules(model: RuleSet, names: dict[str, str]) -> str:
    """Write the rules and the functions that predict with them."""
    *rules, _ = model.rules
    ifs = []
    for i, rule in enumerate(rules):
        tests = [_test(model, feature, values) for feature, values in rule.region.items()]
        ifs.append(f"    if ({' && '.join(tests) or '1'}) return {i};\n")
    return RULES.format(
        **names,
        answers=join(model.classes),
        shares=table(rule.shares for rule in model.rules),
        ifs="".join(ifs),
        default=len(rules),
    )


def _test(model: RuleSet, feature: int, values: Values) -> str:
    x = f"x[{feature}]"
    if isinstance(values, Interval):
        comparisons = (f"{x} {sign} {number(threshold)}" for sign, threshold in bounds(values))
        test = " && ".join(comparisons) or f"!isnan({x})"
    else:
        column = model.schema.columns[feature]
        codes = [code for code in range(len(column.levels)) if values.has(code)]
        test = " || ".join(f"{x} == {number(category_number(column, c))}" for c in codes) or "0"
        test = f"({test})" if len(codes) > 1 else test
    return f"({test} || isnan({x}))" if values.missing else test
