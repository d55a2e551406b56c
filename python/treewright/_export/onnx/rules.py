"""A rule set in ONNX: comparisons per rule, ``ArgMax`` for the first rule that holds, and tables of its outputs."""

from __future__ import annotations

import numpy as np

from treewright._export.onnx.graph import Graph
from treewright._export.rule_set import RegionRule, RuleSet, bounds
from treewright._model.paths import Interval, Values

__all__ = ["add_rules"]


def add_rules(graph: Graph, model: RuleSet) -> tuple[str, str]:
    """Add the rules; return the predicted positions and the class probabilities, rows by classes."""
    # The default is the last rule and holds for every row, so a row always has a first rule.
    holds = graph.add("Concat", *(_add_rule(graph, rule) for rule in model.rules), axis=1)
    first = graph.add("ArgMax", holds, axis=1, keepdims=0)
    chosen = graph.add("Gather", np.array(model.classes), first, axis=0)
    shares = np.array([rule.shares for rule in model.rules])
    return chosen, graph.add("Gather", shares, first, axis=0)


def _add_rule(graph: Graph, rule: RegionRule) -> str:
    """Add 1 for each row in the region of a rule, 0 for others, rows by 1."""
    holds = ""
    for feature, values in rule.region.items():
        test = _add_test(graph, feature, values)
        holds = graph.add("And", holds, test) if holds else test
    if not holds:
        rows = graph.feature(0)
        holds = graph.add("Equal", graph.add("IsNaN", rows), graph.add("IsNaN", rows))
    return graph.cast(holds, np.float64)


def _add_test(graph: Graph, feature: int, values: Values) -> str:
    """Add whether the value of a column belongs to a set; no comparison holds for a missing one."""
    x = graph.feature(feature)
    missing = graph.add("IsNaN", x)
    test = ""
    if isinstance(values, Interval):
        for sign, threshold in bounds(values):
            one = graph.add("Greater" if sign == ">" else "LessOrEqual", x, threshold)
            test = graph.add("And", test, one) if test else one
        test = test or graph.add("Not", missing)
    else:
        levels = range(len(graph.schema.columns[feature].levels))
        test = graph.add_among(x, [code for code in levels if values.has(code)] or [-2])
    return graph.add("Or", test, missing) if values.missing else test
