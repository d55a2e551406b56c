"""A rule set in PMML: a ``RuleSetModel`` of which the first rule that holds predicts (``firstHit``)."""

from __future__ import annotations

from treewright._export.pmml.text import Document, number, value
from treewright._export.rule_set import RegionRule, RuleSet, bounds
from treewright._model.paths import Above, Among, AtMost, Interval, Missing, Test, Values

__all__ = ["write_rules"]


def write_rules(document: Document, model: RuleSet) -> None:
    """Write the rules and the default."""
    *rules, last = model.rules
    default = {"defaultScore": value(last.answer), "defaultConfidence": number(max(last.shares))}
    with document.element("RuleSetModel", functionName="classification"):
        document.write_fields(model.schema.names)
        with document.element("RuleSet", **default):
            document.empty("RuleSelectionMethod", criterion="firstHit")
            _write_shares(document, last)
            for place, rule in enumerate(rules):
                score, confidence = value(rule.answer), number(max(rule.shares))
                with document.element(
                    "SimpleRule", id=str(place), score=score, confidence=confidence
                ):
                    _write_predicate(document, rule)
                    _write_shares(document, rule)


def _write_shares(document: Document, rule: RegionRule) -> None:
    """Write the probability of each class; a rule stores no row counts, so probabilities stand for them."""
    for c, share in zip(document.schema.classes, rule.shares, strict=True):
        document.write_score(c, share, share)


def _write_predicate(document: Document, rule: RegionRule) -> None:
    tested = [feature for feature, values in rule.region.items() if values != Interval()]
    if not tested:
        document.empty("True")
    elif len(tested) == 1:
        _write_column(document, tested[0], rule.region[tested[0]])
    else:
        with document.element("CompoundPredicate", booleanOperator="and"):
            for feature in tested:
                _write_column(document, feature, rule.region[feature])


def _write_column(document: Document, feature: int, values: Values) -> None:
    """Write that the value of a column belongs to a set."""
    if values.missing:
        document.open("CompoundPredicate", booleanOperator="or")
        document.write_test(Missing(feature))
    tests = _tests(document, feature, values)
    if len(tests) == 1:
        document.write_test(tests[0])
    elif tests:
        document.write_tests("and", tests)
    elif not values.missing:
        name = document.schema.columns[feature].name
        document.empty("SimplePredicate", field=name, operator="isNotMissing")
    if values.missing:
        document.close("CompoundPredicate")


def _tests(document: Document, feature: int, values: Values) -> list[Test]:
    if isinstance(values, Interval):
        return [(Above if sign == ">" else AtMost)(feature, x) for sign, x in bounds(values)]
    levels = document.schema.columns[feature].levels
    return [Among(feature, tuple(code for code in range(len(levels)) if values.has(code)))]
