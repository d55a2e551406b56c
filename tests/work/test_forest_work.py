"""The work of a forest: drawn rows and columns, and out-of-bag votes, as the fit had them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.hostile_text import read, unsafe
from treewright import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    datasets,
    load,
    save,
    work,
)
from treewright.errors import DataError, UsageError

EVIL = '</script><svg onload=alert(1)>\x1b[31m"\u202e|$\\end{document}&'

X, Y = datasets.play_tennis()
IRIS, SPECIES = datasets.iris()
CPU, SPEED = datasets.cpu()


@pytest.mark.parametrize("settings", [{}, {"max_samples": 0.5}, {"bootstrap": "balanced"}])
def test_rows_are_those_of_the_fit(settings: dict[str, Any]) -> None:
    forest = RandomForestClassifier(n_estimators=6, random_state=3, **settings).fit(IRIS, SPECIES)
    trees = work(forest, X=IRIS, y=SPECIES).to_dict()["trees"]
    for record, rows in zip(trees, forest.estimators_samples_, strict=True):
        assert np.repeat(np.arange(150), record["drawn"]).tolist() == rows.tolist()
        assert set(record["out_of_bag"]) == set(range(1, 151)) - set((rows + 1).tolist())


def test_the_error_is_the_out_of_bag_error() -> None:
    forest = RandomForestClassifier(n_estimators=30, oob_score=True).fit(IRIS, SPECIES)
    assert math.isclose(
        work(forest, X=IRIS, y=SPECIES).to_dict()["out_of_bag_error"], 1 - forest.oob_score_
    )
    numbers = RandomForestRegressor(n_estimators=30, oob_score=True).fit(CPU, SPEED)
    record = work(numbers, X=CPU, y=SPEED).to_dict()
    assert np.allclose([vote["prediction"] for vote in record["votes"]], numbers.oob_prediction_)


def test_columns_are_those_that_nodes_drew() -> None:
    """A node chooses among the columns that it drew: no other tree is grown from these samples and columns."""
    for seed in range(4):
        forest = RandomForestClassifier(n_estimators=8, max_features=2, random_state=seed).fit(
            IRIS, SPECIES
        )
        for record in work(forest, X=IRIS, y=SPECIES).to_dict()["trees"]:
            tree = forest.trees_[record["tree"]]
            assert [n["node"] for n in record["columns"]] == np.flatnonzero(
                tree.n_children
            ).tolist()
            for node in record["columns"]:
                assert node["chosen"] in node["drawn"]
                assert 2 <= len(set(node["drawn"])) == len(node["drawn"]) <= 4
    firsts = {
        tuple(record["columns"][0]["drawn"])
        for record in work(forest, X=IRIS, y=SPECIES).to_dict()["trees"]
    }
    assert len(firsts) > 2


def test_the_drawn_columns_explain_every_choice() -> None:
    """With one column a node, the drawn column is the chosen one, unless it does not separate the rows."""
    forest = RandomForestClassifier(n_estimators=10, max_features=1).fit(IRIS, SPECIES)
    for record in work(forest, X=IRIS, y=SPECIES).to_dict()["trees"]:
        for node in record["columns"]:
            assert node["drawn"][-1] == node["chosen"]


def test_all_columns_and_all_rows() -> None:
    forest = ExtraTreesClassifier(n_estimators=3).fit(X, Y)
    page = work(forest, X=X, y=Y)
    assert "from all rows" in str(page)
    assert page.to_dict()["out_of_bag_error"] is None
    every = RandomForestClassifier(n_estimators=2, max_features=None).fit(X, Y)
    nodes = work(every, X=X, y=Y).to_dict()["trees"][0]["columns"]
    assert all(len(node["drawn"]) == 4 for node in nodes)
    assert "Each node draws" not in str(work(every, X=X, y=Y))


def test_rows_of_weight_zero_are_not_drawn() -> None:
    weights = np.ones(14)
    weights[[2, 5]] = 0
    forest = RandomForestClassifier(n_estimators=4).fit(X, Y, weights)
    record = work(forest, X=X, y=Y, sample_weight=weights).to_dict()
    assert record["rows"] == 12
    assert all({3, 6}.isdisjoint(tree["out_of_bag"]) for tree in record["trees"])
    assert {vote["row"] for vote in record["votes"]} == set(range(1, 15)) - {3, 6}


def test_a_saved_forest_draws_the_same(tmp_path: Path) -> None:
    forest = RandomForestClassifier(n_estimators=4, random_state=9).fit(X, Y)
    save(forest, tmp_path / "forest.tree")
    again = load(tmp_path / "forest.tree")
    assert work(again, X=X, y=Y).to_dict() == work(forest, X=X, y=Y).to_dict()


def test_the_page_of_a_tree() -> None:
    forest = RandomForestClassifier(n_estimators=4).fit(X, Y)
    page = work(forest, X=X, y=Y, tree=2, width=100)
    assert str(page).startswith("Tree 2 (of 0 to 3)\n")
    assert "columns drawn" in str(page)
    with pytest.raises(UsageError):
        work(forest, X=X, y=Y, tree=4)


def test_a_sheet_hides_the_votes() -> None:
    forest = RandomForestClassifier(n_estimators=5).fit(X, Y)
    sheet = work(forest, X=X, y=Y, blank=True, width=100)
    error = f"{work(forest, X=X, y=Y).to_dict()['out_of_bag_error']:.3f}"
    assert error not in str(sheet)
    assert error in str(sheet.key())


def test_it_needs_its_training_table() -> None:
    forest = RandomForestClassifier(n_estimators=3).fit(X, Y)
    with pytest.raises(UsageError) as error:
        work(forest)
    assert error.value.slug == "work.no-rows"
    with pytest.raises(DataError) as other:
        work(forest, X=X[:9], y=Y[:9])
    assert other.value.slug == "work.other-rows"


def test_hostile_names() -> None:
    table = {EVIL: ["a", "b", EVIL, "a", "b", EVIL], "n": [1.0, 2, 3, 4, 5, 6]}
    target = [EVIL, "q", EVIL, "q", "q", EVIL]
    forest = RandomForestClassifier(n_estimators=3).fit(table, target)
    boosted = AdaBoostClassifier(n_estimators=2).fit(table, target)
    row = {EVIL: [EVIL], "n": [2.0]}
    pages = [work(forest, X=table, y=target), work(forest, X=table, y=target, tree=0)]
    pages += [work(boosted, X=row), work(boosted, X=table, y=target, round=0)]
    for page in pages:
        for text in (str(page), page.to_markdown(), page.to_latex()):
            assert unsafe(text) == []
        assert "\\end{document}" not in page.to_latex()
        assert not read(page.to_html()).elements & {"script", "svg"}
