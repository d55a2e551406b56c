"""Why a node is a leaf, as data and as a sentence; the thresholds of the lecture for ID3 and C4.5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.cli_run import run
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    UsageError,
    datasets,
    load,
    prune,
    work,
)
from treewright.files import from_bytes, to_bytes

X, Y = datasets.play_tennis()
GOLF, PLAY = datasets.golf()


def reason(model: Any, node: int) -> dict[str, Any]:
    found: dict[str, Any] = work(model, node).to_dict()["stop_reason"]
    loaded = work(from_bytes(to_bytes(model)), node).to_dict()["stop_reason"]
    assert loaded["code"] == found["code"]
    return found


def test_a_threshold_of_the_gain() -> None:
    model = ID3Classifier(min_gain=0.3).fit(X, Y)
    assert model.tree_.n_nodes == 1
    why = reason(model, 0)
    assert (why["code"], why["limit"], why["sign"], why["column"]) == (
        "min_gain",
        0.3,
        "<=",
        "Outlook",
    )
    assert why["figure"] == pytest.approx(0.24675, abs=1e-5)
    assert "0.247 ≤ τ = 0.3 (min_gain; Outlook)" in str(work(model, 0, width=150))
    assert "0.247 <= tau = 0.3" in str(work(model, 0, width=150, ascii=True))


def test_thresholds_of_c45() -> None:
    model = C45Classifier(min_gain_ratio=0.2).fit(X, Y)
    assert model.tree_.n_nodes == 1
    why = reason(model, 0)
    assert (why["code"], why["limit"]) == ("min_gain_ratio", 0.2)
    assert why["figure"] == pytest.approx(0.15643, abs=1e-5)
    assert "0.156 ≤ τ = 0.2 (min_gain_ratio; Outlook)" in str(work(model, 0, width=150))
    assert C45Classifier(min_gain_ratio=0.15).fit(X, Y).tree_.n_nodes > 1
    model = C45Classifier(min_gain=0.25).fit(X, Y)
    assert model.tree_.n_nodes == 1
    assert reason(model, 0)["code"] == "min_gain"
    assert C45Classifier(min_gain=0.2).fit(X, Y).tree_.n_nodes > 1
    by_gain = C45Classifier(criterion="gain", min_gain=0.25).fit(X, Y)
    assert reason(by_gain, 0)["code"] == "min_gain"
    with pytest.raises(UsageError, match="min_gain_ratio belongs to criterion='gain_ratio'"):
        C45Classifier(criterion="gain", min_gain_ratio=0.1).fit(X, Y)


@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier])
def test_a_node_that_is_pure_enough(learner: Any) -> None:
    model = learner(sufficient_majority=9 / 14).fit(X, Y)
    assert model.tree_.n_nodes == 1
    why = reason(model, 0)
    assert why["code"] == "sufficient_majority"
    assert why["figure"] == pytest.approx(9 / 14)
    above = learner(sufficient_majority=0.65).fit(X, Y)
    assert above.tree_.n_nodes > 1
    leaves = [n for n in range(above.tree_.n_nodes) if not above.tree_.n_children[n]]
    assert all(above.tree_.value[n].max() >= 0.6 for n in leaves)
    with pytest.raises(UsageError, match="sufficient_majority"):
        learner(sufficient_majority=1.5).fit(X, Y)


def test_the_other_reasons() -> None:
    assert reason(ID3Classifier().fit(X, Y), 2)["code"] == "pure"
    deep = reason(ID3Classifier(max_depth=1).fit(X, Y), 1)
    assert (deep["code"], deep["figure"], deep["limit"]) == ("max_depth", 1, 1)
    small = reason(ID3Classifier(min_samples_split=6).fit(X, Y), 1)
    assert (small["code"], small["figure"], small["limit"]) == ("min_samples_split", 5, 6)
    chance = reason(ID3Classifier(max_p_value=0.01).fit(X, Y), 0)
    assert chance["code"] == "max_p_value"
    assert chance["figure"] > chance["limit"] == 0.01
    twice = {"a": ["x", "x", "y", "y"]}
    assert reason(ID3Classifier().fit(twice, list("pqpp")), 1)["code"] == "no_columns"
    assert reason(C45Classifier(min_cases=8).fit(X, Y), 0)["code"] == "no_candidate"
    many = reason(CARTClassifier(max_leaf_nodes=2).fit(GOLF, PLAY), 1)
    assert many["code"] in ("max_leaf_nodes", "pure")
    empty = ID3Classifier().fit({"a": list("xxyyz"), "b": list("uvuvw")}, list("ppqpq"))
    codes = {
        reason(empty, n)["code"]
        for n in range(empty.tree_.n_nodes)
        if not empty.tree_.n_children[n]
    }
    assert "no_rows" in codes


def test_leaves_that_pruning_made() -> None:
    grown = ID3Classifier().fit(X, Y)
    small = prune(grown, "snip", nodes=[1])
    assert reason(small, 1)["code"] == "pruned"
    assert "pruning replaced a subtree by it (snip)" in str(work(small, 1, width=150))
    held = ID3Classifier(prune="reduced_error", random_state=1).fit(X, Y)
    assert "(reduced error)" in work(held, 0).to_dict()["stop_reason"]["what"]
    plain = C45Classifier(prune=None).fit(
        {"a": list("xxxyyy"), "b": list("uvuvuv")}, list("pppppq")
    )
    assert work(plain, 0).to_dict()["stop_reason"]["code"] == "collapsed"


def test_of_numbers() -> None:
    model = CARTRegressor(max_depth=1).fit([[1.0], [2.0], [3.0], [4.0]], [1.0, 1.0, 3.0, 4.0])
    assert [work(model, n).to_dict()["stop_reason"]["code"] for n in (1, 2)] == [
        "pure",
        "max_depth",
    ]


def test_a_tie_of_classes_goes_to_the_first() -> None:
    model = ID3Classifier().fit({"a": ["x", "x", "y"]}, ["q", "p", "p"])
    page = work(model, 1, width=120)
    assert page.to_dict()["tied_classes"] == ["p", "q"]
    assert "p and q are tied: the node predicts the first class, p." in str(page)


def test_the_command_line_has_the_thresholds(tmp_path: Path) -> None:
    path = tmp_path / "t.tree"
    table = ("fit", "play-tennis", "-a", "c45", "--min-gain-ratio", "0.2", "-o", path)
    run(*table)
    assert load(path).min_gain_ratio == 0.2
    assert "0.156 ≤ τ = 0.2" in run("work", path, "--node", "0").stdout
    run("fit", "play-tennis", "-a", "id3", "--sufficient-majority", "0.6", "-o", path)
    assert load(path).tree_.n_nodes == 1
    run("fit", "play-tennis", "-a", "c45", "--min-gain", "0.25", "-o", path)
    assert load(path).tree_.n_nodes == 1
    run("fit", "golf", "-a", "c45", "--thresholds", "midpoint", "-o", path)
    assert load(path).thresholds == "midpoint"
    assert (
        "--min-gain-ratio is not supported by id3"
        in run("fit", "play-tennis", "-a", "id3", "--min-gain-ratio", "0.1", code=2).stderr
    )


def test_thresholds_stop_where_the_figures_say() -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        table = {name: rng.integers(0, 3, 30).astype(str).tolist() for name in "abc"}
        y = rng.integers(0, 2, 30).astype(str).tolist()
        tau = float(rng.uniform(0, 0.2))
        free = C45Classifier(prune=None).fit(table, y)
        bound = C45Classifier(prune=None, min_gain_ratio=tau).fit(table, y)
        choice = work(free, 0).node.own
        best = choice.scores[choice.chosen] if choice.chosen else 0.0
        if bound.tree_.n_nodes > 1:
            assert best > tau
        elif free.tree_.n_nodes > 1 and best > tau:
            assert work(bound, 0).to_dict()["stop_reason"]["code"] == "collapsed"


@pytest.mark.parametrize("learner", [ID3Classifier, CARTClassifier])
def test_a_share_of_rows_is_told_as_their_number(learner: Any) -> None:
    model = learner(min_samples_split=0.5).fit(X, Y)
    assert "5 < min_samples_split = 7" in " ".join(
        str(work(model, model.tree_.n_nodes - 1)).split()
    )
