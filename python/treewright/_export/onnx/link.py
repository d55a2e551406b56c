"""The link in ONNX, with the exponential function of the core: the operator ``Exp`` has other last bits everywhere."""

from __future__ import annotations

import numpy as np

from treewright._export import exact_exp as e
from treewright._export.combined_model import CombinedModel
from treewright._export.onnx.graph import Graph

__all__ = ["linked"]

LEAST, MOST = -540, 514  # powers of 2 that are multiplied, two at a time


def linked(graph: Graph, model: CombinedModel, sums: str) -> str:
    """Add what the model says, from its sums."""
    if model.link == "identity":
        return sums
    if model.link == "exp":
        return _exp(graph, sums)
    one = graph.constant(np.array(1.0))
    if model.link == "logistic":
        whole = graph.add("Add", one, _exp(graph, graph.add("Neg", sums)))
        share = graph.add("Div", one, whole)
        return graph.add("Concat", graph.add("Sub", one, share), share, axis=1)
    axis = graph.constant(np.array([1]))
    beside = graph.add("Sub", sums, graph.add("ReduceMax", sums, axis, keepdims=1))
    if model.how == "vote":
        beside = graph.add("Div", beside, graph.constant(np.array(model.sums - 1.0)))
    shares = _exp(graph, beside)
    # Added one after the other: an operator that adds up may choose another order.
    whole = ""
    for k in range(model.sums):
        one_share = graph.add("Gather", shares, graph.constant(np.array([k])), axis=1)
        whole = graph.add("Add", whole, one_share) if whole else one_share
    return graph.add("Div", shares, whole)


def _exp(graph: Graph, x: str) -> str:
    """Add the exponential of each number of a tensor."""

    def number(value: float) -> str:
        return graph.constant(np.array(value))

    zero, one, half = number(0.0), number(1.0), number(0.5)
    bound = graph.add("Min", graph.add("Max", x, number(e.VANISHING)), number(e.HUGE))
    size = graph.add("Abs", bound)
    sign = graph.add("Where", graph.add("Less", bound, zero), number(-0.5), half)
    near = graph.add("Add", graph.add("Mul", number(e.LOG2_E), bound), sign)
    small = graph.add("Less", size, number(e.SMALL))
    k = graph.cast(graph.add("Where", small, zero, near), np.int64)
    times = graph.cast(k, np.float64)
    hi = graph.add("Sub", bound, graph.add("Mul", times, number(e.LN2_HI)))
    lo = graph.add("Mul", times, number(e.LN2_LO))
    r = graph.add("Sub", hi, lo)
    square, series = graph.add("Mul", r, r), number(e.SERIES[0])
    for factor in e.SERIES[1:]:
        series = graph.add("Add", number(factor), graph.add("Mul", square, series))
    c = graph.add("Sub", r, graph.add("Mul", square, series))
    fraction = graph.add("Div", graph.add("Mul", r, c), graph.add("Sub", number(2.0), c))
    near_one = graph.add("Add", one, graph.add("Add", graph.add("Sub", fraction, lo), hi))
    # 2 to the k as two factors: one alone could be too large or too small for a double.
    powers = graph.constant(np.ldexp(1.0, np.arange(LEAST, MOST)))
    first = graph.add("Div", k, graph.constant(np.array(2)))
    for power in (first, graph.add("Sub", k, first)):
        place = graph.add("Sub", power, graph.constant(np.array(LEAST)))
        near_one = graph.add("Mul", near_one, graph.add("Gather", powers, place))
    said = graph.add(
        "Where", graph.add("Less", size, number(e.TINY)), graph.add("Add", one, x), near_one
    )
    said = graph.add("Where", graph.add("Greater", x, number(e.HUGE)), number(np.inf), said)
    return graph.add("Where", graph.add("Less", x, number(e.VANISHING)), zero, said)
