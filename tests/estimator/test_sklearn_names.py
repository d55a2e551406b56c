"""The methods and attributes that scikit-learn's users know, on all estimators where scikit-learn has them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treewright
from treewright import datasets, export, load, save
from treewright._catalog import LEARNERS, import_public
from treewright.files import from_bytes, to_bytes

rng = np.random.default_rng(5)
X = np.round(rng.normal(size=(120, 4)) * 64) / 64  # numbers that single precision holds
y = np.array(["b", "a", "c"])[(X[:, 0] + X[:, 1] > 0).astype(int) + (X[:, 2] > 0.5)]
numbers = X[:, 0] * 2 + rng.normal(size=120)

CLASSIFIERS = [name for name, row in LEARNERS.items() if row.task == "classify"]
TREES = [name for name, row in LEARNERS.items() if row.kind == "tree"]
FORESTS = [n for n in LEARNERS if n.startswith(("RandomForest", "ExtraTrees", "Bagging"))]
ENSEMBLES = [name for name, row in LEARNERS.items() if row.kind == "trees"]


def fitted(name: str, **params: Any) -> Any:
    if LEARNERS[name].kind == "trees":
        params = {"n_estimators": 4} | params
    return import_public(name)(**params).fit(X, y if name in CLASSIFIERS else numbers)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_log_probabilities(name: str) -> None:
    model = fitted(name)
    shares = model.predict_proba(X)
    with np.errstate(divide="ignore"):
        assert np.array_equal(model.predict_log_proba(X), np.log(shares))


@pytest.mark.parametrize("name", TREES)
def test_size_of_a_tree(name: str) -> None:
    model = fitted(name)
    assert (model.get_depth(), model.get_n_leaves()) == (model.tree_.depth, model.tree_.n_leaves)


@pytest.mark.parametrize("name", TREES)
def test_decision_path_is_the_path_of_each_row(name: str) -> None:
    model = fitted(name)
    matrix = model.decision_path(X[:30])
    assert matrix.shape == (30, model.tree_.n_nodes)
    for i in range(30):
        nodes = matrix.indices[matrix.indptr[i] : matrix.indptr[i + 1]].tolist()
        assert nodes == model.tree_.path(X[i])


def test_decision_path_of_a_divided_row_ends_where_it_is_divided() -> None:
    model = treewright.C45Classifier(prune=None).fit(*datasets.golf())
    row = [{"outlook": None, "temperature": 70, "humidity": 90, "windy": "false"}]
    assert model.decision_path(row).indices.tolist() == [0]


def test_decision_path_of_no_rows() -> None:
    assert fitted("CARTClassifier").decision_path(X[:1])[:0].shape[0] == 0


@pytest.mark.parametrize("name", [n for n in ENSEMBLES if n.startswith(("Random", "Extra"))])
def test_decision_path_of_a_forest_is_scikit_learns(name: str) -> None:
    model = fitted(name).fit(X, np.sort(y) if name in CLASSIFIERS else numbers)
    ours, starts = model.decision_path(X)
    theirs, pointers = export(model, "sklearn").decision_path(X)
    assert (ours != theirs).nnz == 0
    assert starts.tolist() == pointers.tolist()


@pytest.mark.parametrize("name", FORESTS)
def test_members_and_their_rows(name: str) -> None:
    model = fitted(name)
    classifies = name in CLASSIFIERS
    predict = [e.predict_proba(X) if classifies else e.predict(X) for e in model.estimators_]
    whole = model.predict_proba(X) if classifies else model.predict(X)
    assert np.allclose(np.mean(predict, axis=0), whole)
    assert len(model.estimators_samples_) == 4
    for estimator, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        assert estimator.tree_.weight[0] == len(rows) == 120
        # A tree that is grown from exactly these rows has their mean at its root.
        if not classifies:
            assert estimator.tree_.value[0, 0] == pytest.approx(numbers[rows].mean())


def test_samples_leave_out_rows_without_weight_and_are_not_stored(tmp_path: Any) -> None:
    weights = np.ones(120)
    weights[:50] = 0
    for model in (
        treewright.RandomForestClassifier(3),
        treewright.BaggingClassifier(n_estimators=3),
    ):
        model.fit(X, y, weights)
        assert min(rows.min() for rows in model.estimators_samples_) >= 50
        assert len(model.estimators_samples_[1:]) == 2
        again = pickle.loads(pickle.dumps(model))
        assert not hasattr(again, "estimators_samples_")
        save(model, tmp_path / "m.tree")
        assert not hasattr(load(tmp_path / "m.tree"), "estimators_samples_")
        assert len(again.estimators_) == 3


def test_members_of_boosting_add_up() -> None:
    model = fitted("GradientBoostingRegressor", learning_rate=0.5)
    assert model.estimators_.shape == (4, 1)
    total = model._forest.combine["base"][0] + 0.5 * sum(
        tree.predict(X) for tree in model.estimators_[:, 0]
    )
    assert np.allclose(total, model.predict(X))
    assert fitted("GradientBoostingClassifier").estimators_.shape == (4, 3)


@pytest.mark.parametrize("name", ["AdaBoostClassifier", "AdaBoostRegressor"])
def test_members_of_adaboost(name: str) -> None:
    model = fitted(name)
    assert len(model.estimators_) == len(model.trees_)
    assert model.estimators_[0].tree_.nested() == model.trees_[0].nested()


@pytest.mark.parametrize("name", ENSEMBLES)
def test_the_last_stage_is_the_prediction(name: str) -> None:
    model, target = fitted(name), y if name in CLASSIFIERS else numbers
    check_stages(model, target)


@pytest.mark.parametrize("name", [n for n in ENSEMBLES if n.startswith(("AdaBoost", "Bagging"))])
def test_stages_of_other_estimators(name: str) -> None:
    base = DecisionTreeClassifier if name in CLASSIFIERS else DecisionTreeRegressor
    model = fitted(name, estimator=base(max_depth=2))
    check_stages(model, y if name in CLASSIFIERS else numbers)
    assert len(list(model.staged_predict(X))) == len(model.estimators_)


def check_stages(model: Any, target: Any) -> None:
    assert np.array_equal([*model.staged_predict(X)][-1], model.predict(X))
    assert [*model.staged_score(X, target)][-1] == pytest.approx(model.score(X, target))
    if hasattr(model, "predict_proba"):
        assert np.allclose([*model.staged_predict_proba(X)][-1], model.predict_proba(X))
    if hasattr(model, "decision_function"):
        assert np.allclose([*model.staged_decision_function(X)][-1], model.decision_function(X))


def test_tools_that_look_for_scikit_learns_tree_are_told_where_it_is() -> None:
    from sklearn.tree import export_graphviz

    with pytest.raises(AttributeError, match=r'export\(model, "sklearn"\)'):
        export_graphviz(fitted("CARTClassifier"))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        fitted("CARTClassifier").tree_.nothing  # noqa: B018


SEEDED = [name for name in LEARNERS if "random_state" in import_public(name)._get_param_names()]


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng])
@pytest.mark.parametrize("name", SEEDED)
def test_a_generator_is_a_random_state(name: str, make: Any) -> None:
    model = fitted(name, random_state=make(3))
    assert to_bytes(fitted(name, random_state=make(3))) == to_bytes(model)
    state = model.random_state
    to_bytes(model)
    assert clone(model).random_state is not state  # a copy, as in scikit-learn
    assert model.get_params()["random_state"] is state


def test_saving_draws_no_number_of_a_generator() -> None:
    generator = np.random.default_rng(3)
    model = treewright.CARTClassifier(prune="reduced_error", random_state=generator).fit(X, y)
    before = generator.bit_generator.state
    again = from_bytes(to_bytes(model))
    assert generator.bit_generator.state == before
    # The file holds the seed that was drawn: the same rows are held out again.
    assert again.fit(X, y).tree_.nested() == model.tree_.nested()
    assert isinstance(again.random_state, int)


@pytest.mark.parametrize("name", ["CARTClassifier", "CARTRegressor", "GradientBoostingRegressor"])
def test_a_share_of_rows_is_their_number_rounded_up(name: str) -> None:
    share, count = fitted(name, min_samples_leaf=0.09), fitted(name, min_samples_leaf=11)
    assert np.array_equal(share.predict(X), count.predict(X))
    for wrong in (0.0, 1.5, -0.1, np.nan):
        with pytest.raises(ValueError, match="min_samples_leaf must be a whole number"):
            fitted(name, min_samples_leaf=wrong)


@pytest.mark.parametrize("name", ["CARTClassifier", "CARTRegressor", "ID3Classifier"])
def test_a_share_of_rows_to_split(name: str) -> None:
    share, count = fitted(name, min_samples_split=0.25), fitted(name, min_samples_split=30)
    assert share.tree_.nested() == count.tree_.nested()


@pytest.mark.parametrize(
    ("alias", "metric"),
    [
        ("l1", "manhattan"),
        ("cityblock", "manhattan"),
        ("l2", "euclidean"),
        ("infinity", "chebyshev"),
        ("p", "minkowski"),
    ],
)
def test_other_names_of_metrics(alias: str, metric: str, tmp_path: Any) -> None:
    model = treewright.KNeighborsClassifier(metric=alias, p=3).fit(X, y)
    same = treewright.KNeighborsClassifier(metric=metric, p=3).fit(X, y)
    assert model.metric_ == metric
    assert np.array_equal(model.kneighbors(X)[0], same.kneighbors(X)[0])
    assert model.get_params()["metric"] == alias
    save(model, tmp_path / "knn.tree")
    assert load(tmp_path / "knn.tree").metric_ == metric
    assert treewright.nearest(X, X[:1], 3, metric=alias).rows.tolist() == (
        treewright.nearest(X, X[:1], 3, metric=metric, p=2).rows.tolist()
    )
