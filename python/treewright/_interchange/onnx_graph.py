"""The graph of an ONNX model: the one operator with trees, the columns before it, and what happens to its result.

Operators that change neither a column nor a result are followed; any other operator is an error that names it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from treewright._interchange.fitted_model import refuse
from treewright._interchange.foreign_source import read_bytes
from treewright._interchange.node_tables import damaged
from treewright.errors import UsageError

__all__ = ["InputColumn", "OnnxGraph", "read_graph"]

TREES = ("TreeEnsembleClassifier", "TreeEnsembleRegressor", "TreeEnsemble")
# They pass a result on: under another name, as another type, in another shape, or as a dictionary.
PASSING = ("Identity", "Cast", "ZipMap", "Reshape", "Squeeze", "Unsqueeze", "Flatten")
MAX_COLUMNS = 1 << 20


@dataclass(frozen=True, slots=True)
class InputColumn:
    """A column that the trees see: its name, and whether its numbers are rounded to single precision."""

    name: str
    is_single: bool


@dataclass(slots=True)
class OnnxGraph:
    """What matters of a graph: the operator with trees, its columns, and the operators that change its result.

    ``columns`` is None if the file does not tell how many there are. ``steps`` holds operators with their constants.
    """

    operator: str
    attributes: dict[str, Any]
    columns: list[InputColumn] | None
    has_names: bool
    is_single: bool
    steps: list[tuple[str, float]] = field(default_factory=list)


def read_graph(source: Any) -> OnnxGraph:
    """Return the graph of an ONNX model: an object of ``onnx``, bytes, or a file."""
    try:
        import onnx
    except ImportError:
        raise UsageError(
            "reading ONNX files needs onnx, which is not installed",
            slug="interchange.extra",
            hints=["try: pip install 'treewright[onnx]'"],
        ) from None
    if hasattr(source, "SerializeToString"):
        model = source
    else:
        data = source if isinstance(source, bytes) else read_bytes(source)
        try:
            model = onnx.load_model_from_string(data)
        except Exception as error:  # the parser has its own exceptions
            raise damaged("it is not an ONNX file") from error
    if model.producer_name == "treewright":
        raise refuse(
            "an ONNX file that treewright wrote",
            "use the .tree file that it was made from: treewright.load(...)",
        )
    return _Walk(onnx, model.graph).describe()


class _Walk:
    """A walk from the operator with trees to the inputs and to the outputs."""

    def __init__(self, onnx: Any, graph: Any) -> None:
        self._onnx, self._graph = onnx, graph
        self._maker = {name: node for node in graph.node for name in node.output}
        self._inputs = {value.name: value for value in graph.input}
        self._constants = {value.name: value for value in graph.initializer}
        self._visited: set[int] = set()

    def describe(self) -> OnnxGraph:
        """Return what matters of the graph."""
        trees = [node for node in self._graph.node if node.op_type in TREES]
        if len(trees) != 1:
            others = sorted({node.op_type for node in self._graph.node if node not in trees})
            what = f"{len(trees)} operators with trees" if trees else "no operator with trees"
            raise refuse(
                f"an ONNX model with {what}",
                f"it must have one of {', '.join(TREES)}",
                *([f"its operators: {', '.join(others[:10])}"] if others else []),
            )
        [node] = trees
        self._visited.add(id(node))
        if not node.input or not node.output:
            raise damaged("its operator with trees has no input or no output")
        columns = self._columns_of(node.input[0])
        steps: list[tuple[str, float]] = []
        for place, name in enumerate(node.output):
            changes = self._steps_after(name)
            if changes and node.op_type == "TreeEnsembleClassifier":
                raise self._refuse_operator(changes[0][0], after=True)
            steps = changes if place == len(node.output) - 1 else steps
        self._refuse_others()
        return OnnxGraph(
            operator=node.op_type,
            attributes=self._attributes(node),
            columns=None if columns is None else columns[0],
            has_names=columns is not None and columns[1],
            is_single=self._is_single(node.input[0]) if columns is None else False,
            steps=steps,
        )

    def _attributes(self, node: Any) -> dict[str, Any]:
        read = self._onnx.helper.get_attribute_value
        try:
            return {attribute.name: read(attribute) for attribute in node.attribute}
        except ValueError as error:
            raise damaged(f"an attribute cannot be read: {error}") from error

    # ---- before the trees

    def _columns_of(self, name: str) -> tuple[list[InputColumn], bool] | None:
        """Return the columns of a tensor, and whether they have names; None if their number is unknown."""
        parts = self._parts_of(name, is_single=False, depth=0)
        if len(parts) == 1 and parts[0][1] is None:
            return None
        columns = []
        for value, width, is_single in parts:
            if width is None:
                raise damaged(f"the number of columns of {value!a} is unknown")
            names = [value] if width == 1 else [f"{value}_{i}" for i in range(width)]
            columns += [InputColumn(one, is_single) for one in names]
        if len(parts) == 1 and len(columns) > 1:
            return [InputColumn(f"x{i}", c.is_single) for i, c in enumerate(columns)], False
        if len({column.name for column in columns}) < len(columns):
            raise damaged("two columns have the same name")
        return columns, True

    def _parts_of(
        self, name: str, is_single: bool, depth: int
    ) -> list[tuple[str, int | None, bool]]:
        """Return the inputs side by side in a tensor, each with its width and its precision."""
        if depth > 64:
            raise damaged("its inputs pass through too many operators")
        if name in self._inputs and name not in self._maker:
            kind, width = self._shape_of(name)
            return [(name, width, is_single or kind != self._onnx.TensorProto.DOUBLE)]
        node = self._maker.get(name)
        if node is None:
            raise damaged(f"nothing makes the tensor {name!a}")
        self._visited.add(id(node))
        attributes = self._attributes(node)
        if node.op_type == "Concat" and attributes.get("axis") in (1, -1):
            return [p for part in node.input for p in self._parts_of(part, is_single, depth + 1)]
        if node.op_type == "Cast" and node.input:
            is_float = attributes.get("to") == self._onnx.TensorProto.FLOAT
            if not is_float and attributes.get("to") != self._onnx.TensorProto.DOUBLE:
                raise self._refuse_operator("Cast", after=False)
            return self._parts_of(node.input[0], is_single or is_float, depth + 1)
        if node.op_type == "Identity" and node.input:
            return self._parts_of(node.input[0], is_single, depth + 1)
        raise self._refuse_operator(node.op_type, after=False)

    def _shape_of(self, name: str) -> tuple[int, int | None]:
        """Return the type and the number of columns of an input, None if the file does not tell."""
        tensor = self._inputs[name].type.tensor_type
        kinds = self._onnx.TensorProto
        if tensor.elem_type not in (kinds.FLOAT, kinds.DOUBLE, kinds.INT64, kinds.INT32):
            raise refuse(
                f"an ONNX model whose input {name[:40]!a} does not hold numbers",
                "convert the trees without the steps before them",
            )
        sizes = [dim.dim_value for dim in tensor.shape.dim]
        width = sizes[1] if len(sizes) == 2 else 0
        if width > MAX_COLUMNS:
            raise damaged(f"{name!a} has {width:,} columns")
        return tensor.elem_type, width if width > 0 else None

    def _is_single(self, name: str) -> bool:
        return self._parts_of(name, is_single=False, depth=0)[0][2]

    # ---- after the trees

    def _steps_after(self, name: str) -> list[tuple[str, float]]:
        """Return the operators that change a result, in their order, with their constants."""
        steps: list[tuple[str, float]] = []
        while True:
            changing = self._changing(name)
            if not changing:
                return steps
            node = changing[0]
            if len(changing) > 1 or node.op_type not in ("Exp", "Mul", "Div", "Add"):
                raise self._refuse_operator(changing[-1].op_type, after=True)
            steps.append((node.op_type, self._constant_of(node)))
            name = node.output[0]

    def _changing(self, name: str) -> list[Any]:
        """Return the operators that change a tensor or a copy of it."""
        names, changing = [name], []
        for one in names:  # it grows
            for node in self._graph.node:
                if one not in node.input or id(node) in self._visited:
                    continue
                self._visited.add(id(node))
                if node.op_type in PASSING:
                    names += node.output
                else:
                    changing.append(node)
        return changing

    def _constant_of(self, node: Any) -> float:
        """Return the number that an operator multiplies by, divides by or adds; 0 for one that has none."""
        if node.op_type == "Exp":
            return 0.0
        known = [name for name in node.input if name in self._constants]
        if (
            len(known) != 1
            or len(node.input) != 2
            or (node.op_type == "Div" and node.input[1] not in known)
        ):
            raise self._refuse_operator(node.op_type, after=True)
        try:
            values = self._onnx.numpy_helper.to_array(self._constants[known[0]])
            [number] = values.ravel().tolist()
            return float(number)
        except (TypeError, ValueError) as error:
            raise self._refuse_operator(node.op_type, after=True) from error

    def _refuse_others(self) -> None:
        """Raise an error for an operator that is neither before nor after the trees."""
        for node in self._graph.node:
            if id(node) not in self._visited:
                raise self._refuse_operator(node.op_type, after=True)

    def _refuse_operator(self, operator: str, after: bool) -> UsageError:
        place = "after" if after else "before"
        return refuse(
            f"an ONNX model with the operator {operator[:40]!a} {place} its trees",
            "convert the trees alone, without the steps before and after them",
        )
