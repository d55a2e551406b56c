"""A growing ONNX graph: operators with unique names, constants, and the columns as features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.schema import Column, Schema

__all__ = ["Graph"]

UNSEEN = -1.0  # the code of an unseen category


Input = str | float | NDArray[Any]


class Graph:
    """Operators in the order in which they run."""

    def __init__(self, onnx: Any, schema: Schema, missing: str, outputs: tuple[str, ...]) -> None:
        self._onnx, self.schema, self._missing = onnx, schema, missing
        self._taken = set(schema.names)
        self.outputs = tuple(self._free(name) for name in outputs)
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._inputs: list[Any] = []
        self._results: list[Any] = []
        self._features: dict[int, str] = {}

    def build(self, name: str) -> Any:
        """Return the graph; columns that no split tests are inputs too."""
        for i in range(len(self.schema.columns)):
            self._declare(i)
        return self._onnx.helper.make_graph(
            self._nodes, name, self._inputs, self._results, self._constants
        )

    # ---- columns

    def feature(self, i: int) -> str:
        """Return a column as numbers, rows by 1: a category by the position of its level, NaN if missing."""
        if i not in self._features:
            column = self.schema.columns[i]
            numeric = column.kind == "numeric"
            plain = numeric and not column.order
            self._features[i] = column.name if plain else self._encode(column)
        return self._features[i]

    def features(self, wanted: Sequence[int]) -> str:
        """Return columns side by side, rows by columns."""
        return self.add("Concat", *(self.feature(i) for i in wanted), axis=1)

    def _declare(self, i: int) -> None:
        column = self.schema.columns[i]
        kind = object if _is_text(column) else np.float64
        self._inputs.append(self._describe(column.name, kind, [None, 1]))

    def _encode(self, column: Column) -> str:
        levels: list[Any] = list(column.levels or column.order)
        text, codes = _is_text(column), np.arange(float(len(levels)))
        if text:
            levels, codes = [*levels, self._missing], np.append(codes, np.nan)
        coded = self.add(
            "LabelEncoder",
            column.name,
            domain="ai.onnx.ml",
            keys_tensor=self.tensor(np.array(levels, dtype=object if text else np.float64)),
            values_tensor=self.tensor(codes),
            default_tensor=self.tensor(np.array([_unseen(column)])),
        )
        if text:
            return coded
        missing = self.add("IsNaN", column.name)
        return self.add("Where", missing, np.nan, coded)

    # ---- operators

    def add(self, operator: str, *inputs: Input, domain: str = "", **attributes: Any) -> str:
        """Add an operator and return the name of its result; numbers among the inputs become constants."""
        output = self._free(f"_{len(self._nodes)}")
        self._put(operator, inputs, [output], domain=domain, **attributes)
        return output

    def add_two(self, operator: str, *inputs: Input, **attributes: Any) -> tuple[str, str]:
        """Add an operator with two results and return their names."""
        first, second = self._free(f"_{len(self._nodes)}"), self._free(f"_{len(self._nodes)}b")
        self._put(operator, inputs, [first, second], **attributes)
        return first, second

    def add_among(self, x: str, codes: Sequence[int]) -> str:
        """Add whether each number of a tensor, rows by 1, is one of these codes."""
        equal = self.cast(self.add("Equal", x, np.array([codes], dtype=np.float64)), np.float64)
        return self.cast(self.add("ReduceMax", equal, np.array([1]), keepdims=1), np.bool_)

    def cast(self, tensor: str, kind: Any) -> str:
        """Return a tensor as numbers of another type."""
        return self.add("Cast", tensor, to=self._type(kind))

    def constant(self, values: NDArray[Any]) -> str:
        """Return the name of a constant tensor."""
        name = self._free(f"_c{len(self._constants)}")
        self._constants.append(self.tensor(values, name))
        return name

    def tensor(self, values: NDArray[Any], name: str = "values") -> Any:
        """Return values as an attribute of an operator."""
        return self._onnx.numpy_helper.from_array(np.asarray(values), name)

    def add_result(
        self, operator: str, inputs: list[str], name: str, kind: Any, shape: list[Any]
    ) -> None:
        """Add an operator whose result is an output of the model."""
        self._put(operator, inputs, [name])
        self._results.append(self._describe(name, kind, shape))

    def _put(
        self, operator: str, inputs: Sequence[Input], outputs: list[str], **attributes: Any
    ) -> None:
        names = [x if isinstance(x, str) else self.constant(np.asarray(x)) for x in inputs]
        self._nodes.append(self._onnx.helper.make_node(operator, names, outputs, **attributes))

    def _describe(self, name: str, kind: Any, shape: list[Any]) -> Any:
        return self._onnx.helper.make_tensor_value_info(name, self._type(kind), shape)

    def _type(self, kind: Any) -> int:
        if kind is object:
            return int(self._onnx.TensorProto.STRING)
        return int(self._onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind)))

    def _free(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


def _unseen(column: Column) -> float:
    """Return the code of an unseen category: missing in an ordered column, the last level if that stands for others."""
    if column.order:
        return float("nan")
    return len(column.levels) - 1.0 if column.other else UNSEEN


def _is_text(column: Column) -> bool:
    return any(isinstance(level, str) for level in (*column.levels, *column.order))
