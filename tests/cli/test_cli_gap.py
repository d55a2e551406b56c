"""``treewright gap``: a model or a table against the best tree, and ``fit -a optimal``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.cli_run import run
from treewright import OptimalTreeClassifier, load

# The class is "a or b, not both"; c agrees with it most of the time.
ROWS = "a,b,c,class\n" + "".join(
    f"x{a},x{b},x{c},{'yes' if a != b else 'no'}\n"
    for a, b, c in [
        (0, 0, 0),
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, 0),
        (0, 0, 0),
        (0, 1, 1),
        (1, 0, 0),
        (1, 1, 0),
    ]
    * 3
)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text(ROWS)
    return "rows.csv"


def test_a_table_trains_a_tree_first(table: str) -> None:
    result = run("gap", table, "-t", "class", "--depth", "2", "-o", "best.tree")
    text = " ".join(result.output.split())
    assert text.startswith("Optimality gap of class, depth 2 Your tree makes ")
    assert "of 24; the best tree of depth 2 makes 0 (proven in" in text
    best = load("best.tree")
    assert isinstance(best, OptimalTreeClassifier)
    assert best.errors_ == 0


def test_a_model_and_its_table(table: str) -> None:
    run("fit", table, "-t", "class", "-a", "cart", "--depth", "1", "-o", "cart.tree")
    values = json.loads(run("gap", "cart.tree", table, "--format", "json").output)
    assert values["max_depth"] == 1
    assert values["errors"] >= values["best_errors"] == values["lower_bound"]
    deeper = run("gap", "cart.tree", table, "--depth", "2", "--cv", "3").output
    assert "On rows that were not used for training" in deeper
    assert "best tree" in deeper


def test_the_best_tree_of_a_model_knows_the_target(table: str) -> None:
    run("fit", table, "-t", "class", "-a", "cart", "--depth", "2", "-o", "cart.tree")
    run("gap", "cart.tree", table, "-o", "best.tree")
    assert load("best.tree").schema_.target == "class"
    text = " ".join(run("gap", "best.tree", table).output.split())
    assert "and no tree of depth 2 makes fewer" in text


def test_without_time_the_model_itself_is_the_best_that_is_known(table: str) -> None:
    run("fit", table, "-t", "class", "-a", "cart", "--depth", "3", "-o", "cart.tree")
    result = run("gap", "cart.tree", table, "--time-limit", "0", "-o", "best.tree")
    assert "no better tree is known" in " ".join(result.output.split())
    assert load("best.tree").tree_.n_nodes == load("cart.tree").tree_.n_nodes


def test_the_algorithm_of_fit(table: str) -> None:
    result = run(
        "fit", table, "-t", "class", "-a", "optimal", "--depth", "2", "--leaf-cost", "0.01"
    )
    assert "class by optimal tree (fewest errors)" in result.output
    assert "100%" in result.output


def test_what_is_wrong(table: str) -> None:
    assert "optimal.no-rows" in run("gap", "cart.tree", code=2).stderr
    run("fit", table, "-t", "class", "-a", "id3", "-o", "id3.tree")
    run("fit", table, "-t", "class", "-a", "cart", "-o", "cart.tree")
    wrong = run("gap", "cart.tree", table, "--ignore", "a", code=2)
    assert "--ignore has no effect with a model" in wrong.stderr
    assert "did you mean" in run("gap", table, "-t", "klass", code=3).stderr
