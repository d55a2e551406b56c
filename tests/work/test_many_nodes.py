"""The work of several nodes in one pass, the split as data, and limits on what is listed."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    Growing,
    ID3Classifier,
    UsageError,
    datasets,
    work,
)
from treewright._web.tree_nodes import node_rows_document, tree_nodes, work_documents


@pytest.mark.parametrize("estimator", [ID3Classifier(), C45Classifier(), CARTClassifier()], ids=str)
def test_several_nodes_are_each_of_them(estimator: Any) -> None:
    X, y = datasets.golf()
    model = estimator.fit(X, y)
    nodes = list(range(model.tree_.n_nodes))[::-1]
    together = work(model, nodes=nodes).to_dict()["nodes"]
    apart = [work(model, node).to_dict() for node in nodes]
    assert json.dumps(together) == json.dumps(apart)
    with_rows = work(model, 0, X, y, nodes=nodes).to_dict()["nodes"]
    assert json.dumps(with_rows) == json.dumps(apart)


def test_the_split_and_the_children_are_data() -> None:
    X, y = datasets.golf()
    record = work(C45Classifier().fit(X, y), 0).to_dict()
    assert record["children"] == [1, 2, 3]
    rules = {c["column"]: c["rule"] for c in record["candidates"]}
    assert rules["outlook"] == {"feature": 0, "route": [0, 1, 2], "missing": 65535}
    assert rules["windy"]["missing"] == 65535
    deeper = work(C45Classifier().fit(X, y), 1).to_dict()
    assert deeper["candidates"][0]["rule"] == {"feature": 2, "threshold": 75.0, "missing": 65535}


def test_limits() -> None:
    X, y = datasets.golf()
    page = work(CARTClassifier().fit(X, y), 0)
    short = page.to_dict(candidates=2, children=1, cuts=1)
    assert (len(short["candidates"]), short["n_candidates"]) == (2, 4)
    assert all(len(c["children"]) == 1 and c["n_children"] == 2 for c in short["candidates"])
    assert all(len(c.get("cuts", [])) <= 1 for c in short["candidates"])
    assert len(page.to_dict()["candidates"]) == 4


def test_a_question_by_hand_is_written_out_as_it_was_asked() -> None:
    X, y = datasets.golf()
    growing = Growing(CARTClassifier(), X, y).split_on(0, "humidity", 85)
    record = growing.work(0).to_dict()
    chosen = next(c for c in record["candidates"] if c["column"] == record["chosen"])
    assert (chosen["threshold"], record["by_hand"]) == (85.0, True)
    assert [child["rows"] for child in chosen["children"]] == growing.tree.count[1:3].tolist()
    assert chosen["gain"] == pytest.approx(growing.tree.gain[0] / 14)


def test_unknown_nodes_are_refused() -> None:
    model = ID3Classifier().fit(*datasets.play_tennis())
    with pytest.raises(UsageError, match="no node 99"):
        work(model, nodes=[0, 99])


@pytest.mark.parametrize(
    "estimator",
    [ID3Classifier(), C45Classifier(), CARTClassifier(), CARTClassifier(missing="branch")],
    ids=str,
)
def test_documents_of_a_growing_tree_are_those_of_the_model(estimator: Any) -> None:
    X, y = datasets.labor()
    growing = Growing(estimator, X, y).grow().prune()
    model = estimator.fit(X, y)
    assert tree_nodes(growing) == tree_nodes(model)
    nodes = [0, growing.tree.n_nodes - 1]
    ours, theirs = work_documents(growing, nodes), work_documents(model, nodes)
    assert json.dumps(ours) == json.dumps(theirs)
    assert json.loads(json.dumps(ours, allow_nan=False)) == ours


def test_documents_of_numbers_and_rows() -> None:
    X, y = datasets.cpu()
    growing = Growing(CARTRegressor(min_samples_leaf=20), X, y).grow()
    nodes = tree_nodes(growing)
    assert len(nodes[0]["value"]) == 1
    assert {node["state"] for node in nodes} == {"split", "leaf"}
    document = node_rows_document(growing, 1, X, offset=2, limit=3)
    assert (document["total"], len(document["cells"])) == (nodes[1]["rows"], 3)
    assert document["index"] == growing.rows(1).positions[2:5].tolist()
    assert np.all(np.array(document["fraction"]) == 1)
