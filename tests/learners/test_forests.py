"""Forests: reproducibility, warm start, samples, out-of-bag scores and weights."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone

from treewright import (
    BaggingClassifier,
    C45Classifier,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    Table,
    UsageError,
    bootstrap,
    datasets,
    load,
    save,
)
from treewright._estimator.training_data import TrainingData
from treewright._input.checks import read_training
from treewright.files import to_bytes
from treewright.table import Series

CLASSIFIERS = [RandomForestClassifier, ExtraTreesClassifier]
FORESTS = [*CLASSIFIERS, RandomForestRegressor, ExtraTreesRegressor]


def task(rows: int = 300, seed: int = 0) -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 6))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + 0.3 * rng.standard_normal(rows) > 0).astype(int)


def mixed(rows: int = 200) -> tuple[Table, NDArray[Any]]:
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue"], rows).tolist()
    size = [None if i % 7 == 0 else float(x) for i, x in enumerate(rng.standard_normal(rows))]
    y = [int(c == "red") ^ int((s or 1) > 0) for c, s in zip(colour, size, strict=True)]
    return Table([Series.of("colour", colour), Series.of("size", size)]), np.array(y)


@pytest.mark.parametrize("forest", FORESTS)
def test_threads_and_the_order_of_rows_do_not_matter(forest: Any) -> None:
    X, y = task()
    models = [forest(8, n_jobs=jobs).fit(X, y).set_params(n_jobs=None) for jobs in (1, 2, 3, 8)]
    assert len({to_bytes(model) for model in models}) == 1
    order = np.random.default_rng(1).permutation(len(X))
    plain, turned = forest(8).fit(X, y), forest(8).fit(X[order], y[order])
    assert to_bytes(plain) == to_bytes(turned)


@pytest.mark.parametrize("forest", FORESTS)
def test_seeds_differ_and_none_is_zero(forest: Any) -> None:
    X, y = task()
    probe = task(50, 1)[0]
    answers = [forest(5, random_state=seed).fit(X, y).predict(probe) for seed in (None, 0, 1)]
    assert (answers[0] == answers[1]).all()
    assert (answers[0] != answers[2]).any() or len(np.unique(answers[0])) == 2
    one = forest(5, random_state=np.random.RandomState(3)).fit(X, y)
    two = forest(5, random_state=np.random.RandomState(3)).fit(X, y)
    assert (one.predict(probe) == two.predict(probe)).all()


@pytest.mark.parametrize("forest", FORESTS)
def test_a_warm_start_gives_the_forest_of_one_fit(forest: Any) -> None:
    X, y = task()
    warm = forest(3, warm_start=True).fit(X, y)
    warm.set_params(n_estimators=7).fit(X, y)
    cold = forest(7, warm_start=True).fit(X, y)
    assert to_bytes(warm) == to_bytes(cold)
    with pytest.warns(UserWarning, match="does not fit new estimators"):
        warm.fit(X, y)
    with pytest.raises(ValueError, match="larger or equal"):
        warm.set_params(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="the same columns and classes"):
        warm.set_params(n_estimators=9).fit(X[:, :3], y)


@pytest.mark.parametrize("forest", FORESTS)
def test_categories_and_missing_values(forest: Any) -> None:
    X, y = mixed()
    model = forest(15).fit(X, y)
    assert model.score(X, y) > 0.8
    assert to_bytes(pickle.loads(pickle.dumps(model))) == to_bytes(model)


@pytest.mark.parametrize("forest", FORESTS)
def test_files_keep_the_trees_and_the_curve(forest: Any, tmp_path: Any) -> None:
    X, y = task()
    model = forest(30, bootstrap=True, oob_score=True).fit(X, y)
    save(model, tmp_path / "forest.tree")
    again = load(tmp_path / "forest.tree")
    assert (again.predict(X) == model.predict(X)).all()
    assert again.oob_score_ == model.oob_score_
    assert again.oob_curve_.tolist() == model.oob_curve_.tolist()


def test_out_of_bag_predictions_equal_a_slow_loop() -> None:
    X, y = task(120)
    model = RandomForestClassifier(25, oob_score=True).fit(X, y)
    from treewright import _core

    table, target = read_training(model, X), model._check_target(y)
    bag = model._bag(TrainingData(table, model._describe(table, target), target, None))
    samples = _core.Samples(bag, [None] * 6, list(X.T.copy()), y.astype(np.uint32), 2, None)
    sums, counts = np.zeros((120, 2)), np.zeros(120)
    curve = []
    for i, tree in enumerate(model.trees_):
        times = samples.times(i)
        absent = times == 0
        assert times.sum() == 120
        leaves = model._forest.apply(i, list(X.T.copy()))
        sums[absent] += np.asarray(tree.value)[leaves[absent]]
        counts += absent
        known = counts > 0
        curve.append((sums[known].argmax(axis=1) != y[known]).mean())
    shares = sums / counts[:, None]
    assert np.allclose(model.oob_decision_function_, shares)
    assert np.allclose(model.oob_curve_, curve)
    assert model.oob_score_ == (shares.argmax(axis=1) == y).mean() == 1 - model.oob_curve_[-1]
    assert 0.6 < model.oob_score_ < 1


def test_out_of_bag_of_numbers() -> None:
    X, _ = task(200)
    y = X[:, 0] + 0.1 * X[:, 1]
    model = RandomForestRegressor(40, oob_score=True).fit(X, y)
    assert 0.8 < model.oob_score_ < model.score(X, y)
    error = np.mean((model.oob_prediction_ - y) ** 2)
    assert np.isclose(model.oob_curve_[-1], error)
    assert model.oob_curve_[-1] < model.oob_curve_[3]
    scored = RandomForestRegressor(40, oob_score=lambda t, p: 7.0).fit(X, y)
    assert scored.oob_score_ == 7


def test_too_few_trees_give_a_warning() -> None:
    X, y = task(60)
    with pytest.warns(UserWarning, match="do not have OOB scores"):
        model = RandomForestClassifier(2, oob_score=True).fit(X, y)
    assert np.isnan(model.oob_decision_function_).any()


@pytest.mark.parametrize("weight", ["balanced", "balanced_subsample", {0: 1, 1: 9}])
def test_classes_that_weigh_more_are_missed_less(weight: Any) -> None:
    X, y = task(600)
    y = y * (np.arange(600) % 4 == 0)
    plain = RandomForestClassifier(30, min_samples_leaf=10).fit(X, y)
    heavy = RandomForestClassifier(30, min_samples_leaf=10, class_weight=weight).fit(X, y)
    assert heavy.predict(X)[y == 1].mean() > plain.predict(X)[y == 1].mean()


def test_balanced_samples_have_as_many_of_each_class() -> None:
    X, y = task(400)
    y = y * (np.arange(400) % 5 == 0)
    model = RandomForestClassifier(10, bootstrap="balanced").fit(X, y)
    for tree in model.trees_:
        assert np.asarray(tree.value)[0].tolist() == [0.5, 0.5]
        assert tree.weight[0] == 2 * y.sum()
    with pytest.raises(UsageError, match="only for classifiers"):
        RandomForestRegressor(2, bootstrap="balanced").fit(X, y)


def test_samples_of_another_size() -> None:
    X, y = task(100)
    for size, weight in ((0.25, 25), (40, 40), (None, 100)):
        model = RandomForestClassifier(3, max_samples=size).fit(X, y)
        assert [tree.weight[0] for tree in model.trees_] == [weight] * 3
    with pytest.raises(ValueError, match="bootstrap=False"):
        RandomForestClassifier(3, bootstrap=False, max_samples=5).fit(X, y)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"max_features": "half"}, "max_features must be"),
        ({"max_features": 0}, "max_features must be"),
        ({"n_estimators": 0}, "n_estimators must be"),
        ({"bootstrap": "twice"}, "bootstrap must be"),
        ({"missing": "surrogate"}, "for forests"),
        ({"random_state": -1}, "random_state must be"),
        ({"min_samples_leaf": 1.5}, "min_samples_leaf must be"),
    ],
)
def test_wrong_parameters_are_errors(words: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RandomForestClassifier(**words).fit(*task(20))


def test_progress_is_reported_and_can_stop_the_fit() -> None:
    X, y = task(4000)
    calls: list[tuple[int, int]] = []
    RandomForestClassifier(60, verbose=lambda done, total: calls.append((done, total))).fit(X, y)
    assert all(0 < done <= 60 and total == 60 for done, total in calls)
    assert calls == sorted(calls)
    RandomForestClassifier(2, verbose=print, random_state=np.random.default_rng(1)).fit(X, y)
    assert to_bytes(RandomForestClassifier(2, verbose=print).fit(X[:50], y[:50]))

    def stop(done: int, total: int) -> None:
        raise RuntimeError(f"stopped after {done}")

    model = RandomForestClassifier(2000, verbose=stop)
    with pytest.raises(RuntimeError, match="stopped after"):
        model.fit(X, y)
    assert not hasattr(model, "classes_")


def test_bootstrap_samples_rows() -> None:
    rows = bootstrap(500, random_state=2)
    assert len(rows) == 500
    assert rows.min() >= 0
    assert rows.max() < 500
    assert 290 < len(set(rows.tolist())) < 340
    assert (rows == bootstrap(500, random_state=2)).all()
    assert (rows != bootstrap(500, random_state=3)).any()


def test_importances_find_the_columns() -> None:
    X, y = task(1000)
    for forest in CLASSIFIERS:
        importances = forest(40).fit(X, y).feature_importances_
        assert np.isclose(importances.sum(), 1)
        assert set(np.argsort(importances)[-3:]) == {0, 1, 2}


def test_tied_columns_are_all_used() -> None:
    """Where columns are the same, the one drawn first is taken: none is preferred for its place."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(300)
    y = (x + 0.5 * rng.standard_normal(300) > 0).astype(int)
    model = RandomForestClassifier(50, max_features=None).fit(np.column_stack([x] * 4), y)
    assert model.feature_importances_.min() > 0.15


def test_extra_trees_make_random_splits() -> None:
    X, y = datasets.play_tennis()
    one, two = (ExtraTreesClassifier(1, random_state=seed).fit(X, y) for seed in (1, 2))
    assert to_bytes(one) != to_bytes(two)
    Z, z = task(200)
    model = ExtraTreesClassifier(1, max_features=None).fit(Z, z)
    tree = model.trees_[0]
    column = Z[:, tree.feature[0]]
    assert column.min() <= tree.threshold[0] < column.max()
    assert model.score(Z, z) == 1


# ---- weights


WEIGHTED = [
    RandomForestClassifier(4, random_state=1),
    RandomForestClassifier(4, bootstrap="balanced", max_samples=0.5),
    RandomForestClassifier(3, class_weight="balanced_subsample"),
    ExtraTreesClassifier(3),
    BaggingClassifier(n_estimators=3, max_samples=0.5, bootstrap=False),
    BaggingClassifier(C45Classifier(), n_estimators=2),
]


@pytest.mark.parametrize("model", WEIGHTED, ids=str)
@pytest.mark.parametrize("factor", [100.0, 1.5, 0.1])
def test_only_the_ratios_of_weights_matter(model: Any, factor: float) -> None:
    rng = np.random.default_rng(2)
    X = rng.standard_normal((150, 4))
    y = (X[:, 0] + rng.standard_normal(150) > 0).astype(int)
    for weights in (np.ones(150), rng.integers(1, 5, 150).astype(float)):
        one = to_bytes(clone(model).fit(X, y, weights))
        assert to_bytes(clone(model).fit(X, y, weights * factor)) == one
    assert to_bytes(clone(model).fit(X, y)) == to_bytes(
        clone(model).fit(X, y, np.full(150, factor))
    )


def test_uniform_weights_leave_rows_out_of_the_bag() -> None:
    rng = np.random.default_rng(2)
    X = rng.standard_normal((150, 4))
    y = X[:, 0] + rng.standard_normal(150)
    scores = [
        RandomForestRegressor(20, oob_score=True).fit(X, y, sample_weight=w).oob_score_
        for w in (None, np.ones(150), np.full(150, 100.0))
    ]
    assert scores[0] == scores[1] == scores[2]
