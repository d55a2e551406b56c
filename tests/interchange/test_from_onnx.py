"""ONNX models predict here what onnxruntime predicts: files of converters, and every kind of test, leaf by leaf."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

import treewright as tw
from treewright.errors import ModelFileError, TreewrightError, UsageError

FOLDER = Path(__file__).parents[1] / "data" / "interchange"
FILES = sorted(FOLDER.glob("*.onnx"))
COMPARISONS = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT"]


def session(model: Any) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    data = model if isinstance(model, bytes) else model.SerializeToString()
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def rows(count: int = 10_000) -> Any:
    """Return rows with missing values, and with categories that training did not see."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(count, 4))
    X[:, 3] = rng.integers(-1, 9, count)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_of_converters(path: Path) -> None:
    model, X = tw.from_onnx(path), rows()
    theirs = session(path.read_bytes())
    results = theirs.run(None, {theirs.get_inputs()[0].name: X.astype(np.float32)})
    table = {name: X[:, i] for i, name in enumerate(model.schema_.names)}
    if len(results) == 1:
        assert np.allclose(model.predict(table), results[0].ravel(), rtol=5e-7, atol=0)
        return
    labels, shares = results
    if isinstance(shares, list):
        shares = np.array([[row[c] for c in model.classes_.tolist()] for row in shares])
    assert np.abs(model.predict_proba(table) - shares).max() < 3e-7
    assert np.array_equal(model.predict(table), labels)


def test_there_are_files_of_every_kind() -> None:
    assert len(FILES) == 18
    assert {type(tw.from_onnx(path)).__name__ for path in FILES} == {
        *("CARTClassifier", "CARTRegressor", "RandomForestClassifier"),
        *("GradientBoostingClassifier", "GradientBoostingRegressor"),
    }


def make_model(
    nodes: list[dict[str, Any]], kind: int = TensorProto.FLOAT, width: int = 3, **given: Any
) -> Any:
    """Return a model of one regression tree: tests with ``mode, feature, value, true, false, missing``, and leaves."""
    leaves = [i for i, node in enumerate(nodes) if "weight" in node]

    def column(name: str, default: Any) -> list[Any]:
        return [node.get(name, default) for node in nodes]

    attributes: dict[str, Any] = {
        "nodes_treeids": [0] * len(nodes),
        "nodes_nodeids": list(range(len(nodes))),
        "nodes_modes": column("mode", "LEAF"),
        "nodes_featureids": column("feature", 0),
        "nodes_values": column("value", 0.0),
        "nodes_truenodeids": column("true", 0),
        "nodes_falsenodeids": column("false", 0),
        "nodes_missing_value_tracks_true": column("missing", 0),
        "target_treeids": [0] * len(leaves),
        "target_nodeids": leaves,
        "target_ids": [0] * len(leaves),
        "target_weights": [float(nodes[i]["weight"]) for i in leaves],
        "n_targets": 1,
    }
    node = helper.make_node(
        "TreeEnsembleRegressor", ["X"], ["Y"], domain="ai.onnx.ml", **attributes | given
    )
    graph = helper.make_graph(
        [node],
        "tree",
        [helper.make_tensor_value_info("X", kind, [None, width])],
        [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None, 1])],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


@st.composite
def trees(draw: Any) -> list[dict[str, Any]]:
    """Draw a tree whose leaves weigh 1, 2, 3, ...: columns 0 and 1 are compared, column 2 is tested for equality."""
    nodes: list[dict[str, Any]] = [{}]
    for i in range(draw(st.integers(1, 12))):
        if i >= len(nodes):
            break
        feature = draw(st.integers(0, 2))
        modes = ["BRANCH_EQ", "BRANCH_NEQ"] if feature == 2 else COMPARISONS
        value = draw(st.integers(0, 4)) if feature == 2 else draw(st.integers(-20, 20)) / 10
        nodes[i] = {
            "mode": draw(st.sampled_from(modes)),
            "feature": feature,
            "value": float(np.float32(value)),
            "true": len(nodes),
            "false": len(nodes) + 1,
            "missing": draw(st.integers(0, 1)),
        }
        nodes += [{}, {}]
    leaves = (node for node in nodes if "mode" not in node)
    for weight, leaf in enumerate(leaves, 1):
        leaf["weight"] = weight
    return nodes


@pytest.mark.slow
@settings(max_examples=40)
@given(trees(), st.sampled_from([TensorProto.FLOAT, TensorProto.DOUBLE]))
def test_every_test_leads_to_the_same_leaf(nodes: list[dict[str, Any]], kind: int) -> None:
    rng = np.random.default_rng(len(nodes))
    cuts = np.array([node["value"] for node in nodes if "value" in node])
    near = np.concatenate([cuts, np.nextafter(cuts, 9), np.nextafter(cuts, -9), cuts + 1e-9])
    X = np.column_stack([rng.choice(near, 300), rng.choice(near, 300), rng.integers(-1, 6, 300)])
    X[rng.random(X.shape) < 0.2] = np.nan
    model = make_model(nodes, kind)
    dtype = np.float32 if kind == TensorProto.FLOAT else np.float64
    theirs = session(model).run(None, {"X": X.astype(dtype)})[0].ravel()
    ours = tw.from_onnx(model).predict({f"x{i}": X[:, i] for i in range(3)})
    assert np.array_equal(ours, theirs)


def test_columns_with_names() -> None:
    model = make_model(
        [
            {"mode": "BRANCH_LEQ", "feature": 1, "value": 2.5, "true": 1, "false": 2},
            {"weight": 1},
            {"weight": 2},
        ],
        width=2,
    )
    graph = model.graph
    del graph.input[:]
    graph.input.extend(
        helper.make_tensor_value_info(name, TensorProto.DOUBLE, [None, 1])
        for name in ("age", "height")
    )
    graph.node.insert(0, helper.make_node("Concat", ["age", "height"], ["both"], axis=1))
    graph.node.insert(1, helper.make_node("Cast", ["both"], ["X"], to=TensorProto.FLOAT))
    ours = tw.from_onnx(model)
    assert ours.feature_names_in_.tolist() == ["age", "height"]
    height = np.array([2.5, 2.5 + 1e-9, 2.6])
    feed = {"age": np.zeros((3, 1)), "height": height[:, None]}
    theirs = session(model).run(None, feed)[0].ravel()
    assert ours.predict({"age": [0.0] * 3, "height": height}).tolist() == theirs.tolist()


def test_the_newer_operator() -> None:
    """``TreeEnsemble`` has its tests and leaves in separate lists, and sets."""

    def tensor(values: Any, dtype: Any = np.float32) -> Any:
        return onnx.numpy_helper.from_array(np.array(values, dtype=dtype))

    node = helper.make_node(
        *("TreeEnsemble", ["X"], ["Y"]),
        domain="ai.onnx.ml",
        n_targets=1,
        nodes_featureids=[0, 1],
        nodes_modes=tensor([0, 6], np.uint8),
        nodes_splits=tensor([0.5, 0.0]),
        nodes_truenodeids=[1, 1],
        nodes_trueleafs=[0, 1],
        nodes_falsenodeids=[0, 2],
        nodes_falseleafs=[1, 1],
        leaf_targetids=[0, 0, 0],
        leaf_weights=tensor([1.0, 2.0, 4.0]),
        membership_values=tensor([1.0, 3.0, np.nan]),
        tree_roots=[0],
    )
    graph = helper.make_graph(
        [node],
        "tree",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, 2])],
        [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [None, 1])],
    )
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 5)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    X = np.array([[a, b] for a in (0.0, 1.0, np.nan) for b in (0.0, 1.0, 2.0, 3.0, np.nan)])
    theirs = session(model).run(None, {"X": X.astype(np.float32)})[0].ravel()
    ours = tw.from_onnx(model).predict({"x0": X[:, 0], "x1": X[:, 1]})
    assert ours.tolist() == theirs.tolist()


def test_operators_that_are_unknown_are_named() -> None:
    leaf = [
        {"mode": "BRANCH_LEQ", "value": 1.0, "true": 1, "false": 2},
        {"weight": 1},
        {"weight": 2},
    ]
    before, after, others = (make_model(leaf) for _ in range(3))
    before.graph.node[0].input[0] = "scaled"
    before.graph.node.insert(
        0, helper.make_node("Scaler", ["X"], ["scaled"], domain="ai.onnx.ml", scale=[2.0])
    )
    after.graph.node[0].output[0] = "sum"
    after.graph.node.append(helper.make_node("Sigmoid", ["sum"], ["Y"]))
    others.graph.node[0].CopyFrom(helper.make_node("Relu", ["X"], ["Y"]))
    both = make_model(leaf)
    both.graph.node.append(both.graph.node[0])
    for model, words in (
        (before, "operator 'Scaler' before its trees"),
        (after, "operator 'Sigmoid' after its trees"),
        (others, "no operator with trees"),
        (both, "2 operators with trees"),
        (make_model(leaf, n_targets=2), "2 targets"),
        (make_model(leaf, aggregate_function="MAX"), "MAX"),
        (onnx.load(tw_file()), "that treewright wrote"),
    ):
        with pytest.raises(UsageError, match=words) as caught:
            tw.from_onnx(model)
        assert caught.value.slug == "interchange.unsupported"


def tw_file() -> Any:
    """Return an ONNX file of this package."""
    import io

    model = tw.CARTClassifier().fit([[0.0], [1.0]], ["a", "b"])
    return io.BytesIO(tw.export(model, "onnx"))


def test_views_and_files(tmp_path: Path) -> None:
    model, X = tw.from_onnx(FOLDER / "sklearn-forest-three.onnx"), rows(50)
    tw.save(model, tmp_path / "model.tree")
    assert np.array_equal(tw.load(tmp_path / "model.tree").predict(X), model.predict(X))
    assert "x1 ≤" in str(tw.show(tw.from_onnx(FOLDER / "sklearn-tree-two.onnx")))
    assert str(tw.explain(model, X[0]))
    assert "def predict" in tw.export(model, "python")


def test_files_that_are_no_models(tmp_path: Path) -> None:
    (tmp_path / "text.onnx").write_text("a,b\n1,2\n")
    for source in (tmp_path / "text.onnx", b"", b"\x08\xff\xff", 5, tmp_path):
        with pytest.raises((ModelFileError, UsageError)):
            tw.from_onnx(source)
    with pytest.raises(ModelFileError, match="there is no file"):
        tw.from_onnx(tmp_path / "none.onnx")


HOSTILE = st.one_of(
    st.integers(-3, 12),
    st.sampled_from([-(2**63), 2**63 - 1, 2**31, 10**12]),
)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.data())
def test_hostile_models_are_errors_or_models(data: Any) -> None:
    """Huge numbers, cycles, NaN, lists that are too long, too short or missing: never another exception."""
    path = data.draw(st.sampled_from(FILES))
    model = onnx.load(path)
    node = next(node for node in model.graph.node if node.op_type.startswith("TreeEnsemble"))
    for _ in range(data.draw(st.integers(1, 3))):
        attribute = node.attribute[data.draw(st.integers(0, len(node.attribute) - 1))]
        values = attribute.ints or attribute.floats or attribute.strings
        change = data.draw(st.sampled_from(["cut", "double", "clear", "value"]))
        if change == "clear" or not len(values):
            node.attribute.remove(attribute)
        elif change == "cut":
            del values[data.draw(st.integers(0, len(values) - 1)) :]
        elif change == "double":
            values.extend(list(values))
        else:
            at = data.draw(st.integers(0, len(values) - 1))
            if attribute.ints:
                values[at] = data.draw(HOSTILE)
            elif attribute.floats:
                values[at] = data.draw(st.floats(width=32))
            else:
                values[at] = data.draw(st.binary(max_size=9))
    try:
        converted = tw.from_onnx(model)
    except TreewrightError as error:
        slug = error.slug
    else:
        slug = "interchange."
        converted.predict({f"x{i}": [0.5, None] for i in range(converted.n_features_in_)})
    assert slug.startswith("interchange.")
