"""The link in ONNX, with the exponential function of the core: the operator ``Exp`` differs in the last bits."""

from __future__ import annotations

import numpy as np

from treewright._export import exact_exp as e
from treewright._export.combined_model import CombinedModel
from treewright._export.onnx.graph import Graph

__all__ = ["add_link"]

MIN_POWER, MAX_POWER = -540, 514  # powers of 2 that are multiplied, two at a time


def add_link(graph: Graph, model: CombinedModel, sums: str) -> str:
    """Add the outputs of the model, from its sums."""
    if model.link == "identity":
        return sums
    if model.link == "exp":
        return _exp(graph, sums)
    if model.link == "logistic":
        total = graph.add("Add", 1.0, _exp(graph, graph.add("Neg", sums)))
        share = graph.add("Div", 1.0, total)
        return graph.add("Concat", graph.add("Sub", 1.0, share), share, axis=1)
    shifted = graph.add("Sub", sums, graph.add("ReduceMax", sums, np.array([1]), keepdims=1))
    if model.how == "vote":
        shifted = graph.add("Div", shifted, model.softmax_divisor)
    shares = _exp(graph, shifted)
    # Added one after the other: an operator that adds up may choose another order.
    total = ""
    for k in range(model.sums):
        share = graph.add("Gather", shares, np.array([k]), axis=1)
        total = graph.add("Add", total, share) if total else share
    return graph.add("Div", shares, total)


def _exp(graph: Graph, x: str) -> str:
    """Add the exponential of each number of a tensor."""
    add = graph.add
    bounded = add("Min", add("Max", x, e.VANISHING), e.HUGE)
    size = add("Abs", bounded)
    half = add("Where", add("Less", bounded, 0.0), -0.5, 0.5)
    nearest = add("Add", add("Mul", e.LOG2_E, bounded), half)
    k = graph.cast(add("Where", add("Less", size, e.SMALL), 0.0, nearest), np.int64)
    times = graph.cast(k, np.float64)
    hi = add("Sub", bounded, add("Mul", times, e.LN2_HI))
    lo = add("Mul", times, e.LN2_LO)
    r = add("Sub", hi, lo)
    square, series = add("Mul", r, r), graph.constant(np.array(e.SERIES[0]))
    for factor in e.SERIES[1:]:
        series = add("Add", factor, add("Mul", square, series))
    c = add("Sub", r, add("Mul", square, series))
    fraction = add("Div", add("Mul", r, c), add("Sub", 2.0, c))
    result = add("Add", 1.0, add("Add", add("Sub", fraction, lo), hi))
    # 2**k as two factors: one alone could overflow or vanish.
    powers = graph.constant(np.ldexp(1.0, np.arange(MIN_POWER, MAX_POWER)))
    first = add("Div", k, 2)
    for power in (first, add("Sub", k, first)):
        result = add("Mul", result, add("Gather", powers, add("Sub", power, MIN_POWER)))
    result = add("Where", add("Less", size, e.TINY), add("Add", 1.0, x), result)
    result = add("Where", add("Greater", x, e.HUGE), np.inf, result)
    return add("Where", add("Less", x, e.VANISHING), 0.0, result)
