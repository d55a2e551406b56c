"""Trees grown by hand: steps, undo, what cannot be done, and models like any other."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    Growing,
    ID3Classifier,
    KNeighborsClassifier,
    RandomForestClassifier,
    UsageError,
    datasets,
    explain,
    export,
    load,
    prune,
    rows_of,
    save,
    show,
    work,
)
from treewright._estimator.find import unwrap


@pytest.fixture
def tennis() -> Growing:
    return Growing(ID3Classifier(), *datasets.play_tennis())


def test_steps(tennis: Growing) -> None:
    assert (tennis.open, tennis.tree.n_nodes) == ([0], 1)
    assert tennis.split().open == [1, 3]
    assert tennis.split_on(3, "Humidity").open == [1, 4, 5]
    assert [node["by_hand"] for node in tennis.nodes] == [False, False, False, True, False, False]
    assert tennis.leaf(1).open == [4, 5]
    assert tennis.nodes[1]["reason"] == "by_hand"
    assert tennis.grow().open == []
    assert tennis.nodes[1]["state"] == "leaf"  # what is a leaf by hand is not grown
    assert tennis.grow(1).nodes[1]["state"] == "split"


def test_numbers_of_nodes_stay_while_the_tree_grows(tennis: Growing) -> None:
    tennis.split().split(3).split(1)
    names = [tennis.tree.schema.names[f] for f in tennis.tree.feature[[0, 1, 3]]]
    assert names == ["Outlook", "Humidity", "Wind"]
    assert tennis.tree.first_child[[1, 3]].tolist() == [
        6,
        4,
    ]  # in the order in which they were made
    assert tennis.model().tree_.first_child[[1, 3]].tolist() == [4, 6]  # as fit numbers them
    assert tennis.leaf(3).tree.first_child[1] == 4  # later numbers close up


def test_undo_and_redo(tennis: Growing) -> None:
    tennis.split().split_on(1, "Wind")
    assert tennis.undo().open == [1, 3]
    assert tennis.redo().open == [3, 4, 5]
    tennis.undo().split(1)
    with pytest.raises(UsageError, match="no step was taken back"):
        tennis.redo()
    tennis.undo().undo()
    with pytest.raises(UsageError, match="no step to take back") as error:
        tennis.undo()
    assert error.value.slug == "grow.no-step"


@pytest.mark.parametrize(
    ("act", "slug"),
    [
        (lambda g: g.split(2), "grow.no-split"),
        (lambda g: g.split(9), "work.no-such-node"),
        (lambda g: g.split("x"), "work.no-such-node"),
        (lambda g: g.leaf(2), "grow.leaf"),
        (lambda g: g.split_on(1, "Outlook"), "grow.column"),
        (lambda g: g.split_on(1, "Rain"), "work.no-such-column"),
        (lambda g: g.split_on(1, 17), "work.no-such-column"),
        (lambda g: g.split_on(1, "Wind", 2.0), "grow.rule"),
        (lambda g: g.rows(99), "work.no-such-node"),
        (lambda g: g.work(99), "work.no-such-node"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    tennis: Growing, act: Any, slug: str
) -> None:
    tennis.split()
    with pytest.raises(UsageError) as error:
        act(tennis)
    assert error.value.slug == slug
    assert tennis.tree.n_nodes == 4


def test_a_threshold_by_hand() -> None:
    X, y = datasets.golf()
    growing = Growing(CARTClassifier(min_samples_leaf=5), X, y)
    growing.split_on(0, "temperature", 64)  # one row: limits do not count by hand
    assert growing.tree.threshold[0] == 64.0
    assert growing.tree.count.tolist() == [14, 1, 13]
    with pytest.raises(UsageError, match="one branch"):
        growing.undo().split_on(0, "temperature", 200)
    with pytest.raises(UsageError, match="no threshold") as error:
        growing.split_on(0, "temperature", "hot")
    assert error.value.slug == "grow.rule"


def test_a_threshold_of_c45_needs_a_cut_where_none_is_within_the_limits() -> None:
    growing = Growing(C45Classifier(min_cases=8), *datasets.golf())
    with pytest.raises(UsageError, match="within the limits") as error:
        growing.split_on(0, "humidity")
    assert error.value.slug == "grow.no-question"
    assert growing.split_on(0, "humidity", 75).tree.threshold[0] == 75.0


def test_dates_and_ordered_categories_have_thresholds_in_their_own_words() -> None:
    import pandas as pd

    sizes = pd.Categorical(list("SMLSML"), categories=list("SML"), ordered=True)
    frame = pd.DataFrame({"size": sizes})
    growing = Growing(CARTClassifier(), frame, ["a", "b", "b", "a", "b", "b"])
    assert growing.split_on(0, "size", "M").tree.threshold[0] == 1.5
    assert growing.tree.count.tolist() == [6, 4, 2]
    with pytest.raises(UsageError, match="no threshold"):
        growing.split_on(0, "size", "XL")


def test_rows_of_nodes_with_weights_and_fractions() -> None:
    X = {"a": [1.0, 2.0, 3.0, 4.0, None], "b": ["u", "u", "v", "v", "v"]}
    y = ["n", "n", "y", "y", "y"]
    growing = Growing(C45Classifier(min_cases=1), X, y, [1, 1, 1, 0, 2])
    growing.split_on(0, "a", 2.5)
    rows = growing.rows(1)
    assert rows.positions.tolist() == [0, 1, 4]  # positions in X: row 3 has no weight
    assert rows.fractions.round(3).tolist() == [1.0, 1.0, 0.667]
    model = growing.model()
    found = rows_of(model, 2, X)
    assert found.positions.tolist() == [2, 3, 4]
    assert found.fractions[2] == pytest.approx(1 / 3, abs=0.01)


def test_a_model_by_hand_is_like_any_other(tennis: Growing, tmp_path: Path) -> None:
    X, _ = datasets.play_tennis()
    model = tennis.split_on(0, "Wind").leaf(1).model()
    assert model.by_hand_ == {0: "split", 1: "leaf", 2: "open"}
    assert "grown by hand" in str(show(model))
    path = tmp_path / "hand.tree"
    save(model, path)
    loaded = load(path)
    assert loaded.by_hand_ == model.by_hand_
    assert pickle.loads(pickle.dumps(model)).by_hand_ == model.by_hand_
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert "Wind" in export(model, "python")
    assert "Wind" in str(explain(model, X[0]))
    assert "chosen by hand" in str(work(model, 0))
    assert work(model, 1).to_dict()["stop_reason"]["code"] == "by_hand"
    assert work(model, 2).to_dict()["stop_reason"] is None
    assert work(model, 0).to_dict()["by_hand"]
    assert model.fit(*datasets.play_tennis()) is model
    assert not hasattr(model, "by_hand_")


def test_marks_follow_a_later_pruning(tennis: Growing) -> None:
    model = tennis.split_on(0, "Wind").grow().model()
    assert model.by_hand_ == {0: "split"}
    assert prune(model, "snip", nodes=[1]).by_hand_ == {0: "split"}
    assert not prune(model, "snip", nodes=[0]).by_hand_


def test_an_unpruned_model_says_so() -> None:
    X, y = datasets.golf()
    growing = Growing(C45Classifier(), X, y).grow()
    assert growing.model().by_hand_ == {0: "unpruned"}
    assert not hasattr(growing.prune().model(), "by_hand_")
    assert growing.model().pruning_.method


def test_pruned_leaves_have_a_reason() -> None:
    X, y = datasets.contact_lenses()
    growing = Growing(CARTClassifier(ccp_alpha=0.1), X, y).grow().prune()
    assert "pruned" in {node["reason"] for node in growing.nodes}


def test_the_estimator_and_the_rows_are_not_changed() -> None:
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    estimator = CARTRegressor()
    growing = Growing(estimator, X, [0.0, 0.0, 1.0, 1.0])
    X[:] = 9.0
    assert growing.split().tree.threshold[0] == 1.5
    with pytest.raises(NotFittedError):
        estimator.predict([[1.0]])
    assert unwrap(growing.model()).tree_.n_nodes == 3


def test_only_single_trees_are_grown_by_hand() -> None:
    with pytest.raises(UsageError, match="cannot be grown by hand") as error:
        Growing(RandomForestClassifier(), *datasets.golf())
    assert error.value.slug == "grow.estimator"
    with pytest.raises(UsageError, match="one target"):
        Growing(CARTRegressor(), [[1.0], [2.0]], [[1.0, 2.0], [3.0, 4.0]])


def test_views(tennis: Growing) -> None:
    assert repr(tennis.split()) == "Growing(ID3Classifier(), 4 nodes, 2 open)"
    assert "open: 1, 3" in str(tennis)
    assert "svg" in tennis._repr_html_()
    assert tennis.to_dict()["open"] == [1, 3]
    assert "Outlook" in str(tennis.show("rules"))


def test_rows_of_a_forest_needs_a_tree() -> None:
    X, y = datasets.golf()
    forest = RandomForestClassifier(n_estimators=3, random_state=0).fit(X, y)
    with pytest.raises(UsageError, match="3 trees"):
        rows_of(forest, 0, X)
    assert len(rows_of(forest, 0, X, tree=1).positions) == len(y)
    with pytest.raises(UsageError, match="no node 99"):
        rows_of(forest, 99, X, tree=1)
    neighbors = KNeighborsClassifier(1).fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(UsageError, match="no tree"):
        rows_of(neighbors, 0, [[1.0]])


@pytest.mark.parametrize(
    "kept",
    [
        [],
        {"by_hand": [[9, "leaf"]]},
        {"by_hand": [[0, "x"]]},
        {"by_hand": [[True, "leaf"]]},
        {"more": 1},
    ],
)
def test_marks_of_a_changed_file_are_refused(kept: Any) -> None:
    from treewright._learners.trees.hand_marks import read_marks

    with pytest.raises(ValueError, match="by hand"):
        read_marks(kept, 3)
