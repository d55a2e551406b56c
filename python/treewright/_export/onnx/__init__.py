"""A model as ONNX: an input per column, the prediction and the class probabilities as outputs, in double precision.

Trees that send each row along one path are a ``TreeEnsemble`` operator (opset 5 of ``ai.onnx.ml``) that outputs the
node where a row ends; a table then holds the values of the nodes, so nothing is rounded to single precision. Trees with
fractional rows or surrogates are written as arithmetic (``fractional_rows``), which is exact too but larger.

Text columns are string tensors; one text, empty unless the caller names another, stands for a missing value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright._export.combined_model import CombinedModel, refuse, refuse_mixed_types
from treewright._export.identifiers import refuse_texts, schema_texts
from treewright._export.onnx.ensemble import add_trees
from treewright._export.onnx.graph import Graph
from treewright._export.onnx.rules import add_rules
from treewright._export.rule_set import RuleSet
from treewright.errors import Hint, UsageError
from treewright.schema import Schema

__all__ = ["write"]

OPSET, ML_OPSET, IR_VERSION = 18, 5, 10


def write(model: CombinedModel | RuleSet, *, missing: str = "", name: str = "prediction") -> bytes:
    """Return the bytes of the model."""
    import onnx

    _refuse(model.schema, missing)
    graph = Graph(onnx, model.schema, missing, outputs=(name, "probabilities"))
    if isinstance(model, RuleSet):
        chosen, outputs = add_rules(graph, model)
    else:
        chosen, outputs = add_trees(graph, model)
    _add_results(graph, chosen, outputs)
    title = model.title.encode("ascii", "backslashreplace").decode() or "tree"
    opsets = [onnx.helper.make_opsetid("", OPSET), onnx.helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
    built = onnx.helper.make_model(
        graph.build(title), opset_imports=opsets, ir_version=IR_VERSION, producer_name="treewright"
    )
    onnx.checker.check_model(built)
    return bytes(built.SerializeToString(deterministic=True))


def _add_results(graph: Graph, chosen: str, outputs: str) -> None:
    """Add the results of the model: the class at the chosen position and the probabilities, or the number."""
    classes = graph.schema.classes
    if not classes:
        graph.add_result("Identity", [outputs], graph.outputs[0], np.float64, [None, 1])
        return
    kind: Any = object if isinstance(classes[0], str) else np.array(classes).dtype.type
    table = graph.constant(np.array(classes, dtype=kind))
    graph.add_result("Gather", [table, chosen], graph.outputs[0], kind, [None])
    graph.add_result("Identity", [outputs], graph.outputs[1], np.float64, [None, len(classes)])


def _refuse(schema: Schema, missing: str) -> None:
    """Raise an error for names and values that ONNX cannot hold or tell from a missing one."""
    refuse_mixed_types("ONNX", schema)
    for column in schema.columns:
        if missing in (*column.levels, *column.order):
            raise UsageError(
                f'the text {missing!r} stands for a missing value, but it is a value of "{column.name}"',
                slug="export.refused",
                hints=[Hint(option="missing", value="?", note="any text that is not a value")],
            )
    if len({type(c) for c in schema.classes}) > 1:
        raise refuse("ONNX", "its classes are of different types")
    if "" in schema.names:
        raise refuse("ONNX", "a column has no name")
    refuse_texts(
        "ONNX", schema_texts(schema), lambda text: any("\ud800" <= c <= "\udfff" for c in text)
    )
