"""A rule set as PMML 4.4: a ``RuleSetModel`` of which the first rule that holds answers (``firstHit``)."""

from __future__ import annotations

from treewright._export.pmml import refuse_names
from treewright._export.pmml.text import Document, number, value
from treewright._export.rule_set import RegionRule, RuleSet, bounds
from treewright._model.paths.ordered_tests import Above, Among, AtMost, Missing, Test
from treewright._model.paths.regions import Interval, Values

__all__ = ["write"]


def write(model: RuleSet) -> str:
    """Return the document."""
    refuse_names(model.schema)
    document = Document(model.schema, model.title)
    document.begin(numbers=True)
    document.open("RuleSetModel", functionName="classification")
    document.fields(model.schema.names)
    *rules, last = model.rules
    document.open(
        "RuleSet", defaultScore=value(last.answer), defaultConfidence=number(max(last.shares))
    )
    document.empty("RuleSelectionMethod", criterion="firstHit")
    _shares(document, last)
    for place, rule in enumerate(rules):
        said, sure = value(rule.answer), number(max(rule.shares))
        document.open("SimpleRule", id=str(place), score=said, confidence=sure)
        _predicate(document, rule)
        _shares(document, rule)
        document.close("SimpleRule")
    document.close("RuleSet")
    document.close("RuleSetModel")
    return document.end()


def _shares(document: Document, rule: RegionRule) -> None:
    """Write the share of each class; a rule keeps no count of its rows, so the shares stand for it."""
    for c, share in zip(document.schema.classes, rule.shares, strict=True):
        told = number(share)
        document.empty(
            "ScoreDistribution", value=value(c), recordCount=told, confidence=told, probability=told
        )


def _predicate(document: Document, rule: RegionRule) -> None:
    """Write what a rule asks of all its columns."""
    asked = [feature for feature, values in rule.region.items() if not _any(values)]
    if not asked:
        document.empty("True")
    elif len(asked) == 1:
        _column(document, asked[0], rule.region[asked[0]])
    else:
        document.open("CompoundPredicate", booleanOperator="and")
        for feature in asked:
            _column(document, feature, rule.region[feature])
        document.close("CompoundPredicate")


def _any(values: Values) -> bool:
    """Whether a set of numbers holds them all, and missing ones too."""
    return isinstance(values, Interval) and values == Interval()


def _column(document: Document, feature: int, values: Values) -> None:
    """Write what a rule asks of one column."""
    if values.missing:
        document.open("CompoundPredicate", booleanOperator="or")
        document.test(Missing(feature))
    tests = _tests(document, feature, values)
    if tests:
        document.test(tests[0]) if len(tests) == 1 else document.compound("and", tests)
    elif not values.missing:
        name = document.schema.columns[feature].name
        document.empty("SimplePredicate", field=name, operator="isNotMissing")
    if values.missing:
        document.close("CompoundPredicate")


def _tests(document: Document, feature: int, values: Values) -> list[Test]:
    if isinstance(values, Interval):
        told = [
            (Above if sign == ">" else AtMost)(feature, threshold)
            for sign, threshold in bounds(values)
        ]
        return [*told]
    levels = document.schema.columns[feature].levels
    return [Among(feature, tuple(code for code in range(len(levels)) if values.has(code)))]
