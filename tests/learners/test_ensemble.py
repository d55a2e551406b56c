"""Models of many trees: stages, decision functions, importances, files, views and errors."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeRegressor

from helpers.ensemble_models import Boosted, Many
from treewright import CARTClassifier, CARTRegressor, UsageError, explain, export, show, work
from treewright._model.trees import Trees
from treewright.errors import ModelFileError
from treewright.files import to_json

X, y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[y]


@pytest.mark.parametrize("combine", ["mean", "vote"])
def test_the_last_stage_is_the_prediction(combine: str) -> None:
    model = Many(combine=combine).fit(X, NAMES)
    shares = list(model.staged_predict_proba(X))
    assert len(shares) == 5
    assert np.array_equal(shares[-1], model.predict_proba(X))
    assert np.array_equal(list(model.staged_predict(X))[-1], model.predict(X))
    decisions = list(model.staged_decision_function(X))
    assert np.array_equal(decisions[-1], model.decision_function(X))
    assert np.array_equal(model.classes_[decisions[-1].argmax(axis=1)], model.predict(X))
    # A stage is what a model of the first trees would say.
    few = Many(2, combine=combine).fit(X, NAMES)
    assert np.array_equal(shares[1], few.predict_proba(X))


@pytest.mark.parametrize("how", ["sum", "median"])
def test_numbers_by_stages(how: str) -> None:
    model = Boosted(how=how).fit(X[:, :3], X[:, 3])
    stages = list(model.staged_predict(X[:, :3]))
    assert len(stages) == 4
    assert np.array_equal(stages[-1], model.predict(X[:, :3]))
    values = np.stack(
        [tree.value[n, 0] for tree, n in zip(model.trees_, model.apply(X[:, :3]).T, strict=True)]
    )
    if how == "sum":
        expected = 0.25 + sum((0.5 + i) * v for i, v in enumerate(values))
        np.testing.assert_allclose(stages[-1], expected, rtol=1e-14)
    else:
        assert all(stage in column for stage, column in zip(stages[-1], values.T, strict=True))


def test_two_classes_have_one_decision() -> None:
    model = Many(combine="vote").fit(X[:100], NAMES[:100])
    decision = model.decision_function(X[:100])
    assert decision.shape == (100,)
    assert np.array_equal(model.classes_[(decision > 0).astype(int)], model.predict(X[:100]))


def test_importances_add_up_and_single_trees_have_them() -> None:
    for model in (Many().fit(X, NAMES), Many(combine="vote").fit(X, y), CARTClassifier().fit(X, y)):
        assert model.feature_importances_.shape == (4,)
        assert abs(model.feature_importances_.sum() - 1) < 1e-12
    table = np.random.default_rng(0).normal(size=(300, 5))
    numbers = table[:, 0] * table[:, 1] + np.sin(table[:, 2])
    theirs = DecisionTreeRegressor(max_depth=4, min_samples_leaf=9, random_state=0).fit(
        table, numbers
    )
    ours = CARTRegressor(max_depth=4, min_samples_leaf=9).fit(table, numbers)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)
    assert not CARTClassifier().fit(X, np.zeros(150)).feature_importances_.any()


def test_the_trees_are_a_sequence() -> None:
    model = Many().fit(X, NAMES)
    assert isinstance(model.trees_, Trees)
    assert len(model.trees_) == 5
    assert model.trees_[-1].n_nodes == model.trees_[4].n_nodes
    assert len(model.trees_[1:3]) == 2
    with pytest.raises(IndexError, match="no tree 5"):
        model.trees_[5]
    with pytest.raises(AttributeError, match=r"5 trees.*trees_\[0\]"):
        _ = model.tree_
    assert Many(1).fit(X, NAMES).tree_.n_leaves > 1
    assert model.apply(X).shape == (150, 5)
    with pytest.raises(NotFittedError):
        _ = Many().trees_


def test_a_pickle_keeps_what_the_fit_left() -> None:
    model = Many(combine="vote").fit(X, NAMES)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(again.rounds_, model.rounds_, equal_nan=True)
    assert again.notes_ == 7
    other = model._document().replace('"notes_"', '"other_"')
    with pytest.raises(ModelFileError, match="it keeps 'other_'"):
        Many()._restore(json.loads(other), model._forest)
    other = model._document().replace("[0.5,", '["x",')
    with pytest.raises(ModelFileError, match="nor a list of numbers"):
        Many()._restore(json.loads(other), model._forest)


def test_threads_do_not_change_a_prediction() -> None:
    table = np.repeat(X, 700, axis=0)
    one, two = (Many(n_jobs=n).fit(X, NAMES).predict_proba(table) for n in (1, 2))
    assert np.array_equal(one, two)


def test_a_summary_says_how_to_see_one_tree() -> None:
    model = Many(combine="vote").fit(X, NAMES)
    text = str(show(model, width=100))
    assert "5 trees" in text
    assert "a weighted vote of the trees" in text
    assert "show(model.trees_[0])" in text
    assert show(model).to_dict()["trees"] == 5
    assert "| column | importance |" in show(model).to_markdown()
    assert "<svg" in show(model).to_html()
    assert "#0" in str(show(model, tree=2, width=100))
    assert (
        str(show(model.trees_[2], width=100)).splitlines()[3:]
        == str(show(model, tree=2, width=100)).splitlines()[3:]
    )
    for wrong in ({"tree": 5}, {"style": "rules"}, {"node": 1}, {"depth": 2}):
        with pytest.raises(UsageError):
            show(model, **wrong)
    assert "feature importance" in show(model).to_svg()


def test_scores_are_shown_as_numbers(tmp_path) -> None:
    model = Boosted().fit(X[:, :3], X[:, 3])
    assert "mean" in str(show(model.trees_[0], width=100)).lower()
    show(model).save(tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["combine"]["how"] == "sum"


def test_functions_for_one_tree_raise_an_error() -> None:
    model = Many(combine="vote").fit(X, NAMES)
    with pytest.raises(UsageError, match="work does not support Many"):
        work(model, 0, X, NAMES)
    module: dict[str, Any] = {}
    exec(export(model, "python"), module)
    names = model.schema_.names
    predictions = [module["predict"](dict(zip(names, row, strict=True))) for row in X.tolist()]
    assert predictions == model.predict(X).tolist()
    assert "def find" in export(model.trees_[0], "python")
    assert "def " in export(Many().fit(X, NAMES), "python")
    assert explain(model.trees_[0], X[0]).answer == "setosa"
    form = to_json(model)
    assert form["combine"]["how"] == "vote"
    assert len(form["trees"]) == 5


def test_the_baseline_prediction() -> None:
    model = Many().fit(np.vstack([X, X[:50]]), np.append(NAMES, NAMES[:50]))
    assert model.trees_.baseline_prediction() == "setosa"
    numbers = Boosted().fit(X[:, :3], X[:, 3])
    scales = 0.5 + np.arange(4)
    roots = [tree.value[0, 0] for tree in numbers.trees_]
    assert numbers.trees_.baseline_prediction() == pytest.approx(0.25 + scales @ roots)
