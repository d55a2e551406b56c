"""An evaluator of PMML 4.4 tree models, written from the specification (https://dmg.org/pmml/v4-4-1/TreeModel.html).

Predicates are true, false or unknown (None); what is not needed for trees is not here. It reads the document with the
standard library's parser and knows nothing of this project.
"""

from __future__ import annotations

import shlex
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

SPACE = "{http://www.dmg.org/PMML-4_4}"
PREDICATES = {
    SPACE + word
    for word in ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")
}
# The children that the schema allows, in their order.
CHILDREN = {
    "PMML": ["Header", "DataDictionary", "TreeModel"],
    "Header": ["Application"],
    "DataDictionary": ["DataField"],
    "DataField": ["Value"],
    "TreeModel": ["MiningSchema", "Node"],
    "MiningSchema": ["MiningField"],
    "Node": ["predicate", "ScoreDistribution", "Node"],
}


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
        self.model = root.find(f"{SPACE}TreeModel")
        mining = self.model.findall(f"{SPACE}MiningSchema/{SPACE}MiningField")
        self.invalid = {
            m.get("name"): m.get("invalidValueTreatment", "returnInvalid") for m in mining
        }
        self.target = next(m.get("name") for m in mining if m.get("usageType") == "target")
        self.missing = self.model.get("missingValueStrategy", "none")
        self.no_true_child = self.model.get("noTrueChildStrategy", "returnNullPrediction")

    def read(self, name: str, text: str) -> Any:
        kind = self.types[name]
        if kind == "boolean":
            return {"true": True, "false": False}[text]
        return text if kind == "string" else int(text) if kind == "integer" else float(text)

    def predict(self, row: Mapping[str, Any]) -> tuple[Any, dict[Any, float]]:
        """Return the answer, and the confidence of each class."""
        known = {name: self.prepared(name, row[name]) for name in row}
        shares, score = self.descend(self.model.find(f"{SPACE}Node"), known)
        if score is None:  # a weighted sum: the winner is the class with the highest confidence
            return max(shares, key=lambda c: shares[c], default=None), shares
        return self.read(self.target, score), shares

    def prepared(self, name: str, value: Any) -> Any:
        valid = self.valid[name]
        if value is None or not valid or value in valid:
            return value
        return {"asIs": value, "asMissing": None}[self.invalid[name]]

    def descend(self, node: Any, row: Mapping[str, Any]) -> tuple[dict[Any, float], str | None]:
        while True:
            children = node.findall(f"{SPACE}Node")
            if not children:
                return self.said(node), node.get("score")
            chosen = None
            for child in children:
                holds = self.holds(next(e for e in child if e.tag in PREDICATES), row)
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
            if self.holds(next(e for e in child if e.tag in PREDICATES), row) is not False
        ]
        whole = sum(weight for weight, _ in found)
        classes = found[0][1]
        return {c: sum(w / whole * shares[c] for w, shares in found) for c in classes}

    def said(self, node: Any) -> dict[Any, float]:
        return {
            self.read(self.target, d.get("value")): float(d.get("confidence"))
            for d in node.findall(f"{SPACE}ScoreDistribution")
        }

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
        other = self.read(name, predicate.get("value"))
        tests = {"equal": value == other, "lessOrEqual": 0, "greaterThan": 0}
        if self.types[name] == "double":
            tests |= {"lessOrEqual": value <= other, "greaterThan": value > other}
        return bool(tests[predicate.get("operator")])

    def compound(self, predicate: Any, row: Mapping[str, Any]) -> bool | None:
        found = [self.holds(part, row) for part in predicate]
        if predicate.get("booleanOperator") == "surrogate":
            return next((holds for holds in found if holds is not None), None)
        assert predicate.get("booleanOperator") == "or"
        return True if True in found else None if None in found else False


def check_order(element: Any) -> None:
    allowed = CHILDREN.get(element.tag.removeprefix(SPACE))
    words = ["predicate" if e.tag in PREDICATES else e.tag.removeprefix(SPACE) for e in element]
    if allowed is not None:
        places = [allowed.index(word) for word in words]
        assert places == sorted(places), words
