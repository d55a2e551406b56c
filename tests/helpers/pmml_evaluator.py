"""An evaluator of PMML 4.4 models of trees and rules, written from the specification (https://dmg.org/pmml/v4-4-1).

Trees, rule sets, regressions and models of several. Predicates are true, false or unknown (None); what is not needed is
not here. It reads the document with the standard library's parser and knows nothing of this project.
"""

from __future__ import annotations

import math
import shlex
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

SPACE = "{http://www.dmg.org/PMML-4_4}"
PREDICATES = {
    SPACE + word
    for word in ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")
}
MODELS = {SPACE + word for word in ("TreeModel", "MiningModel", "RegressionModel", "RuleSetModel")}
# The children that the schema allows, in their order.
CHILDREN = {
    "PMML": ["Header", "DataDictionary", "model"],
    "Header": ["Application"],
    "DataDictionary": ["DataField"],
    "DataField": ["Value"],
    "TreeModel": ["MiningSchema", "Node"],
    "MiningModel": ["MiningSchema", "Output", "Segmentation"],
    "Segmentation": ["Segment"],
    "Segment": ["predicate", "model"],
    "RegressionModel": ["MiningSchema", "RegressionTable"],
    "RegressionTable": ["NumericPredictor"],
    "RuleSetModel": ["MiningSchema", "RuleSet"],
    "RuleSet": ["RuleSelectionMethod", "ScoreDistribution", "SimpleRule"],
    "SimpleRule": ["predicate", "ScoreDistribution"],
    "Output": ["OutputField"],
    "MiningSchema": ["MiningField"],
    "Node": ["predicate", "ScoreDistribution", "Node"],
}


@dataclass
class Told:
    """What a model says of a row: its answer, the probability of each class, fields for models behind it."""

    answer: Any
    shares: dict[Any, float] = field(default_factory=dict)
    fields: dict[str, float] = field(default_factory=dict)


class Evaluator:
    """One document."""

    def __init__(self, text: str) -> None:
        root = ET.fromstring(text)
        for element in root.iter():
            check_order(element)
        fields = root.findall(f"{SPACE}DataDictionary/{SPACE}DataField")
        assert root.find(f"{SPACE}DataDictionary").get("numberOfFields") == str(len(fields))
        self.types = {f.get("name"): f.get("dataType") for f in fields}
        self.valid = {
            f.get("name"): [self.read(f.get("name"), v.get("value")) for v in f] for f in fields
        }
        self.model = next(element for element in root if element.tag in MODELS)
        mining = self.model.findall(f"{SPACE}MiningSchema/{SPACE}MiningField")
        self.target = next(m.get("name") for m in mining if m.get("usageType") == "target")

    def read(self, name: str, text: str) -> Any:
        kind = self.types[name]
        if kind == "boolean":
            return {"true": True, "false": False}[text]
        return text if kind == "string" else int(text) if kind == "integer" else float(text)

    def predict(self, row: Mapping[str, Any]) -> tuple[Any, dict[Any, float]]:
        """Return the answer, and the confidence of each class."""
        told = self.evaluate(self.model, row)
        return told.answer, told.shares

    def evaluate(self, model: Any, row: Mapping[str, Any]) -> Told:
        known = dict(self.prepared(model, row))
        word = model.tag.removeprefix(SPACE)
        told: Told = getattr(self, f"evaluate_{word}")(model, known)
        for output in outputs(model):
            said = told.answer
            if output.get("feature") == "probability":
                said = told.shares[self.read(self.target, output.get("value"))]
            told.fields[output.get("name")] = said
        return told

    def prepared(self, model: Any, row: Mapping[str, Any]) -> Any:
        """Give the fields that a model may read; a field that it does not name is not there."""
        for name, treatment in mined(model):
            value, valid = row[name], self.valid.get(name)
            if value is not None and valid and value not in valid:
                value = {"asIs": value, "asMissing": None}[treatment]
            yield name, value

    # ---- trees

    def evaluate_TreeModel(self, model: Any, row: Mapping[str, Any]) -> Told:  # noqa: N802
        self.missing = model.get("missingValueStrategy", "none")
        self.no_true_child = model.get("noTrueChildStrategy", "returnNullPrediction")
        shares, score = self.descend(model.find(f"{SPACE}Node"), row)
        if score is None:  # a weighted sum: the winner is the class with the highest confidence
            return Told(max(shares, key=lambda c: shares[c], default=None), shares)
        number = model.get("functionName") == "regression"
        return Told(float(score) if number else self.read(self.target, score), shares)

    def descend(self, node: Any, row: Mapping[str, Any]) -> tuple[dict[Any, float], str | None]:
        while True:
            children = inner(node)
            if not children:
                return self.said(node), node.get("score")
            chosen = None
            for child in children:
                holds = self.holds(predicate_of(child), row)
                if holds is None and self.missing == "weightedConfidence":
                    return self.weighted(children, row), None
                if holds is None and self.missing == "nullPrediction":
                    return {}, None
                assert holds is not None or self.missing == "none"
                if holds:
                    chosen = child
                    break
            if chosen is None:
                assert self.no_true_child == "returnLastPrediction"
                return self.said(node), node.get("score")
            node = chosen

    def weighted(self, children: list[Any], row: Mapping[str, Any]) -> dict[Any, float]:
        found = [
            (float(child.get("recordCount")), self.descend(child, row)[0])
            for child in children
            if self.holds(predicate_of(child), row) is not False
        ]
        whole = sum(weight for weight, _ in found)
        classes = found[0][1]
        return {c: sum(w / whole * shares[c] for w, shares in found) for c in classes}

    def said(self, node: Any) -> dict[Any, float]:
        return {
            self.read(self.target, d.get("value")): float(d.get("probability"))
            for d in node.findall(f"{SPACE}ScoreDistribution")
        }

    # ---- several models

    def evaluate_MiningModel(self, model: Any, row: Mapping[str, Any]) -> Told:  # noqa: N802
        segmentation = model.find(f"{SPACE}Segmentation")
        told, weights, known = [], [], dict(row)
        method = segmentation.get("multipleModelMethod")
        for segment in segmentation:
            assert self.holds(predicate_of(segment), row) is True
            told.append(self.evaluate(segment[1], known))
            weights.append(float(segment.get("weight", 1)))
            if method == "modelChain":
                known |= told[-1].fields
        if method == "modelChain":
            return told[-1]
        if method == "sum":
            total = 0.0
            for one in told:
                total += one.answer
            return Told(total)
        if method == "weightedMedian":
            return Told(weighted_median([one.answer for one in told], weights))
        if method == "weightedMajorityVote":
            classes = dict.fromkeys(self.valid[self.target], 0.0)
            for one, weight in zip(told, weights, strict=True):
                classes[one.answer] += weight / sum(weights)
            return Told(max(classes, key=lambda c: classes[c]), classes)
        assert method == "average"
        if model.get("functionName") == "regression":
            return Told(sum(one.answer for one in told) / len(told))
        means = {c: sum(one.shares[c] for one in told) / len(told) for c in told[0].shares}
        return Told(max(means, key=lambda c: means[c]), means)

    # ---- regressions

    def evaluate_RegressionModel(self, model: Any, row: Mapping[str, Any]) -> Told:  # noqa: N802
        sums = []
        for table in model.findall(f"{SPACE}RegressionTable"):
            total = float(table.get("intercept"))
            for predictor in table:
                total += float(predictor.get("coefficient")) * row[predictor.get("name")]
            sums.append((table.get("targetCategory"), total))
        method = model.get("normalizationMethod")
        if method == "exp":
            [(_, total)] = sums
            return Told(math.exp(total))
        classes = [self.read(self.target, c) for c, _ in sums]
        if method == "logit":
            assert len(sums) == 2
            first = 1 / (1 + math.exp(-sums[0][1]))
            values = [first, 1 - first]
        else:
            assert method == "softmax"
            raised = [math.exp(total) for _, total in sums]
            values = [x / sum(raised) for x in raised]
        said = dict(zip(classes, values, strict=True))
        ordered = {c: said[c] for c in self.valid[self.target]}
        return Told(max(ordered, key=lambda c: ordered[c]), ordered)

    # ---- rules

    def evaluate_RuleSetModel(self, model: Any, row: Mapping[str, Any]) -> Told:  # noqa: N802
        self.missing = "unknown"
        rules = model.find(f"{SPACE}RuleSet")
        [method] = rules.findall(f"{SPACE}RuleSelectionMethod")
        assert method.get("criterion") == "firstHit"
        for rule in rules.findall(f"{SPACE}SimpleRule"):
            if self.holds(predicate_of(rule), row):
                return Told(self.read(self.target, rule.get("score")), self.said(rule))
        return Told(self.read(self.target, rules.get("defaultScore")), self.said(rules))

    # ---- predicates

    def holds(self, predicate: Any, row: Mapping[str, Any]) -> bool | None:
        word = predicate.tag.removeprefix(SPACE)
        if word in ("True", "False"):
            return word == "True"
        if word == "CompoundPredicate":
            return self.compound(predicate, row)
        name = predicate.get("field")
        value = row[name]
        if predicate.get("operator") == "isMissing":
            return value is None
        if value is None:
            # With the strategy "none" a comparison with a missing value is false, unknown otherwise.
            return False if self.missing == "none" else None
        if word == "SimpleSetPredicate":
            array = predicate.find(f"{SPACE}Array")
            members = [self.read(name, text) for text in shlex.split(array.text or "")]
            assert len(members) == int(array.get("n"))
            return value in members
        if predicate.get("operator") == "isNotMissing":
            return True
        other = self.read(name, predicate.get("value"))
        tests = {"equal": value == other, "lessOrEqual": 0, "greaterThan": 0}
        if self.types[name] == "double":
            tests |= {"lessOrEqual": value <= other, "greaterThan": value > other}
        return bool(tests[predicate.get("operator")])

    def compound(self, predicate: Any, row: Mapping[str, Any]) -> bool | None:
        found = [self.holds(part, row) for part in predicate]
        if predicate.get("booleanOperator") == "surrogate":
            return next((holds for holds in found if holds is not None), None)
        assert len(found) > 1
        decisive = {"or": True, "and": False}[predicate.get("booleanOperator")]
        return decisive if decisive in found else None if None in found else not decisive


@cache
def inner(node: Any) -> list[Any]:
    return list(node.findall(f"{SPACE}Node"))


@cache
def outputs(model: Any) -> list[Any]:
    return list(model.findall(f"{SPACE}Output/{SPACE}OutputField"))


@cache
def mined(model: Any) -> list[tuple[str, str]]:
    fields = model.findall(f"{SPACE}MiningSchema/{SPACE}MiningField")
    return [
        (m.get("name"), m.get("invalidValueTreatment", "returnInvalid"))
        for m in fields
        if m.get("usageType") != "target"
    ]


@cache
def predicate_of(element: Any) -> Any:
    return next(e for e in element if e.tag in PREDICATES)


def weighted_median(values: list[float], weights: list[float]) -> float:
    order = sorted(range(len(values)), key=lambda i: values[i])
    whole, reached = 0.0, 0.0
    for i in order:
        whole += weights[i]
    for i in order:
        reached += weights[i]
        if reached >= 0.5 * whole:
            return values[i]
    raise AssertionError("weights are positive")


def check_order(element: Any) -> None:
    allowed = CHILDREN.get(element.tag.removeprefix(SPACE))
    words = [
        "predicate"
        if e.tag in PREDICATES
        else "model"
        if e.tag in MODELS
        else e.tag.removeprefix(SPACE)
        for e in element
    ]
    if allowed is not None:
        places = [allowed.index(word) for word in words]
        assert places == sorted(places), words
