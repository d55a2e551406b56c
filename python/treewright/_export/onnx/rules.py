"""A rule set as ONNX: what each rule asks as comparisons, the first one that holds by ``ArgMax``, and tables for it."""

from __future__ import annotations

import numpy as np

from treewright._export.identifiers import extra
from treewright._export.onnx import answer_class, packed, refuse_odd
from treewright._export.onnx.graph import Graph
from treewright._export.rule_set import RegionRule, RuleSet, bounds
from treewright._model.paths.regions import Interval, Values

__all__ = ["write"]


def write(model: RuleSet, *, missing: str = "", name: str = "prediction") -> bytes:
    """Return the bytes of the model."""
    onnx = extra("onnx", "onnx")
    refuse_odd(model.schema, missing)
    graph = Graph(onnx, model.schema, missing, outputs=(name, "probabilities"))
    # The default holds for every row, and is the last: a row always has a first rule.
    held = [_rule(graph, rule) for rule in model.rules]
    side = graph.add("Concat", *held, axis=1)
    first = graph.add("ArgMax", side, axis=1, keepdims=0)
    shares = graph.constant(np.array([rule.shares for rule in model.rules]))
    answers = [model.schema.classes.index(rule.answer) for rule in model.rules]
    chosen = graph.add("Gather", graph.constant(np.array(answers)), first, axis=0)
    answer_class(graph, model.schema.classes, chosen, graph.add("Gather", shares, first, axis=0))
    return packed(onnx, graph, model.title)


def _rule(graph: Graph, rule: RegionRule) -> str:
    """Add 1 for each row that a rule is about, 0 for others, rows by 1."""
    holds = ""
    for feature, values in rule.region.items():
        one = _column(graph, feature, values)
        holds = graph.add("And", holds, one) if holds else one
    if not holds:
        rows = graph.feature(0)
        holds = graph.add("Equal", graph.add("IsNaN", rows), graph.add("IsNaN", rows))
    return graph.cast(holds, np.float64)


def _column(graph: Graph, feature: int, values: Values) -> str:
    """Add whether the value of a column belongs to a set; no comparison holds for a missing one."""
    x = graph.feature(feature)
    absent = graph.add("IsNaN", x)
    known = ""
    if isinstance(values, Interval):
        for sign, threshold in bounds(values):
            word = "Greater" if sign == ">" else "LessOrEqual"
            one = graph.add(word, x, graph.constant(np.array(threshold)))
            known = graph.add("And", known, one) if known else one
        known = known or graph.add("Not", absent)
    else:
        levels = range(len(graph.schema.columns[feature].levels))
        inside = np.array([[float(code) for code in levels if values.has(code)] or [-2.0]])
        equal = graph.cast(graph.add("Equal", x, graph.constant(inside)), np.float64)
        most = graph.add("ReduceMax", equal, graph.constant(np.array([1])), keepdims=1)
        known = graph.cast(most, np.bool_)
    return graph.add("Or", known, absent) if values.missing else known
