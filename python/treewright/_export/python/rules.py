"""A rule set as a Python module that needs nothing: ``find`` gives the rule that answers, ``predict`` its class."""

from __future__ import annotations

from collections.abc import Iterator

from treewright._export.identifiers import identifiers
from treewright._export.python import FIND, HEAD, PREDICT, SHARES, VALUES, docstring
from treewright._export.rule_set import RuleSet, bounds
from treewright._model.paths.regions import Interval, Values
from treewright._render.safe_text import visible
from treewright.schema import label

__all__ = ["write"]


def write(model: RuleSet) -> str:
    """Return the source of the module."""
    schema = model.schema
    variables = identifiers(schema.names, taken=("row", "nan", "find", "predict"))
    asked = sorted({feature for rule in model.rules for feature in rule.region})
    lines = []
    for i in asked:
        read = "_number" if schema.columns[i].kind == "numeric" else "_category"
        lines.append(f"    {variables[i]} = {read}(row.get({schema.names[i]!r}))")
    *rules, last = model.rules
    for number, rule in enumerate(rules):
        tests = [t for f, v in rule.region.items() for t in _tests(model, f, v, variables[f])]
        lines.append(f"    if {' and '.join(tests) or 'True'}:")
        lines.append(f"        return {number}{_said(rule.answer)}")
    lines.append(f"    return {len(rules)}{_said(last.answer)}")
    answers = "".join(f"    {rule.answer!r},\n" for rule in model.rules)
    shares = "".join(f"    {rule.shares!r},\n" for rule in model.rules)
    find = FIND.replace("the node where a row ends", "the rule that answers a row")
    return (
        HEAD.format(title=docstring(model.title))
        + f"\nCLASSES = {schema.classes!r}\nANSWERS = (\n{answers})\nRULE_SHARES = (\n{shares})\n"
        + VALUES
        + find
        + "\n".join(lines)
        + "\n"
        + SHARES.format(shares="RULE_SHARES[find(row)]")
        + PREDICT.format(what="the class", body="    return ANSWERS[find(row)]")
    )


def _said(answer: object) -> str:
    said = visible(label(answer))[:60]  # type: ignore[arg-type]
    return f"  # {said}" if said.strip() else ""


def _tests(model: RuleSet, feature: int, values: Values, x: str) -> Iterator[str]:
    absent = f"{x} != {x}" if isinstance(values, Interval) else f"{x} is None"
    if isinstance(values, Interval):
        told = (
            " and ".join(f"{x} {sign} {threshold!r}" for sign, threshold in bounds(values))
            or f"{x} == {x}"
        )
    else:
        levels = model.schema.columns[feature].levels
        known = tuple(level for code, level in enumerate(levels) if values.has(code))
        told = f"{x} in {known!r}" if len(known) != 1 else f"{x} == {known[0]!r}"
    yield f"({told} or {absent})" if values.missing else told
