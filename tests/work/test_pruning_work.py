"""The work of a pruning decision: the pruners' own figures, in every form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_run import run
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    KNeighborsClassifier,
    RuleSetClassifier,
    datasets,
    prune,
    pruning_path,
    save,
    work,
)
from treewright._pruning.pessimistic import expected_errors
from treewright.errors import UsageError

TENNIS = datasets.play_tennis()
GOLF = datasets.golf()

PAGE = """\
Node #1   5 rows   pessimistic pruning

As a leaf (No)
  training errors: 2 of 5
  correction              5 × (2.5 + 0.693² / 2 + √(0.693² × (2.5 × (1 − 2.5 / 5) + 0.693² / 4))) / (5 +
      0.693²) − 2 = 1.240
  estimated errors        2 + 1.240 = 3.240

As a subtree
  Humidity?   node   rows   errors   estimated errors   computed by
  High        #4        3        0              1.110   3 × (1 − 0.25^(1/3))
  Normal      #5        2        0              1.000   2 × (1 − 0.25^(1/2))
  total                                         2.110

A subtree is replaced by a leaf unless the estimated errors of the leaf exceed those of the subtree by
    more than 0.1.
3.240 > 2.110 + 0.1: the subtree is kept."""

COST_COMPLEXITY_PAGE = """\
Node #1   10 rows   cost complexity pruning

As a leaf (no)
  impurity per training row: 0.357

As a subtree
  humidity ≤ 82.5?   node   rows   errors   impurity
  yes                #3        5        1      0.000   2 leaves
  no or missing      #4        5        1      0.000   2 leaves
  total                                        0.000

(0.357 − 0.000) / (4 − 1) = 0.119: the decrease per additional leaf.
It is kept up to alpha = 0.115 (ccp_alpha), where a node above it is pruned."""


@pytest.fixture(scope="module")
def tennis() -> Any:
    return C45Classifier(prune=None, min_cases=1).fit(*TENNIS)


def test_the_page_of_expected_errors(tennis: Any) -> None:
    assert str(work(tennis, 1, what="prune", width=110)) == PAGE
    leaf = str(work(tennis, 4, what="prune", width=110))
    assert "  correction              3 × (1 − 0.25^(1/3)) = 1.110" in leaf
    assert leaf.endswith("This node is a leaf: there is nothing to prune.")


def test_the_page_of_a_price() -> None:
    model = CARTClassifier(prune="cost_complexity", ccp_alpha=0.0).fit(*GOLF)
    assert str(work(model, 1, what="prune", width=110)) == COST_COMPLEXITY_PAGE
    root = work(model, 0, what="prune").to_dict()
    assert root["goes_at"] == pruning_path(model).alpha[-1]
    page = str(work(model, 0, what="prune", width=110))
    assert "Splits below it are pruned first; it is kept up to alpha = 0.115 (ccp_alpha)." in page
    assert "\nIt is kept up to alpha" in str(work(model, 3, what="prune"))


@pytest.mark.parametrize("confidence", [0.01, 0.25, 0.9])
@pytest.mark.parametrize("variant", ["c4.5", "j48"])
def test_the_decisions_are_the_pruners(confidence: float, variant: str) -> None:
    model = C45Classifier(prune=None, confidence=confidence, variant=variant).fit(*GOLF)
    trace = prune(model, "pessimistic", confidence=confidence, variant=variant).pruning_
    for row in trace:
        said = work(model, row["node"], what="prune").to_dict()
        assert (said["leaf"], said["subtree"]) == (row["after"], row["before"])
        assert said["decision"] == row["decision"]
        assert sum(b["cost"] for b in said["branches"]) == pytest.approx(said["subtree"])


def test_numbers_have_a_price() -> None:
    model = CARTRegressor(max_depth=2).fit([[1], [2], [3], [10], [11]], [1.0, 1.1, 3.0, 9.0, 9.5])
    said = work(model, 0, what="prune").to_dict()
    assert said["method"] == "cost complexity"
    assert said["risk"] == "impurity"
    assert said["price"] == pytest.approx((said["leaf"] - said["subtree"]) / (said["leaves"] - 1))
    assert "errors" not in str(work(model, 0, what="prune"))


def test_the_leaf_of_a_leaf(tennis: Any) -> None:
    said = work(tennis, 2, what="prune").to_dict()
    assert said["leaf"] == expected_errors(4, 0)
    assert said["branches"] == []


def test_every_form(tennis: Any, tmp_path: Path) -> None:
    shown = work(tennis, 0, what="prune")
    for ending in (".txt", ".md", ".tex", ".html", ".json"):
        shown.save(tmp_path / f"decision{ending}")
    assert json.loads((tmp_path / "decision.json").read_text("utf-8"))["decision"] == "keep"
    assert shown.to_markdown().startswith("#### Node \\#0")
    assert "<table" in shown.to_html()
    assert str(work(tennis, 0, what="prune", ascii=True)).isascii()
    with pytest.raises(UsageError, match="supported: "):
        shown.save(tmp_path / "decision.docx")


def test_names_are_only_names() -> None:
    name = "a_b|<c>$</script>\n"
    table = {name: ["x<", "y|", "x<", "y|", "x<", "y|"]}
    model = C45Classifier(prune=None, min_cases=1).fit(table, ["p</script>", "q"] * 3)
    shown = work(model, 0, what="prune")
    assert "<c>" not in shown.to_html()
    assert "</script>" not in shown.to_html()
    assert "|<c>" not in shown.to_markdown()
    assert "\n\n" not in str(shown).split("As a subtree")[1].split("total")[0]
    assert r"\textless{}c" in shown.to_latex()


def test_what_has_no_decision(tennis: Any) -> None:
    with pytest.raises(UsageError, match="what must be one of 'split', 'prune'"):
        work(tennis, 0, what="grow")
    with pytest.raises(UsageError, match="nodes: 0 to 7"):
        work(tennis, 8, what="prune")
    with pytest.raises(UsageError, match="there is no tree"):
        work(RuleSetClassifier().fit(*TENNIS), 0, what="prune")


def test_the_work_of_neighbours_is_a_vote(tmp_path: Path) -> None:
    X, y = TENNIS
    model = KNeighborsClassifier(3, weights="distance").fit(X, y)
    row = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Weak"}
    assert "votes: No 0.667, Yes 0.333" in str(work(model, X=row))
    with pytest.raises(UsageError, match="is about one row"):
        work(model)
    save(model, tmp_path / "k.tree")
    assert "FILE --row 1" in run("work", tmp_path / "k.tree", code=2).stderr


def test_from_the_command_line(tennis: Any, tmp_path: Path) -> None:
    save(tennis, tmp_path / "m.tree")
    said = run("work", tmp_path / "m.tree", "--what", "prune", "--node", "1").stdout
    assert said.startswith("Node #1   5 rows   pessimistic pruning\n")
    form = run("work", tmp_path / "m.tree", "--what", "prune", "--format", "json").stdout
    assert json.loads(form)["method"] == "pessimistic"
