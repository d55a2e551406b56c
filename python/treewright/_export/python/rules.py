"""A rule set in Python: an ``if`` per rule."""

from __future__ import annotations

from collections.abc import Iterator

from treewright._export.python.text import PREDICT, SHARES, class_comment, variables, write_find
from treewright._export.rule_set import RuleSet, bounds
from treewright._model.paths import Interval, Values

__all__ = ["write_rules"]


def write_rules(model: RuleSet) -> str:
    """Write the module below its head."""
    answers = "".join(f"    {rule.answer!r},\n" for rule in model.rules)
    shares = "".join(f"    {rule.shares!r},\n" for rule in model.rules)
    return (
        f"\nCLASSES = {model.schema.classes!r}\nANSWERS = (\n{answers})\nRULE_SHARES = (\n{shares})\n"
        + write_find(model.schema, model.tested, _ifs(model), "the rule that predicts a row")
        + SHARES.format(shares="RULE_SHARES[find(row)]")
        + PREDICT.format(what="the class", body="    return ANSWERS[find(row)]")
    )


def _ifs(model: RuleSet) -> Iterator[str]:
    names = variables(model.schema)
    *rules, last = model.rules
    for number, rule in enumerate(rules):
        tests = [_test(model, feature, v, names[feature]) for feature, v in rule.region.items()]
        yield f"    if {' and '.join(tests) or 'True'}:"
        yield f"        return {number}{class_comment(rule.answer)}"
    yield f"    return {len(rules)}{class_comment(last.answer)}"


def _test(model: RuleSet, feature: int, values: Values, x: str) -> str:
    if isinstance(values, Interval):
        missing = f"{x} != {x}"
        comparisons = (f"{x} {sign} {threshold!r}" for sign, threshold in bounds(values))
        test = " and ".join(comparisons) or f"{x} == {x}"
    else:
        missing = f"{x} is None"
        levels = model.schema.columns[feature].levels
        inside = tuple(level for code, level in enumerate(levels) if values.has(code))
        test = f"{x} in {inside!r}" if len(inside) != 1 else f"{x} == {inside[0]!r}"
    return f"({test} or {missing})" if values.missing else test
