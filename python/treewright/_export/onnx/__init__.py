"""A model as ONNX: an input for each column, the answer and the shares as outputs, all in double precision.

Trees that send each row one way are a ``TreeEnsemble`` (opset 5 of ``ai.onnx.ml``) that says the number of the node
where the row ends; a table then says what that node says (``ensemble``). So shares are exact and nothing is rounded to
single precision. Trees that divide rows or have surrogates are written as arithmetic (``arithmetic``), which is exact
too but larger. ``combined`` makes one answer of many, with the exponential function of the core (``link``).

Text columns are string tensors, in which one text, empty unless another is given, means missing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright._export.combined_model import CombinedModel, refuse
from treewright._export.identifiers import extra, refuse_texts
from treewright._export.onnx.ensemble import combined
from treewright._export.onnx.graph import Graph
from treewright._model.decision import EQUAL
from treewright.errors import Hint, UsageError
from treewright.schema import Level, Schema

__all__ = ["answer_class", "packed", "refuse_odd", "write"]

OPSET, TREES, FORMAT = 18, 5, 10  # of the operators, of the trees among them, and of the file


def write(model: CombinedModel, *, missing: str = "", name: str = "prediction") -> bytes:
    """Return the bytes of the model."""
    onnx = extra("onnx", "onnx")
    refuse_odd(model.schema, missing)
    graph = Graph(onnx, model.schema, missing, outputs=(name, "probabilities"))
    _answer(graph, model, combined(graph, model))
    return packed(onnx, graph, model.title)


def packed(onnx: Any, graph: Graph, title: str) -> bytes:
    """Return the bytes of a graph."""
    opsets = [onnx.helper.make_opsetid("", OPSET), onnx.helper.make_opsetid("ai.onnx.ml", TREES)]
    built = onnx.helper.make_model(
        graph.built(_ascii(title)),
        opset_imports=opsets,
        ir_version=FORMAT,
        producer_name="treewright",
    )
    onnx.checker.check_model(built)
    return bytes(built.SerializeToString(deterministic=True))


def _answer(graph: Graph, model: CombinedModel, says: str) -> None:
    """Write the outputs: what the model says (rows by outputs), and the answer."""
    classes = model.schema.classes
    if not classes:
        graph.result("Identity", [says], graph.outputs[0], np.float64, [None, 1])
        return
    if model.schema.costs:
        expected = graph.add("MatMul", says, graph.constant(np.array(model.schema.costs)))
        least = graph.add("ReduceMin", expected, graph.constant(np.array([1])), keepdims=1)
        bound = graph.add("Mul", least, graph.constant(np.array(1 + EQUAL)))
        cheap = graph.add("LessOrEqual", expected, bound)
        chosen = graph.add("ArgMax", graph.cast(cheap, np.float64), axis=1, keepdims=0)
    else:
        chosen = graph.add("ArgMax", says, axis=1, keepdims=0)
    answer_class(graph, classes, chosen, says)


def answer_class(graph: Graph, classes: tuple[Level, ...], chosen: str, shares: str) -> None:
    """Write the class at the chosen position, and the shares."""
    kind: Any = object if isinstance(classes[0], str) else np.array(classes).dtype.type
    table = graph.constant(np.array(classes, dtype=kind))
    graph.result("Gather", [table, chosen], graph.outputs[0], kind, [None])
    graph.result("Identity", [shares], graph.outputs[1], np.float64, [None, len(classes)])


def refuse_odd(schema: Schema, missing: str) -> None:
    """Refuse names and values that ONNX cannot hold, or tell from a missing one."""
    for column in schema.columns:
        kinds = {isinstance(level, str) for level in column.levels}
        if len(kinds) > 1:
            raise refuse("ONNX", f'its column "{column.name}" mixes text and numbers')
        if missing in column.levels:
            raise UsageError(
                f'the text {missing!r}, which means missing, is a value of "{column.name}"',
                slug="export.refused",
                hints=[Hint(option="missing", value="?", note="any text that is not a value")],
            )
    if len({type(c) for c in schema.classes}) > 1:
        raise refuse("ONNX", "its classes are of different types")
    if "" in schema.names:
        raise refuse("ONNX", "a column has no name")
    levels = [level for column in schema.columns for level in column.levels]
    texts = (t for t in (*schema.names, *levels, *schema.classes) if isinstance(t, str))
    refuse_texts("ONNX", texts, lambda text: any("\ud800" <= c <= "\udfff" for c in text))


def _ascii(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode() or "tree"
